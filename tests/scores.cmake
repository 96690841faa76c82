topple_tests(test_scores LIBRARIES topple::hil nlohmann_json::nlohmann_json SOURCES
    unit/hil/scores/logistic_fit_test.cpp
    unit/hil/scores/scores_test.cpp
)

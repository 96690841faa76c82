topple_tests(test_scores LIBRARIES topple::hil nlohmann_json::nlohmann_json SOURCES
    unit/hil/experiment/composed_text_test.cpp
    unit/hil/outcome_tables/outcome_words_test.cpp
    unit/hil/outcome_tables/table_text_test.cpp
    unit/hil/scores/logistic_fit_test.cpp
    unit/hil/scores/scores_test.cpp
)

topple_tests(test_outcome_table LIBRARIES topple_run_topple nlohmann_json::nlohmann_json SOURCES
    integration/outcome_table_test.cpp
)

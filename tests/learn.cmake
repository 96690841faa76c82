topple_tests(test_learn LIBRARIES topple::hil topple_run_topple fmt::fmt SOURCES
    property/hil/learn/coverage_test.cpp
    property/hil/learn/sampling_test.cpp
    unit/hil/experiment/learned_prior_test.cpp
    unit/hil/learn/learning_test.cpp
)
target_sources(test_learn PRIVATE support/synthetic_run.cpp)

topple_tests(test_fit_command LIBRARIES topple_run_topple fmt::fmt nlohmann_json::nlohmann_json SOURCES
    integration/fit_command_test.cpp
)

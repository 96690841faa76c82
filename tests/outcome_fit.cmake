topple_tests(test_outcome_fit LIBRARIES topple::hil_outcome_fit fmt::fmt nlohmann_json::nlohmann_json SOURCES
    property/hil/outcome_fit/outcome_coverage_test.cpp
    property/hil/outcome_fit/two_searches_test.cpp
    unit/hil/outcome_fit/fit_parameters_test.cpp
    unit/hil/outcome_fit/table_fit_test.cpp
    unit/hil/outcome_fit/table_likelihood_test.cpp
)

topple_tests(test_fit_table_command LIBRARIES topple_run_topple fmt::fmt nlohmann_json::nlohmann_json SOURCES
    integration/fit_table_test.cpp
)

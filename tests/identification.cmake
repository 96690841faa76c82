topple_tests(test_identification LIBRARIES topple::hil SOURCES
    property/hil/identification_test.cpp
    unit/hil/identification/frequency_response_test.cpp
    unit/hil/identification/loop_margins_test.cpp
    unit/hil/identification/multisine_test.cpp
    unit/hil/identification/table_model_test.cpp
)
topple_tests(test_identify_command LIBRARIES topple_run_topple topple::hil SOURCES
    integration/identify_command_test.cpp
)

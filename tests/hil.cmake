topple_tests(test_hil LIBRARIES topple::hil SOURCES
    unit/hil/run_folder_test.cpp
    unit/hil/settling_test.cpp
)

topple_tests(test_identify LIBRARIES topple::solver SOURCES
    golden/solver/free_rocking_tables_test.cpp
    golden/solver/impulse_position_test.cpp
    unit/solver/identify/free_lobe_test.cpp
    unit/solver/identify/impulse_position_test.cpp
    unit/solver/identify/restitution_fit_test.cpp
)

topple_tests(test_fit LIBRARIES topple::hil topple_run_topple SOURCES
    property/hil/fit_coverage_test.cpp
    unit/hil/study/free_rocking_series_test.cpp
    unit/hil/study/free_rocking_test.cpp
    unit/hil/study/pooling_test.cpp
)

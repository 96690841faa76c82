topple_tests(test_solver LIBRARIES topple::solver SOURCES
    unit/solver/outcome_test.cpp
    unit/solver/base_motion_test.cpp
    property/solver/base_motion_test.cpp
)

topple_tests(test_solver LIBRARIES topple::solver SOURCES
    golden/solver/free_rocking_test.cpp
    unit/solver/outcome_test.cpp
    unit/solver/base_motion_test.cpp
    unit/solver/study/perturbation_test.cpp
    property/solver/base_motion_test.cpp
)

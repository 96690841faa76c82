topple_tests(test_solver LIBRARIES topple::solver SOURCES
    unit/solver/outcome_test.cpp
)

topple_tests(test_map LIBRARIES topple::solver SOURCES
    unit/solver/study/stability_map_test.cpp
)

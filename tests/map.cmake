topple_tests(test_map LIBRARIES topple::solver SOURCES
    unit/solver/lanes/lane_ensemble_test.cpp
    unit/solver/study/lanes_test.cpp
    unit/solver/study/stability_map_test.cpp
)

topple_tests(test_map_grid LIBRARIES topple::hil SOURCES
    unit/hil/study/map_grid_test.cpp
)

topple_tests(test_foot LIBRARIES topple::solver SOURCES
    property/solver/foot_test.cpp
    unit/solver/study/resting_places_test.cpp
)

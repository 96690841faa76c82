topple_tests(test_foot LIBRARIES topple::solver SOURCES
    golden/solver/rolling_foot_test.cpp
    property/solver/foot_test.cpp
    unit/solver/foot_test.cpp
    unit/solver/laws/foot_law_test.cpp
    unit/solver/study/resting_places_test.cpp
)
add_executable(foot_bench bench/foot_bench.cpp)
target_link_libraries(foot_bench PRIVATE topple::solver topple_build)

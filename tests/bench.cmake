# Measurements, run by hand; never part of the test suite.
add_executable(log_bench bench/log_bench.cpp support/count_allocations.cpp)
target_link_libraries(log_bench PRIVATE topple::hil topple_build)

# Runs of one record side by side.
topple_tests(test_suite LIBRARIES topple::solver SOURCES
    property/solver/foot_lanes_test.cpp
    property/solver/record_suite_test.cpp
    unit/solver/study/record_suite_test.cpp
)

# The Odeint baseline gets the flags that the lanes get.
add_executable(suite_bench bench/suite_bench.cpp bench/odeint_record.cpp)
target_link_libraries(suite_bench PRIVATE topple::solver topple_build Boost::headers)
set_source_files_properties(bench/odeint_record.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(bench/odeint_record.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-mavx2;-mfma")
endif()

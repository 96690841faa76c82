# Fragility studies and the ranks that share them.
topple_tests(test_fragility LIBRARIES topple::hil SOURCES
    unit/hil/fragility/lognormal_fit_test.cpp
    unit/hil/fragility/results_test.cpp
    unit/hil/fragility/study_test.cpp
)

topple_tests(test_fragility_command LIBRARIES topple_run_topple nlohmann_json::nlohmann_json SOURCES
    integration/fragility_ranks_test.cpp
    integration/fragility_test.cpp
)
find_program(TOPPLE_MPIRUN mpirun)
get_target_property(cluster_sources topple_hil_cluster SOURCES)
if(TOPPLE_MPIRUN AND cluster_sources MATCHES "over_mpi")
    target_compile_definitions(test_fragility_command PRIVATE TOPPLE_MPIRUN="${TOPPLE_MPIRUN}")
endif()

add_executable(fragility_bench bench/fragility_bench.cpp)
target_link_libraries(fragility_bench PRIVATE topple_run_topple topple::solver topple_build fmt::fmt)

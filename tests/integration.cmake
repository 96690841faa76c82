# The whole program, run as a user runs it. Anything that links topple_run_topple gets TOPPLE_EXECUTABLE.
add_library(topple_run_topple STATIC support/run_topple.cpp support/background_topple.cpp)
target_link_libraries(topple_run_topple PUBLIC topple_build)
target_include_directories(topple_run_topple PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(topple_run_topple PUBLIC TOPPLE_EXECUTABLE="$<TARGET_FILE:topple>")
target_compile_features(topple_run_topple PUBLIC cxx_std_20)
add_dependencies(topple_run_topple topple)


topple_tests(test_command_line LIBRARIES topple_run_topple topple::hil CLI11::CLI11 nlohmann_json::nlohmann_json SOURCES
    integration/arguments_test.cpp
    integration/command_line_test.cpp
    integration/contact_dynamics_command_test.cpp
    integration/hostile_names_test.cpp
    integration/map_command_test.cpp
    integration/map_keys_test.cpp
    integration/plan_records_test.cpp
)

topple_tests(test_crate_command LIBRARIES topple_run_topple nlohmann_json::nlohmann_json fmt::fmt SOURCES
    integration/crate_yaw_test.cpp
)

topple_tests(test_assembly_command LIBRARIES topple_run_topple fmt::fmt nlohmann_json::nlohmann_json SOURCES
    integration/assembly_test.cpp
    integration/positions_test.cpp
    integration/side_by_side_test.cpp
)

topple_tests(test_mesh_command LIBRARIES topple_run_topple topple::hil_mesh fmt::fmt nlohmann_json::nlohmann_json SOURCES
    integration/mesh_test.cpp
)

topple_tests(test_foot_command LIBRARIES topple_run_topple nlohmann_json::nlohmann_json SOURCES integration/foot_test.cpp)

topple_tests(test_run LIBRARIES topple_run_topple topple::hil nlohmann_json::nlohmann_json SOURCES
    integration/iterate_test.cpp
    integration/run_command_test.cpp
)

topple_tests(test_wire_run LIBRARIES topple_run_topple topple::hil SOURCES
    support/topple_at_terminal.cpp
    integration/real_table_test.cpp
    integration/wire_run_test.cpp
)

topple_tests(test_check_command LIBRARIES topple_run_topple nlohmann_json::nlohmann_json SOURCES
    integration/check_test.cpp
    support/topple_at_terminal.cpp
)

# The fault matrix; `ctest -L faults -V` prints it.
add_executable(test_faults
    integration/fault_matrix_test.cpp
    integration/fault_run_test.cpp
    integration/stop_time_test.cpp
    support/fault_bench.cpp
)
target_link_libraries(test_faults PRIVATE topple_catch topple_build topple_run_topple topple::hil fmt::fmt)
catch_discover_tests(test_faults TEST_PREFIX "test_faults: " PROPERTIES TIMEOUT 300 ${TOPPLE_EMPTY_TEST_FAILS} LABELS faults)

topple_tests(test_campaign_command LIBRARIES topple_run_topple nlohmann_json::nlohmann_json SOURCES
    integration/campaign_people_test.cpp
    integration/campaign_test.cpp
    support/topple_at_terminal.cpp
)

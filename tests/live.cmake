# The live server: on a real port, with clients that behave well and badly.
topple_tests(test_live LIBRARIES topple::hil topple_run_topple
             nlohmann_json::nlohmann_json Boost::headers SOURCES
    integration/live_command_test.cpp
    unit/hil/live/hostile_client_test.cpp
    unit/hil/live/live_server_test.cpp
)

topple_fuzz(live_client "messages of a client that watches" topple::hil_live)

add_executable(live_server_bench bench/live_server_bench.cpp support/ticking_table.cpp)
target_link_libraries(live_server_bench PRIVATE topple::hil topple_heap_counter topple_build Boost::headers)
target_compile_definitions(live_server_bench PRIVATE TOPPLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# The live server: on a real port, with clients that behave well and badly.
topple_tests(test_live LIBRARIES topple::hil_live topple::hil_files topple::hil_run_log topple_run_topple
             nlohmann_json::nlohmann_json Boost::headers SOURCES
    unit/hil/live/hostile_client_test.cpp
    unit/hil/live/live_server_test.cpp
)

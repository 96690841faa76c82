topple_tests(test_camera LIBRARIES topple::hil SOURCES
    unit/hil/camera/read_rotation_test.cpp
    unit/hil/compare/camera_clock_test.cpp
    unit/hil/compare/filmed_measurement_test.cpp
    unit/hil/compare/history_likeness_test.cpp
    unit/hil/compare/repeatability_test.cpp
    unit/hil/experiment/same_test_test.cpp
)

topple_tests(test_camera_command LIBRARIES topple_run_topple topple::hil nlohmann_json::nlohmann_json SOURCES
    integration/camera_test.cpp
)

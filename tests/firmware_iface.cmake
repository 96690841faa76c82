find_package(nlohmann_json REQUIRED)
topple_tests(test_firmware_iface LIBRARIES topple::firmware_iface nlohmann_json::nlohmann_json SOURCES
    golden/firmware_iface/wire_frames_test.cpp
    property/firmware_iface/codec_test.cpp
    property/firmware_iface/small_codec_test.cpp
    property/firmware_iface/frame_stream_test.cpp
    unit/firmware_iface/clock_sync_test.cpp
    unit/firmware_iface/fault_test.cpp
    unit/firmware_iface/machine_test.cpp
    unit/firmware_iface/sound_description_test.cpp
    unit/firmware_iface/wording_test.cpp
    unit/firmware_iface/table_link_connect_test.cpp
    unit/firmware_iface/table_link_test.cpp
    unit/firmware_iface/transport/latency_test.cpp
    unit/firmware_iface/transport/pipe_test.cpp
    unit/firmware_iface/transport/real_wire_test.cpp
    unit/firmware_iface/transport/serial_lock_test.cpp
    unit/firmware_iface/transport/serial_ports_test.cpp
    unit/firmware_iface/wire/codec_test.cpp
    unit/firmware_iface/wire/frame_test.cpp
)

# libserialport takes no pseudo-terminal for a port unless this library answers for the system.
add_library(pty_as_serial MODULE support/pty_as_serial.cpp)
target_link_libraries(pty_as_serial PRIVATE topple_build ${CMAKE_DL_LIBS})
add_test(NAME "test_firmware_iface: libserialport's own path runs over a pseudo-terminal"
    COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=$<TARGET_FILE:pty_as_serial> ASAN_OPTIONS=verify_asan_link_order=0
        $<TARGET_FILE:test_firmware_iface> "[.preload],[lock]")
set_tests_properties("test_firmware_iface: libserialport's own path runs over a pseudo-terminal" PROPERTIES TIMEOUT 60)

topple_tests(test_device LIBRARIES topple::firmware_iface topple_heap_counter SOURCES
    unit/firmware_iface/device/device_core_test.cpp
    unit/firmware_iface/device/device_faults_test.cpp
    unit/firmware_iface/device/continuity_test.cpp
    unit/firmware_iface/device/device_session_test.cpp
    unit/firmware_iface/device/homing_test.cpp
    unit/firmware_iface/device/servo_test.cpp
    unit/firmware_iface/device/session_life_test.cpp
    unit/firmware_iface/device/setpoint_queue_test.cpp
    unit/firmware_iface/device/state_machine_test.cpp
    unit/firmware_iface/device/states_page_test.cpp
    unit/firmware_iface/device/trigger_test.cpp
    unit/firmware_iface/device/two_axes_test.cpp
    unit/firmware_iface/device/turn_away_test.cpp
)

# Programs in which every allocation is counted.
add_library(topple_heap_counter OBJECT support/heap_counter.cpp)
target_include_directories(topple_heap_counter PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_features(topple_heap_counter PUBLIC cxx_std_20)
topple_tests(test_firmware_iface_rt LIBRARIES topple::firmware_iface topple_heap_counter SOURCES
    rt/firmware_iface/wire_heap_test.cpp
)
add_executable(wire_bench bench/wire_bench.cpp)
target_link_libraries(wire_bench PRIVATE topple::firmware_iface topple_heap_counter topple_build)

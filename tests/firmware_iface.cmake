topple_tests(test_firmware_iface LIBRARIES topple::firmware_iface SOURCES
    property/firmware_iface/frame_stream_test.cpp
    unit/firmware_iface/fault_test.cpp
    unit/firmware_iface/machine_test.cpp
    unit/firmware_iface/table_link_test.cpp
    unit/firmware_iface/transport/pipe_test.cpp
    unit/firmware_iface/transport/real_wire_test.cpp
    unit/firmware_iface/transport/serial_ports_test.cpp
    unit/firmware_iface/wire/codec_test.cpp
    unit/firmware_iface/wire/frame_test.cpp
)

# libserialport takes no pseudo-terminal for a port unless this library answers for the system.
add_library(pty_as_serial MODULE support/pty_as_serial.cpp)
target_link_libraries(pty_as_serial PRIVATE topple_build ${CMAKE_DL_LIBS})
add_test(NAME "test_firmware_iface: libserialport's own path runs over a pseudo-terminal"
    COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=$<TARGET_FILE:pty_as_serial> ASAN_OPTIONS=verify_asan_link_order=0
        $<TARGET_FILE:test_firmware_iface> "[.preload]")
set_tests_properties("test_firmware_iface: libserialport's own path runs over a pseudo-terminal" PROPERTIES TIMEOUT 60)

topple_tests(test_device LIBRARIES topple::firmware_iface SOURCES
    unit/firmware_iface/device/device_core_test.cpp
    unit/firmware_iface/device/homing_test.cpp
    unit/firmware_iface/device/setpoint_queue_test.cpp
    unit/firmware_iface/device/state_machine_test.cpp
)

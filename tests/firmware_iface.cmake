topple_tests(test_firmware_iface LIBRARIES topple::firmware_iface SOURCES
    property/firmware_iface/frame_stream_test.cpp
    unit/firmware_iface/table_link_test.cpp
    unit/firmware_iface/wire/frame_test.cpp
)

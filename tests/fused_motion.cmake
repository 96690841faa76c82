topple_tests(test_fused_motion LIBRARIES topple::hil_fused_motion topple::hil_signal SOURCES
    property/hil/fused_motion_test.cpp
    unit/hil/fused_motion/calibrate_test.cpp
    unit/hil/fused_motion/fuse_test.cpp
)

topple_tests(test_ground_motion LIBRARIES topple::hil_plan topple::hil_ground_motion topple::hil_files topple::hil_signal SOURCES
    unit/hil/experiment/record_formats_test.cpp
    unit/hil/ground_motion/formats_test.cpp
    unit/hil/ground_motion/measures_test.cpp
    unit/hil/ground_motion/refusals_test.cpp
    unit/hil/signal/response_spectrum_test.cpp
)

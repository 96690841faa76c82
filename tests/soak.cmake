# The wire at its full rate for a long time: ten seconds in every test run, an hour by `ctest -C soak -L soak`.
add_executable(soak soak/process_memory.cpp soak/soak_host.cpp soak/soak_log.cpp soak/soak_main.cpp)
target_link_libraries(soak PRIVATE topple::hil topple_run_topple topple_heap_counter topple_build fmt::fmt)
add_test(NAME "soak: ten seconds of 500 Hz over a pseudo-terminal lose nothing" COMMAND soak 10)
set_tests_properties("soak: ten seconds of 500 Hz over a pseudo-terminal lose nothing" PROPERTIES TIMEOUT 300)

set(TOPPLE_SOAK_S 3600 CACHE STRING "Length of the soak in seconds")
add_test(NAME "soak: an hour of 500 Hz over a pseudo-terminal loses nothing" COMMAND soak ${TOPPLE_SOAK_S}
    CONFIGURATIONS soak)
math(EXPR soak_timeout_s "2 * ${TOPPLE_SOAK_S} + 300")
set_tests_properties("soak: an hour of 500 Hz over a pseudo-terminal loses nothing" PROPERTIES
    TIMEOUT ${soak_timeout_s} LABELS soak RUN_SERIAL ON)

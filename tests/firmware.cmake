# The reference firmware on the emulated board. `ctest -L firmware`; ten minutes of it: `ctest -L soak`. Skipped with the
# reason where the cross compiler or QEMU is missing, unless TOPPLE_REQUIRE_INTEROP=1 is set: then a failure.
find_program(TOPPLE_QEMU_ARM qemu-system-arm)
if(TOPPLE_HAS_ARM AND TOPPLE_QEMU_ARM)
    add_executable(test_firmware_in_qemu integration/firmware_test.cpp)
    target_link_libraries(test_firmware_in_qemu PRIVATE topple_catch topple_build topple_run_topple topple::hil)
    target_compile_definitions(test_firmware_in_qemu PRIVATE TOPPLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_dependencies(test_firmware_in_qemu firmware)
    # An emulator in real time needs both processors to itself.
    catch_discover_tests(test_firmware_in_qemu TEST_PREFIX "firmware in QEMU: "
        PROPERTIES TIMEOUT 120 RUN_SERIAL ON ${TOPPLE_EMPTY_TEST_FAILS} LABELS firmware)
    add_test(NAME "firmware in QEMU: ten minutes of 500 Hz lose no frame" COMMAND test_firmware_in_qemu "[.soak]"
        CONFIGURATIONS soak)
    set_tests_properties("firmware in QEMU: ten minutes of 500 Hz lose no frame" PROPERTIES
        TIMEOUT 900 LABELS soak RUN_SERIAL ON)
else()
    add_test(NAME "firmware in QEMU"
        COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/interop/missing.sh
            "gcc-arm-none-eabi, libstdc++-arm-none-eabi-newlib and qemu-system-arm are not all installed")
    set_tests_properties("firmware in QEMU" PROPERTIES SKIP_RETURN_CODE 77 LABELS firmware)
endif()

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
    # What docs/firmware.md says an image takes, with about a tenth to spare.
    set(check ${PROJECT_SOURCE_DIR}/firmware_iface/firmware/check_budget.cmake)
    foreach(part "M3;mps2-an385;32000" "M4;mps2-an386;32000" "M7;mps2-an500;3300")
        list(GET part 0 cpu)
        list(GET part 1 board)
        list(GET part 2 cycle)
        set(count ${TOPPLE_QEMU_ARM} -machine ${board} -icount shift=0 -chardev stdio,id=out
            -semihosting-config enable=on,target=native,chardev=out -nodefaults -display none
            -kernel ${PROJECT_BINARY_DIR}/hil/firmware/budget_${cpu}.elf)
        add_test(NAME "firmware: budget of a control cycle on a Cortex-${cpu}"
            COMMAND ${CMAKE_COMMAND} -DNAME=Cortex-${cpu} "-DCOMMAND=${count}" -DCYCLE=${cycle} -P ${check})
        list(APPEND budgets "firmware: budget of a control cycle on a Cortex-${cpu}")
    endforeach()
    foreach(part "topple_mps2_an500;66000;63000" "example_stm32f767;58000;62000")
        list(GET part 0 image)
        list(GET part 1 flash)
        list(GET part 2 memory)
        add_test(NAME "firmware: budget of memory of ${image}"
            COMMAND ${CMAKE_COMMAND} -DNAME=${image} -DSIZE=${TOPPLE_ARM_SIZE} -DFLASH=${flash} -DMEMORY=${memory}
                -DIMAGE=${PROJECT_BINARY_DIR}/hil/firmware/${image}.elf -P ${check})
        list(APPEND budgets "firmware: budget of memory of ${image}")
    endforeach()
    set_tests_properties(${budgets} PROPERTIES TIMEOUT 120 LABELS firmware)
else()
    add_test(NAME "firmware in QEMU"
        COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/interop/missing.sh
            "gcc-arm-none-eabi, libstdc++-arm-none-eabi-newlib and qemu-system-arm are not all installed")
    set_tests_properties("firmware in QEMU" PROPERTIES SKIP_RETURN_CODE 77 LABELS firmware)
endif()

# nanopb on this computer: the golden frames go through it unchanged.
find_program(TOPPLE_NANOPB_GENERATOR nanopb_generator.py)
find_library(TOPPLE_NANOPB protobuf-nanopb)
find_path(TOPPLE_NANOPB_INCLUDE pb_encode.h)
if(TOPPLE_NANOPB_GENERATOR AND TOPPLE_NANOPB AND TOPPLE_NANOPB_INCLUDE)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/nanopb)
    file(MAKE_DIRECTORY ${made})
    add_custom_command(OUTPUT ${made}/table.pb.c ${made}/table.pb.h
        COMMAND ${TOPPLE_NANOPB_GENERATOR} -q -I ${PROJECT_SOURCE_DIR}/firmware_iface/wire
            -f ${PROJECT_SOURCE_DIR}/firmware_iface/wire/table.options -D ${made} -e .pb table.proto
        DEPENDS ${PROJECT_SOURCE_DIR}/firmware_iface/wire/table.proto ${PROJECT_SOURCE_DIR}/firmware_iface/wire/table.options
        VERBATIM)
    enable_language(C)
    add_library(nanopb_messages STATIC ${made}/table.pb.c ${made}/table.pb.h)
    target_include_directories(nanopb_messages PRIVATE ${TOPPLE_NANOPB_INCLUDE})
    add_executable(nanopb_frames interop/nanopb_frames.cpp ${made}/table.pb.h)
    target_include_directories(nanopb_frames PRIVATE ${made} ${TOPPLE_NANOPB_INCLUDE})
    target_link_libraries(nanopb_frames PRIVATE topple::firmware_iface nlohmann_json::nlohmann_json nanopb_messages ${TOPPLE_NANOPB}
        topple_build)
    add_test(NAME "interop: nanopb reads and writes the golden frames bit by bit"
        COMMAND nanopb_frames ${CMAKE_CURRENT_SOURCE_DIR}/data/wire/frames.json)
else()
    add_test(NAME "interop: nanopb reads and writes the golden frames bit by bit"
        COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/interop/missing.sh "nanopb and libnanopb-dev are not both installed")
    set_tests_properties("interop: nanopb reads and writes the golden frames bit by bit" PROPERTIES SKIP_RETURN_CODE 77)
endif()

add_executable(device_cycle_bench bench/device_cycle_bench.cpp)
target_link_libraries(device_cycle_bench PRIVATE topple::firmware_iface topple_build)

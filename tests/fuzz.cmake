# Fuzz targets. Their kept inputs are replayed in every test run; the preset `fuzz` (clang) makes libFuzzer programs of them.
option(TOPPLE_FUZZ "Build libFuzzer programs (clang, preset fuzz)" OFF)
if(TOPPLE_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TOPPLE_FUZZ needs clang: cmake --preset fuzz")
endif()
add_custom_target(fuzzers)

# topple_fuzz(NAME what libraries...): fuzz/NAME_fuzz.cpp with the inputs in fuzz/corpus/NAME.
function(topple_fuzz name what)
    add_executable(replay_${name} fuzz/${name}_fuzz.cpp fuzz/replay_main.cpp)
    target_link_libraries(replay_${name} PRIVATE ${ARGN} topple_build)
    add_test(NAME "fuzz: kept inputs of the ${what}"
             COMMAND replay_${name} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
    set_tests_properties("fuzz: kept inputs of the ${what}" PROPERTIES TIMEOUT 60)
    if(TOPPLE_FUZZ)
        add_executable(fuzz_${name} fuzz/${name}_fuzz.cpp)
        target_link_libraries(fuzz_${name} PRIVATE ${ARGN} topple_build)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzzers fuzz_${name})
    endif()
endfunction()

topple_fuzz(frame "frame decoder" topple::firmware_iface)
topple_fuzz(message "message decoder" topple::firmware_iface)
topple_fuzz(device_session "device behind its wire" topple::firmware_iface)
topple_fuzz(experiment_file "reader of experiment files" topple::hil tomlplusplus::tomlplusplus)
topple_fuzz(machine_file "reader of machine files" topple::hil)
topple_fuzz(csv "readers of columns" topple::hil)
topple_fuzz(mcap_reader "log reader" topple::hil)

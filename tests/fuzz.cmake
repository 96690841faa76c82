# Fuzz targets. Their kept inputs are replayed in every test run; with clang and -DTOPPLE_FUZZ=ON there is also
# a libFuzzer program: build/.../tests/fuzz_mcap_reader tests/fuzz/corpus/mcap_reader
add_executable(replay_mcap_reader fuzz/mcap_reader_fuzz.cpp fuzz/replay_main.cpp)
target_link_libraries(replay_mcap_reader PRIVATE topple::hil topple_build)
add_test(NAME "fuzz: kept inputs of the log reader"
         COMMAND replay_mcap_reader ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/mcap_reader)

option(TOPPLE_FUZZ "Build libFuzzer programs (clang only)" OFF)
if(TOPPLE_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "TOPPLE_FUZZ needs clang: cmake -DCMAKE_CXX_COMPILER=clang++ -DTOPPLE_FUZZ=ON ...")
    endif()
    # The sources that are fuzzed are compiled again, with coverage.
    set(log_reader ${PROJECT_SOURCE_DIR}/hil/run_log)
    add_executable(fuzz_mcap_reader fuzz/mcap_reader_fuzz.cpp ${log_reader}/mcap_format.cpp
        ${log_reader}/mcap_reader.cpp ${log_reader}/mcap_records.cpp ${log_reader}/mcap_verify.cpp
        ${log_reader}/log_codec.cpp)
    target_compile_options(fuzz_mcap_reader PRIVATE -g -O1 -fsanitize=fuzzer,address,undefined)
    target_link_options(fuzz_mcap_reader PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_libraries(fuzz_mcap_reader PRIVATE topple::hil topple_build protobuf::libprotobuf)
endif()

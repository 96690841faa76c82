# A foreign reader (npm: @mcap/core and protobufjs) opens our logs. It is installed into the build at test time;
# where that is impossible the tests are skipped with the reason, unless TOPPLE_REQUIRE_INTEROP=1 is set.
find_package(nlohmann_json REQUIRED)
set(interop_source ${CMAKE_CURRENT_SOURCE_DIR}/interop)
set(interop_build ${CMAKE_CURRENT_BINARY_DIR}/interop)

add_test(NAME "interop: install" COMMAND ${interop_source}/install.sh ${interop_source} ${interop_build})
set_tests_properties("interop: install" PROPERTIES FIXTURES_SETUP foreign_reader SKIP_RETURN_CODE 77 TIMEOUT 300)

# topple_interop_test(name command...): a test that may use ${TOPPLE_INTEROP_FOLDER}/read_log.mjs.
function(topple_interop_test name)
    add_test(NAME "interop: ${name}" COMMAND ${interop_source}/run_installed.sh ${interop_build} ${ARGN})
    set_tests_properties("interop: ${name}" PROPERTIES
        FIXTURES_REQUIRED foreign_reader SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

add_executable(paced_log_writer interop/paced_log_writer.cpp)
target_link_libraries(paced_log_writer PRIVATE topple::hil topple_build)

add_executable(test_interop interop/foreign_reader_test.cpp)
target_link_libraries(test_interop PRIVATE topple_catch topple_build topple::hil nlohmann_json::nlohmann_json)
target_compile_definitions(test_interop PRIVATE TOPPLE_PACED_LOG_WRITER="$<TARGET_FILE:paced_log_writer>")
add_dependencies(test_interop paced_log_writer)
topple_interop_test("log" $<TARGET_FILE:test_interop>)
topple_interop_test("frames of the wire" node --single-threaded ${interop_source}/wire_frames.mjs
    ${CMAKE_CURRENT_SOURCE_DIR}/data/wire/frames.json ${PROJECT_SOURCE_DIR}/firmware_iface/wire/table.proto)

add_executable(test_interop_run interop/real_run_test.cpp)
target_link_libraries(test_interop_run PRIVATE topple_catch topple_build topple_run_topple topple::hil nlohmann_json::nlohmann_json)
topple_interop_test("log of a run" $<TARGET_FILE:test_interop_run>)
topple_interop_test("a run watched live" sh -c "d=$(mktemp -d) && trap 'rm -rf $d' EXIT && \
node --single-threaded ${interop_source}/watch_run.mjs $<TARGET_FILE:topple> ${PROJECT_SOURCE_DIR}/docs/examples/b6l_sine.toml $d/run")

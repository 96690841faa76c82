# Installs this build into a staging folder and builds and runs the consumers there, each with the component it needs
# alone; then compiles every installed header by itself. Arguments (-D): BINARY_DIR, SOURCE_DIR (of the consumer), CXX_COMPILER, CXX_FLAGS, BUILD_TYPE, GENERATOR.
set(stage ${BINARY_DIR}/consumer)
file(REMOVE_RECURSE ${stage})

function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "failed (${code}): ${ARGN}")
    endif()
endfunction()

step(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${stage}/installed)

# No installed header may include something of ours that is not installed.
file(GLOB_RECURSE headers ${stage}/installed/include/topple/*.hpp)
foreach(header IN LISTS headers)
    file(STRINGS ${header} includes REGEX "^#include \"")
    foreach(line IN LISTS includes)
        string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
        if(NOT EXISTS ${stage}/installed/include/topple/${included})
            message(FATAL_ERROR "${header} includes ${included}, which is not installed")
        endif()
    endforeach()
endforeach()

set(common -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${stage}/installed -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
foreach(pair solver:predicts firmware_iface:frames hil_run_log:reads_log)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 component)
    list(GET pair 1 program)
    step(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${stage}/${component} ${common} -DWANTED=${component})
    step(${CMAKE_COMMAND} --build ${stage}/${component})
    step(${stage}/${component}/${program})
endforeach()

# Each installed header alone, as the only include of a source.
set(sources)
foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${stage}/installed/include/topple OUTPUT_VARIABLE name)
    string(REPLACE "/" "_" source ${name})
    file(WRITE ${stage}/alone/${source}.cpp "#include \"${name}\"\n")
    list(APPEND sources ${source}.cpp)
endforeach()
list(LENGTH sources count)
if(count LESS 20)
    message(FATAL_ERROR "only ${count} headers are installed")
endif()
list(JOIN sources " " sources)
file(WRITE ${stage}/alone/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(alone LANGUAGES CXX)
find_package(topple REQUIRED)
add_library(alone OBJECT ${sources})
target_link_libraries(alone PRIVATE topple::hil_run_log topple::firmware_iface topple::solver)
")
step(${CMAKE_COMMAND} -S ${stage}/alone -B ${stage}/alone/build ${common})
step(${CMAKE_COMMAND} --build ${stage}/alone/build)

# Installs this build into a staging folder and builds and runs the consumer there; then a second one that asks
# for everything. Arguments (-D): BINARY_DIR, SOURCE_DIR (of the consumer), CXX_COMPILER, CXX_FLAGS, BUILD_TYPE, GENERATOR.
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
step(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${stage}/build ${common})
step(${CMAKE_COMMAND} --build ${stage}/build)
step(${stage}/build/consumer)

file(WRITE ${stage}/everything/main.cpp [=[
#include <cstdio>

#include "hil/host/version.hpp"
int main() { std::puts(topple::hil::version().data()); }
]=])
file(WRITE ${stage}/everything/CMakeLists.txt [=[
cmake_minimum_required(VERSION 3.25)
project(everything LANGUAGES CXX)
find_package(topple REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE topple::hil topple::controller topple::firmware_iface topple::solver)
]=])
step(${CMAKE_COMMAND} -S ${stage}/everything -B ${stage}/everything/build ${common})
step(${CMAKE_COMMAND} --build ${stage}/everything/build)
step(${stage}/everything/build/consumer)

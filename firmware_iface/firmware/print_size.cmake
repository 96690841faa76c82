# Prints flash and static memory of an image: cmake -DSIZE=arm-none-eabi-size -DIMAGE=x.elf -P print_size.cmake
execute_process(COMMAND ${SIZE} ${IMAGE} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "\n *([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)" row "${text}")
math(EXPR flash "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
math(EXPR memory "${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
cmake_path(GET IMAGE STEM name)
message("firmware: ${name}: flash ${flash} bytes, static memory with stack ${memory} bytes")

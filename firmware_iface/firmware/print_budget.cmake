# Runs a budget image and prints what it counts: cmake "-DCOMMAND=..." -DOUT=file -DNAME=part -P print_budget.cmake
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE result TIMEOUT 120)
string(STRIP "${out}" text)
string(REPLACE "\n" "\nfirmware: ${NAME}: " text "firmware: ${NAME}: ${text}")
message("${text}")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the budget of ${NAME} could not be counted (${result}): ${err}")
endif()
file(WRITE ${OUT} "${text}\n")

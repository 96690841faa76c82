# The Python package, and what foreign readers in Python say of our files. A test whose modules are missing is skipped with
# the reason, unless TOPPLE_REQUIRE_INTEROP=1.
find_program(TOPPLE_TEST_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)  # the one that ./bootstrap installs modules for
find_program(TOPPLE_TEST_PYTHON python3 REQUIRED)

# topple_python_test(NAME MODULES SCRIPT arguments...): a script that finds the package and the program.
function(topple_python_test name modules script)
    add_test(NAME "${name}" COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/interop/run_python.sh ${TOPPLE_TEST_PYTHON} "${modules}"
        ${script} ${ARGN})
    set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300
        ENVIRONMENT "TOPPLE=$<TARGET_FILE:topple>;PYTHONPATH=${PROJECT_BINARY_DIR}/hil/python:${CMAKE_CURRENT_SOURCE_DIR}/interop")
endfunction()

set(python_tests ${CMAKE_CURRENT_SOURCE_DIR}/unit/hil/python)
topple_python_test("interop: exports read by h5py and scipy" "numpy h5py scipy google.protobuf"
    ${CMAKE_CURRENT_SOURCE_DIR}/interop/exports_test.py)
topple_python_test("python: experiments as dicts" "topple tomllib" ${python_tests}/experiments_test.py)
topple_python_test("python: predictions are those of the command line" "topple" ${python_tests}/predictions_test.py)
topple_python_test("python: maps are those of the command line" "topple" ${python_tests}/maps_test.py)
topple_python_test("python: runs as arrays" "topple" ${python_tests}/runs_test.py)
topple_python_test("python: types agree with what is there" "topple mypy" ${python_tests}/typing_test.py)
topple_python_test("python: the example draws its figure" "topple matplotlib"
    ${PROJECT_SOURCE_DIR}/docs/examples/python/initial_rotation_maps.py ${CMAKE_CURRENT_BINARY_DIR}/maps.png)
topple_python_test("python: the installed package works by itself" "topple" ${python_tests}/installed_test.py
    ${PROJECT_BINARY_DIR})

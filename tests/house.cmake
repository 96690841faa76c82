topple_tests(test_house LIBRARIES SOURCES
    unit/house/arrows.cpp
    unit/house/arrows_test.cpp
    unit/house/way_out_test.cpp
)
target_include_directories(test_house PRIVATE ${PROJECT_SOURCE_DIR})

# clang-format 14 (Debian 12). Where it is missing the test is skipped with the reason, unless TOPPLE_REQUIRE_FORMAT=1.
add_test(NAME "house: the sources are formatted" COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/house/format.sh ${PROJECT_SOURCE_DIR})
set_tests_properties("house: the sources are formatted" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)

add_test(NAME "consumer: a program builds and runs against the installed package"
    COMMAND ${CMAKE_COMMAND} -DBINARY_DIR=${PROJECT_BINARY_DIR} -DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}/consumer
        -DCXX_COMPILER=${CMAKE_CXX_COMPILER} -DCXX_FLAGS=${CMAKE_CXX_FLAGS} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
        -DGENERATOR=${CMAKE_GENERATOR} -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/check.cmake)
set_tests_properties("consumer: a program builds and runs against the installed package" PROPERTIES TIMEOUT 600)

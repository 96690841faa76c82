# Debian packages (`cpack`, or `./bootstrap package`): topple, libtopple-dev and, if it is built, python3-topple.
# Install components: program (with documentation), development, python; and system, which `cmake --install` leaves out
# unless asked, since it writes to /etc and /usr/lib: real-time limits and the rule for serial ports.
set(made ${PROJECT_BINARY_DIR}/hil/package)
set(here ${CMAKE_CURRENT_LIST_DIR})

set(TOPPLE_MAINTAINER "Topple developers <developers@topple.example.org>" CACHE STRING
    "Who answers for the Debian packages: Name <address>")

# The version holds the commit; asked at every build, so that it is that of the program in the package.
add_custom_target(topple_package_version ALL
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
        "-DMAINTAINER=${TOPPLE_MAINTAINER}" -DOUT=${made}/version.cmake -DCHANGELOG=${made}/changelog -P ${here}/package_version.cmake
    BYPRODUCTS ${made}/version.cmake ${made}/changelog
    VERBATIM)
add_custom_command(OUTPUT ${made}/changelog.gz COMMAND ${GZIP} -9 -n -k -f ${made}/changelog
    DEPENDS ${made}/changelog topple_package_version VERBATIM)
add_custom_target(topple_package_files ALL DEPENDS ${made}/changelog.gz)

# ---- what only a package holds, beside the program ----
set(doc ${CMAKE_INSTALL_DATADIR}/doc/topple)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${doc} COMPONENT program
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${here}/copyright DESTINATION ${doc} COMPONENT program)
# The notices of the header-only libraries whose code is in the program.
foreach(library libcli11-dev libeigen3-dev libjs-chart.js libtomlplusplus-dev nlohmann-json3-dev)
    if(EXISTS /usr/share/doc/${library}/copyright)
        install(FILES /usr/share/doc/${library}/copyright DESTINATION ${doc}/included RENAME ${library}.copyright
                COMPONENT program)
    endif()
endforeach()
install(FILES ${here}/topple.limits.conf DESTINATION /etc/security/limits.d RENAME topple.conf
        COMPONENT system EXCLUDE_FROM_ALL)
install(FILES ${here}/topple.udev.rules DESTINATION /usr/lib/udev/rules.d RENAME 60-topple.rules
        COMPONENT system EXCLUDE_FROM_ALL)
if(TOPPLE_HAS_ARM)  # then the firmware's image is in the package
    install(FILES ${here}/lintian.overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME topple
            COMPONENT debian_topple EXCLUDE_FROM_ALL)
endif()
foreach(package topple libtopple-dev python3-topple)
    # A component of its own for each, as cpack knows no other way to put a file into one package only.
    install(FILES ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
            COMPONENT debian_${package} EXCLUDE_FROM_ALL)
    install(FILES ${here}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
            COMPONENT debian_${package} EXCLUDE_FROM_ALL)
endforeach()

# ---- the packages ----
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME topple)
set(CPACK_PACKAGE_CONTACT ${TOPPLE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PROJECT_CONFIG_FILE ${made}/version.cmake)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

get_cmake_property(components COMPONENTS)
set(CPACK_COMPONENTS_ALL program system debian_topple development debian_libtopple-dev)
if("python" IN_LIST components)
    list(APPEND CPACK_COMPONENTS_ALL python debian_python3-topple)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

# package(GROUP NAME SECTION SUMMARY DESCRIPTION components...)
function(topple_package group name section summary description)
    string(TOUPPER ${group} upper)
    foreach(component IN LISTS ARGN)
        string(TOUPPER ${component} part)
        set(CPACK_COMPONENT_${part}_GROUP ${group} PARENT_SCOPE)
    endforeach()
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
endfunction()

topple_package(main topple science "shaking-table tests of rocking blocks, predicted and measured"
"Topple drives a shaking table, predicts whether the blocks on it stay, slide,
rock or overturn, logs the test in an open format (MCAP) and compares
prediction and measurement in one report. Everything also runs on a simulated
table.
.
It is not a safety function: a hardware emergency stop is required."
    program system debian_topple)
set(CPACK_DEBIAN_MAIN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MAIN_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_MAIN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_MAIN_PACKAGE_SUGGESTS "python3-topple, libtopple-dev, rt-tests")
set(CPACK_DEBIAN_MAIN_PACKAGE_CONTROL_EXTRA ${here}/postinst ${here}/conffiles)

topple_package(development libtopple-dev libdevel "shaking-table tests of rocking blocks (C++ libraries)"
"Static libraries, headers and CMake package of Topple: predicting rocking
blocks (component solver), speaking to a table (firmware_iface), reading and
writing logs of tests (hil_run_log)."
    development debian_libtopple-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS
    "libboost-dev, libfmt-dev, liblz4-dev, libprotobuf-dev, libserialport-dev, libssl-dev, libzstd-dev, pkg-config")

if("python" IN_LIST components)
    topple_package(python python3-topple python "shaking-table tests of rocking blocks (Python module)"
"Predictions, outcome maps and finished runs of Topple as numpy arrays."
        python debian_python3-topple)
    # A compiled module is for one version of Python.
    find_package(Python3 COMPONENTS Interpreter REQUIRED)
    math(EXPR next "${Python3_VERSION_MINOR} + 1")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
        "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
    # Debian's place for modules; `cmake --install` has the one that python3 looks into below /usr/local.
    set(CPACK_PRE_BUILD_SCRIPTS ${here}/python_place.cmake)
endif()
include(CPack)

# Debian packages, manual page, completion, the commit that --version tells. The packages in a bare Debian:
# packaging/clean_debian.sh (minutes, root rights, network), by hand.
set(packaging ${CMAKE_CURRENT_SOURCE_DIR}/packaging)
set(pages ${PROJECT_BINARY_DIR}/hil/package)
add_test(NAME "packaging: the manual page names every command and option of the help"
    COMMAND ${packaging}/manual_page.sh $<TARGET_FILE:topple> ${pages}/topple.1.gz)
add_test(NAME "packaging: bash completes commands, options, their words and devices"
    COMMAND ${packaging}/completion.sh $<TARGET_FILE:topple> ${pages}/topple.bash)
add_test(NAME "packaging: the version tells the commit, of an archive too, and says when nobody knows it"
    COMMAND ${packaging}/commit.sh ${PROJECT_SOURCE_DIR} ${CMAKE_COMMAND})
add_test(NAME "packaging: the Debian packages hold what they should, and what is in them runs"
    COMMAND ${packaging}/package.sh ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
set_tests_properties(
    "packaging: the manual page names every command and option of the help"
    "packaging: bash completes commands, options, their words and devices"
    "packaging: the version tells the commit, of an archive too, and says when nobody knows it"
    "packaging: the Debian packages hold what they should, and what is in them runs"
    PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 LABELS packaging)

# Run by cpack before it packs: the Python module goes to Debian's place for modules.
set(usr_lib ${CPACK_TEMPORARY_DIRECTORY}/python/usr/lib)
file(GLOB folders ${usr_lib}/python3.*/dist-packages ${usr_lib}/python3.*/site-packages)
foreach(folder IN LISTS folders)
    file(MAKE_DIRECTORY ${usr_lib}/python3)
    file(RENAME ${folder} ${usr_lib}/python3/dist-packages)
    cmake_path(GET folder PARENT_PATH version_folder)
    file(REMOVE_RECURSE ${version_folder})
endforeach()

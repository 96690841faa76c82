# Run at every build: writes what the Debian package needs to know of the commit, if it differs from what is there.
# OUT: variables that cpack reads; CHANGELOG: Debian's changelog. Arguments (-D): SOURCE,
# VERSION, MAINTAINER, OUT, CHANGELOG.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../cli/commit.cmake)
topple_commit(${SOURCE})
set(version ${VERSION})
set(reason "Built from sources whose commit is not known.")
set(time 0)
if(commit)
    set(time ${commit_time})
    set(ENV{SOURCE_DATE_EPOCH} ${time})
    string(TIMESTAMP day "%Y%m%d.%H%M%S" UTC)
    string(SUBSTRING ${commit} 0 10 short)
    string(APPEND version "+git${day}.${short}")
    set(reason "Commit ${commit}.")
    if(commit_dirty)
        string(APPEND version ".changed")
        string(APPEND reason "\n  * Changes that are in no commit.")
    endif()
endif()
set(ENV{SOURCE_DATE_EPOCH} ${time})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${OUT} CONTENT [[
set(CPACK_DEBIAN_PACKAGE_VERSION "@version@")
set(ENV{SOURCE_DATE_EPOCH} @time@)
]] @ONLY)
file(CONFIGURE OUTPUT ${CHANGELOG} CONTENT [[
topple (@version@) unstable; urgency=medium

  * @reason@

 -- @MAINTAINER@  @date@
]] @ONLY)

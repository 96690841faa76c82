# Run at every build: writes the source OUT with the commit of the sources, if it differs from what is there.
# Arguments (-D): SOURCE, OUT, COMPILER, FEATURES.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/commit.cmake)
topple_commit(${SOURCE})
if(NOT commit)
    set(commit_text unknown)
else()
    set(ENV{SOURCE_DATE_EPOCH} ${commit_time})
    string(TIMESTAMP commit_text "${commit} of %Y-%m-%d" UTC)
    if(commit_dirty)
        string(APPEND commit_text ", with changes that are in no commit")
    endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[
// Written by hil/cli/build_identity.cmake.
#include "hil/cli/build_identity.hpp"

topple::hil::cli::BuildIdentity topple::hil::cli::this_build() noexcept {
    return {"@commit_text@", "@COMPILER@", "@FEATURES@"};
}
]] @ONLY)

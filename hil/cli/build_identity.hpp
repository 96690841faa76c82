// Which build of Topple a program is. It is known to the executable only, so that a new commit builds one file anew.
#pragma once

#include <string>
#include <string_view>

namespace topple::hil::cli {

struct BuildIdentity {
    std::string_view commit;    ///< full hash and date, "unknown" without git and outside of its archives
    std::string_view compiler;  ///< name, version, kind of build
    std::string_view features;  ///< of this build, by commas: topple_feature() in CMakeLists.txt
};

/// Of the program that this is linked into. Its source is written at every build: hil/cli/build_identity.cmake.
BuildIdentity this_build() noexcept;

/// What `topple --version` prints: a line with the version, then one each for commit, compiler, protocol, features.
std::string version_text(const BuildIdentity& build);

}  // namespace topple::hil::cli

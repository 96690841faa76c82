#include "hil/files/scratch_folder.hpp"

#include <stdlib.h>

#include <string>
#include <system_error>

#include "hil/files/errors.hpp"

namespace topple::hil::files {

ScratchFolder::ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "topple_XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw OutputError("no temporary folder can be created: " + pattern);
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace topple::hil::files

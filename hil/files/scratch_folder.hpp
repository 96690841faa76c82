// A temporary folder of one's own, for programs and libraries that write by name.
#pragma once

#include <filesystem>

namespace topple::hil::files {

/// Removed with everything in it.
class ScratchFolder {
  public:
    ScratchFolder();  ///< throws OutputError if none can be created
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace topple::hil::files

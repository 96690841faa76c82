// Runs the real `topple` executable and catches what it says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace topple::tests {

struct ProgramResult {
    int exit_code = -1;  ///< 128 + signal if it was killed
    std::string out;     ///< standard output
    std::string err;     ///< standard error
};

/// `environment`: "NAME=value" entries added to the present environment.
ProgramResult run_topple(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

/// A fresh folder of its own for one test, removed at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const noexcept { return path_; }
    /// Writes a file into the folder and returns its path.
    std::filesystem::path write(const std::string& name, const std::string& text) const;

  private:
    std::filesystem::path path_;
};

/// Whole content of a file; empty if it does not exist.
std::string content_of(const std::filesystem::path& file);

}  // namespace topple::tests

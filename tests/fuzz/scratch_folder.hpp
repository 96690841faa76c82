// A folder in memory for fuzz targets whose readers take files.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace topple::fuzz {

class ScratchFolder {
  public:
    ScratchFolder() {
        const std::filesystem::path memory = "/dev/shm";
        const auto place = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
        std::string pattern = place / "topple_fuzz_XXXXXX";
        if (::mkdtemp(pattern.data()) == nullptr) std::abort();
        path_ = pattern;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path write(const char* name, std::string_view text) const {
        const auto file = path_ / name;
        std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
        return file;
    }
    const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace topple::fuzz

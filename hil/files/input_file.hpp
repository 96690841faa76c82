// Regular files, read whole and bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace topple::hil::files {

/// A regular file, open for reading. Pipes, devices and directories are not waited for and not touched.
class InputFile {
  public:
    /// Throws InputError if it is missing, unreadable, no regular file, or larger than `bytes_max`.
    InputFile(std::filesystem::path file, std::uint64_t bytes_max);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::size_t size() const noexcept { return size_; }  ///< when it was opened; it may have changed since
    /// The next bytes; 0 at the end. Throws InputError.
    std::size_t read(std::span<std::byte> into);
    [[noreturn]] void refuse_size() const;  ///< larger than it may be

  private:
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path file_;
    std::uint64_t bytes_max_;
    std::size_t size_ = 0;
    int descriptor_ = -1;
};

/// Reads a file of at most `bytes_max` to its end. Throws InputError as InputFile does.
std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max = std::size_t{1} << 30);

}  // namespace topple::hil::files

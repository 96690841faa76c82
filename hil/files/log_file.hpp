// A file that only grows, in whole pieces, with its space reserved beforehand.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>

namespace topple::hil::files {

/// append() and finish() belong to one thread; sync(), size_bytes() may be called from another.
class LogFile {
  public:
    /// Creates the file; throws OutputError if it exists or cannot be created.
    explicit LogFile(const std::filesystem::path& path);
    /// Takes over an open descriptor (a pipe, for instance; what such a thing cannot do is left out).
    explicit LogFile(int descriptor) noexcept : descriptor_(descriptor) {}
    ~LogFile();
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    /// Reserves space without changing the size of the file, so that a torn file has no tail of zeros.
    /// Throws OutputError if the disk has less room. File systems that cannot reserve are only asked for free space.
    void reserve(std::uint64_t bytes);
    /// Writes all, or nothing: after a failure the file is cut back to its former size. Returns false on failure.
    bool append(std::span<const std::uint8_t> bytes) noexcept;
    /// Makes what has been appended survive a power cut. Returns false on an I/O error.
    bool sync() noexcept;
    /// Gives unused reservation back, syncs and closes. Returns false if anything failed.
    bool finish() noexcept;

    std::uint64_t size_bytes() const noexcept { return size_bytes_.load(std::memory_order_acquire); }
    int last_error() const noexcept { return error_.load(std::memory_order_acquire); }  ///< errno; 0 = none so far

  private:
    bool fail(int error) noexcept;

    int descriptor_ = -1;
    std::atomic<std::uint64_t> size_bytes_{0};
    std::atomic<int> error_{0};
};

/// Makes a new or renamed name in this directory survive a power cut; best effort.
void sync_directory(const std::filesystem::path& directory) noexcept;

}  // namespace topple::hil::files

#include "hil/files/log_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hil/files/errors.hpp"

namespace topple::hil::files {

namespace {

bool cannot_do_that(int error) noexcept {
    return error == EOPNOTSUPP || error == ENOSYS || error == ESPIPE || error == ENODEV || error == EINVAL;
}

}  // namespace

LogFile::LogFile(const std::filesystem::path& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) throw OutputError(fmt::format("{}: cannot create: {}", path.string(), std::strerror(errno)));
    ::flock(descriptor_, LOCK_EX | LOCK_NB);  // shows `topple recover` that somebody is writing
    sync_directory(path.parent_path());
}

LogFile::~LogFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void LogFile::reserve(std::uint64_t bytes) {
    if (bytes == 0) return;
    int error = 0;
    do {
        error = ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
    } while (error == EINTR);
    if (cannot_do_that(error)) {
        struct statvfs room {};
        const bool known = ::fstatvfs(descriptor_, &room) == 0 && room.f_blocks > 0;
        error = known && std::uint64_t{room.f_bavail} * room.f_frsize < bytes ? ENOSPC : 0;
    }
    if (error != 0) {
        throw OutputError(
            fmt::format("the log cannot reserve {} bytes for the planned run: {}", bytes, std::strerror(error)));
    }
}

bool LogFile::fail(int error) noexcept {
    error_.store(error, std::memory_order_release);
    return false;
}

bool LogFile::append(std::span<const std::uint8_t> bytes) noexcept {
    const std::uint64_t before = size_bytes();
    std::size_t written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::write(descriptor_, bytes.data() + written, bytes.size() - written);
        if (count > 0) {
            written += static_cast<std::size_t>(count);
        } else if (count == 0 || errno != EINTR) {
            const int error = count == 0 ? EIO : errno;
            if (::ftruncate(descriptor_, static_cast<off_t>(before)) == 0) {
                ::lseek(descriptor_, static_cast<off_t>(before), SEEK_SET);
            }
            return fail(error);
        }
    }
    size_bytes_.store(before + written, std::memory_order_release);
    return true;
}

bool LogFile::sync() noexcept {
    if (::fdatasync(descriptor_) == 0 || cannot_do_that(errno)) return true;
    return fail(errno);
}

bool LogFile::finish() noexcept {
    if (descriptor_ < 0) return true;
    bool ok = true;
    if (::ftruncate(descriptor_, static_cast<off_t>(size_bytes())) != 0 && !cannot_do_that(errno)) ok = fail(errno);
    if (::fsync(descriptor_) != 0 && !cannot_do_that(errno)) ok = fail(errno);
    if (::close(descriptor_) != 0) ok = fail(errno);
    descriptor_ = -1;
    return ok;
}

void sync_directory(const std::filesystem::path& directory) noexcept {
    const int descriptor = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace topple::hil::files

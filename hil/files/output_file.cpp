#include "hil/files/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <utility>

#include "hil/files/errors.hpp"

namespace topple::hil::files {
namespace {

[[noreturn]] void cannot_write(const std::filesystem::path& file, int error) {
    throw OutputError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(error)));
}

[[noreturn]] void exists_already(const std::filesystem::path& file) {
    throw InputError(fmt::format("{}: exists and is not overwritten (--force allows it)", file.string()));
}

void write_special(const std::filesystem::path& file, const std::function<void(const TextSink&)>& write) {
    errno = 0;
    std::ofstream stream(file, std::ios::binary);
    write([&](std::string_view text) {
        if (!stream.write(text.data(), static_cast<std::streamsize>(text.size())))
            cannot_write(file, errno ? errno : EIO);
    });
    stream.close();
    if (!stream) cannot_write(file, errno ? errno : EIO);
}

/// 0 or errno. A file system that cannot refuse in the rename itself has been asked just before.
int rename_onto_nothing(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(to, error))) return EEXIST;
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Exists and is neither a file nor a folder: a device or a pipe, written as it is.
bool is_special_file(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error) &&
           !std::filesystem::is_directory(file, error);
}

}  // namespace

UnfinishedFile::UnfinishedFile(std::filesystem::path target) : target_(std::move(target)) {
    constexpr int kTries = 100;
    std::random_device random;
    for (int i = 0; i < kTries && descriptor_ < 0; ++i) {
        // Short and of its own: the target's name may be as long as a name can be.
        name_ = target_.parent_path() / fmt::format(".topple-{:08x}{:08x}.part", random(), random());
        descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor_ < 0 && errno != EEXIST) fail(errno);
    }
    if (descriptor_ < 0) fail(EEXIST);
}

UnfinishedFile::~UnfinishedFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
}

void UnfinishedFile::fail(int error) const { cannot_write(target_, error); }

void UnfinishedFile::append(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail(written < 0 ? errno : EIO);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void UnfinishedFile::sync() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) fail(errno);
}

void UnfinishedFile::put_in_place(Overwrite overwrite) {
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0 && errno != EINTR) fail(errno);
    int error = 0;
    if (overwrite == Overwrite::refuse)
        error = rename_onto_nothing(name_, target_);
    else if (::rename(name_.c_str(), target_.c_str()) != 0)
        error = errno;
    if (error == EEXIST && overwrite == Overwrite::refuse) exists_already(target_);
    if (error != 0) fail(error);
    name_.clear();
}

void require_writable_name(const std::filesystem::path& file, Overwrite overwrite) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw InputError(fmt::format("{}: is a directory; a file name is expected", file.string()));
    if (overwrite == Overwrite::refuse && std::filesystem::exists(file, error) && !is_special_file(file))
        exists_already(file);
}

void write_file_in_pieces(const std::filesystem::path& file, Overwrite overwrite,
                          const std::function<void(const TextSink&)>& write) {
    require_writable_name(file, overwrite);
    if (is_special_file(file)) return write_special(file, write);
    UnfinishedFile unfinished(file);
    write([&](std::string_view text) { unfinished.append(text); });
    unfinished.put_in_place(overwrite);
}

void write_file(const std::filesystem::path& file, std::string_view text, Overwrite overwrite) {
    write_file_in_pieces(file, overwrite, [text](const TextSink& sink) { sink(text); });
}

}  // namespace topple::hil::files

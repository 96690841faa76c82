#include "hil/files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hil/files/errors.hpp"

namespace topple::hil::files {
namespace {

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISFIFO(mode)) return "a pipe (FIFO)";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

}  // namespace

InputFile::InputFile(std::filesystem::path file, std::uint64_t bytes_max)
    : file_(std::move(file)), bytes_max_(bytes_max) {
    struct stat status {};
    // Asked before it is opened: opening alone can do something to a device. O_NONBLOCK: a pipe has nobody at its other
    // end.
    if (::stat(file_.c_str(), &status) != 0) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) refuse(fmt::format("is {}; a file is expected", kind_of(status.st_mode)));
    descriptor_ = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    const bool is_file = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    size_ = static_cast<std::size_t>(status.st_size);
    if (is_file && size_ <= bytes_max_) return;
    ::close(descriptor_);  // no destructor runs for an object that was not made
    if (!is_file) refuse("is no longer a file");
    refuse_size();
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::refuse(const std::string& why) const { throw InputError(fmt::format("{}: {}", file_.string(), why)); }

void InputFile::refuse_size() const { refuse(fmt::format("larger than {} bytes, which is the limit", bytes_max_)); }

std::size_t InputFile::read(std::span<std::byte> into) {
    ssize_t count = -1;
    do {
        count = ::read(descriptor_, into.data(), into.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    return static_cast<std::size_t>(count);
}

std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max) {
    InputFile input(file, bytes_max);
    std::string text;
    text.reserve(input.size());
    std::array<std::byte, 16384> buffer;
    while (const std::size_t count = input.read(buffer)) {
        text.append(reinterpret_cast<const char*>(buffer.data()), count);
        if (text.size() > bytes_max) input.refuse_size();
    }
    return text;
}

}  // namespace topple::hil::files

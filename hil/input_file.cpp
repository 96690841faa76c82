#include "hil/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "hil/errors.hpp"

namespace topple::hil {
namespace {

struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISFIFO(mode)) return "a pipe (FIFO)";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

}  // namespace

std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max) {
    const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", file.string(), why)); };
    struct stat status {};
    // Asked before it is opened: opening alone can do something to a device. O_NONBLOCK: a pipe has nobody at its other end.
    if (::stat(file.c_str(), &status) != 0) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) refuse(fmt::format("is {}, a file is expected", kind_of(status.st_mode)));
    const Descriptor stream{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (stream.number < 0) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    if (::fstat(stream.number, &status) != 0 || !S_ISREG(status.st_mode)) refuse("is no file any more");
    const auto too_large = [&] { refuse(fmt::format("larger than the allowed {} bytes", bytes_max)); };
    if (static_cast<std::uint64_t>(status.st_size) > bytes_max) too_large();
    std::string text;
    text.reserve(static_cast<std::size_t>(status.st_size));
    char buffer[16384];
    for (;;) {
        const ssize_t count = ::read(stream.number, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
        if (count == 0) return text;
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > bytes_max) too_large();
    }
}

}  // namespace topple::hil

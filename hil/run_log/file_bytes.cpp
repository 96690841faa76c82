#include "hil/run_log/file_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hil/errors.hpp"

namespace topple::hil {

namespace {

constexpr std::uint64_t kBytesMax = 2ULL << 30;

struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

}  // namespace

std::vector<std::uint8_t> read_file_bytes(const std::filesystem::path& path) {
    const auto refuse = [&](const char* why) { throw InputError(fmt::format("{}: {}", path.string(), why)); };
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    struct stat status {};
    if (file.number < 0 || ::fstat(file.number, &status) != 0) refuse(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) refuse("not a regular file");
    if (static_cast<std::uint64_t>(status.st_size) > kBytesMax) refuse("larger than 2 GiB");
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(status.st_size));
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t count = ::read(file.number, bytes.data() + have, bytes.size() - have);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) refuse(std::strerror(errno));
        if (count == 0) break;  // became shorter meanwhile
        have += static_cast<std::size_t>(count);
    }
    bytes.resize(have);
    return bytes;
}

}  // namespace topple::hil

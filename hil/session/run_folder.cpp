#include "hil/session/run_folder.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "hil/errors.hpp"
#include "hil/visible_text.hpp"

namespace topple::hil {
namespace {

constexpr std::size_t kNameBytesMax = 80;

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
    throw OutputError(fmt::format("{}: cannot {}: {}", file.string(), what, std::strerror(errno)));
}

// Closes what it holds, whatever happens.
struct Descriptor {
    int value;
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
};

void write_all(const std::filesystem::path& file, int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(file, "write");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

std::filesystem::path default_run_folder(std::string_view experiment_name) {
    return std::filesystem::path("runs") /
           fmt::format("{:%Y%m%dT%H%M%SZ}_{}", fmt::gmtime(std::time(nullptr)), folder_word(experiment_name, kNameBytesMax));
}

void create_run_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(folder, error)))
        throw InputError(fmt::format("{}: exists already; a run never overwrites, choose another --out", folder.string()));
    std::filesystem::create_directories(folder, error);
    if (error) throw OutputError(fmt::format("{}: cannot create: {}", folder.string(), error.message()));
}

void write_durably(const std::filesystem::path& file, std::string_view text) {
    std::filesystem::path temporary = file;
    temporary += ".part";
    try {
        const Descriptor out{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
        if (out.value < 0) fail(temporary, "create");
        write_all(temporary, out.value, text);
        if (::fsync(out.value) != 0) fail(temporary, "fsync");
        if (::rename(temporary.c_str(), file.c_str()) != 0) fail(file, "rename into place");
    } catch (const OutputError&) {
        ::unlink(temporary.c_str());
        throw;
    }
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    const Descriptor parent{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (parent.value >= 0) ::fsync(parent.value);
}

}  // namespace topple::hil

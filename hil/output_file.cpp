#include "hil/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "hil/errors.hpp"

namespace topple::hil {
namespace {

[[noreturn]] void cannot_write(const std::filesystem::path& file, int error) {
    throw OutputError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(error)));
}

/// Writes to `place`; messages speak of `file`.
void write_to(const std::filesystem::path& place, const std::filesystem::path& file, std::string_view text) {
    errno = 0;
    std::ofstream stream(place, std::ios::binary | std::ios::trunc);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) cannot_write(file, errno ? errno : EIO);
}

bool is_special(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error) &&
           !std::filesystem::is_directory(file, error);
}

}  // namespace

void require_writable_name(const std::filesystem::path& file, Overwrite overwrite) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw InputError(fmt::format("{}: is a directory, a file name is expected", file.string()));
    if (overwrite == Overwrite::refuse && std::filesystem::exists(file, error) && !is_special(file))
        throw InputError(fmt::format("{}: exists and is not overwritten (--force allows it)", file.string()));
}

void write_file(const std::filesystem::path& file, std::string_view text, Overwrite overwrite) {
    require_writable_name(file, overwrite);
    if (is_special(file)) return write_to(file, file, text);
    std::filesystem::path temporary = file;
    temporary += fmt::format(".{}.part", ::getpid());
    std::error_code error;
    try {
        write_to(temporary, file, text);
        std::filesystem::rename(temporary, file, error);
    } catch (const OutputError&) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw;
    }
    if (error) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        cannot_write(file, error.value());
    }
}

}  // namespace topple::hil

#include "hil/input_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "hil/errors.hpp"

namespace topple::hil {

std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw InputError(fmt::format("{}: is a directory, a file is expected", file.string()));
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(fmt::format("{}: cannot be opened: no such file, or not readable", file.string()));
    std::string text;
    char buffer[16384];
    while (stream.read(buffer, sizeof buffer), stream.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(stream.gcount()));
        if (text.size() > bytes_max)
            throw InputError(fmt::format("{}: larger than the allowed {} bytes", file.string(), bytes_max));
    }
    if (stream.bad()) throw InputError(fmt::format("{}: cannot be read", file.string()));
    return text;
}

}  // namespace topple::hil

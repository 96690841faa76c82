#include "hil/files/file_bytes.hpp"

#include <span>

#include "hil/files/input_file.hpp"

namespace topple::hil::files {

namespace {

constexpr std::uint64_t kBytesMax = 2ULL << 30;

}  // namespace

std::vector<std::uint8_t> read_file_bytes(const std::filesystem::path& path) {
    InputFile file(path, kBytesMax);
    std::vector<std::uint8_t> bytes(file.size());
    std::size_t have = 0;
    while (have < bytes.size()) {
        const std::size_t count = file.read(std::as_writable_bytes(std::span(bytes).subspan(have)));
        if (count == 0) break;  // became shorter meanwhile
        have += count;
    }
    bytes.resize(have);
    return bytes;
}

}  // namespace topple::hil::files

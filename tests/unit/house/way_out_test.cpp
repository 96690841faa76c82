// Text from outside reaches the terminal through one door, and gnuplot through another.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Files of the rooms that hold one of `words`, but not `exempt`.
std::vector<std::string> files_with(const std::vector<std::string>& words, const std::vector<std::string>& exempt) {
    std::vector<std::string> found;
    const fs::path root = TOPPLE_SOURCE_DIR;
    for (const char* room : {"solver", "firmware_iface", "controller", "hil"})
        for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
            const std::string name = fs::relative(entry.path(), root).string();
            if (!entry.is_regular_file() || std::find(exempt.begin(), exempt.end(), name) != exempt.end()) continue;
            const std::string text = content(entry.path());
            for (const std::string& word : words)
                if (text.find(word) != std::string::npos) found.push_back(name + ": " + word);
        }
    return found;
}

}  // namespace

TEST_CASE("only hil/text/tell.cpp writes to the terminal, so that no text acts on it") {
    CHECK(files_with({"fmt::print(", "std::cout", "std::cerr", "std::printf", "puts(", "stderr)"},
                     {"hil/text/tell.cpp"}) == std::vector<std::string>{});
    CHECK(files_with({"fwrite("}, {"hil/text/tell.cpp"}) == std::vector<std::string>{});
}

TEST_CASE(
    "only hil/files/gnuplot.cpp and the emulator start a process, without a shell, no script is evaluated by gnuplot") {
    CHECK(files_with({"execl", "execv", "posix_spawn", "popen(", "std::system(", "fork("},
                     {"hil/files/gnuplot.cpp", "hil/emulated_board/emulator.cpp"}) == std::vector<std::string>{});
    CHECK(files_with({"title \\\"", "label \\\"", "plot \\\""}, {}) == std::vector<std::string>{});
}

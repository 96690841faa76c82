#include "tests/unit/house/arrows.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

namespace topple::house {
namespace {

using Prefixes = std::vector<std::string_view>;

/// A room (or a floor of it; the longest matching `path` counts) and what it may see, by prefixes of the included name.
struct Room {
    std::string_view path;
    Prefixes own;      ///< "..." includes
    Prefixes foreign;  ///< <...> includes besides the standard library
    Prefixes banned;   ///< <...> includes of the standard library that the room must do without
};

const Prefixes kWire = {"boost/", "google/", "libserialport.h"};
const Prefixes kNotOfTheWire = {"boost/lockfree/"};  // a queue between two threads of the host

const std::array<Room, 5> kRooms = {{
    // Pure mathematics: no clock, thread, file or print.
    {"solver/",
     {"solver/"},
     {"Eigen/"},
     {"thread", "mutex", "atomic", "condition_variable", "future", "chrono", "ctime", "time.h", "iostream", "fstream",
      "filesystem", "cstdio", "stdio.h"}},
    {"firmware_iface/", {"firmware_iface/"}, {"*"}, {}},
    // What a firmware could use: no operating system, no libraries.
    {"firmware_iface/device/", {"firmware_iface/"}, {}, {"thread", "mutex", "iostream", "fstream", "filesystem"}},
    {"controller/", {"controller/", "firmware_iface/", "solver/motion/base_motion.hpp"}, {"*"}, {}},
    {"hil/", {"solver/", "firmware_iface/", "controller/", "hil/"}, {"*"}, {}},
}};

bool starts_with_any(const std::string& name, const Prefixes& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return prefix == "*" || name.starts_with(prefix); });
}

/// Headers of C++ and C: no folder; of the dotted ones only those of C.
bool is_standard(const std::string& name) {
    static const Prefixes c_headers = {"assert.h", "errno.h",  "float.h",  "inttypes.h", "limits.h",
                                       "math.h",   "signal.h", "stddef.h", "stdint.h",   "stdio.h",
                                       "stdlib.h", "string.h", "time.h"};
    if (name.find('/') != std::string::npos) return false;
    return name.find('.') == std::string::npos ||
           std::find(c_headers.begin(), c_headers.end(), name) != c_headers.end();
}

const Room* room_of(const std::string& file) {
    const Room* found = nullptr;
    for (const Room& room : kRooms)
        if (file.starts_with(room.path) && (!found || room.path.size() > found->path.size())) found = &room;
    return found;
}

std::optional<std::string> reason_against(const Room& room, bool quoted, const std::string& name) {
    const std::string where(room.path);
    if (name.starts_with(".")) return "includes are written from the repository root";
    const bool ours = starts_with_any(name, {"solver/", "firmware_iface/", "controller/", "hil/", "tests/"});
    if (quoted || ours)
        return starts_with_any(name, room.own) ? std::nullopt : std::optional(where + " must not see " + name);
    if (std::find(room.banned.begin(), room.banned.end(), name) != room.banned.end())
        return where + " does without <" + name + ">";
    if (is_standard(name)) return std::nullopt;
    if (where == "controller/" && starts_with_any(name, kWire) && !starts_with_any(name, kNotOfTheWire))
        return "only firmware_iface/ and hil/ see the libraries of the wire";
    return starts_with_any(name, room.foreign) ? std::nullopt : std::optional(where + " must not see <" + name + ">");
}

std::string read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::filesystem::path> source_files(const std::filesystem::path& root) {
    std::vector<std::filesystem::path> files;
    for (const char* room : {"solver", "firmware_iface", "controller", "hil"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / room))
            if (const auto end = entry.path().extension(); end == ".hpp" || end == ".cpp" || end == ".h" || end == ".c")
                files.push_back(entry.path());
    return files;
}

struct Include {
    bool is_own = false;  ///< "..." rather than <...>
    std::string name;
};

/// The file that a line includes. By hand: std::regex is slow, and gcc 12 warns inside it under sanitizers.
std::optional<Include> include_in(std::string_view line) {
    const auto take = [&line](std::string_view word) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        const bool is_next = line.starts_with(word);
        if (is_next) line.remove_prefix(word.size());
        return is_next;
    };
    if (!take("#") || !take("include")) return std::nullopt;
    const bool is_own = take("\"");
    if (!is_own && !take("<")) return std::nullopt;
    const auto end = line.find(is_own ? '"' : '>');
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    return Include{is_own, std::string(line.substr(0, end))};
}

}  // namespace

std::vector<Violation> violations(const std::string& file, const std::string& contents) {
    const Room* room = room_of(file);
    if (!room) return {{file, 0, "", "not in a room of the house"}};
    std::vector<Violation> found;
    std::istringstream lines(contents);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        const auto include = include_in(line);
        if (!include) continue;
        if (const auto reason = reason_against(*room, include->is_own, include->name))
            found.push_back({file, number, include->name, *reason});
    }
    return found;
}

std::vector<Violation> violations_of_tree(const std::filesystem::path& root) {
    std::vector<Violation> found;
    for (const auto& file : source_files(root)) {
        const auto of_file = violations(std::filesystem::relative(file, root).generic_string(), read(file));
        found.insert(found.end(), of_file.begin(), of_file.end());
    }
    return found;
}

std::size_t source_file_count(const std::filesystem::path& root) { return source_files(root).size(); }

std::string text(const std::vector<Violation>& found) {
    std::ostringstream out;
    for (const Violation& v : found) out << v.file << ':' << v.line << ": " << v.reason << '\n';
    return out.str();
}

}  // namespace topple::house

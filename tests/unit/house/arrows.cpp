#include "tests/unit/house/arrows.hpp"

#include <algorithm>
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
const Prefixes kOutside = {"thread", "mutex",    "atomic",  "condition_variable", "future", "chrono", "ctime",
                           "time.h", "iostream", "fstream", "filesystem",         "cstdio", "stdio.h"};
const Prefixes kNotOfTheWire = {"boost/lockfree/"};  // a queue between two threads of the host

const Prefixes kOfTheHeap = {"memory", "string", "vector", "functional", "map", "set", "deque", "list"};

/// Headers of POSIX that are none of C.
const Prefixes kPosix = {"fcntl.h", "poll.h", "pthread.h", "pwd.h", "sys/", "termios.h", "unistd.h"};

Prefixes operator+(Prefixes left, const Prefixes& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// A floor of the solver; `below` beside itself.
Room solver_room(std::string_view path, Prefixes below) {
    below.push_back(path);
    return {path, below, {"Eigen/"}, kOutside};
}

// The words of the solver's face, which its floors share.
constexpr std::string_view kSpecimen = "solver/specimen.hpp";
constexpr std::string_view kFoot = "solver/foot", kSolid = "solver/solid";
const Prefixes kWords = {kFoot, kSolid, kSpecimen, "solver/outcome", "solver/options"};

/// A room sees itself and rooms above it in this list, so that there is no cycle (rows_out_of_order).
const std::vector<Room> kRooms = {
    // Pure mathematics: no clock, thread, file or print.
    solver_room("solver/numerics/", {}),
    solver_room("solver/motion/", {"solver/numerics/"}),
    solver_room(kFoot, {}),
    solver_room(kSolid, {kFoot}),
    solver_room(kSpecimen, {kFoot, kSolid}),
    solver_room("solver/outcome", {}),
    solver_room("solver/options", {kSpecimen, "solver/motion/"}),
    solver_room("solver/engine/", Prefixes{"solver/motion/", "solver/numerics/"} + kWords),
    solver_room("solver/stack/", Prefixes{"solver/engine/", "solver/motion/", "solver/numerics/"} + kWords),
    solver_room("solver/laws/",
                Prefixes{"solver/stack/", "solver/engine/", "solver/motion/", "solver/numerics/"} + kWords),
    solver_room("solver/assembly/", Prefixes{"solver/motion/", "solver/numerics/"} + kWords),
    solver_room("solver/contact_dynamics/", Prefixes{"solver/stack/geometry.hpp", "solver/engine/run_impl.hpp",
                                                     "solver/engine/law.hpp", "solver/motion/"} +
                                                kWords),
    solver_room("solver/lanes/", Prefixes{"solver/motion/"} + kWords),
    // The sources of the face open the floors below; study and identify stand above it.
    solver_room("solver/specimen.cpp", Prefixes{"solver/stack/"} + kWords),
    solver_room("solver/run",
                Prefixes{"solver/contact_dynamics/start.hpp", "solver/engine/", "solver/motion/"} + kWords),
    solver_room("solver/predict",
                Prefixes{"solver/run", "solver/engine/law.hpp", "solver/lanes/", "solver/motion/"} + kWords),
    solver_room("solver/study/", Prefixes{"solver/predict", "solver/run", "solver/lanes/", "solver/laws/air_track.hpp",
                                          "solver/motion/", "solver/numerics/"} +
                                     kWords),
    solver_room("solver/identify/", Prefixes{"solver/predict", "solver/motion/", "solver/numerics/"} + kWords),
    {"firmware_iface/", {"firmware_iface/"}, {"*"}, {}},
    // What a firmware could use: no operating system, no libraries.
    {"firmware_iface/device/",
     {"firmware_iface/device/", "firmware_iface/fault.hpp", "firmware_iface/machine.hpp", "firmware_iface/samples.hpp",
      "firmware_iface/wire/command.hpp", "firmware_iface/wire/frame.hpp"},
     {},
     kOutside + kOfTheHeap},
    {"firmware_iface/firmware/",
     {"firmware_iface/firmware/", "firmware_iface/device/", "firmware_iface/wire/frame.hpp",
      "firmware_iface/wire/small_codec.hpp"},
     {"golden_frames.inc"},  // made by the build from tests/data
     kOutside + kOfTheHeap},
    {"controller/", {"controller/", "firmware_iface/", "solver/motion/base_motion.hpp"}, {"*"}, {}},

    {"hil/text/", {"hil/text/"}, Prefixes{"fmt/"} + kPosix, {}},
    {"hil/host/", {"hil/host/"}, Prefixes{"fmt/"} + kPosix, {}},
    {"hil/signal/", {"hil/signal/"}, {}, kOutside},
    {"hil/files/", {"hil/files/", "hil/text/"}, Prefixes{"fmt/", "openssl/"} + kPosix, {}},
    // Files of other software.
    {"hil/vendor_files/", {"hil/vendor_files/", "hil/files/"}, {"fmt/", "matio.h"}, {}},
    // What a camera measured.
    {"hil/camera/",
     {"hil/camera/", "hil/vendor_files/", "hil/files/", "hil/signal/", "hil/text/"},
     {"Eigen/", "fmt/"},
     {}},
    // One motion from two channels.
    {"hil/fused_motion/", {"hil/fused_motion/", "hil/signal/"}, {"Eigen/", "fmt/", "unsupported/Eigen/"}, kOutside},
    {"hil/ground_motion/", {"hil/ground_motion/", "hil/files/", "hil/signal/"}, {"fmt/"}, {}},
    // The only file that sees the library of MATLAB's format.
    {"hil/ground_motion/matlab.cpp", {"hil/ground_motion/", "hil/files/"}, {"fmt/", "matio.h"}, {}},
    // The only user of Qhull.
    {"hil/mesh/", {"hil/mesh/", "hil/files/", "solver/solid.hpp", "solver/foot.hpp"}, {"fmt/", "libqhull_r/"}, {}},
    // Is the file still the one that was read? Its times are asked of the system.
    {"hil/mesh/shared_body.cpp", {"hil/mesh/"}, {"fmt/", "sys/stat.h"}, {}},
    // The container knows nothing of what is in it.
    {"hil/mcap/", {"hil/mcap/", "hil/files/"}, {"boost/crc.hpp", "fmt/", "lz4frame.h", "zstd.h"}, {}},
    {"hil/run_log/",
     {"hil/run_log/", "hil/mcap/", "hil/files/", "hil/host/", "firmware_iface/machine.hpp",
      "firmware_iface/samples.hpp", "firmware_iface/wording.hpp", "controller/rt/"},
     Prefixes{"boost/lockfree/", "fmt/", "google/"} + kPosix,
     {}},
    // The only user of Boost.Beast.
    {"hil/live/",
     {"hil/live/", "hil/run_log/", "hil/files/", "hil/host/", "firmware_iface/fault.hpp",
      "firmware_iface/transport/tcp.hpp"},
     Prefixes{"boost/asio/", "boost/beast/", "fmt/", "nlohmann/", "openssl/evp.h"} + kPosix,
     {}},
    {"hil/experiment/",
     {"hil/experiment/", "hil/fused_motion/", "hil/mesh/", "hil/ground_motion/", "hil/files/", "hil/signal/",
      "hil/text/", "firmware_iface/machine.hpp", "solver/"},
     {"fmt/", "toml++/"},
     {}},
    {"hil/plan/",
     {"hil/plan/", "hil/experiment/", "hil/mesh/", "hil/ground_motion/", "hil/fused_motion/", "hil/files/", "hil/host/",
      "hil/text/", "controller/", "solver/"},
     {"Eigen/", "fmt/", "nlohmann/"},
     {}},
    {"hil/sim_table/",
     {"hil/sim_table/", "hil/experiment/", "hil/files/", "hil/text/", "firmware_iface/", "solver/"},
     {"fmt/", "nlohmann/"},
     {}},
    // One half runs on the emulated board: the machine behind it. The other starts the emulator.
    {"hil/emulated_board/",
     {"hil/emulated_board/", "hil/sim_table/", "hil/experiment/", "hil/files/", "hil/text/", "firmware_iface/",
      "solver/specimen.hpp", "solver/foot.hpp", "solver/solid.hpp"},
     Prefixes{"fmt/"} + kPosix,
     {}},
    {"hil/iteration/",
     {"hil/iteration/", "hil/experiment/", "hil/files/", "controller/", "firmware_iface/", "solver/"},
     {"fmt/", "nlohmann/"},
     {}},
    {"hil/drive/",
     {"hil/drive/", "hil/iteration/", "hil/sim_table/", "hil/plan/", "hil/run_log/", "hil/experiment/", "hil/files/",
      "hil/host/", "hil/text/", "controller/", "firmware_iface/", "solver/"},
     {"boost/lockfree/", "fmt/"},
     {}},
    // Arithmetic: no files, of the log only its records, of a camera's file only what was in it.
    {"hil/compare/",
     {"hil/compare/", "hil/camera/rotation_history.hpp", "hil/fused_motion/", "hil/plan/", "hil/run_log/records.hpp",
      "hil/experiment/", "hil/host/", "hil/signal/", "hil/text/", "controller/", "firmware_iface/", "solver/"},
     {"Eigen/", "fmt/"},
     {"iostream", "fstream", "filesystem", "cstdio", "stdio.h", "thread", "mutex", "future"}},
    {"hil/report/",
     {"hil/report/", "hil/compare/", "hil/camera/rotation_history.hpp", "hil/plan/", "hil/files/", "hil/host/",
      "hil/signal/", "hil/text/"},
     {"fmt/", "nlohmann/"},
     {}},
    // Arithmetic on outcomes, with its text, JSON, page and figures.
    {"hil/scores/",
     {"hil/scores/", "hil/report/html.hpp", "hil/files/", "hil/signal/", "hil/text/", "solver/outcome",
      "solver/numerics/random_sequence.hpp"},
     {"fmt/", "nlohmann/"},
     {}},
    {"hil/conclude/",
     {"hil/conclude/", "hil/report/", "hil/compare/", "hil/fused_motion/", "hil/run_log/", "hil/experiment/",
      "hil/camera/", "hil/vendor_files/", "hil/files/", "hil/host/", "hil/signal/", "firmware_iface/fault.hpp",
      "solver/"},
     Prefixes{"fmt/", "nlohmann/"} + kPosix,
     {}},
    // A run in the formats of other software.
    {"hil/exports/",
     {"hil/exports/", "hil/run_log/", "hil/experiment/", "hil/files/", "firmware_iface/samples.hpp", "solver/outcome"},
     Prefixes{"fmt/", "hdf5.h", "matio.h", "nlohmann/"} + kPosix,
     {}},
    // The page that shows a test, and finished runs for it.
    {"hil/page/",
     {"hil/page/", "hil/conclude/test_files.hpp", "hil/live/", "hil/plan/test_json.hpp", "hil/run_log/log_codec.hpp",
      "hil/experiment/", "hil/mcap/reader.hpp", "hil/files/"},
     {"fmt/", "nlohmann/"},
     {}},
    {"hil/learn/",
     {"hil/learn/", "hil/conclude/", "hil/compare/", "hil/plan/", "hil/run_log/", "hil/experiment/", "hil/files/",
      "hil/host/", "hil/signal/", "hil/text/", "solver/"},
     {"Eigen/", "fmt/", "nlohmann/"},
     {}},
    {"hil/study/",
     {"hil/study/", "hil/experiment/", "hil/files/", "hil/host/", "hil/text/", "solver/"},
     {"boost/math/", "fmt/", "nlohmann/"},
     {}},
    // Numbers of shares over threads and ranks; the only room that sees MPI, in one file.
    {"hil/cluster/", {"hil/cluster/", "hil/files/", "hil/host/", "hil/text/"}, Prefixes{"fmt/"} + kPosix, {}},
    {"hil/cluster/over_mpi.cpp", {"hil/cluster/", "hil/text/"}, {"fmt/", "mpi.h"}, {}},
    {"hil/fragility/",
     {"hil/fragility/", "hil/report/html.hpp", "hil/plan/", "hil/experiment/", "hil/ground_motion/", "hil/files/",
      "hil/host/", "solver/"},
     {"boost/math/", "fmt/", "nlohmann/"},
     {}},
    {"hil/outcome_tables/",
     {"hil/outcome_tables/", "hil/cluster/", "hil/study/key_axis.hpp", "hil/scores/", "hil/report/html.hpp",
      "hil/plan/", "hil/experiment/", "hil/vendor_files/", "hil/files/", "hil/host/", "hil/text/", "solver/"},
     {"fmt/", "nlohmann/"},
     {}},
    {"hil/outcome_fit/",
     {"hil/outcome_fit/", "hil/outcome_tables/", "hil/learn/", "hil/cluster/", "hil/scores/", "hil/report/html.hpp",
      "hil/plan/", "hil/experiment/", "hil/files/", "hil/host/", "hil/text/", "solver/"},
     {"Eigen/", "boost/math/", "fmt/", "nlohmann/"},
     {}},
    // Arithmetic: no files.
    {"hil/identification/",
     {"hil/identification/", "hil/signal/", "hil/text/", "controller/", "firmware_iface/", "solver/motion/"},
     {"Eigen/", "fmt/"},
     {"iostream", "fstream", "filesystem", "cstdio", "stdio.h", "thread", "mutex", "future"}},
    {"hil/check/",
     {"hil/check/", "hil/identification/", "hil/drive/", "hil/compare/", "hil/host/", "hil/signal/", "controller/",
      "firmware_iface/", "solver/"},
     Prefixes{"fmt/", "nlohmann/"} + kPosix,
     {}},
    {"hil/campaign/",
     {"hil/campaign/", "hil/scores/", "hil/conclude/", "hil/report/html.hpp", "hil/compare/", "hil/drive/",
      "hil/sim_table/", "hil/plan/", "hil/experiment/", "hil/files/", "hil/host/", "hil/text/",
      "controller/feasibility.hpp", "solver/"},
     Prefixes{"fmt/", "nlohmann/"} + kPosix,
     {}},
    // The executable; only the pages about it see it.
    {"hil/cli/",
     {"hil/cli/",
      "hil/campaign/",
      "hil/scores/",
      "hil/outcome_tables/",
      "hil/outcome_fit/",
      "hil/fragility/",
      "hil/cluster/",
      "hil/check/",
      "hil/identification/",
      "hil/study/",
      "hil/learn/",
      "hil/conclude/",
      "hil/exports/",
      "hil/live/",
      "hil/page/",
      "hil/emulated_board/",
      "hil/drive/",
      "hil/sim_table/",
      "hil/plan/",
      "hil/experiment/",
      "hil/ground_motion/",
      "hil/run_log/",
      "hil/camera/",
      "hil/vendor_files/",
      "hil/files/",
      "hil/host/",
      "hil/text/",
      "controller/",
      "firmware_iface/",
      "solver/"},
     Prefixes{"CLI/", "fmt/", "nlohmann/"} + kPosix,
     {}},
    {"hil/package/", {"hil/package/", "hil/cli/commands.hpp", "hil/host/"}, {"CLI/", "fmt/"}, {}},
    // The Python package; nobody sees it.
    {"hil/python/",
     {"hil/python/", "hil/study/", "hil/conclude/", "hil/exports/", "hil/plan/", "hil/experiment/", "hil/files/",
      "hil/host/", "solver/"},
     {"fmt/", "pybind11/"},
     {}},
};

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

std::vector<Violation> link_violations(const std::string& file, const std::string& contents) {
    const Room* room = room_of(file);
    if (!room) return {{file, 0, "", "not in a room of the house"}};
    constexpr std::string_view kTarget = "topple::";
    std::vector<Violation> found;
    std::istringstream lines(contents);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number)
        for (std::size_t at = line.find(kTarget); at != std::string::npos; at = line.find(kTarget, at + 1)) {
            const std::size_t begin = at + kTarget.size();
            const std::string target =
                line.substr(begin, line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", begin) - begin);
            const std::string folder = target.starts_with("hil_")
                                           ? "hil/" + target.substr(std::string_view("hil_").size()) + "/"
                                           : target + "/";
            const bool seen = std::any_of(room->own.begin(), room->own.end(),
                                          [&](std::string_view own) { return own.starts_with(folder); });
            if (!seen) found.push_back({file, number, target, std::string(room->path) + " must not link to " + target});
        }
    return found;
}

std::vector<Violation> link_violations_of_tree(const std::filesystem::path& root) {
    std::vector<Violation> found;
    for (const auto& entry : std::filesystem::directory_iterator(root / "hil")) {
        if (!entry.is_directory()) continue;
        const auto file = entry.path() / "CMakeLists.txt";
        const auto of_file = link_violations(std::filesystem::relative(file, root).generic_string(), read(file));
        found.insert(found.end(), of_file.begin(), of_file.end());
    }
    return found;
}

std::vector<std::string> rows_out_of_order() {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < kRooms.size(); ++i)
        for (const std::string_view own : kRooms[i].own) {
            const bool is_known =
                std::any_of(kRooms.begin(), kRooms.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                            [&](const Room& room) { return own.starts_with(room.path) || room.path.starts_with(own); });
            if (!is_known) found.push_back(std::string(kRooms[i].path) + " sees " + std::string(own));
        }
    return found;
}

std::string text(const std::vector<Violation>& found) {
    std::ostringstream out;
    for (const Violation& v : found) out << v.file << ':' << v.line << ": " << v.reason << '\n';
    return out.str();
}

}  // namespace topple::house

// What each room of the house may include: the arrows of docs/code_overview.md as data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace topple::house {

/// One line of a source file that goes against an arrow.
struct Violation {
    std::string file;  ///< relative to the repository root
    std::size_t line = 0;
    std::string text;  ///< the included name
    std::string reason;
};

/// Checks the #include lines of one file. `file` is relative to the root; its first folder is the room.
std::vector<Violation> violations(const std::string& file, const std::string& contents);

/// Checks every source file below the rooms of `root` (solver, firmware_iface, controller, hil).
std::vector<Violation> violations_of_tree(const std::filesystem::path& root);

/// Number of source files seen by violations_of_tree, so that a test can tell "all right" from "nothing read".
std::size_t source_file_count(const std::filesystem::path& root);

/// The same of the targets that a room's CMakeLists.txt names: a library must not be linked that must not be seen.
std::vector<Violation> link_violations(const std::string& file, const std::string& contents);
std::vector<Violation> link_violations_of_tree(const std::filesystem::path& root);
/// Rows of the table that see a room further down, which would allow a cycle.
std::vector<std::string> rows_out_of_order();

std::string text(const std::vector<Violation>& found);

}  // namespace topple::house

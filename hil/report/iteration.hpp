// What the report says of the passes in which a drive was learned, from the run folder's learned_drive.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace topple::hil::report {

/// Key "iteration" of summary.json: the file without its corrections, and `axes`, x first, with what was learned of
/// each; null for an empty text and for one that is damaged.
nlohmann::ordered_json iteration_json(const std::string& learned_drive_json);
/// Lines of the text summary; empty if nothing was learned.
std::string iteration_lines(const std::string& learned_drive_json);
/// Section of report.html; empty likewise.
std::string iteration_section(const std::string& learned_drive_json);

}  // namespace topple::hil::report

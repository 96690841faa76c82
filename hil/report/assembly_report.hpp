// The part of summary and report that is about an assembly.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"
#include "hil/report/figures.hpp"

namespace topple::hil::report {

/// Value of "assembly" in summary.json: `planned` and `achieved`, each with impacts_count, inertia_index_max,
/// inertia_index_end, kinetic_energy_index_max, centroid_m, end_time_s and status; `measured`, what a camera saw, and
/// `paths`, measured less predicted per block (both null without a camera). Null without an assembly.
nlohmann::ordered_json assembly_json(const compare::Conclusion& conclusion);
/// Lines of text about what was measured; none without a camera.
std::vector<std::string> assembly_lines(const compare::Conclusion& conclusion);
/// The same numbers and the criteria in HTML; empty without an assembly.
std::string assembly_section(const compare::Conclusion& conclusion);
/// Paths of the blocks on the achieved motion, and as measured, with their data. Only with an achieved prediction.
Figure assembly_figure(const compare::Conclusion& conclusion);
std::string assembly_figure_data(const compare::Conclusion& conclusion);
/// Frames of the camera; only with a measurement.
std::string measured_positions_data(const compare::Conclusion& conclusion);

}  // namespace topple::hil::report

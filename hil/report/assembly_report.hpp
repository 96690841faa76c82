// The part of summary and report that is about an assembly.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hil/compare/conclusion.hpp"
#include "hil/report/figures.hpp"

namespace topple::hil::report {

/// Value of "assembly" in summary.json: `planned` and `achieved`, each with impacts_count, inertia_index_max,
/// inertia_index_end, kinetic_energy_index_max, centroid_m, end_time_s and status; null without an assembly.
nlohmann::ordered_json assembly_json(const compare::Conclusion& conclusion);
/// A table of the same numbers in HTML; empty without an assembly.
std::string assembly_section(const compare::Conclusion& conclusion);
/// Paths of the blocks on the achieved motion, with its data. Only with an achieved prediction.
Figure assembly_figure(const compare::Conclusion& conclusion);
std::string assembly_figure_data(const compare::Conclusion& conclusion);

}  // namespace topple::hil::report

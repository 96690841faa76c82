// The sections of report.html, each as HTML.
#pragma once

#include <string>

#include "hil/compare/conclusion.hpp"
#include "hil/report/summary_json.hpp"

namespace topple::hil::report {

std::string verdict_banner(const compare::Conclusion& conclusion);
/// The verdict in words and its criteria.
std::string criteria_table(const compare::Agreement& agreement);
std::string key_numbers(const compare::Conclusion& conclusion);  ///< cards
std::string outcome_section(
    const compare::Conclusion& conclusion);  ///< planned, achieved, measured, criteria per specimen
/// Peaks, impact times, rest: median and 5 to 95 % of both predictions, and measured.
std::string numbers_section(const compare::Conclusion& conclusion, const std::string& planned_name);
std::string attribution_section(const compare::Conclusion& conclusion);  ///< parts of the tracking error
std::string impacts_section(const compare::Conclusion& conclusion);      ///< found by the sensors, cross-checked
std::string models_section(const compare::Conclusion& conclusion);
std::string table_section(const compare::Conclusion& conclusion);  ///< identified excitation, tracking, achieved motion
std::string feasibility_section(const compare::Conclusion& conclusion);
std::string timing_section(const compare::Conclusion& conclusion);
std::string truth_section(const RunIdentity& identity);  ///< empty if nothing was revealed
std::string identity_section(const compare::Conclusion& conclusion, const RunIdentity& identity);

}  // namespace topple::hil::report

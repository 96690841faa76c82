// About ten lines for a person at a terminal: asked, predicted, happened, agreement, tracking, files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"
#include "hil/plan/prediction_text.hpp"

namespace topple::hil::report {

/// Ends with a newline. `figures_missing` as in ConcludedRun.
std::string text_summary(const compare::Conclusion& conclusion, const std::filesystem::path& run_folder,
                         const std::string& figures_missing);

/// "rocking, peak 0.106 rad, at rest after 7.02 s" and the like.
std::string describe(const solver::Prediction& prediction);
/// The same led by the ensemble's probabilities: "100 % rocking: peak 0.106 rad, at rest after 7.02 s". Numbers of the
/// specimen as described are given only if it shares the likeliest outcome.
std::string describe(const solver::Prediction& prediction, const std::vector<plan::EnsembleMember>& members);
/// Rotations of a run that was filmed are the camera's.
std::string describe(const compare::SpecimenMeasurement& measured, bool is_filmed = false);
/// That a prediction in the plane is not of this body, with the first reason; empty where it may be.
std::string not_plane_note(const compare::Conclusion& conclusion, std::size_t specimen);
/// "single sine of 3 m/s2 at 4 Hz" and the like.
std::string describe(const experiment::Excitation& excitation);
/// One sentence about the verdict of a specimen; the same in text and report.
/// ", at 0.5 rad from +x", or what axis y does besides; empty for a motion along x.
std::string direction_text(const experiment::Experiment& experiment);
std::string describe(const compare::Agreement& agreement);
/// Which motion the blind prediction was made of, and when.
std::string planned_motion_name(const compare::Conclusion& conclusion);

}  // namespace topple::hil::report

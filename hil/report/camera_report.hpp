// The part of summary and report that is about a camera that measured rotations.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"
#include "hil/report/figures.hpp"

namespace topple::hil::report {

/// Value of "camera" in summary.json, documented in docs/camera.md#summary. Null without a camera.
nlohmann::ordered_json camera_json(const compare::Conclusion& conclusion);
/// Lines of text: frames, clock, likeness; none without a camera.
std::vector<std::string> camera_lines(const compare::Conclusion& conclusion);
/// The same numbers in HTML; empty without a camera.
std::string camera_section(const compare::Conclusion& conclusion);
/// Of specimen `index`: frames beside the curves of prediction and sensor, and the difference. Only with a camera.
Figure camera_figure(const compare::Conclusion& conclusion, std::size_t index);
/// time_s, camera_<b>_rad of every frame that falls into the record (docs/camera.md); nan: not seen.
std::string camera_frames_csv(const compare::Conclusion& conclusion, std::size_t index);
/// time_s, then per block camera_<b>_rad, expected_<b>_rad, sensor_<b>_rad on the record's grid, all through the
/// filter.
std::string camera_curves_csv(const compare::Conclusion& conclusion, std::size_t index);

}  // namespace topple::hil::report

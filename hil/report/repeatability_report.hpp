// Several runs of one test as text, JSON and figure.
#pragma once

#include <filesystem>
#include <string>

#include "hil/compare/repeatability.hpp"

namespace topple::hil::report {

std::string repeatability_text(const compare::Repeatability& repeatability);
/// Document topple.repeatability/1 (docs/camera.md#repeatability). Ends with a newline.
std::string repeatability_json(const compare::Repeatability& repeatability);
/// Rotations of the runs laid over each other, one panel per block, with the impact at which they part. Throws
/// InputError if nothing was measured, OutputError.
void draw_repeatability(const compare::Repeatability& repeatability, const std::filesystem::path& figure);

}  // namespace topple::hil::report

// The figure of `topple table identify`.
#pragma once

#include <filesystem>
#include <string>

#include "hil/identification/identify_table.hpp"

namespace topple::hil::cli {

/// Magnitude, phase and coherence of both frequency responses and, with a force channel, force over acceleration with
/// the fitted model. Only coherent lines. `figure`: .svg or .png. Throws OutputError.
void draw_identification(const std::string& machine, const identification::Identification& found,
                         const std::filesystem::path& figure);

}  // namespace topple::hil::cli

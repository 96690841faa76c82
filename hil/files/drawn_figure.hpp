// One figure file from a gnuplot script and its data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace topple::hil::files {

/// Throws InputError unless the name ends in .svg or .png.
void require_figure_name(const std::filesystem::path& figure);

struct FigureFile {
    std::string name, text;
};

/// First lines of a script that draws `figure`: terminal by its ending, output, encoding.
std::string figure_head(const std::filesystem::path& figure, int width_px, int height_px);

/// Runs `script` (which starts with figure_head) beside its data in a temporary folder and puts the result in
/// place. Throws OutputError.
void draw_figure(const std::string& script, const std::vector<FigureFile>& data, const std::filesystem::path& figure);

}  // namespace topple::hil::files

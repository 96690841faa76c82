#include "hil/files/drawn_figure.hpp"

#include <fmt/format.h>

#include "hil/files/errors.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/files/scratch_folder.hpp"

namespace topple::hil::files {
namespace {

constexpr std::size_t kFigureBytesMax = 64u * 1024 * 1024;

}  // namespace

void require_figure_name(const std::filesystem::path& figure) {
    const std::string ending = figure.extension().string();
    if (ending != ".svg" && ending != ".png")
        throw InputError(fmt::format("{}: a figure's name must end in .svg or .png", figure.string()));
}

std::string figure_head(const std::filesystem::path& figure, int width_px, int height_px) {
    const bool is_svg = figure.extension() == ".svg";
    return gnuplot_head(fmt::format("{} size {},{}{}", is_svg ? "svg" : "png", width_px, height_px,
                                    is_svg ? " background '#ffffff'" : ""),
                        "figure") +
           "set datafile separator ','\n";
}

void draw_figure(const std::string& script, const std::vector<FigureFile>& data, const std::filesystem::path& figure) {
    const ScratchFolder folder;
    for (const FigureFile& file : data) write_file(folder.path() / file.name, file.text);
    write_file(folder.path() / "figure.gp", script);
    run_gnuplot(folder.path() / "figure.gp");
    write_file(figure, read_text_file(folder.path() / "figure", kFigureBytesMax), Overwrite::allow);
}

}  // namespace topple::hil::files

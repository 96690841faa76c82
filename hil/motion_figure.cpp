#include <fmt/format.h>
#include <stdlib.h>

#include <system_error>

#include "hil/errors.hpp"
#include "hil/input_file.hpp"
#include "hil/motion_plan.hpp"
#include "hil/experiment_file/toml_table.hpp"
#include "hil/output_file.hpp"
#include "hil/report/gnuplot.hpp"

namespace topple::hil {
namespace {

/// A folder for script and data, removed with everything in it.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "topple_figure_XXXXXX").string();
        if (!::mkdtemp(pattern.data())) throw OutputError("no temporary folder for the figure: " + pattern);
        path_ = pattern;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

/// Text as gnuplot takes it literally: no quotes, no enhanced markup.
std::string plain(const std::string& text) {
    std::string clean;
    for (const char letter : text) clean += letter == '\'' || letter == '\n' ? ' ' : letter;
    return clean;
}

std::string script_text(const std::string& title, bool svg) {
    return fmt::format(
        "set terminal {}\nset output 'figure'\nset datafile separator ','\n"
        "set multiplot layout 3,1 title '{}' noenhanced\nset grid\nset key off\nset lmargin 12\n"
        "set ylabel 'position / mm'\nplot 'motion.csv' using 1:($2*1000) skip 1 with lines lw 2\n"
        "set ylabel 'velocity / (m/s)'\nplot 'motion.csv' using 1:3 skip 1 with lines lw 2\n"
        "set xlabel 'time / s'\nset ylabel 'acceleration / (m/s^2)' noenhanced\n"
        "plot 'motion.csv' using 1:4 skip 1 with lines lw 2\nunset multiplot\n",
        svg ? "svg size 800,900 background '#ffffff'" : "png size 800,900", plain(title));
}

}  // namespace

void require_figure_name(const std::filesystem::path& figure) {
    const std::string ending = figure.extension().string();
    if (ending != ".svg" && ending != ".png")
        throw InputError(fmt::format("{}: a figure's name must end in .svg or .png", figure.string()));
}

void draw_motion(const std::string& title, const std::vector<MotionSample>& samples,
                 const std::filesystem::path& figure) {
    const ScratchFolder folder;
    write_file(folder.path() / "motion.csv", motion_csv(samples));
    write_file(folder.path() / "motion.gp", script_text(title, figure.extension() == ".svg"));
    run_gnuplot(folder.path() / "motion.gp");
    constexpr std::size_t kFigureBytesMax = 64u * 1024 * 1024;
    write_file(figure, read_text_file(folder.path() / "figure", kFigureBytesMax), Overwrite::allow);
}

}  // namespace topple::hil

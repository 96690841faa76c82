#include "hil/cli/motion_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/files/errors.hpp"
#include "hil/vendor_files/mat_file.hpp"

namespace topple::hil::cli {
namespace {

/// Words with commas between them, none of them unknown or empty. Throws InputError.
std::vector<std::string> split_columns(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        words.push_back(text.substr(at, end - at));
        plan::require_column(words.back());
        at = end + 1;
    }
    return words;
}

enum class SeriesFormat { tab, at2, matlab };

SeriesFormat series_format(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".mat") return SeriesFormat::matlab;
    if (ending == ".txt" || ending == ".tab") return SeriesFormat::tab;
    if (ending == ".at2" || ending == ".AT2") return SeriesFormat::at2;
    throw files::InputError(fmt::format(
        "--export {}: the ending says the format; allowed: .mat (MATLAB v5), .txt or .tab (tab-separated), .at2",
        file));
}

}  // namespace

void require_series(const MotionSeries& series) {
    const plan::ExportRequest usual;
    const plan::ExportRequest& asked = series.request;
    if (!series.file.empty()) {
        const bool is_told = !series.columns.empty() || asked.length_unit != usual.length_unit ||
                             asked.acceleration_unit != usual.acceleration_unit;
        if (series_format(series.file) == SeriesFormat::at2 && is_told)
            throw files::InputError(
                "--columns, --unit and --acceleration-unit: an AT2 file always holds the acceleration in g");
    } else if (!series.columns.empty() || asked.rate_hz != usual.rate_hz || asked.length_unit != usual.length_unit ||
               asked.acceleration_unit != usual.acceleration_unit || asked.marker)
        throw files::InputError("--rate, --columns, --unit, --acceleration-unit and --marker belong to --export");
}

std::string write_series(const MotionSeries& series, const experiment::Experiment& experiment,
                         const plan::MotionPlan& plan, files::Overwrite overwrite) {
    const SeriesFormat format = series_format(series.file);
    plan::ExportRequest request = series.request;
    if (!series.columns.empty()) request.columns = split_columns(series.columns);
    if (format == SeriesFormat::at2) request.columns = {"acceleration"}, request.acceleration_unit = "g";
    const plan::ExportedMotion motion = plan::export_motion(experiment, plan, request);
    if (format == SeriesFormat::tab) files::write_file(series.file, plan::tab_text(motion), overwrite);
    if (format == SeriesFormat::at2) files::write_file(series.file, plan::at2_text(motion, experiment.name), overwrite);
    if (format == SeriesFormat::matlab) {
        std::vector<vendor_files::MatVariable> variables;
        for (const plan::ExportColumn& column : motion.columns) variables.push_back({column.quantity, column.values});
        vendor_files::write_mat_file(series.file, variables, overwrite);
    }
    return plan::export_remarks(motion);
}

void add_series_options(CLI::App& command, MotionSeries& series) {
    command
        .add_option("--export", series.file,
                    "Write the motion of axis x as the time series of other software: .mat, .txt, .tab or .at2")
        ->type_name("OUT.mat|OUT.txt|OUT.at2");
    command.add_option("--rate", series.request.rate_hz, "Rows a second of --export; default: the feedback rate")
        ->transform(number_above_zero())
        ->type_name("HZ");
    command
        .add_option("--columns", series.columns,
                    "Of --export: time, position, velocity, acceleration; default: all four")
        ->transform(readable([](const std::string& text) { split_columns(text); }))
        ->type_name("QUANTITY,...");
    command.add_option("--unit", series.request.length_unit, "Of positions and velocities of --export")
        ->transform(one_of({"m", "cm", "mm", "in"}))
        ->type_name("m|cm|mm|in");
    command.add_option("--acceleration-unit", series.request.acceleration_unit, "Of --export")
        ->transform(one_of({"m/s2", "cm/s2", "g"}))
        ->type_name("m/s2|cm/s2|g");
    command.add_flag("--marker", series.request.marker,
                     "Of --export: a move of 2 mm out and back first, which import finds again");
}

}  // namespace topple::hil::cli

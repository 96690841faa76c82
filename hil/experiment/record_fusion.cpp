// A record's acceleration calibrated by a displacement that was measured beside it, and fused with it.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "hil/experiment/record_parts.hpp"
#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"
#include "hil/fused_motion/fuse.hpp"

namespace topple::hil::experiment {
namespace {

using fused_motion::MeasuredMotion;

constexpr const char* kChannel = "displacement_channel";
constexpr const char* kFile = "displacement_file";

/// Of the ending of the column's name, or displacement_unit.
double metres_per_unit(TomlTable& section, const std::string& column) {
    const std::string ending = column.substr(column.rfind('_') + 1);
    const std::string stated = column.find('_') == std::string::npos ? "" : ending;
    const bool says = stated == "m" || stated == "cm" || stated == "mm" || stated == "um";
    if (section.has("displacement_unit")) {
        const std::string unit = section.one_of_or("displacement_unit", {"m", "cm", "mm", "um"}, "m");
        if (says && unit != stated)
            section.fail("displacement_unit", fmt::format("the column {} states {}", column, stated));
        return files::length_unit_m(unit, column);
    }
    if (!says)
        section.fail(kChannel, fmt::format("the column \"{}\" states no unit (endings _m, _cm, _mm, _um): "
                                           "displacement_unit must be \"m\", \"cm\", \"mm\" or \"um\"",
                                           column));
    return files::length_unit_m(stated, column);
}

signal::Samples displacement_of_file(TomlTable& section, const ExcitationContext& context, double clock_start_s) {
    if (section.has("displacement_unit"))
        section.fail("displacement_unit", "goes with displacement_channel; a displacement_file states its unit");
    const std::filesystem::path file = context.directory / section.text(kFile);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) section.fail(kFile, "no such file: " + file.string());
    files::DeclaredColumns columns = files::read_declared_columns(file, std::nullopt);
    if (columns.displacement_m.empty()) files::refuse_missing(file, "displacement_<unit> or position_<unit>", columns);
    for (double& time_s : columns.time_s) time_s -= clock_start_s;
    return {std::move(columns.time_s), std::move(columns.displacement_m)};
}

/// What was measured and how it may be taken.
struct Fusable {
    MeasuredMotion measured;
    fused_motion::CalibrationOptions options;
};

Fusable fusable(TomlTable& section, const ExcitationContext& context, const RecordSamples& samples,
                const RecordAccount& account) {
    Fusable it;
    it.measured.acceleration = {samples.time_s, samples.acceleration_m_s2};
    it.measured.displacement =
        section.has(kFile) ? displacement_of_file(section, context, samples.clock_start_s) : samples.displacement;
    if (it.measured.displacement.time_s.empty())
        section.fail(kChannel,
                     fmt::format("the record is {}, no CSV with columns: give a displacement_file", account.format));
    it.options.unit_is_known = account.unit != "any";
    it.options.stated_unit = account.unit;
    it.options.shift_max_s = section.number_or("displacement_shift_max_s", between(0.0, 10.0), it.options.shift_max_s);
    return it;
}

}  // namespace

bool has_displacement(TomlTable& section) { return section.has(kChannel) || section.has(kFile); }

signal::Samples displacement_column(TomlTable& section, const files::CsvTable& csv, const std::vector<double>& time_s) {
    const std::string name = section.text(kChannel);
    const auto index = csv.find(name);
    if (!index) section.fail(kChannel, fmt::format("no such column; there are: {}", fmt::join(csv.names, ", ")));
    const double metres = metres_per_unit(section, name);
    signal::Samples samples{time_s, csv.columns[*index]};
    for (double& value : samples.value) value *= metres;
    return samples;
}

std::vector<VariedSamples> fuse_record(TomlTable& section, const ExcitationContext& context, RecordSamples& samples,
                                       RecordAccount& account, std::vector<std::string>& remarks) {
    const bool is_off = section.one_of_or("displacement_check", {"on", "off"}, "on") == "off";
    if (!has_displacement(section)) {
        for (const char* key : {"displacement_check", "displacement_shift_max_s", "displacement_unit"})
            if (section.has(key)) section.fail(key, "needs a displacement_channel or a displacement_file");
        if (account.unit == "any") section.fail("units", "\"any\" needs a displacement, which tells the unit");
        return {};
    }
    if (section.has(kChannel) && section.has(kFile))
        section.fail(kFile, "not allowed together with displacement_channel");
    if (section.boolean_or("uneven_time", false)) section.fail("uneven_time", "not allowed with a displacement");
    const Fusable it = fusable(section, context, samples, account);
    if (is_off && account.unit == "any")
        section.fail("displacement_check", "\"off\" leaves units = \"any\" without an answer");
    if (is_off) return {};
    try {
        RecordFusion fusion{fused_motion::calibrate(it.measured, it.options), 0.0, {}};
        const signal::EvenGrid grid = fused_motion::common_grid(it.measured, fusion.calibration.shift_s);
        fused_motion::FusedMotion fused = fused_motion::fuse(it.measured, fusion.calibration, grid);
        fusion.residual_m = fused.residual_m;
        std::vector<VariedSamples> varied;
        for (fused_motion::Variant& variant : fused_motion::variants(it.measured, fusion.calibration, grid))
            if (it.options.unit_is_known || std::string_view(variant.name) != "as_given")
                varied.push_back({variant.name, std::move(variant.acceleration_m_s2)});
        samples.time_s.clear();
        for (std::size_t i = 0; i < grid.count; ++i) samples.time_s.push_back(grid.step_s * static_cast<double>(i));
        samples.acceleration_m_s2 = std::move(fused.acceleration_m_s2);
        remarks.push_back(fmt::format("{}: {}; {:.3g} mm rms of the displacement are left",
                                      account.file.empty() ? "record" : account.file, describe(fusion.calibration),
                                      1e3 * fusion.residual_m));
        account.fusion = std::move(fusion);
        return varied;
    } catch (const std::invalid_argument& error) {
        section.fail(section.has(kFile) ? kFile : kChannel,
                     fmt::format("{}. displacement_check = \"off\" takes the acceleration as it is", error.what()));
    }
}

}  // namespace topple::hil::experiment

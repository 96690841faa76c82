#include "hil/exports/sensor_scales.hpp"

#include <charconv>
#include <string>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::exports {
namespace {

double number_of(const std::map<std::string, std::string>& metadata, const std::string& key) {
    double value = std::nan("");
    const auto found = metadata.find(key);
    if (found != metadata.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
}

}  // namespace

SensorScales sensor_scales(const run_log::RunData& run, const std::filesystem::path& log) {
    const auto logged = [&](const std::string& suffix) {
        const auto number = [&](const char* key) { return number_of(run.metadata, key + suffix); };
        return AxisScales{number("encoder_sign") * number("counts_per_m"),
                          number("accelerometer_sign") * number("accelerometer_scale")};
    };
    // Of one axis: the accelerometer's second direction has the scale of the first.
    if (const AxisScales x = logged(""); std::isfinite(x.counts_per_m))
        return {x, run.metadata.contains("counts_per_m_y") ? logged("_y") : x};
    const std::filesystem::path machine_file = log.parent_path() / "machine.toml";
    if (!std::filesystem::exists(machine_file)) return {};
    const auto machine = experiment::read_machine(machine_file.string(), {}).description;
    const auto of = [](const firmware_iface::AxisDescription& axis) {
        return AxisScales{axis.encoder_sign * axis.counts_per_m, axis.accelerometer_sign * axis.accelerometer_scale};
    };
    return {of(machine), machine.y ? of(*machine.y) : of(machine)};
}

}  // namespace topple::hil::exports

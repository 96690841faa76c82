#include "hil/compare/motion_fusion.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/motion_window.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::compare {
namespace {

using firmware_iface::Feedback;
using fused_motion::MeasuredMotion;

std::string value_of(const run_log::RunData& run, const char* key) {
    const auto found = run.metadata.find(key);
    return found == run.metadata.end() ? std::string() : found->second;
}

}  // namespace

std::optional<MeasuredMotion> both_channels(const run_log::RunData& run,
                                            const firmware_iface::MachineDescription& machine) {
    if (value_of(run, kDisplacementCheckKey) != "on") return std::nullopt;
    MeasuredMotion measured;
    measured.displacement_rate_hz = text::parse_number(value_of(run, kDisplacementRateKey)).value_or(0.0);
    const std::uint64_t origin_us = motion_origin_us(run);
    for (const Feedback& feedback : run.feedback) {
        const double time_s = seconds_from(origin_us, feedback.device_time_us);
        measured.displacement.time_s.push_back(time_s);
        measured.displacement.value.push_back(
            machine.encoder_sign * static_cast<double>(feedback.axes[0].encoder_count) / machine.counts_per_m);
        if (!feedback.acceleration_x_m_s2) continue;
        measured.acceleration.time_s.push_back(time_s);
        measured.acceleration.value.push_back(machine.accelerometer_sign * machine.accelerometer_scale *
                                              *feedback.acceleration_x_m_s2);
    }
    return measured;
}

fused_motion::CalibrationOptions calibration_options(const run_log::RunData& run) {
    fused_motion::CalibrationOptions options;
    options.shift_max_s = text::parse_number(value_of(run, kDisplacementShiftKey)).value_or(options.shift_max_s);
    options.stated_unit = value_of(run, kAccelerationUnitKey);
    options.unit_is_known = options.stated_unit != kAnyUnit;
    return options;
}

std::optional<FusedChannels> fuse_channels(const run_log::RunData& run,
                                           const firmware_iface::MachineDescription& machine,
                                           const signal::EvenGrid& grid, std::vector<std::string>& remarks) {
    const auto measured = both_channels(run, machine);
    if (!measured) return std::nullopt;
    try {
        FusedChannels fused;
        fused.fusion.calibration = fused_motion::calibrate(*measured, calibration_options(run));
        fused.motion = fused_motion::fuse(*measured, fused.fusion.calibration, grid);
        fused.fusion.residual_m = fused.motion.residual_m;
        fused.fusion.variants = fused_motion::variants(*measured, fused.fusion.calibration, grid);
        if (value_of(run, kAccelerationUnitKey) == kAnyUnit)  // what has no unit was not given as an acceleration
            std::erase_if(fused.fusion.variants,
                          [](const auto& variant) { return std::string_view(variant.name) == "as_given"; });
        return fused;
    } catch (const std::invalid_argument& error) {
        remarks.push_back(fmt::format("displacement and acceleration are not fused: {}", error.what()));
        return std::nullopt;
    }
}

}  // namespace topple::hil::compare

#include "hil/conclude/second_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hil/compare/motion_fusion.hpp"
#include "hil/files/errors.hpp"
#include "hil/signal/even_grid.hpp"
#include "hil/signal/printed_times.hpp"

namespace topple::hil::conclude {
namespace {

using files::DeclaredColumns;
using files::InputError;

/// Rows of `motion` from `first` on, `count` of them.
void keep_rows(DeclaredColumns& motion, std::size_t first, std::size_t count) {
    const auto keep = [&](std::vector<double>& values) {
        if (values.empty()) return;
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        values = std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    keep(motion.time_s);
    keep(motion.acceleration_m_s2);
    for (auto& rotation : motion.rotation_rad) keep(rotation);
}

/// A gain that only another unit explains makes a motion of any size: it must at least be one that the table can do.
void require_within_machine(const fused_motion::MeasuredMotion& measured, const fused_motion::Calibration& c,
                            const firmware_iface::MachineDescription& machine) {
    if (c.unit_mixed_up.empty()) return;
    double peak_m_s2 = 0.0;
    for (const double reading : measured.acceleration.value)
        peak_m_s2 = std::max(peak_m_s2, std::abs(c.gain * (reading - c.bias_reading)));
    if (peak_m_s2 <= machine.acceleration_max_m_s2) return;
    throw std::invalid_argument(fmt::format(
        "with the gain {:.4g} that the displacement tells ({}{}) the acceleration reaches {:.3g} m/s2, above "
        "acceleration_max of {:.3g} m/s2 of the machine: check the units of both columns",
        c.signed_gain(), c.unit_mixed_up,
        c.displacement_suspected.empty() ? "" : ", or else " + c.displacement_suspected, peak_m_s2,
        machine.acceleration_max_m_s2));
}

}  // namespace

double add_displacement(DeclaredColumns& motion, const ImportRequest& request) {
    const std::filesystem::path& file = *request.displacement;
    if (!motion.displacement_m.empty() || motion.acceleration_m_s2.empty())
        throw InputError(fmt::format("--displacement: {} {}: the option is for an acceleration alone",
                                     request.motion.string(),
                                     motion.displacement_m.empty() ? "has no acceleration" : "has a displacement"));
    DeclaredColumns other = files::read_declared_columns(file, std::nullopt);
    if (other.displacement_m.empty()) files::refuse_missing(file, "displacement_<unit> or position_<unit>", other);
    if (const auto uneven = signal::first_uneven(motion.time_s))
        throw InputError(fmt::format("--displacement: the times of {} must be even, {:.6g} s is not",
                                     request.motion.string(), motion.time_s[*uneven]));
    const auto first = std::lower_bound(motion.time_s.begin(), motion.time_s.end(), other.time_s.front());
    const auto last = std::upper_bound(motion.time_s.begin(), motion.time_s.end(), other.time_s.back());
    constexpr std::ptrdiff_t kFewest = 16;
    if (last - first < kFewest)
        throw InputError(
            fmt::format("--displacement: {} is from {:.6g} to {:.6g} s, {} from {:.6g} to {:.6g} s: they "
                        "must overlap",
                        file.string(), other.time_s.front(), other.time_s.back(), request.motion.string(),
                        motion.time_s.front(), motion.time_s.back()));
    keep_rows(motion, static_cast<std::size_t>(first - motion.time_s.begin()), static_cast<std::size_t>(last - first));
    const std::size_t count = motion.time_s.size();
    const double step_s = (motion.time_s.back() - motion.time_s.front()) / static_cast<double>(count - 1);
    const double rate_hz = 1.0 / signal::typical_step_s(other.time_s);
    motion.displacement_m = signal::resample_smooth({std::move(other.time_s), std::move(other.displacement_m)},
                                                    {motion.time_s.front(), step_s, count});
    return rate_hz;
}

std::map<std::string, std::string> displacement_check_metadata(const DeclaredColumns& motion,
                                                               const ImportRequest& request,
                                                               double displacement_rate_hz) {
    const bool has_both = !motion.displacement_m.empty() && !motion.acceleration_m_s2.empty();
    if (motion.acceleration_unit == compare::kAnyUnit && !(has_both && request.displacement_check))
        throw InputError(fmt::format("{}: an acceleration in unit=any needs {}: state its unit",
                                     request.motion.string(),
                                     has_both ? "--displacement-check on, which finds its gain"
                                              : "a displacement beside it, which tells its gain"));
    if (!has_both) return {};
    std::map<std::string, std::string> metadata{
        {compare::kDisplacementCheckKey, request.displacement_check ? "on" : "off"},
        {compare::kAccelerationUnitKey, motion.acceleration_unit}};
    if (displacement_rate_hz > 0.0) metadata[compare::kDisplacementRateKey] = fmt::format("{}", displacement_rate_hz);
    if (request.displacement_shift_max_s)
        metadata[compare::kDisplacementShiftKey] = fmt::format("{}", *request.displacement_shift_max_s);
    return metadata;
}

void require_calibration(const run_log::RunData& run, const firmware_iface::MachineDescription& machine,
                         const ImportRequest& request) {
    const auto measured = compare::both_channels(run, machine);
    if (!measured) return;
    try {
        require_within_machine(*measured, fused_motion::calibrate(*measured, compare::calibration_options(run)),
                               machine);
    } catch (const std::invalid_argument& error) {
        throw InputError(
            fmt::format("{}: {}. With --displacement-check off the test is imported with the acceleration "
                        "as it is",
                        request.motion.string(), error.what()));
    }
}

}  // namespace topple::hil::conclude

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
    if (motion.displacement_m.empty() || motion.acceleration_m_s2.empty()) return {};
    std::map<std::string, std::string> metadata{
        {compare::kDisplacementCheckKey, request.displacement_check ? "on" : "off"}};
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
        fused_motion::calibrate(*measured, compare::calibration_options(run));
    } catch (const std::invalid_argument& error) {
        throw InputError(
            fmt::format("{}: {}. With --displacement-check off the test is imported with the acceleration "
                        "as it is",
                        request.motion.string(), error.what()));
    }
}

}  // namespace topple::hil::conclude

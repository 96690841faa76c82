#include "controller/headroom.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "firmware_iface/device/limits.hpp"

namespace topple::controller {
namespace {

using firmware_iface::MachineDescription;

/// The least of several limits, and whose it is.
struct Least {
    double ratio = std::numeric_limits<double>::infinity();
    std::string limit;

    void consider(double candidate, const char* name) {
        if (candidate < ratio) ratio = candidate, limit = name;
    }
};

/// Smallest positive s with |linear s + square s^2| = available; infinite if there is none.
double smallest_root(double linear, double square, double available) {
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](double s) {
        if (s > 0.0 && s < least) least = s;
    };
    for (const double side : {-available, available}) {
        const double discriminant = linear * linear + 4.0 * square * side;
        if (discriminant < 0.0) continue;
        // In the form that loses no digits where the square is small.
        const double sum = linear + std::copysign(std::sqrt(discriminant), linear);
        if (sum != 0.0) consider(2.0 * side / sum);
        if (square != 0.0) consider(-0.5 * sum / square);
    }
    return least;
}

/// The velocity from which a stop with this payload runs too far ahead of its setpoint.
double stoppable_m_s(const MachineDescription& machine, double payload_kg) {
    const double able_m_s2 = drive_force_max_n(machine) / (machine.moving_mass_kg + payload_kg);
    if (able_m_s2 >= machine.stop_deceleration_m_s2) return std::numeric_limits<double>::infinity();
    const double most_m = firmware_iface::kBrakeFactor * machine.following_error_max_m;
    return std::sqrt(2.0 * most_m / (1.0 / able_m_s2 - 1.0 / machine.stop_deceleration_m_s2));
}

void look_at_strokes(const Profile& profile, const MachineDescription& machine, Least& amplitude, Least& slowness) {
    constexpr int kInstants = 20000;
    const double available_m = machine.stroke_m - kStrokeMargin_m;
    const double reaction_s = kReactionPeriods / machine.feedback_rate_hz;
    const double duration_s = profile.duration_s();
    for (int i = 0; i <= kInstants; ++i) {
        const solver::BaseState state = profile.at(duration_s * i / kInstants);
        const double x = state.displacement_m, v = state.velocity_m_s;
        const double coast_m = v * reaction_s, stop_m = v * std::abs(v) / (2.0 * machine.stop_deceleration_m_s2);
        if (x != 0.0) {
            amplitude.consider(available_m / std::abs(x), "stroke");
            slowness.consider(std::sqrt(available_m / std::abs(x)), "stroke");
        }
        amplitude.consider(smallest_root(x + coast_m, stop_m, available_m), "stroke with room to stop");
        slowness.consider(smallest_root(coast_m, x + stop_m, available_m), "stroke with room to stop");
    }
}

}  // namespace

Headroom headroom(std::span<const Profile> axes, const MachineDescription& machine, double payload_kg) {
    Least amplitude, slowness, saturation;
    bool accelerations_fit = true, moves = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].motion.empty()) continue;
        const MachineDescription axis = axis_of(machine, i);
        const auto peak = axes[i].motion.extremes();
        if (!(peak.acceleration_peak_m_s2 > 0.0)) continue;
        moves = true;
        look_at_strokes(axes[i], axis, amplitude, slowness);
        const double stoppable = stoppable_m_s(axis, payload_kg), force_n = drive_force_max_n(axis);
        amplitude.consider(axis.velocity_max_m_s / peak.velocity_peak_m_s, "velocity");
        amplitude.consider(stoppable / peak.velocity_peak_m_s, "stop with this payload");
        amplitude.consider(axis.acceleration_max_m_s2 / peak.acceleration_peak_m_s2, "acceleration");
        slowness.consider(axis.velocity_max_m_s / peak.velocity_peak_m_s, "velocity");
        slowness.consider(stoppable / peak.velocity_peak_m_s, "stop with this payload");
        accelerations_fit = accelerations_fit && peak.acceleration_peak_m_s2 <= axis.acceleration_max_m_s2;
        saturation.consider(axis.acceleration_clean_m_s2 / peak.acceleration_peak_m_s2, "clean acceleration");
        saturation.consider(force_n / ((axis.moving_mass_kg + payload_kg) * peak.acceleration_peak_m_s2), "force");
    }
    if (!moves) return {};
    Headroom room{amplitude.ratio, amplitude.limit, saturation.ratio, 0.0, {}};
    if (accelerations_fit && std::isfinite(slowness.ratio)) {
        room.frequency_ratio = 1.0 / slowness.ratio;
        room.frequency_limit = slowness.limit;
    }
    return room;
}

}  // namespace topple::controller

#include "tests/support/tracked_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hil/signal/response_spectrum.hpp"
#include "hil/signal/zero_phase.hpp"
#include "hil/sim_table/noise.hpp"
#include "tests/support/host_bench.hpp"

namespace topple::test {

using hil::sim_table::SimulatedTableOptions;

solver::Specimen dead_weight(double mass_kg) { return stack({solver::Block{1.0, 0.1, mass_kg}}); }

firmware_iface::MachineDescription able_to_stop(firmware_iface::MachineDescription machine, double payload_kg) {
    const double able_m_s2 = drive_force_max_n(machine) / (machine.moving_mass_kg + payload_kg);
    machine.stop_deceleration_m_s2 = std::min(machine.stop_deceleration_m_s2, able_m_s2);
    return machine;
}

WantedMotion wanted_motion(const controller::Profile& profile) {
    WantedMotion wanted;
    const auto count =
        static_cast<std::size_t>((profile.duration_s() + TrackedMotion::kAfter_s) / TrackedMotion::kStep_s + 1e-6) + 1;
    for (std::size_t i = 0; i < count; ++i) {
        const double time_s = static_cast<double>(i) * TrackedMotion::kStep_s;
        wanted.position_m.push_back(profile.at(time_s).displacement_m);
        // The plant's acceleration is the mean of the step before.
        const double middle_s = time_s - 0.5 * TrackedMotion::kStep_s;
        wanted.acceleration_m_s2.push_back(middle_s < 0.0 ? 0.0 : profile.at(middle_s).acceleration_m_s2);
    }
    return wanted;
}

TrackedMotion track_motion(const firmware_iface::MachineDescription& machine,
                           const hil::sim_table::TablePreset& mechanics, double payload_kg,
                           const controller::Profile& drive, const WantedMotion& wanted) {
    TrackedMotion tracked;
    SimulatedTableOptions options;
    options.mechanics = mechanics;
    options.start_position_m = drive.start_position_m;
    const hil::sim_table::SimulatedTable* table = nullptr;
    options.disturb = [&](std::uint64_t time_us, firmware_iface::Measurement&) {
        if (table == nullptr || tracked.start_us == 0 || time_us < tracked.start_us) return;
        if (tracked.true_m.size() >= wanted.position_m.size()) return;
        tracked.true_m.push_back(table->plant().position_m());
        tracked.true_m_s2.push_back(table->plant().acceleration_m_s2());
    };
    std::vector<solver::Specimen> specimens;
    if (payload_kg > 0.0) specimens.push_back(dead_weight(payload_kg));
    HostBench host(specimens, options, machine);
    table = host.table.get();
    host.link->connect();
    if (!host.link->arm(configuration_hash(machine)).accepted) throw std::runtime_error("the table does not arm");
    host.cycles(250);
    tracked.start_us = host.soon_us();
    if (!host.drive(controller::setpoints(drive, tracked.start_us, 2000), TrackedMotion::kAfter_s))
        throw std::runtime_error("the table does not start");
    const std::size_t seen = tracked.true_m.size();
    tracked.commanded_m.assign(wanted.position_m.begin(),
                               wanted.position_m.begin() + static_cast<std::ptrdiff_t>(seen));
    tracked.commanded_m_s2.assign(wanted.acceleration_m_s2.begin(),
                                  wanted.acceleration_m_s2.begin() + static_cast<std::ptrdiff_t>(seen));
    tracked.measured = host.feedback;
    tracked.fault = host.table->core().fault();
    return tracked;
}

TrackedMotion track_motion(const firmware_iface::MachineDescription& machine,
                           const hil::sim_table::TablePreset& mechanics, double payload_kg,
                           const controller::Profile& profile) {
    return track_motion(machine, mechanics, payload_kg, profile, wanted_motion(profile));
}

solver::BaseMotion broadband_motion(std::uint64_t seed, double peak_m_s2) {
    constexpr int kLines = 40;
    constexpr double kLow_hz = 0.8, kHigh_hz = 10.0, kDuration_s = 10.0, kDelayMax_s = 2.0;
    hil::sim_table::Noise noise(seed, 0);
    solver::BaseMotion sum;
    for (int line = 0; line < kLines; ++line) {
        const double hz = kLow_hz + (kHigh_hz - kLow_hz) * (line + noise.uniform()) / kLines;
        const double w = 2.0 * std::numbers::pi * hz, delay_s = kDelayMax_s * noise.uniform();
        const double sign = noise.uniform() < 0.5 ? -1.0 : 1.0;
        const double cycles = std::floor((kDuration_s - delay_s) * hz);
        const double ramp_cycles = std::max(0.5, 0.5 * std::floor(0.6 * cycles));
        sum = sum.plus(solver::harmonic_displacement(sign / (w * w), w, ramp_cycles, cycles).shifted(delay_s));
    }
    return sum.scaled(peak_m_s2 / sum.extremes().acceleration_peak_m_s2);
}

TrackingError tracking_error(const TrackedMotion& motion, bool with_spectrum) {
    constexpr double kCutoff_hz = 60.0;
    TrackingError error;
    for (std::size_t i = 0; i < motion.true_m.size(); ++i)
        error.peak_mm = std::max(error.peak_mm, 1e3 * std::abs(motion.true_m[i] - motion.commanded_m[i]));
    const double rate_hz = 1.0 / TrackedMotion::kStep_s;
    const auto wanted = hil::signal::zero_phase_low_pass(motion.commanded_m_s2, rate_hz, kCutoff_hz);
    const auto made = hil::signal::zero_phase_low_pass(motion.true_m_s2, rate_hz, kCutoff_hz);
    double squares = 0.0, errors = 0.0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        squares += wanted[i] * wanted[i];
        errors += (made[i] - wanted[i]) * (made[i] - wanted[i]);
    }
    error.nrmse_ratio = std::sqrt(errors / squares);
    if (!with_spectrum) return error;
    constexpr double kDamping_ratio = 0.05, kFloor_ratio = 0.02;
    const auto hz = hil::signal::frequencies_in_equal_ratios(0.3, 20.0, 73);
    const auto target = hil::signal::response_spectrum(wanted, TrackedMotion::kStep_s, hz, kDamping_ratio);
    const auto achieved = hil::signal::response_spectrum(made, TrackedMotion::kStep_s, hz, kDamping_ratio);
    const double floor = kFloor_ratio * *std::max_element(target.begin(), target.end());
    for (std::size_t i = 0; i < hz.size(); ++i)
        if (target[i] > floor)
            error.spectrum_ratio = std::max(error.spectrum_ratio, std::abs(achieved[i] / target[i] - 1.0));
    return error;
}

}  // namespace topple::test

// Excitations of the literature on pulses, the sweep and the noise; each from rest to rest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/experiment/sections.hpp"
#include "hil/experiment/wave_keys.hpp"
#include "solver/motion/broadband.hpp"
#include "solver/motion/pulses.hpp"

namespace topple::hil::experiment {
namespace {

const NumberRange kVelocity = between(-100.0, 100.0);

double read_frequency(TomlTable& section, std::string_view key) {
    return section.number(key, above(0.0, kFrequencyMax_hz));
}

void read_ricker(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    excitation.amplitude_m_s2 = read_amplitude(section, context);
    const double frequency_hz = read_frequency(section, "frequency_hz");
    constexpr double kLongest_periods = 4.4;
    check_duration(section, "frequency_hz", kLongest_periods / frequency_hz);
    const bool is_symmetric = section.one_of_or("shape", {"symmetric", "antisymmetric"}, "symmetric") == "symmetric";
    excitation.motion = is_symmetric ? solver::symmetric_ricker(excitation.amplitude_m_s2, frequency_hz)
                                     : solver::antisymmetric_ricker(excitation.amplitude_m_s2, frequency_hz);
}

void read_mavroeidis_papageorgiou(TomlTable& section, Excitation& excitation) {
    solver::MavroeidisPapageorgiou pulse;
    pulse.velocity_m_s = section.number("velocity_m_s", kVelocity);
    pulse.frequency_hz = read_frequency(section, "frequency_hz");
    pulse.gamma = section.number("gamma", above(1.0, 1000.0));
    pulse.phase_rad = section.number_or("phase_rad", between(-2 * std::numbers::pi, 2 * std::numbers::pi), 0.0);
    check_duration(section, "gamma", pulse.gamma / pulse.frequency_hz);
    excitation.motion = solver::mavroeidis_papageorgiou(pulse);
}

void read_cycloidal(TomlTable& section, Excitation& excitation) {
    const std::string shape = section.one_of("shape", {"A", "B", "C"});
    const double velocity_m_s = section.number("velocity_m_s", kVelocity);
    const double frequency_hz = read_frequency(section, "frequency_hz");
    if (shape == "C") {
        constexpr std::int64_t kCyclesOfC = 100;
        const auto cycles = static_cast<int>(section.integer_or("cycles", 1, kCyclesOfC, 1));
        check_duration(section, "frequency_hz", (cycles + 0.5) / frequency_hz);
        excitation.motion = solver::cycloidal_c(velocity_m_s, frequency_hz, cycles);
        return;
    }
    if (section.has("cycles")) section.fail("cycles", "only with shape = \"C\": A and B are one period long");
    check_duration(section, "frequency_hz", 1.0 / frequency_hz);
    excitation.motion = shape == "A" ? solver::cycloidal_a(velocity_m_s, frequency_hz)
                                     : solver::cycloidal_b(velocity_m_s, frequency_hz);
}

void read_sweep(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    solver::Sweep sweep;
    sweep.amplitude_m_s2 = excitation.amplitude_m_s2 = read_amplitude(section, context);
    sweep.start_frequency_hz = read_frequency(section, "start_frequency_hz");
    sweep.end_frequency_hz = read_frequency(section, "end_frequency_hz");
    sweep.duration_s = section.number("duration_s", above(0.0, kDurationMax_s));
    sweep.ramp_cycles = section.number_or("ramp_cycles", above(0.0, kCyclesMax), 2.0);
    sweep.logarithmic = section.one_of_or("spacing", {"linear", "logarithmic"}, "logarithmic") == "logarithmic";
    const double ramps_s = sweep.ramp_cycles / sweep.start_frequency_hz + sweep.ramp_cycles / sweep.end_frequency_hz;
    if (ramps_s > sweep.duration_s)
        section.fail("duration_s", fmt::format("includes both ramps of ramp_cycles = {:g}: at least {:.4g} s",
                                               sweep.ramp_cycles, ramps_s));
    excitation.motion = solver::sweep(sweep);
}

void read_noise(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    solver::BandLimitedNoise noise;
    noise.rms_m_s2 =
        one_of_two(section, "rms_m_s2", "rms_g", between(0.0, kAccelerationMax_m_s2), context.gravity_m_s2);
    noise.low_hz = read_frequency(section, "low_hz");
    noise.high_hz = section.number("high_hz", between(noise.low_hz, kFrequencyMax_hz));
    noise.duration_s = section.number("duration_s", above(0.0, kDurationMax_s));
    noise.ramp_s = section.number_or("ramp_s", above(0.0, 0.5 * noise.duration_s),
                                     std::min(0.5 * noise.duration_s, 2.0 / noise.low_hz));
    noise.seed = static_cast<std::uint64_t>(section.integer_or("seed", 0, kSeedMax, 1));
    excitation.motion = solver::band_limited_noise(noise);
}

/// What a formula's velocity or frequency comes to.
std::string peaks_remark(const Excitation& excitation) {
    constexpr double kRounding_m = 1e-9;
    const solver::BaseMotion::Extremes peaks = excitation.motion.extremes();
    const double end_m = excitation.motion.at(excitation.motion.end_s()).displacement_m;
    return fmt::format(
        "peaks of the {}: {:.4g} m/s2, {:.4g} m/s, {:.4g} to {:.4g} m; it lasts {:.4g} s and ends {}", excitation.type,
        peaks.acceleration_peak_m_s2, peaks.velocity_peak_m_s, peaks.displacement_min_m, peaks.displacement_max_m,
        excitation.motion.end_s(),
        std::abs(end_m) < kRounding_m ? "where it began" : fmt::format("{:.4g} m from where it began", end_m));
}

}  // namespace

void read_pulse(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    const std::string& type = excitation.type;
    if (type == "ricker")
        read_ricker(section, context, excitation);
    else if (type == "mavroeidis_papageorgiou")
        read_mavroeidis_papageorgiou(section, excitation);
    else if (type == "cycloidal")
        read_cycloidal(section, excitation);
    else if (type == "sweep")
        read_sweep(section, context, excitation);
    else if (type == "noise")
        read_noise(section, context, excitation);
    else
        return;
    excitation.remarks.push_back(peaks_remark(excitation));
}

}  // namespace topple::hil::experiment

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "hil/experiment/sections.hpp"
#include "hil/experiment/wave_keys.hpp"
#include "solver/motion/lead_in.hpp"

namespace topple::hil::experiment {
namespace {

constexpr double kJerkMax_m_s3 = 1e7;
constexpr std::string_view kStepsOfCosine = "a cosine of acceleration starts and ends with a step of acceleration";
constexpr double kRestVelocity_m_s = 1e-9;  // what controller::place takes for rest
constexpr double kLeastFelt = 1e-12;        // m/s2 or m
const NumberRange kDuration = above(0.0, kDurationMax_s);

/// A motion so small that its squares are no numbers any more; no table and no block would feel it either.
void require_felt(const TomlTable& table, std::string_view key, double value) {
    if (value != 0.0 && std::abs(value) < kLeastFelt)
        table.fail(key, fmt::format("{:g} is too small to be a motion: must be 0, or {:g} or more in size", value,
                                    kLeastFelt));
}

double read_angular_frequency(TomlTable& table) {
    const double full_turn_rad = 2 * std::numbers::pi;
    if (table.has("angular_frequency_rad_s") && !table.has("frequency_hz"))
        return table.number("angular_frequency_rad_s", above(0.0, kFrequencyMax_hz * full_turn_rad));
    if (table.has("angular_frequency_rad_s"))
        table.fail("angular_frequency_rad_s", "not allowed together with frequency_hz: write one of them");
    return table.number("frequency_hz", above(0.0, kFrequencyMax_hz)) * full_turn_rad;
}

double read_cycles(TomlTable& table) { return table.number_or("cycles", above(0.0, kCyclesMax), 1.0); }

void read_wave(TomlTable& table, const ExcitationContext& context, Excitation& excitation) {
    excitation.amplitude_m_s2 = read_amplitude(table, context);
    excitation.angular_frequency_rad_s = read_angular_frequency(table);
    excitation.cycles = read_cycles(table);
    const double w = excitation.angular_frequency_rad_s;
    check_duration(table, "cycles", excitation.cycles * 2 * std::numbers::pi / w);
    excitation.motion = excitation.type == "sine"
                            ? solver::sine_acceleration(excitation.amplitude_m_s2, w, excitation.cycles)
                            : solver::cosine_acceleration(excitation.amplitude_m_s2, w, excitation.cycles);
    const double net_m = excitation.motion.at(excitation.motion.end_s()).displacement_m;
    if (excitation.type == "sine")
        excitation.remarks.push_back(fmt::format("a sine of acceleration ends displaced: {:.1f} mm", 1e3 * net_m));
    else
        excitation.remarks.emplace_back(kStepsOfCosine);
}

/// Two masses in kg and a drop height instead of amplitude and duration: a0 = ma g/(ms+m+ma), the hanging mass
/// touches down after ta = sqrt(2 ha / a0) (thesis 5.1.2; all of (2 ha/g)(ms+m+ma)/ma under the root).
void read_air_track(TomlTable& table, const ExcitationContext& context, Excitation& excitation, double& duration_s) {
    for (const char* key : {"amplitude_m_s2", "amplitude_g", "duration_s"})
        if (table.has(key)) table.fail(key, "not allowed together with the masses of an air track");
    solver::AirTrack track;
    track.slider_kg = table.number("mass_slider_kg", above(0.0, kMassMax_kg));
    track.hanging_kg = table.number("mass_hanging_kg", above(0.0, kMassMax_kg));
    track.drop_m = table.number("drop_height_m", above(0.0, kLengthMax_m));
    excitation.coupled = table.boolean_or("coupled", false);
    excitation.air_track = track;
    excitation.amplitude_m_s2 = track.acceleration_m_s2(context.specimens_mass_kg, context.gravity_m_s2);
    duration_s = track.pull_duration_s(context.specimens_mass_kg, context.gravity_m_s2);
    excitation.remarks.push_back(
        fmt::format("air track: a0 = {:.4f} m/s2 for {:.4f} s; {}", excitation.amplitude_m_s2, duration_s,
                    excitation.coupled ? "until the block moves; then it also moves the slider"
                                       : "the reaction of the block on the slider is neglected"));
}

/// At constant velocity for coast_s between the pulse and its stop.
solver::BaseMotion pulse_coast_stop(double amplitude_m_s2, double duration_s, double coast_s,
                                    double deceleration_m_s2) {
    if (coast_s == 0.0 || amplitude_m_s2 == 0.0)
        return solver::constant_acceleration_and_stop(amplitude_m_s2, duration_s, deceleration_m_s2);
    const double stop_s = std::abs(amplitude_m_s2) * duration_s / deceleration_m_s2;
    return solver::constant_acceleration(amplitude_m_s2, duration_s)
        .then(solver::constant_acceleration(0.0, coast_s))
        .then(solver::constant_acceleration(-std::copysign(deceleration_m_s2, amplitude_m_s2), stop_s));
}

void read_constant(TomlTable& table, const ExcitationContext& context, Excitation& excitation) {
    double duration_s = 0.0;
    if (table.has("mass_slider_kg") || table.has("mass_hanging_kg") || table.has("drop_height_m")) {
        read_air_track(table, context, excitation, duration_s);
    } else {
        excitation.amplitude_m_s2 = read_amplitude(table, context);
        duration_s = table.number("duration_s", kDuration);
    }
    excitation.motion = solver::constant_acceleration(excitation.amplitude_m_s2, duration_s);
    const std::optional<double> deceleration =
        table.optional_number("deceleration_m_s2", above(0.0, kAccelerationMax_m_s2));
    const double coast_s = table.number_or("coast_s", between(0.0, kDurationMax_s), 0.0);
    if (table.has("coast_s") && !deceleration)
        table.fail("coast_s", "only with deceleration_m_s2: without it the base coasts for ever");
    if (excitation.coupled) {
        if (deceleration) table.fail("deceleration_m_s2", "not allowed with coupled = true: the slider keeps moving");
        excitation.table_motion_missing = "a table cannot perform a coupled air track, whose block moves the slider";
    } else if (deceleration) {
        check_duration(table, "deceleration_m_s2",
                       coast_s + duration_s * (1 + std::abs(excitation.amplitude_m_s2) / *deceleration));
        excitation.table_motion = pulse_coast_stop(excitation.amplitude_m_s2, duration_s, coast_s, *deceleration);
    } else {
        excitation.table_motion_missing =
            "a table cannot keep moving after a constant pulse: excitation.deceleration_m_s2 is required";
    }
}

void read_double_pulse(TomlTable& table, const ExcitationContext& context, Excitation& excitation) {
    DoublePulse pulse;
    pulse.peak_velocity_m_s = table.number("peak_velocity_m_s", between(-100.0, 100.0));
    if (pulse.peak_velocity_m_s == 0.0) table.fail("peak_velocity_m_s", "must not be 0");
    pulse.rise_time_s = table.number("rise_time_s", above(0.0, kDurationMax_s));
    pulse.gap_m = table.number("gap_m", between(0.0, kLengthMax_m));
    pulse.base_friction = table.number("base_friction", above(0.0, 10.0));
    pulse.stopper_rebound_ratio = table.number("stopper_rebound_ratio", between(0.0, 1.0));
    excitation.motion = pulse.motion(context.gravity_m_s2);
    excitation.double_pulse = pulse;
}

void read_harmonic(TomlTable& table, Excitation& excitation) {
    excitation.displacement_m = table.number("displacement_m", between(-kLengthMax_m, kLengthMax_m));
    require_felt(table, "displacement_m", excitation.displacement_m);
    excitation.angular_frequency_rad_s = read_angular_frequency(table);
    excitation.cycles = table.number("cycles", above(0.0, kCyclesMax));
    const double ramp_cycles = table.number_or("ramp_cycles", between(0.0, kCyclesMax), 2.0);
    if (ramp_cycles <= 0.0)
        table.fail("ramp_cycles", "must be > 0: without a ramp the table starts with a jump of velocity");
    if (excitation.cycles < 2 * ramp_cycles)
        table.fail("cycles", fmt::format("includes both ramps of ramp_cycles = {:g}: at least {:g}", ramp_cycles,
                                         2 * ramp_cycles));
    check_duration(table, "cycles",
                   (excitation.cycles + 2 * ramp_cycles) * 2 * std::numbers::pi / excitation.angular_frequency_rad_s);
    excitation.motion = solver::harmonic_displacement(excitation.displacement_m, excitation.angular_frequency_rad_s,
                                                      ramp_cycles, excitation.cycles);
}

/// Starts with a jump of velocity, as the published motion of a basin does.
void read_displacement_sine(TomlTable& table, Excitation& excitation) {
    excitation.displacement_m = table.number("displacement_m", between(-kLengthMax_m, kLengthMax_m));
    require_felt(table, "displacement_m", excitation.displacement_m);
    excitation.angular_frequency_rad_s = read_angular_frequency(table);
    excitation.cycles = read_cycles(table);
    check_duration(table, "cycles", excitation.cycles * 2 * std::numbers::pi / excitation.angular_frequency_rad_s);
    excitation.motion =
        solver::displacement_sine(excitation.displacement_m, excitation.angular_frequency_rad_s, excitation.cycles);
    excitation.table_motion_missing =
        "a sine of displacement starts with a jump of velocity, which no table can make: use type = \"harmonic\", "
        "which "
        "has ramps";
}

void refuse_air_track(TomlTable& section, const std::string& why) {
    for (const char* key : {"mass_slider_kg", "mass_hanging_kg", "drop_height_m", "coupled"}) section.forbid(key, why);
}

/// A motion that ends at rest is a table's motion as it is.
void offer_to_table(Excitation& excitation) {
    if (excitation.table_motion || !excitation.table_motion_missing.empty()) return;
    const double end_m_s = excitation.motion.at(excitation.motion.end_s()).velocity_m_s;
    if (std::abs(end_m_s) <= kRestVelocity_m_s)
        excitation.table_motion = excitation.motion;
    else
        excitation.table_motion_missing = fmt::format(
            "the motion ends at {:.4g} m/s instead of at rest: choose cycles so that it ends at rest", end_m_s);
}

void read_by_type(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    const std::string& type = excitation.type;
    if (type == "sine" || type == "cosine") read_wave(section, context, excitation);
    if (type == "constant") read_constant(section, context, excitation);
    if (type == "double_pulse") read_double_pulse(section, context, excitation);
    if (type == "harmonic") read_harmonic(section, excitation);
    if (type == "displacement_sine") read_displacement_sine(section, excitation);
    if (type == "record") read_record(section, context, excitation);
    if (type == "sum") read_sum(section, context, excitation);
    read_pulse(section, context, excitation);
}

/// The effect of a lead-in, for the operator.
std::string lead_in_remark(const solver::LeadIn& led) {
    if (led.lead_in_s == 0.0 && led.lead_out_s == 0.0)
        return "lead_in_jerk_m_s3: no step of acceleration at start or end, the motion is unchanged";
    return fmt::format(
        "lead-in of {:.3g} s before and lead-out of {:.3g} s after the motion: up to {:.3g} m/s2 against its step, "
        "which may start rocking by itself; without and with them the peak velocity is {:.3g} and {:.3g} m/s, the "
        "travel "
        "{:.3g} and {:.3g} m",
        led.lead_in_s, led.lead_out_s, led.counter_acceleration_m_s2, led.velocity_peak_before_m_s,
        led.velocity_peak_after_m_s, led.travel_before_m, led.travel_after_m);
}

/// lead_in_jerk_m_s3: no step of acceleration at the start and the end of what the table does.
void add_lead_in(TomlTable& section, double jerk_max_m_s3, Excitation& excitation) {
    if (!excitation.table_motion)
        section.fail("lead_in_jerk_m_s3", "not for this motion: " + excitation.table_motion_missing);
    if (excitation.table_motion->empty()) section.fail("lead_in_jerk_m_s3", "the base rests: leave it out");
    const solver::LeadIn led = solver::with_lead_in(*excitation.table_motion, jerk_max_m_s3);
    check_duration(section, "lead_in_jerk_m_s3", led.motion.end_s());
    excitation.table_motion = led.motion;
    const auto of_steps = [](const std::string& remark) { return remark == kStepsOfCosine; };
    std::erase_if(excitation.remarks, of_steps);  // they are gone now
    excitation.lead_in_s = led.lead_in_s;
    excitation.lead_out_s = led.lead_out_s;
    excitation.remarks.push_back(lead_in_remark(led));
}

}  // namespace

void check_duration(TomlTable& table, std::string_view key, double duration_s) {
    if (duration_s > kDurationMax_s)
        table.fail(key,
                   fmt::format("makes the motion last {} s; at most {} s are allowed", duration_s, kDurationMax_s));
}

double one_of_two(TomlTable& table, std::string_view first, std::string_view second, const NumberRange& range,
                  double second_unit) {
    if (table.has(first) && table.has(second))
        table.fail(second, fmt::format("not allowed together with {}: write one of them", first));
    if (!table.has(second)) return table.number(first, range);
    const NumberRange scaled{range.low / second_unit, range.high / second_unit, range.low_excluded,
                             range.high_excluded};
    return table.number(second, scaled) * second_unit;
}

double read_amplitude(TomlTable& table, const ExcitationContext& context) {
    const double amplitude_m_s2 =
        one_of_two(table, "amplitude_m_s2", "amplitude_g", between(-kAccelerationMax_m_s2, kAccelerationMax_m_s2),
                   context.gravity_m_s2);
    require_felt(table, table.has("amplitude_g") ? "amplitude_g" : "amplitude_m_s2", amplitude_m_s2);
    return amplitude_m_s2;
}

solver::BaseMotion DoublePulse::motion(double gravity_m_s2) const {
    return solver::double_pulse(peak_velocity_m_s, rise_time_s, gap_m, base_friction * gravity_m_s2,
                                stopper_rebound_ratio);
}

Excitation read_excitation(TomlTable section, const ExcitationContext& context) {
    Excitation excitation;
    excitation.type =
        section.one_of("type", {"sine", "cosine", "constant", "double_pulse", "harmonic", "displacement_sine", "record",
                                "sum", "sweep", "noise", "ricker", "mavroeidis_papageorgiou", "cycloidal", "none"});
    try {
        read_by_type(section, context, excitation);
    } catch (const std::invalid_argument& error) {
        section.fail("type", error.what());
    }
    const std::optional<double> jerk_m_s3 = section.optional_number("lead_in_jerk_m_s3", above(0.0, kJerkMax_m_s3));
    section.finish();
    offer_to_table(excitation);
    if (jerk_m_s3) add_lead_in(section, *jerk_m_s3, excitation);
    return excitation;
}

void read_horizontal_excitation(TomlTable& file, const ExcitationContext& context, Experiment& experiment) {
    const firmware_iface::MachineDescription& machine = experiment.table.description;
    const std::string missing =
        fmt::format("the machine {} has axis x only: a machine file with a table [y] is required", machine.name);
    const bool has_own_y = file.has("excitation_y");
    TomlTable section = file.table("excitation");
    if (!machine.y)
        section.forbid("direction_rad", missing);
    else if (has_own_y)
        section.forbid("direction_rad", "not allowed together with [excitation_y]: write one of them");
    else if (experiment.table.axis != 0)
        section.forbid("direction_rad", "not allowed together with [table] axis = \"y\": write one of them");
    else
        experiment.direction_rad =
            section.optional_number("direction_rad", between(-std::numbers::pi, std::numbers::pi));
    experiment.excitation = read_excitation(std::move(section), context);
    if (!has_own_y) return;
    if (!machine.y) file.fail("excitation_y", missing);
    if (experiment.table.axis != 0)
        file.fail("excitation_y", "not allowed together with [table] axis = \"y\": [excitation] is then of axis y");
    if (experiment.excitation.air_track) file.fail("excitation_y", "not allowed together with an air track");
    TomlTable own = file.table("excitation_y");
    refuse_air_track(own, "an air track has one axis: not allowed for a motion of axis y");
    experiment.excitation_y = read_excitation(std::move(own), context);
}

Excitation read_vertical_excitation(TomlTable section, const ExcitationContext& context) {
    refuse_air_track(section, "an air track is horizontal: not allowed for a vertical motion");
    return read_excitation(std::move(section), context);
}

}  // namespace topple::hil::experiment

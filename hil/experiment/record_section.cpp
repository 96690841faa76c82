// type = "record": a base acceleration from a file of samples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "hil/experiment/sections.hpp"
#include "hil/files/csv.hpp"
#include "hil/signal/statistics.hpp"
#include "hil/signal/zero_phase.hpp"

namespace topple::hil::experiment {
namespace {

using files::CsvTable;

constexpr std::size_t kSamplesMax = 2'000'000;
constexpr double kRoundingShare = 0.5;          // of the step: coarser decimals cannot show that a record is even
constexpr double kUnevenShare = 0.01;           // of the mean step: rounding of printed times
constexpr double kStopShare = 0.01;             // of the peak velocity: what may be stopped without being asked
constexpr double kStopAcceleration_m_s2 = 0.2;  // below every specimen's uplift threshold but the most slender
constexpr std::string_view kTimeColumn = "time_s";

struct Samples {
    std::vector<double> time_s, acceleration_m_s2;
};

/// Acceleration units by the ending of a column's name.
std::string unit_of_name(std::string_view name) {
    if (name.ends_with("_cm_s2")) return "cm/s2";
    if (name.ends_with("_m_s2")) return "m/s2";
    if (name.ends_with("_g")) return "g";
    return {};
}

std::size_t time_index(TomlTable& section, const CsvTable& csv) {
    if (!csv.has_header) return 0;
    if (const auto index = csv.find(kTimeColumn)) return *index;
    section.fail("file",
                 fmt::format("the CSV has no column {}; there are: {}", kTimeColumn, fmt::join(csv.names, ", ")));
}

std::size_t channel_index(TomlTable& section, const CsvTable& csv, std::size_t time) {
    if (section.has("channel")) {
        const std::string channel = section.text("channel");
        const auto index = csv.find(channel);
        if (!index || *index == time)
            section.fail("channel", fmt::format("no such column; there are: {}", fmt::join(csv.names, ", ")));
        return *index;
    }
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < csv.names.size(); ++i)
        if (i != time && (!csv.has_header || csv.names[i].starts_with("acceleration"))) candidates.push_back(i);
    if (candidates.size() == 1) return candidates.front();
    section.fail("file", fmt::format("{} columns of acceleration: name one by channel; there are: {}",
                                     candidates.size(), fmt::join(csv.names, ", ")));
}

double unit_factor(TomlTable& section, const std::string& column, const ExcitationContext& context) {
    const std::string stated = unit_of_name(column);
    std::string units = section.one_of_or("units", {"m/s2", "g", "cm/s2", "auto"}, "auto");
    if (units != "auto" && !stated.empty() && units != stated)
        section.fail("units", fmt::format("the column {} states {}", column, stated));
    if (units == "auto" && stated.empty()) {
        const std::string message = fmt::format(
            "the column \"{}\" states no unit (endings _m_s2, _g, _cm_s2): units must be \"m/s2\", \"g\" or \"cm/s2\"",
            column);
        section.fail(section.has("units") ? "units" : "file", message);
    }
    if (units == "auto") units = stated;
    if (units == "g") return context.gravity_m_s2;
    return units == "cm/s2" ? 0.01 : 1.0;
}

/// Last decimal of the times as printed: so much may they differ from an even grid whose ends are rounded too.
double rounding_s(const std::vector<double>& time_s) {
    for (double unit = 0.1; unit > 1e-8; unit *= 0.1) {
        const auto is_multiple = [&](double time) {
            const double count = time / unit;
            return std::abs(count - std::round(count)) < 1e-6 * std::max(1.0, std::abs(count) * 1e-6);
        };
        if (std::all_of(time_s.begin(), time_s.end(), is_multiple)) return unit;
    }
    return 0.0;
}

/// Sets even_step_s if the samples are even.
void check_times(TomlTable& section, const CsvTable& csv, std::size_t time_column, std::optional<double>& even_step_s) {
    files::require_increasing(csv, csv.names[time_column]);
    const std::vector<double>& time_s = csv.columns[time_column];
    if (time_s.size() < 2) section.fail("file", "a record needs at least 2 samples");
    if (time_s.size() > kSamplesMax)
        section.fail("file", fmt::format("{} samples; at most {} are allowed", time_s.size(), kSamplesMax));
    const double duration_s = time_s.back() - time_s.front();
    if (duration_s > kDurationMax_s)
        section.fail("file", fmt::format("lasts {} s; at most {} s are allowed", duration_s, kDurationMax_s));
    if (section.boolean_or("uneven_time", false)) return;
    const double step_s = duration_s / static_cast<double>(time_s.size() - 1);
    const double rounded_s = rounding_s(time_s);
    const double allowed_s = std::max(kUnevenShare * step_s, rounded_s <= kRoundingShare * step_s ? rounded_s : 0.0);
    for (std::size_t i = 0; i < time_s.size(); ++i)
        if (std::abs(time_s[i] - time_s.front() - step_s * static_cast<double>(i)) > allowed_s)
            section.fail("file", fmt::format("uneven time at line {}: samples are not every {} s; uneven_time = true "
                                             "joins them by straight lines",
                                             csv.line_numbers[i], step_s));
    even_step_s = step_s;
}

Samples read_samples(TomlTable& section, const ExcitationContext& context) {
    section.one_of_or("format", {"auto", "csv"}, "auto");
    const std::filesystem::path file = context.directory / section.text("file");
    const CsvTable csv = [&] {
        std::error_code error;
        if (!std::filesystem::exists(file, error)) section.fail("file", "no such file: " + file.string());
        return files::read_csv(file);
    }();
    if (csv.names.size() < 2) section.fail("file", "two columns are needed: time and acceleration");
    const std::size_t time_column = time_index(section, csv);
    const std::size_t channel = channel_index(section, csv, time_column);
    std::optional<double> even_step_s;
    check_times(section, csv, time_column, even_step_s);
    const NumberRange scale_range = between(-1e6, 1e6);
    const double scale = section.number_or("scale", scale_range, 1.0);
    if (scale == 0.0) section.fail("scale", "must not be 0");
    const double factor = unit_factor(section, csv.names[channel], context) * scale;
    Samples samples{csv.columns[time_column], csv.columns[channel]};
    for (std::size_t i = 0; i < samples.time_s.size(); ++i)  // what rounding moved goes back onto the grid
        samples.time_s[i] =
            even_step_s ? static_cast<double>(i) * *even_step_s : samples.time_s[i] - csv.columns[time_column].front();
    for (std::size_t i = 0; i < samples.acceleration_m_s2.size(); ++i) {
        samples.acceleration_m_s2[i] *= factor;
        if (std::abs(samples.acceleration_m_s2[i]) > kAccelerationMax_m_s2)
            section.fail("file", fmt::format("line {}: {} m/s2; at most {} m/s2 are allowed: wrong units or scale?",
                                             csv.line_numbers[i], samples.acceleration_m_s2[i], kAccelerationMax_m_s2));
    }
    return samples;
}

/// The corner, if one is asked for.
std::optional<double> apply_high_pass(TomlTable& section, Samples& samples, Excitation& excitation) {
    const double step_s = samples.time_s.back() / static_cast<double>(samples.time_s.size() - 1);
    const auto corner_hz = section.optional_number("high_pass_hz", NumberRange{0.0, 0.5 / step_s, true, true});
    if (!corner_hz) return std::nullopt;
    if (section.boolean_or("uneven_time", false)) section.fail("high_pass_hz", "not allowed with uneven_time = true");
    samples.acceleration_m_s2 = signal::zero_phase_high_pass(samples.acceleration_m_s2, step_s, *corner_hz);
    excitation.remarks.push_back(
        fmt::format("record corrected: zero-phase Butterworth high-pass of order 2 x 2 at {} Hz", *corner_hz));
    const double duration_s = samples.time_s.back();
    if (*corner_hz * duration_s < 1.0)
        excitation.remarks.push_back(
            fmt::format("high_pass_hz = {:g} is below what a record of {:.4g} s can hold, {:.4g} Hz: a constant offset "
                        "is removed, a drift that is "
                        "as slow as the record is long is not; a corner of some times that removes it",
                        *corner_hz, duration_s, 1.0 / duration_s));
    return corner_hz;
}

/// Acceleration 6 v tau (1 - tau)/T from -v to rest: a parabola without steps, peak 1.5 v/T.
solver::BaseMotion stop_piece(double velocity_m_s) {
    constexpr double kShortest_s = 0.02;
    const double duration_s = std::max(kShortest_s, 1.5 * std::abs(velocity_m_s) / kStopAcceleration_m_s2);
    solver::MotionPiece piece;
    piece.start_s = 0.0;
    piece.end_s = duration_s;
    const double scale = -6 * velocity_m_s / (duration_s * duration_s);
    piece.polynomial = {0.0, scale, -scale / duration_s, 0.0};
    return solver::BaseMotion({piece});
}

/// Adds to the record's acceleration the constant that brings its end to rest.
void baseline(Samples& samples, double end_velocity_m_s, Excitation& excitation) {
    const double shift_m_s2 = -end_velocity_m_s / samples.time_s.back();
    for (double& value : samples.acceleration_m_s2) value += shift_m_s2;
    excitation.motion = solver::sampled_acceleration(samples.time_s, samples.acceleration_m_s2);
    excitation.remarks.push_back(
        fmt::format("record corrected (baseline): {:.4g} m/s2 added so that it ends at rest", shift_m_s2));
}

/// Does the record begin or end at rest, with the sensor reading `bias`?
bool rests_at(double bias_m_s2, const std::vector<double>& values) {
    constexpr std::size_t kShare = 20;  // of the record that is looked at, each end
    constexpr double kSame_ratio = 0.25;
    const auto count = static_cast<std::ptrdiff_t>(values.size() / kShare);
    if (count == 0) return false;
    const auto is_same = [&](auto first) {
        return std::abs(signal::median({first, first + count}) - bias_m_s2) <= kSame_ratio * std::abs(bias_m_s2);
    };
    return is_same(values.begin()) || is_same(values.end() - count);
}

/// An accelerometer's record as it was read: its zero, small against the motion, has been integrated. Seen by the
/// median, which a motion that comes to rest leaves at zero, if that alone makes most of the velocity at the end.
void require_no_bias(TomlTable& section, const Samples& samples, const solver::BaseState& end) {
    constexpr double kBiasMax_ratio = 0.05,
                     kBiasAtRestMax_ratio = 0.5;  // of the peak; a pulse of constant acceleration has 1
    constexpr double kUnexplained_ratio = 0.25;   // of the end velocity, by the scatter of the median and a true rest
    constexpr double kVelocityLeast_m_s = 0.05;   // below, any correction is one of detail
    const std::vector<double>& values = samples.acceleration_m_s2;
    const double bias_m_s2 = signal::median(values), duration_s = samples.time_s.back();
    double peak_m_s2 = 0.0;
    for (const double value : values) peak_m_s2 = std::max(peak_m_s2, std::abs(value - bias_m_s2));
    const bool explains =
        std::abs(end.velocity_m_s - bias_m_s2 * duration_s) <= kUnexplained_ratio * std::abs(end.velocity_m_s);
    const double most_ratio = rests_at(bias_m_s2, values) ? kBiasAtRestMax_ratio : kBiasMax_ratio;
    if (!explains || std::abs(bias_m_s2) > most_ratio * peak_m_s2 || std::abs(end.velocity_m_s) < kVelocityLeast_m_s)
        return;
    section.fail(
        "file",
        fmt::format("looks like the raw record of an accelerometer: its zero is wrong by {:.3g} m/s2, which alone "
                    "makes it end at {:.3g} m/s and {:.3g} m; write end_correction = \"baseline\" or a "
                    "high_pass_hz, or end_correction = \"none\" if the base really moved like that",
                    bias_m_s2, end.velocity_m_s, end.displacement_m));
}

void finish_at_rest(const std::string& choice, double end_velocity_m_s, std::optional<double> corner_hz,
                    Excitation& excitation) {
    const double peak_m_s = excitation.motion.extremes().velocity_peak_m_s;
    const bool small = std::abs(end_velocity_m_s) <= kStopShare * peak_m_s;
    if (choice == "none" || (choice == "auto" && !small)) {
        const double end_m = excitation.motion.at(excitation.motion.end_s()).displacement_m;
        excitation.remarks.push_back(fmt::format(
            "record ends at {:.4g} m/s, {:.4g} m from its start, and is not corrected", end_velocity_m_s, end_m));
        excitation.table_motion_missing = fmt::format(
            "the record ends at {:.4g} m/s instead of at rest: excitation.end_correction = \"baseline\" or \"stop\", "
            "or {}, corrects it",
            end_velocity_m_s,
            corner_hz ? fmt::format("a high_pass_hz above the current {:g}", *corner_hz) : "high_pass_hz");
        return;
    }
    const solver::BaseMotion stop = stop_piece(end_velocity_m_s);
    const double end_m = excitation.motion.at(excitation.motion.end_s()).displacement_m;
    excitation.table_motion = excitation.motion.then(stop);
    excitation.remarks.push_back(
        fmt::format("record ends at {:.4g} m/s, {:.4g} m; record corrected (stop): {:.3f} s appended to bring it to "
                    "rest, at most {} m/s2",
                    end_velocity_m_s, end_m, stop.end_s(), kStopAcceleration_m_s2));
}

}  // namespace

void read_record(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    Samples samples = read_samples(section, context);
    const std::optional<double> corner_hz = apply_high_pass(section, samples, excitation);
    const std::string choice = section.one_of_or("end_correction", {"auto", "none", "baseline", "stop"}, "auto");
    excitation.motion = solver::sampled_acceleration(samples.time_s, samples.acceleration_m_s2);
    solver::BaseState end = excitation.motion.at(excitation.motion.end_s());
    if (choice == "auto") require_no_bias(section, samples, end);
    if (choice == "baseline") {
        baseline(samples, end.velocity_m_s, excitation);
        end = excitation.motion.at(excitation.motion.end_s());
    }
    constexpr double kRestVelocity_m_s = 1e-9;  // what controller::place takes for rest
    if (std::abs(end.velocity_m_s) > kRestVelocity_m_s) finish_at_rest(choice, end.velocity_m_s, corner_hz, excitation);
}

}  // namespace topple::hil::experiment

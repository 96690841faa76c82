// type = "record": a base acceleration from a file of samples, and how it is brought to rest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "hil/experiment/record_parts.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::experiment {
namespace {

using Samples = RecordSamples;

constexpr double kStopShare = 0.01;             // of the peak velocity: what may be stopped without being asked
constexpr double kStopAcceleration_m_s2 = 0.2;  // below every specimen's uplift threshold but the most slender

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

/// Adds to the record's acceleration the constant that brings its end to rest, which it returns.
double baseline(Samples& samples, solver::BaseMotion& motion) {
    const double shift_m_s2 = -motion.at(motion.end_s()).velocity_m_s / samples.time_s.back();
    for (double& value : samples.acceleration_m_s2) value += shift_m_s2;
    motion = solver::sampled_acceleration(samples.time_s, samples.acceleration_m_s2);
    return shift_m_s2;
}

void baseline(Samples& samples, Excitation& excitation) {
    const double shift_m_s2 = baseline(samples, excitation.motion);
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

/// The variants corrected and scaled as the record is.
std::vector<RecordFusion::Varied> corrected(TomlTable& section, const ExcitationContext& context,
                                            std::vector<VariedSamples> variants, const Samples& fused,
                                            const RecordAccount& account) {
    const bool has_baseline =
        section.one_of_or("end_correction", {"auto", "none", "baseline", "stop"}, "auto") == "baseline";
    std::vector<RecordFusion::Varied> motions;
    for (VariedSamples& variant : variants) {
        Samples samples{fused.time_s, std::move(variant.acceleration_m_s2), 0.0, {}};
        RecordAccount scratch;
        scratch.scale = account.scale;
        scratch.read_m_s2 = samples.acceleration_m_s2;
        std::vector<std::string> remarks;
        correct_record(section, context, samples, scratch, remarks);
        solver::BaseMotion motion = solver::sampled_acceleration(samples.time_s, samples.acceleration_m_s2);
        if (has_baseline) baseline(samples, motion);
        motions.push_back({std::move(variant.name), std::move(motion)});
    }
    return motions;
}

}  // namespace

void read_record(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    const auto account = std::make_shared<RecordAccount>();
    Samples samples = read_record_samples(section, context, *account);
    std::vector<VariedSamples> variants = fuse_record(section, context, samples, *account, excitation.remarks);
    if (account->fusion) account->fusion->motions = corrected(section, context, std::move(variants), samples, *account);
    const std::optional<double> corner_hz = correct_record(section, context, samples, *account, excitation.remarks);
    excitation.record = account;
    const std::string choice = section.one_of_or("end_correction", {"auto", "none", "baseline", "stop"}, "auto");
    excitation.motion = solver::sampled_acceleration(samples.time_s, samples.acceleration_m_s2);
    solver::BaseState end = excitation.motion.at(excitation.motion.end_s());
    if (choice == "auto") require_no_bias(section, samples, end);
    if (choice == "baseline") {
        baseline(samples, excitation);
        end = excitation.motion.at(excitation.motion.end_s());
    }
    constexpr double kRestVelocity_m_s = 1e-9;  // what controller::place takes for rest
    if (std::abs(end.velocity_m_s) > kRestVelocity_m_s) finish_at_rest(choice, end.velocity_m_s, corner_hz, excitation);
}

}  // namespace topple::hil::experiment

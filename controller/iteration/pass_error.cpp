#include "controller/iteration/pass_error.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "controller/estimator.hpp"
#include "controller/iteration/fourier.hpp"

namespace topple::controller {
namespace {

using firmware_iface::Feedback;
using firmware_iface::MachineDescription;
using Complex = std::complex<double>;

constexpr double kMissingMax_ratio = 0.02;
constexpr double kEdge_s = 0.1;  // at either end of the record, over which it is faded out
constexpr double kFitLow_hz = 0.4, kFitHigh_hz = 12.0;
constexpr double kGainError_ratio = 0.1;    // beyond it the accelerometer's scale is wrong, not inexact
constexpr double kResidualMax_ratio = 0.3;  // of the fit; above it the two do not show the same motion
constexpr double kDelayMax_s = 0.02;
constexpr int kFitRounds = 3;
// What the square of a cross ratio costs, over the motion's squares: data sheets allow some per cent, which then cost a
// millionth of them.
constexpr double kCrossCost_ratio = 1e-3;

/// Both sensors on the even grid of the feedback's device times.
struct Channels {
    double start_s = 0.0, step_s = 0.0;
    std::vector<double> position_m, acceleration_m_s2, across_m_s2;  // across: of the other axis
    bool accelerometer = false, across = false;

    std::size_t count() const noexcept { return position_m.size(); }
    double time_s(std::size_t i) const noexcept { return start_s + step_s * static_cast<double>(i); }
};

// Straight lines across what is missing.
void fill(std::vector<double>& values, const std::vector<char>& there) {
    std::size_t last = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (!there[i]) continue;
        for (std::size_t k = last + 1; k < i; ++k)
            values[k] = values[last] +
                        (values[i] - values[last]) * static_cast<double>(k - last) / static_cast<double>(i - last);
        last = i;
    }
}

Channels channels_of(const MachineDescription& machine, std::span<const Feedback> feedback, std::uint64_t start_us,
                     double duration_s) {
    const double period_us = 1e6 / machine.feedback_rate_hz;
    const auto before = static_cast<std::int64_t>(std::llround(1e6 * kPassBefore_s / period_us));
    const auto after = static_cast<std::int64_t>(std::ceil(1e6 * (duration_s + kPassAfter_s) / period_us));
    Channels channels;
    channels.start_s = -1e-6 * period_us * static_cast<double>(before);
    channels.step_s = 1e-6 * period_us;
    const auto count = static_cast<std::size_t>(before + after + 1);
    for (auto* values : {&channels.position_m, &channels.acceleration_m_s2, &channels.across_m_s2})
        values->resize(count);
    std::vector<char> there(count), felt(count), felt_across(count);
    const double per_reported = machine.accelerometer_sign * machine.accelerometer_scale;
    const double per_reported_across = machine.y ? machine.y->accelerometer_sign * machine.y->accelerometer_scale : 0.0;
    for (const Feedback& sample : feedback) {
        const double place =
            static_cast<double>(static_cast<std::int64_t>(sample.device_time_us - start_us)) / period_us;
        const auto index = std::llround(place) + before;
        if (index < 0 || index >= static_cast<std::int64_t>(count) || std::abs(place - std::round(place)) > 0.25)
            continue;
        const auto i = static_cast<std::size_t>(index);
        there[i] = 1;
        channels.position_m[i] = encoder_position_m(machine, sample.axes[0].encoder_count);
        felt[i] = sample.acceleration_x_m_s2.has_value();
        channels.acceleration_m_s2[i] = per_reported * sample.acceleration_x_m_s2.value_or(0.0);
        felt_across[i] = machine.y && sample.acceleration_y_m_s2;
        channels.across_m_s2[i] = per_reported_across * sample.acceleration_y_m_s2.value_or(0.0);
    }
    const auto missing = [count](const std::vector<char>& mark) {
        return static_cast<double>(std::count(mark.begin(), mark.end(), 0)) / static_cast<double>(count);
    };
    if (!there.front() || !there.back())
        throw std::invalid_argument(
            "drive iteration: the record of the pass does not reach from before the motion to "
            "behind its end");
    if (missing(there) > kMissingMax_ratio)
        throw std::invalid_argument("drive iteration: more than 2 % of the feedback of the pass is missing");
    fill(channels.position_m, there);
    const auto whole = [&](const std::vector<char>& mark) {
        return mark.front() && mark.back() && missing(mark) <= kMissingMax_ratio;
    };
    channels.accelerometer = whole(felt);
    if (channels.accelerometer) fill(channels.acceleration_m_s2, felt);
    channels.across = channels.accelerometer && whole(felt_across);
    if (channels.across) fill(channels.across_m_s2, felt_across);
    return channels;
}

void fade(std::vector<double>& values, double step_s) {
    const auto edge = std::min(values.size() / 2, static_cast<std::size_t>(kEdge_s / step_s));
    for (std::size_t i = 0; i < edge; ++i) {
        const double share =
            0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(i) / static_cast<double>(edge));
        values[i] *= share;
        values[values.size() - 1 - i] *= share;
    }
}

// From where it rested before the motion.
void from_rest(std::vector<double>& values, const Channels& channels) {
    double sum = 0.0;
    std::size_t count = 0;
    for (; count < values.size() && channels.time_s(count) < -channels.step_s; ++count) sum += values[count];
    for (double& value : values) value -= sum / static_cast<double>(std::max<std::size_t>(count, 1));
}

std::vector<double> second_difference(const std::vector<double>& x, double step_s) {
    std::vector<double> a(x.size(), 0.0);
    for (std::size_t i = 1; i + 1 < x.size(); ++i) a[i] = (x[i + 1] - 2.0 * x[i] + x[i - 1]) / (step_s * step_s);
    return a;
}

/// Frequencies of a transform.
struct Bins {
    std::size_t length;
    double step_s;
    double hz(std::size_t k) const noexcept { return static_cast<double>(k) / (static_cast<double>(length) * step_s); }
    double rad_s(std::size_t k) const noexcept { return 2.0 * std::numbers::pi * hz(k); }
};

/// What both accelerometers report, as spectra; `across` is empty on a table of one axis.
struct Felt {
    Spectrum along, across;

    /// Acceleration of the platen along the axis at line k.
    Complex platen(const SensorMatch& match, std::size_t k, double rad_s) const {
        const Complex sum = match.gain * along[k] + (across.empty() ? 0.0 : match.cross_ratio * across[k]);
        return std::polar(1.0, rad_s * match.delay_s) * sum;
    }
};

// encoder'' = (1 - compliance w^2) e^{j w delay} (gain along + cross across), least squares over the four. Where both
// axes move alike, gain and cross ratio are one number: a cross ratio costs a little, so that it becomes the gain.
SensorMatch match_sensors(const Spectrum& encoder, const Felt& felt, const Bins& bins) {
    SensorMatch match;
    double residual = 0.0, all = 0.0;
    for (int round = 0; round < kFitRounds; ++round) {
        Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
        Eigen::Vector4d right = Eigen::Vector4d::Zero();
        residual = all = 0.0;
        for (std::size_t k = 0; k < encoder.size(); ++k) {
            const double hz = bins.hz(k), w = bins.rad_s(k);
            if (hz < kFitLow_hz || hz > kFitHigh_hz) continue;
            // The second difference of a wave falls short of its second derivative.
            const double half = 0.5 * w * bins.step_s, short_by = std::sin(half) / half;
            const double given = 1.0 - match.compliance_s2 * w * w;
            const Complex turn = std::polar(1.0, w * match.delay_s), a = turn * felt.along[k];
            const Complex e = encoder[k] / (short_by * short_by);
            Eigen::Vector4cd columns(a, -w * w * a, Complex(0.0, w) * a, 0.0);
            if (!felt.across.empty()) columns[3] = given * turn * felt.across[k];
            m += (columns.conjugate() * columns.transpose()).real();
            right += (columns.conjugate() * e).real();
            residual += std::norm(e - given * felt.platen(match, k, w));
            all += std::norm(e);
        }
        m(3, 3) += felt.across.empty() ? 1.0 : kCrossCost_ratio * all;
        const Eigen::FullPivLU<Eigen::Matrix4d> equations(m);
        if (!equations.isInvertible()) break;
        const Eigen::Vector4d found = equations.solve(right);
        if (!(found[0] > 0.0)) break;
        match.gain = found[0];
        match.compliance_s2 = std::max(0.0, found[1] / found[0]);
        match.delay_s += found[2] / found[0];
        match.cross_ratio = found[3];
    }
    match.residual_ratio = all > 0.0 ? std::sqrt(residual / all) : 1.0;
    return match;
}

double low_pass_gain(double hz, double cutoff_hz) {
    // Second-order Butterworth forward and backward, -3 dB at the cutoff after both.
    const double r = hz / cutoff_hz, r2 = r * r;
    return 1.0 / (1.0 + (std::numbers::sqrt2 - 1.0) * r2 * r2);
}

void judge(SensorMatch& match, bool present) {
    if (!present)
        match.remark = "the table has no accelerometer, or it missed samples: the encoder alone was learned from";
    else if (!(match.residual_ratio < kResidualMax_ratio) || std::abs(match.delay_s) > kDelayMax_s)
        match.remark =
            "the accelerometer does not show the motion that the encoder shows: the encoder alone was "
            "learned from";
    else if (!(std::abs(match.gain - 1.0) < kGainError_ratio))
        match.remark =
            "the accelerometer's scale differs from the encoder's by more than a tenth: the encoder alone "
            "was learned from";
    match.accelerometer_used = match.remark.empty();
    if (!match.accelerometer_used) match.gain = 1.0, match.delay_s = match.compliance_s2 = match.cross_ratio = 0.0;
}

void measure(PassError& error, double duration_s) {
    double errors = 0.0, targets = 0.0;
    for (std::size_t i = 0; i < error.displacement_m.size(); ++i) {
        const double t = error.start_s + error.step_s * static_cast<double>(i);
        if (t < 0.0 || t > duration_s + kPassAfter_s - kEdge_s) continue;
        error.peak_m = std::max(error.peak_m, std::abs(error.displacement_m[i]));
        errors += error.acceleration_m_s2[i] * error.acceleration_m_s2[i];
        targets += error.target_m_s2[i] * error.target_m_s2[i];
    }
    error.nrmse = targets > 0.0 ? std::sqrt(errors / targets) : 0.0;
}

}  // namespace

PassError pass_error(const Profile& target, const MachineDescription& machine, std::span<const Feedback> feedback,
                     std::uint64_t start_us) {
    Channels channels = channels_of(machine, feedback, start_us, target.duration_s());
    const std::size_t count = channels.count();
    const Bins bins{transform_length(count), channels.step_s};
    from_rest(channels.position_m, channels);
    std::vector<double> late_m(count), target_m_s2(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double t = channels.time_s(i);
        const solver::BaseState wanted = t < 0.0 ? solver::BaseState{} : target.motion.at(t);
        late_m[i] = channels.position_m[i] - wanted.displacement_m;
        target_m_s2[i] = wanted.acceleration_m_s2;
    }
    PassError error;
    error.step_s = channels.step_s;
    error.start_s = channels.start_s;
    Felt felt;
    const auto spectrum_felt = [&](std::vector<double>& reported_m_s2) {
        from_rest(reported_m_s2, channels);
        fade(reported_m_s2, channels.step_s);
        return spectrum_of(reported_m_s2, bins.length);
    };
    if (channels.across) felt.across = spectrum_felt(channels.across_m_s2);
    if (channels.accelerometer) {
        felt.along = spectrum_felt(channels.acceleration_m_s2);
        std::vector<double> encoder = second_difference(channels.position_m, channels.step_s);
        fade(encoder, channels.step_s);
        error.sensors = match_sensors(spectrum_of(encoder, bins.length), felt, bins);
    }
    judge(error.sensors, channels.accelerometer);
    fade(late_m, channels.step_s);
    const Spectrum wanted = spectrum_of(target_m_s2, bins.length);
    Spectrum displacement = spectrum_of(late_m, bins.length), acceleration(wanted.size()), filtered(wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const double w = bins.rad_s(k), band = low_pass_gain(bins.hz(k), kPassBandwidth_hz);
        if (error.sensors.accelerometer_used && k > 0) {
            const Complex platen = felt.platen(error.sensors, k, w);
            const double encoder_share = low_pass_gain(bins.hz(k), kPassCrossover_hz);
            displacement[k] = encoder_share * (displacement[k] - error.sensors.compliance_s2 * platen) +
                              (1.0 - encoder_share) * (platen - wanted[k]) / (-w * w);
        }
        acceleration[k] = -w * w * band * displacement[k];
        filtered[k] = band * wanted[k];
    }
    error.displacement_m = history_of(displacement, bins.length);
    error.acceleration_m_s2 = history_of(acceleration, bins.length);
    error.target_m_s2 = history_of(filtered, bins.length);
    for (std::vector<double>* history : {&error.displacement_m, &error.acceleration_m_s2, &error.target_m_s2})
        history->resize(count);
    measure(error, target.duration_s());
    return error;
}

}  // namespace topple::controller

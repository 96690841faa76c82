#include "hil/ground_motion/correction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "hil/signal/statistics.hpp"

namespace topple::hil::ground_motion {
namespace {

void take_off(std::vector<double>& samples, double offset_m_s2, double slope_m_s2) {
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] -= offset_m_s2 + slope_m_s2 * static_cast<double>(i);
}

void take_off_pre_event(std::vector<double>& samples, double step_s, double pre_event_s,
                        std::vector<std::string>& told) {
    const auto count =
        std::clamp<std::size_t>(static_cast<std::size_t>(pre_event_s / step_s + 1e-9), 1, samples.size());
    const double mean = signal::mean(std::span(samples).first(count));
    take_off(samples, mean, 0.0);
    told.push_back(fmt::format("pre-event mean of the first {:g} s, {:.4g} m/s2, taken off", pre_event_s, mean));
}

void take_off_trend(std::vector<double>& samples, double step_s, Detrend detrend, std::vector<std::string>& told) {
    const double mean = signal::mean(samples), middle = 0.5 * static_cast<double>(samples.size() - 1);
    if (detrend == Detrend::mean) {
        take_off(samples, mean, 0.0);
        told.push_back(fmt::format("mean of the whole record, {:.4g} m/s2, taken off", mean));
        return;
    }
    double moment = 0.0, inertia = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double x = static_cast<double>(i) - middle;
        moment += x * (samples[i] - mean);
        inertia += x * x;
    }
    const double slope = moment / inertia, start = mean - slope * middle;
    take_off(samples, start, slope);
    told.push_back(fmt::format("line of least squares, {:.4g} m/s2 at the start and {:.4g} m/s2 per s, taken off",
                               start, slope / step_s));
}

/// 0 at the end, 1 after `taper_s`, half a cosine in between.
void taper(std::vector<double>& samples, double step_s, double taper_s, bool at_start) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double time_s = step_s * static_cast<double>(i);
        if (time_s >= taper_s) break;
        double& value = at_start ? samples[i] : samples[samples.size() - 1 - i];
        value *= 0.5 * (1.0 - std::cos(std::numbers::pi * time_s / taper_s));
    }
}

void filter(std::vector<double>& samples, double step_s, const signal::HighPass& high_pass,
            std::vector<std::string>& told) {
    signal::Filtered filtered = signal::zero_phase_high_pass(samples, step_s, high_pass);
    samples = std::move(filtered.samples);
    const std::string what =
        fmt::format("zero-phase Butterworth high-pass of order 2 x {} at {} Hz", high_pass.order, high_pass.corner_hz);
    if (high_pass.padding == signal::Padding::mirror)
        told.push_back(what);
    else
        told.push_back(
            fmt::format("{}; padded with {:.4g} s of zeros at either end, which stay: the record begins {:.4g} "
                        "s later and lasts {:.4g} s",
                        what, static_cast<double>(filtered.pad) * step_s, static_cast<double>(filtered.pad) * step_s,
                        static_cast<double>(samples.size() - 1) * step_s));
}

}  // namespace

bool Correction::is_none() const noexcept {
    return !pre_event_s && detrend == Detrend::none && taper_start_s == 0.0 && taper_end_s == 0.0 && !high_pass;
}

Corrected correct(std::span<const double> samples, double step_s, const Correction& correction) {
    Corrected done{{samples.begin(), samples.end()}, {}};
    if (correction.pre_event_s) take_off_pre_event(done.samples, step_s, *correction.pre_event_s, done.steps);
    if (correction.detrend != Detrend::none) take_off_trend(done.samples, step_s, correction.detrend, done.steps);
    if (correction.taper_start_s > 0.0) taper(done.samples, step_s, correction.taper_start_s, true);
    if (correction.taper_end_s > 0.0) taper(done.samples, step_s, correction.taper_end_s, false);
    if (correction.taper_start_s > 0.0 || correction.taper_end_s > 0.0)
        done.steps.push_back(fmt::format("cosine taper over the first {:g} s and the last {:g} s",
                                         correction.taper_start_s, correction.taper_end_s));
    if (correction.high_pass) filter(done.samples, step_s, *correction.high_pass, done.steps);
    return done;
}

}  // namespace topple::hil::ground_motion

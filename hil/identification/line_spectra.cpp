#include "hil/identification/line_spectra.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "controller/estimator.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::identification {

using firmware_iface::Feedback;

CutStretch cut_stretch(const Recording& recording, const IdentificationMotion& motion, const Stretch& stretch,
                       const firmware_iface::MachineDescription& machine, const std::optional<ForceChannel>& force) {
    StretchSamples samples;
    samples.stretch = stretch;
    const double scale = machine.accelerometer_sign * machine.accelerometer_scale;
    std::vector<std::uint64_t> times_us;
    bool has_acceleration = true, has_force = force.has_value();
    for (const Feedback& f : recording.feedback) {
        const double time_s = 1e-6 * (static_cast<double>(f.device_time_us) - static_cast<double>(recording.start_us));
        if (time_s < stretch.start_s || time_s >= stretch.end_s) continue;
        const double carried_m = motion.profile.start_position_m + motion.carrier.at(time_s).displacement_m;
        times_us.push_back(f.device_time_us);
        samples.time_s.push_back(time_s);
        samples.setpoint_m.push_back(f.axes[0].setpoint_position_m - carried_m);
        samples.position_m.push_back(controller::encoder_position_m(machine, f.axes[0].encoder_count) - carried_m);
        has_acceleration = has_acceleration && f.acceleration_x_m_s2;
        samples.acceleration_m_s2.push_back(f.acceleration_x_m_s2 ? scale * *f.acceleration_x_m_s2 : 0.0);
        has_force = has_force && force->input < f.aux_count;
        samples.force_n.push_back(has_force ? force->offset_n + force->scale_n_v * f.aux_v[force->input] : 0.0);
    }
    if (!has_acceleration) samples.acceleration_m_s2.clear();
    if (!has_force) samples.force_n.clear();
    constexpr std::size_t kFewest = 8;
    if (times_us.size() < kFewest)
        return {{},
                fmt::format("only {} feedback frames arrived between t = {:.2f} and {:.2f} s", times_us.size(),
                            stretch.start_s, stretch.end_s)};
    const std::uint64_t step_us = times_us[1] - times_us[0];
    const auto expected = static_cast<std::size_t>(
        std::lround((stretch.end_s - stretch.start_s) / (1e-6 * static_cast<double>(step_us))));
    for (std::size_t i = 1; i < times_us.size(); ++i)
        if (times_us[i] - times_us[i - 1] != step_us)
            return {{}, fmt::format("a feedback frame is missing or late at t = {:.3f} s", samples.time_s[i])};
    if (times_us.size() + 1 < expected || times_us.size() > expected + 1)
        return {{},
                fmt::format("{} feedback frames instead of {} between t = {:.2f} and {:.2f} s", times_us.size(),
                            expected, stretch.start_s, stretch.end_s)};
    return {std::move(samples), {}};
}

std::vector<std::complex<double>> line_spectrum(std::span<const double> time_s, std::span<const double> samples,
                                                std::span<const double> frequency_hz) {
    std::vector<std::complex<double>> spectrum;
    const double mean = signal::mean(samples);
    for (const double frequency : frequency_hz) {
        const double w = 2.0 * std::numbers::pi * frequency;
        std::complex<double> sum = 0.0;
        for (std::size_t i = 0; i < samples.size(); ++i) sum += (samples[i] - mean) * std::polar(1.0, -w * time_s[i]);
        spectrum.push_back(2.0 * sum / static_cast<double>(samples.size()));
    }
    return spectrum;
}

LineSpectra line_spectra(const StretchSamples& samples, std::span<const double> frequency_hz) {
    const auto of = [&](const std::vector<double>& channel) {
        return channel.empty() ? std::vector<std::complex<double>>{}
                               : line_spectrum(samples.time_s, channel, frequency_hz);
    };
    return {of(samples.setpoint_m), of(samples.position_m), of(samples.acceleration_m_s2), of(samples.force_n)};
}

}  // namespace topple::hil::identification

// A linear platen that falls short of its drive and is late, and what its sensors show of it: for drive iteration.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "controller/profile/profile.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::test {

/// A platen that makes `gain` of the drive, `delay_s` late, behind a spring of `compliance_s2`; the encoder is on the
/// motor's side. The accelerometer has a gain and a delay of its own.
struct LinearTable {
    static constexpr std::uint64_t kStart_us = 3'000'000;
    static constexpr double kPeriod_s = 0.002;

    double gain = 0.97, delay_s = 1.5e-3, compliance_s2 = 2e-5;
    double sensor_gain = 1.004, sensor_delay_s = 2e-3, noise_m_s2 = 0.0;
    bool accelerometer = true;

    double platen_m(const controller::Profile& drive, double time_s) const {
        return drive.start_position_m + gain * drive.motion.at(time_s - delay_s).displacement_m;
    }
    double platen_m_s2(const controller::Profile& drive, double time_s) const {
        return gain * drive.motion.at(time_s - delay_s).acceleration_m_s2;
    }
    std::int64_t count(const controller::Profile& drive, double time_s) const {
        const double encoder_m = platen_m(drive, time_s) + compliance_s2 * platen_m_s2(drive, time_s);
        return std::llround(encoder_m * firmware_iface::quanser_st_iii().counts_per_m);
    }
    std::vector<firmware_iface::Feedback> pass(const controller::Profile& drive) const {
        std::mt19937_64 random(7);
        std::normal_distribution<double> noise(0.0, 1.0);
        std::vector<firmware_iface::Feedback> all;
        const auto samples = static_cast<int>((drive.duration_s() + 1.0) / kPeriod_s);
        for (int i = -250; i < samples; ++i) {
            const double t = i * kPeriod_s;
            firmware_iface::Feedback feedback;
            feedback.device_time_us = kStart_us + static_cast<std::uint64_t>(static_cast<std::int64_t>(i) * 2000);
            feedback.axes[0].encoder_count = count(drive, t);
            if (accelerometer)
                feedback.acceleration_x_m_s2 =
                    0.05 + platen_m_s2(drive, t - sensor_delay_s) / sensor_gain + noise_m_s2 * noise(random);
            all.push_back(feedback);
        }
        return all;
    }
    /// Largest distance of the platen from the target.
    double error_m(const controller::Profile& target, const controller::Profile& drive) const {
        double largest_m = 0.0;
        for (double t = 0.0; t < target.duration_s() + 0.2; t += 1e-3)
            largest_m = std::max(largest_m, std::abs(platen_m(drive, t) - target.at(t).displacement_m));
        return largest_m;
    }
};

/// Two of them, each with its accelerometer, which also feels `cross_ratio` of the other axis.
struct LinearTables {
    std::array<LinearTable, 2> axes{};
    double cross_ratio = 0.02;

    std::vector<firmware_iface::Feedback> pass(const std::vector<controller::Profile>& drives) const {
        std::vector<firmware_iface::Feedback> all;
        const auto samples = static_cast<int>((controller::duration_s(drives) + 1.0) / LinearTable::kPeriod_s);
        for (int i = -250; i < samples; ++i) {
            const double t = i * LinearTable::kPeriod_s;
            firmware_iface::Feedback feedback;
            feedback.device_time_us =
                LinearTable::kStart_us + static_cast<std::uint64_t>(static_cast<std::int64_t>(i) * 2000);
            feedback.axis_count = 2;
            std::array<double, 2> felt_m_s2{};
            for (std::size_t k = 0; k < 2; ++k) {
                feedback.axes[k].encoder_count = axes[k].count(drives[k], t);
                felt_m_s2[k] = axes[k].platen_m_s2(drives[k], t - axes[k].sensor_delay_s);
            }
            feedback.acceleration_x_m_s2 = 0.05 + (felt_m_s2[0] + cross_ratio * felt_m_s2[1]) / axes[0].sensor_gain;
            feedback.acceleration_y_m_s2 = -0.02 + (felt_m_s2[1] + cross_ratio * felt_m_s2[0]) / axes[1].sensor_gain;
            all.push_back(feedback);
        }
        return all;
    }
};

}  // namespace topple::test

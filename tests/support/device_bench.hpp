// A device core on an ideal machine that is always where it is told to be, for tests.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/machine.hpp"

namespace topple::test {

struct DeviceBench {
    static firmware_iface::DeviceParameters parameters() {
        firmware_iface::DeviceParameters p;
        p.limits = firmware_iface::limits_of(firmware_iface::quanser_st_iii());
        p.configuration_hash = 77;
        return p;
    }

    explicit DeviceBench(bool homed = true, std::uint32_t cycle = 100) : core(parameters()), cycle_us(cycle) {
        measurement.has_acceleration = true;
        if (homed) core.assume_homed(0);
        tick();
    }

    void tick() {
        now_us += cycle_us;
        if (alive) core.host_heard();
        if (disturb) disturb(measurement);
        command = core.tick(now_us, measurement);
        if (command.enable && follows) measurement.encoder_count = std::llround(command.setpoint.position_m * 1e6);
        measurement.acceleration_x_m_s2 = command.setpoint.acceleration_m_s2;
        largest_m = std::max(largest_m, std::abs(core.setpoint().position_m));
    }
    /// Until `done` or `limit_s` of device time.
    bool run_until(const std::function<bool()>& done, double limit_s = 5.0) {
        const std::uint64_t end = now_us + static_cast<std::uint64_t>(limit_s * 1e6);
        while (!done() && now_us < end) tick();
        return done();
    }
    void run(double duration_s) {
        run_until([] { return false; }, duration_s);
    }

    static firmware_iface::Setpoint setpoint(std::uint64_t time_us, double x, double v = 0.0, double a = 0.0,
                                             bool final = false) {
        firmware_iface::Setpoint s;
        s.device_time_us = time_us;
        s.axes[0] = {x, v, a};
        s.final = final;
        return s;
    }
    /// x = -amplitude cos-like start: velocity 0 at t = 0; x(t) = from + A (1 - cos(w t)) / 2.
    firmware_iface::Setpoint swing(std::uint64_t start_us, double t, double from_m, double travel_m,
                                   double frequency_hz) const {
        const double w = 2 * std::numbers::pi * frequency_hz, h = 0.5 * travel_m;
        return setpoint(start_us + static_cast<std::uint64_t>(std::llround(t * 1e6)),
                        from_m + h * (1 - std::cos(w * t)), h * w * std::sin(w * t), h * w * w * std::cos(w * t));
    }
    /// Arms and starts a swing from the held position, `seconds` of it queued (half a period: from rest to rest).
    std::uint64_t start_swing(double travel_m, double frequency_hz, double seconds, bool final = false) {
        const double from = core.setpoint().position_m;
        core.arm(77);
        const std::uint64_t start_us = now_us + 10000;
        core.push(setpoint(start_us, from));
        const int last = static_cast<int>(std::lround(seconds * 500));
        for (int i = 0; i <= last; ++i) {
            auto s = swing(start_us, 0.002 * i, from, travel_m, frequency_hz);
            s.final = final && i == last;
            core.push(s);
        }
        refusal = core.start(start_us, false);
        return start_us;
    }

    firmware_iface::DeviceCore core;
    firmware_iface::Measurement measurement;
    firmware_iface::DriveCommand command;
    firmware_iface::RefusalCode refusal{};
    std::function<void(firmware_iface::Measurement&)> disturb;
    std::uint32_t cycle_us;
    std::uint64_t now_us = 1000000;
    double largest_m = 0.0;
    bool alive = true;    ///< the host is heard every cycle
    bool follows = true;  ///< the platen goes where it is told
};

}  // namespace topple::test

// Nanoseconds of one control cycle of the device core in motion, with its servo and without, on this computer.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/machine.hpp"

using namespace topple::firmware_iface;

namespace {

Setpoint knot(std::uint64_t time_us, std::uint64_t start_us) {
    const double w = 25.0, t = 1e-6 * static_cast<double>(time_us - start_us);
    Setpoint s;
    s.device_time_us = time_us;
    s.axes[0] = {0.004 * (1.0 - std::cos(w * t)), 0.004 * w * std::sin(w * t), 0.004 * w * w * std::cos(w * t)};
    return s;
}

double cycle_ns(bool with_servo) {
    DeviceParameters p;
    p.limits = limits_of(quanser_st_iii());
    if (with_servo) p.servo = servo_of(quanser_st_iii(), 0.0);
    p.configuration_hash = 1;
    DeviceCore core(p);
    core.assume_homed(0);
    Measurement m;
    std::uint64_t now_us = 100;
    core.tick(now_us, m);
    core.arm(1);
    const std::uint64_t start_us = 20'000;
    std::uint64_t next_us = start_us;
    constexpr int kCycles = 1'000'000;
    std::chrono::nanoseconds spent{0};
    for (int i = 0; i < kCycles; ++i) {
        for (; next_us < now_us + 60'000; next_us += 2000) core.push(knot(next_us, start_us));
        if (i == 0) core.start(start_us, false);
        core.host_heard();
        now_us += 100;
        const auto begin = std::chrono::steady_clock::now();
        const DriveCommand command = core.tick(now_us, m);
        spent += std::chrono::steady_clock::now() - begin;
        m.encoder_count = static_cast<std::int64_t>(1e6 * command.setpoint.position_m);
    }
    if (core.state() != DeviceState::running) std::printf("the core has stopped\n");
    return static_cast<double>(spent.count()) / kCycles;
}

}  // namespace

int main() {
    cycle_ns(true);  // warms up
    const double without_ns = cycle_ns(false), with_ns = cycle_ns(true);
    std::printf("cycle in motion without a servo %.0f ns (the clock's own calls included)\n", without_ns);
    std::printf("cycle in motion with the servo  %.0f ns, %.2f of that\n", with_ns, with_ns / without_ns);
}

// A supervisor at work beside just enough of a table, for tests.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <span>
#include <vector>

#include "controller/profile/profile.hpp"
#include "controller/supervisor.hpp"
#include "tests/support/catch.hpp"

namespace topple::test {

using namespace topple::controller;
using firmware_iface::DeviceState;
using firmware_iface::Feedback;
using firmware_iface::Setpoint;

inline constexpr double kTwoPi = 6.283185307179586;
inline constexpr std::uint64_t kPeriod_us = 2000;
inline constexpr std::uint64_t kStart_us = 1'000'000;

/// Just enough of a table for the supervisor: follows its queue, says how full it is, stops on command.
struct TinyTable {
    std::uint64_t time_us = kStart_us - 20'000;
    std::deque<Setpoint> queue;
    std::size_t most_queued = 0;
    Feedback feedback;
    bool stop_seen = false;

    explicit TinyTable(double position_m) {
        feedback.state = DeviceState::armed;
        place(position_m);
    }
    void place(double position_m) {
        feedback.axes[0].encoder_count = std::llround(position_m * 1e6);
        feedback.axes[0].setpoint_position_m = position_m;
    }
    void accept(std::span<const Setpoint> batch) {
        queue.insert(queue.end(), batch.begin(), batch.end());
        most_queued = std::max(most_queued, queue.size());
    }
    void step() {
        time_us += kPeriod_us;
        feedback.device_time_us = time_us;
        if (feedback.state == DeviceState::armed && time_us >= kStart_us && !feedback.motion_done)
            feedback.state = DeviceState::running;
        while (!queue.empty() && queue.front().device_time_us <= time_us) {
            place(queue.front().axes[0].position_m);
            feedback.motion_done = queue.front().final;
            queue.pop_front();
        }
        feedback.queue_level = static_cast<std::uint32_t>(queue.size());
    }
};

/// A supervisor at work on a 4 Hz sine.
struct SupervisorBench {
    firmware_iface::MachineDescription machine = firmware_iface::quanser_st_iii();
    std::vector<Setpoint> setpoints =
        controller::setpoints(place(solver::sine_acceleration(3.0, kTwoPi * 4.0), true), kStart_us, kPeriod_us);
    SupervisorSettings settings{kPeriod_us, 40'000, 256};
    std::atomic<bool> stop_requested{false};
    TinyTable table{setpoints.front().axes[0].position_m};
    Supervisor supervisor{setpoints, machine, settings, stop_requested};
    firmware_iface::Nanoseconds now{0};
    int stop_frames = 0;

    void send() {
        while (true) {
            const auto batch = supervisor.due();
            if (batch.empty()) return;
            REQUIRE(batch.size() <= firmware_iface::TableLink::kBatchMax);
            table.accept(batch);
            supervisor.sent(batch.size());
        }
    }
    void start() {
        table.step();
        send();
        REQUIRE(supervisor.begin(table.feedback, now) == StartRefusal::none);
    }
    SupervisorTick cycle(bool heard = true, bool open = true) {
        now += std::chrono::microseconds(kPeriod_us);
        if (heard) table.step();
        const SupervisorTick tick = supervisor.tick(heard ? &table.feedback : nullptr, now, open);
        if (tick.send_stop) ++stop_frames;
        send();
        return tick;
    }
    void cycles(int count) {
        for (int i = 0; i < count; ++i) cycle();
    }
};

}  // namespace topple::test

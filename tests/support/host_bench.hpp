// A host and a simulated table in lockstep on a virtual clock, for tests.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/table_link.hpp"
#include "hil/sim_table/simulated_table.hpp"
#include "tests/support/blocks.hpp"

namespace topple::test {

struct HostBench {
    explicit HostBench(const std::vector<solver::Specimen>& specimens = {},
                       const hil::sim_table::SimulatedTableOptions& options = {},
                       const firmware_iface::MachineDescription& description = firmware_iface::quanser_st_iii())
        : machine(description) {
        auto [host, device] = firmware_iface::make_pipe();
        table = std::make_unique<hil::sim_table::SimulatedTable>(machine, specimens, options, std::move(device));
        clock.set_on_advance([this](firmware_iface::Nanoseconds now) { table->advance_to(now); });
        link = std::make_unique<firmware_iface::TableLink>(std::move(host), clock, 1);
    }

    /// A single acceleration sine from where the table is, in 2 ms knots.
    std::vector<firmware_iface::Setpoint> sine(std::uint64_t start_us, double amplitude_m_s2, double frequency_hz,
                                               double from_m) const {
        const double w = 2 * std::numbers::pi * frequency_hz, v = amplitude_m_s2 / w;
        std::vector<firmware_iface::Setpoint> all;
        const auto steps = static_cast<std::uint64_t>(std::lround(500.0 / frequency_hz));
        for (std::uint64_t i = 0; i <= steps; ++i) {
            const double t = 1.0 / frequency_hz * static_cast<double>(i) / static_cast<double>(steps);
            firmware_iface::Setpoint s;
            s.device_time_us = start_us + 2000 * i;
            s.axes[0] = {from_m + v * t - v / w * std::sin(w * t), v * (1 - std::cos(w * t)),
                         amplitude_m_s2 * std::sin(w * t)};
            if (i == steps) s.axes[0].velocity_m_s = s.axes[0].acceleration_m_s2 = 0.0;
            s.final = i == steps;
            all.push_back(s);
        }
        return all;
    }

    void cycle() {
        link->flush();
        clock.sleep_for(std::chrono::milliseconds(2));
        link->poll(
            [](void* self, const firmware_iface::Feedback& f) { static_cast<HostBench*>(self)->feedback.push_back(f); },
            this);
    }
    void cycles(int count) {
        for (int i = 0; i < count; ++i) cycle();
    }

    /// Streams setpoints the look-ahead ahead and goes on for `after_s`. False if the start was refused.
    bool drive(const std::vector<firmware_iface::Setpoint>& setpoints, double after_s, bool release = false) {
        std::size_t next = 0;
        const auto send_until = [&](std::uint64_t time_us) {
            while (next < setpoints.size() && setpoints[next].device_time_us <= time_us) {
                std::size_t count = 1;
                while (count < 16 && next + count < setpoints.size() &&
                       setpoints[next + count].device_time_us <= time_us)
                    ++count;
                link->send_setpoints(std::span(setpoints).subspan(next, count));
                next += count;
            }
        };
        const std::uint64_t start_us = setpoints.front().device_time_us;
        send_until(start_us + firmware_iface::kLookAhead_us);
        if (!link->start(start_us, release).accepted) return false;
        const auto total = static_cast<int>(
            (static_cast<double>(setpoints.back().device_time_us - start_us) * 1e-6 + after_s) * 500.0);
        for (int i = 0; i < total + 25; ++i) {
            const std::uint64_t now = feedback.empty() ? start_us : feedback.back().device_time_us;
            send_until(std::max(now, start_us) + firmware_iface::kLookAhead_us);
            cycle();
        }
        return true;
    }
    /// Device time on the feedback grid, some milliseconds ahead.
    std::uint64_t soon_us() { return link->wait_feedback().device_time_us + 20000; }

    firmware_iface::MachineDescription machine;
    firmware_iface::VirtualClock clock;
    std::unique_ptr<hil::sim_table::SimulatedTable> table;
    std::unique_ptr<firmware_iface::TableLink> link;
    std::vector<firmware_iface::Feedback> feedback;
};

}  // namespace topple::test

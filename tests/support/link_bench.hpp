// Host and scripted device in lockstep, for tests of the link.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "firmware_iface/table_link.hpp"
#include "tests/support/scripted_device.hpp"

namespace topple::test {

using namespace std::chrono_literals;

inline constexpr std::uint32_t kSession = 31;

/// Host and scripted device in lockstep on a virtual clock, feedback every 2 ms.
struct Bench {
    VirtualClock clock;
    ScriptedDevice device;
    TableLink link;
    bool feeds = true;
    Nanoseconds next_feedback{0};
    std::function<void(Nanoseconds now)> before_feedback = [](Nanoseconds) {};

    Bench() : Bench(make_pipe()) {}
    explicit Bench(std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> ends)
        : device(std::move(ends.second)), link(std::move(ends.first), clock, kSession) {
        clock.set_on_advance([this](Nanoseconds now) {
            device.serve();
            before_feedback(now);
            for (; next_feedback <= now; next_feedback += 2ms)
                if (feeds && device.session != 0) device.send_feedback(static_cast<std::uint64_t>(next_feedback / 1us));
        });
    }
    std::vector<Feedback> poll() {
        std::vector<Feedback> all;
        link.poll([](void* to, const Feedback& f) { static_cast<std::vector<Feedback>*>(to)->push_back(f); }, &all);
        return all;
    }
    void run(Nanoseconds duration) {
        for (const auto end = clock.now() + duration; clock.now() < end; clock.sleep_for(2ms)) link.flush();
    }
    std::vector<CommandKind> kinds() const {
        std::vector<CommandKind> all;
        for (const auto& command : device.commands) all.push_back(command.kind);
        return all;
    }
};

template <class Call>
std::string error_of(Call call) {
    try {
        call();
    } catch (const DeviceError& error) {
        return error.what();
    }
    return "no error";
}

inline Setpoint setpoint_at(std::uint64_t time_us) {
    Setpoint setpoint;
    setpoint.device_time_us = time_us;
    setpoint.axes[0] = {0.01, 0.2, -3.0};
    return setpoint;
}

}  // namespace topple::test

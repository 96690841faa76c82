// The host beside a motion that has begun and is not a test's: read, look, send, once a period, to its end.
#pragma once

#include "controller/rt/periodic_loop.hpp"
#include "controller/supervisor.hpp"
#include "firmware_iface/table_link.hpp"
#include "hil/drive/send_due.hpp"

namespace topple::hil::drive {

struct BegunMotion {
    controller::Supervisor& supervisor;
    firmware_iface::TableLink& link;
    const firmware_iface::Clock& clock;
};

/// Until the supervisor's state, done or failed, says how it ended. `poll()`: the newest feedback since it was last
/// called, null if there was none. `may_speak(newest)`, after the supervisor's look: false keeps the host silent.
template <class Poll, class MaySpeak>
void follow_motion(controller::PeriodicLoop& loop, const BegunMotion& motion, Poll poll, MaySpeak may_speak) {
    using controller::SupervisorState;
    const auto& [supervisor, link, clock] = motion;
    while (supervisor.state() != SupervisorState::done && supervisor.state() != SupervisorState::failed) {
        loop.wait();
        const firmware_iface::Feedback* newest = poll();
        const bool send_stop = must_stop(supervisor, link, newest, clock.now());
        if (!may_speak(newest)) continue;
        if (send_stop) link.stop();
        send_due(supervisor, link, [](const firmware_iface::Setpoint&) {});
        link.flush();
    }
}

}  // namespace topple::hil::drive

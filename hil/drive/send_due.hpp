// One look of the supervisor at a motion, and its setpoints into the link as far as both allow in this tick.
#pragma once

#include "controller/supervisor.hpp"
#include "firmware_iface/table_link.hpp"

namespace topple::hil::drive {

/// Calls on_sent(setpoint) for each setpoint that the link took.
template <class OnSent>
void send_due(controller::Supervisor& supervisor, firmware_iface::TableLink& link, OnSent on_sent) {
    for (auto batch = supervisor.due(); !batch.empty() && link.send_setpoints(batch); batch = supervisor.due()) {
        for (const firmware_iface::Setpoint& setpoint : batch) on_sent(setpoint);
        supervisor.sent(batch.size());
    }
}

/// The supervisor's look at what has come in since the last one (null: nothing), and at a reason of the host's own to
/// stop. True: a stop must be sent.
inline bool must_stop(controller::Supervisor& supervisor, firmware_iface::TableLink& link,
                      const firmware_iface::Feedback* newest, firmware_iface::Nanoseconds now,
                      controller::StopReason own = controller::StopReason::none) noexcept {
    if (const auto defect = link.feedback_defect(); defect != firmware_iface::FeedbackDefect::none)
        supervisor.stop(controller::reason_of(defect));
    if (own != controller::StopReason::none) supervisor.stop(own);
    return supervisor.tick(newest, now, link.status() == firmware_iface::StreamStatus::open).send_stop;
}

}  // namespace topple::hil::drive

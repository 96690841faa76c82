// From the supervisor's list into the link, as far as both allow in this tick.
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

}  // namespace topple::hil::drive

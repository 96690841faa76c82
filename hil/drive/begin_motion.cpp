#include "hil/drive/begin_motion.hpp"

#include <algorithm>

#include "hil/drive/send_due.hpp"

namespace topple::hil::drive {

using firmware_iface::Wording;

namespace {

// A START that finds a fault in what was sent latches it with the refusal: only the next feedback names it.
void add_latched_fault(Wording& against, firmware_iface::TableLink& link) {
    try {
        const auto code = static_cast<firmware_iface::FaultCode>(link.wait_feedback().fault_code);
        if (code != firmware_iface::FaultCode::none)
            against.add(" (").add(name(code)).add(": ").add(explanation(code)).add(")");
    } catch (const firmware_iface::DeviceError&) {  // the refusal is reported as it is
    }
}

Wording not_begun(controller::StartRefusal why) noexcept {
    return Wording("the motion was not started: ").add(explanation(why));
}

}  // namespace

std::uint64_t motion_start_us(const firmware_iface::TableLink& link, const firmware_iface::Feedback& newest) noexcept {
    const std::uint64_t period_us = std::max<std::uint32_t>(link.device().feedback_period_us, 1);
    return (newest.device_time_us + kStartLead_us) / period_us * period_us;
}

Wording begin_motion(controller::Supervisor& supervisor, firmware_iface::TableLink& link,
                     const firmware_iface::Clock& clock, const MotionStart& start) {
    using controller::StartRefusal;
    if (const auto against = supervisor.refusal(start.newest); against != StartRefusal::none) return not_begun(against);
    send_due(supervisor, link, start.on_sent);
    start.on_start();
    const auto started = link.start(start.start_us, start.release_specimen, start.trigger);
    if (!started.accepted) {
        Wording against = Wording("the device refused to start: ").add(explanation(started.refusal));
        if (started.refusal == firmware_iface::RefusalCode::fault_latched) add_latched_fault(against, link);
        return against;
    }
    if (const auto against = supervisor.begin(start.newest, clock.now()); against != StartRefusal::none) {
        link.stop();
        return not_begun(against);
    }
    return {};
}

}  // namespace topple::hil::drive

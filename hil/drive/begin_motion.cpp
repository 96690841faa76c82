#include "hil/drive/begin_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/drive/send_due.hpp"

namespace topple::hil::drive {
namespace {

// A START that finds a fault in what was sent latches it with the refusal: only the next feedback names it.
std::string latched_fault(firmware_iface::TableLink& link) {
    try {
        const auto code = static_cast<firmware_iface::FaultCode>(link.wait_feedback().fault_code);
        return code == firmware_iface::FaultCode::none ? "" : fmt::format(" ({}: {})", name(code), explanation(code));
    } catch (const firmware_iface::DeviceError&) {  // the refusal is reported as it is
        return {};
    }
}

}  // namespace

std::uint64_t motion_start_us(const firmware_iface::TableLink& link, const firmware_iface::Feedback& newest) noexcept {
    const std::uint64_t period_us = std::max<std::uint32_t>(link.device().feedback_period_us, 1);
    return (newest.device_time_us + kStartLead_us) / period_us * period_us;
}

std::string begin_motion(controller::Supervisor& supervisor, firmware_iface::TableLink& link,
                         const firmware_iface::Clock& clock, const MotionStart& start) {
    using controller::StartRefusal;
    if (const auto against = supervisor.refusal(start.newest); against != StartRefusal::none)
        return fmt::format("the motion was not begun: {}", explanation(against));
    send_due(supervisor, link, start.on_sent);
    start.on_start();
    const auto started = link.start(start.start_us, start.release_specimen);
    if (!started.accepted)
        return fmt::format("the device refused to start: {}{}", explanation(started.refusal),
                           started.refusal == firmware_iface::RefusalCode::fault_latched ? latched_fault(link) : "");
    if (const auto against = supervisor.begin(start.newest, clock.now()); against != StartRefusal::none) {
        link.stop();
        return fmt::format("the motion was not begun: {}", explanation(against));
    }
    return {};
}

}  // namespace topple::hil::drive

// What recording a motion and recording a homing share. Not for others to include.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "firmware_iface/fault.hpp"
#include "hil/check/checked_table.hpp"

namespace topple::hil {

inline constexpr const char* kStoppedByOperator =
    "stopped by the operator; the stop stays latched: `topple table clear`";

/// Throws DeviceError with the device's reason.
inline void require(const firmware_iface::CommandResult& result, const char* what,
                    const CheckedTable& table) {
    if (!result.accepted)
        throw firmware_iface::DeviceError(
            fmt::format("{} refused to {}: {}", table.link.description(), what, explanation(result.refusal)));
}

/// Reads a link into a list that never grows beyond what it was given.
class Recorder {
  public:
    /// Only what is newer than `after_us`: feedback that came while a command waited may be delivered late.
    Recorder(std::vector<firmware_iface::Feedback>& all, firmware_iface::TableLink& link, double duration_s,
             std::uint64_t after_us)
        : all_(all), link_(link) {
        newest_.device_time_us = after_us;
        all_.reserve(static_cast<std::size_t>(duration_s * 1e6 / link.device().feedback_period_us));
    }
    /// The newest feedback if one came.
    const firmware_iface::Feedback* poll() {
        fresh_ = false;
        link_.poll(&Recorder::take, this);
        return fresh_ ? &newest_ : nullptr;
    }

  private:
    static void take(void* self, const firmware_iface::Feedback& feedback) noexcept {
        auto& recorder = *static_cast<Recorder*>(self);
        if (feedback.device_time_us <= recorder.newest_.device_time_us) return;
        recorder.newest_ = feedback;
        recorder.fresh_ = true;
        if (recorder.all_.size() < recorder.all_.capacity()) recorder.all_.push_back(feedback);
    }
    std::vector<firmware_iface::Feedback>& all_;
    firmware_iface::TableLink& link_;
    firmware_iface::Feedback newest_;
    bool fresh_ = false;
};

}  // namespace topple::hil

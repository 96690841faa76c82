// What recording a motion and recording a homing share. Not for others to include.
#pragma once

#include <cstdint>
#include <vector>

#include "hil/check/checked_table.hpp"
#include "hil/drive/feedback_reader.hpp"

namespace topple::hil::check {

inline constexpr const char* kStoppedByOperator =
    "stopped by the operator; the stop stays latched: `topple table clear`";

/// Reads a table into a list that never grows beyond what it was given.
class Recorder {
  public:
    /// Only what is newer than `after_us`.
    Recorder(std::vector<firmware_iface::Feedback>& all, const CheckedTable& table, double duration_s,
             std::uint64_t after_us)
        : all_(all), reader_(table.link, table.clock, after_us) {
        all_.reserve(static_cast<std::size_t>(duration_s * 1e6 / table.link.device().feedback_period_us));
    }
    /// The newest feedback if one came.
    const firmware_iface::Feedback* poll() noexcept {
        return reader_.poll([this](const firmware_iface::Feedback& feedback) {
            if (all_.size() < all_.capacity()) all_.push_back(feedback);
        });
    }
    firmware_iface::Nanoseconds silence() const noexcept { return reader_.silence(); }

  private:
    std::vector<firmware_iface::Feedback>& all_;
    drive::FeedbackReader reader_;
};

}  // namespace topple::hil::check

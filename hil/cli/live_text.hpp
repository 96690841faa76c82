// A test that is watched, in one line of text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "hil/run_log/log_codec.hpp"
#include "hil/run_log/measured_si.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::cli {

class LiveText {
  public:
    /// A message as the log has it. Returns what a person must read at once: an event in words; mostly empty.
    std::string take(const std::string& topic, std::span<const std::uint8_t> data);
    /// Now: phase, time, position, acceleration, rotations, forecast. Empty before the first feedback and
    /// when the test is over: the events have said it.
    std::string line() const;

  private:
    std::string take_event(const run_log::EventRecord& event);

    run_log::LogCodec codec_;
    std::string phase_;  // empty: no events have come; then the device's state says it
    std::optional<std::uint64_t> motion_start_us_;
    std::optional<firmware_iface::Feedback> feedback_;
    run_log::MeasuredSi measured_;
    std::vector<run_log::PredictionRecord> forecasts_;  // newest, by specimen
};

}  // namespace topple::hil::cli

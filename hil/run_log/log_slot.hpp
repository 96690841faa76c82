// One record on its way from the tick to the log writer: fixed size, no pointers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "hil/run_log/records.hpp"

namespace topple::hil::run_log {

/// PredictionRecord with room for kRotationSensorsMax blocks; further blocks are not logged.
struct PredictionSlot {
    explicit PredictionSlot(const PredictionRecord& record) noexcept
        : device_time_us(record.device_time_us),
          age_us(record.age_us),
          specimen(record.specimen),
          outcome(record.outcome),
          rotation_count(std::min(record.rotation_rad.size(), rotation_rad.size())) {
        std::copy_n(record.rotation_rad.begin(), rotation_count, rotation_rad.begin());
    }
    std::uint64_t device_time_us, age_us;
    std::uint32_t specimen, outcome;
    std::size_t rotation_count;
    std::array<double, firmware_iface::kRotationSensorsMax> rotation_rad{};
};

/// EventRecord with its text cut to what fits, at a character boundary of UTF-8.
struct EventSlot {
    static constexpr std::size_t kTextMax = 240;  ///< bytes
    explicit EventSlot(const EventRecord& record) noexcept
        : device_time_us(record.device_time_us),
          kind(record.kind),
          text_size(std::min(record.text.size(), text.size())) {
        if (text_size < record.text.size()) {
            while (text_size > 0 && (static_cast<unsigned char>(record.text[text_size]) & 0xC0U) == 0x80U) --text_size;
        }
        std::copy_n(record.text.begin(), text_size, text.begin());
    }
    std::string_view text_view() const noexcept { return {text.data(), text_size}; }

    std::uint64_t device_time_us;
    EventKind kind;
    std::size_t text_size;
    std::array<char, kTextMax> text{};
};

using LogSlot =
    std::variant<firmware_iface::Setpoint, firmware_iface::Feedback, PredictionSlot, EventSlot, TimingRecord>;

}  // namespace topple::hil::run_log

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
          rotation_count(std::min(record.rotation_rad.size(), rotation_rad.size())),
          forecast(record.forecast) {
        std::copy_n(record.rotation_rad.begin(), rotation_count, rotation_rad.begin());
    }
    std::uint64_t device_time_us, age_us;
    std::uint32_t specimen, outcome;
    std::size_t rotation_count;
    std::array<double, firmware_iface::kRotationSensorsMax> rotation_rad{};
    Forecast forecast;
};

/// An event with a copy of its text, or with what the text is put together from when it is written: at most kTextMax
/// bytes of either, cut at a character boundary of UTF-8.
struct EventSlot {
    static constexpr std::size_t kTextMax = 240;
    struct Copied {
        std::size_t size = 0;
        std::array<char, kTextMax> characters{};
    };
    explicit EventSlot(const EventRecord& record) noexcept : device_time_us(record.device_time_us), kind(record.kind) {
        const std::string_view cut = firmware_iface::cut_text(record.text, kTextMax);
        Copied& copied = text.emplace<Copied>();
        copied.size = cut.size();
        std::copy_n(cut.begin(), cut.size(), copied.characters.begin());
    }
    explicit EventSlot(const EventNote& note) noexcept
        : device_time_us(note.device_time_us), kind(note.kind), text(note.wording) {}

    /// For the thread that writes the log.
    std::string_view text_view(std::array<char, kTextMax>& scratch) const noexcept {
        if (const auto* copied = std::get_if<Copied>(&text)) return {copied->characters.data(), copied->size};
        return {scratch.data(), std::get_if<firmware_iface::Wording>(&text)->write(scratch)};
    }

    std::uint64_t device_time_us;
    EventKind kind;
    std::variant<firmware_iface::Wording, Copied> text;
};

using LogSlot =
    std::variant<firmware_iface::Setpoint, firmware_iface::Feedback, PredictionSlot, EventSlot, TimingRecord>;

}  // namespace topple::hil::run_log

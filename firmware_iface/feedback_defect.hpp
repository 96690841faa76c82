// What may be wrong with a feedback whose frame was sound: a defect of the table's program or sensors, not of the line.
#pragma once

#include <cstdint>
#include <string_view>

namespace topple::firmware_iface {

enum class FeedbackDefect : std::uint8_t {
    none,
    not_finite,        ///< a number that is none
    unknown_state,     ///< none of DeviceState
    implausible_time,  ///< device time beyond kDeviceTimeMax_us
    malformed,         ///< no axis or too many, too many rotations, or no feedback at all
};
std::string_view explanation(FeedbackDefect defect) noexcept;  ///< what the table did, for the operator

/// 2^53 us, 285 years: what a double still counts exactly, and far from where sums of times run over.
inline constexpr std::uint64_t kDeviceTimeMax_us = std::uint64_t{1} << 53;

}  // namespace topple::firmware_iface

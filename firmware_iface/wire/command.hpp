// What a host may command, and the bounds of a frame's contents. No heap, no OS.
#pragma once

#include <cstddef>
#include <cstdint>

namespace topple::firmware_iface {

inline constexpr std::size_t kSetpointBatchMax = 16;  ///< setpoints in one frame
inline constexpr std::size_t kTextMax =
    64;  ///< bytes of a name or version in a hello; longer is cut when sent, refused when received

/// Numbers as in wire/table.proto.
enum class CommandKind : std::uint8_t {
    home = 1,
    arm = 2,  ///< configuration_hash must be the device's
    disarm = 3,
    start = 4,    ///< start_time_us: device time of the first queued setpoint
    stop = 5,     ///< controlled stop; acted on before the queue is read
    clear = 6,    ///< latched fault, by the operator only
    release = 7,  ///< air track: lets the slider go
};

struct CommandMessage {
    CommandKind kind{};
    std::uint64_t configuration_hash = 0;  ///< of arm
    std::uint64_t start_time_us = 0;       ///< of start, device time
    bool release_specimen = false;  ///< of start: a simulated specimen held at a tilt is released at start_time_us
    bool trigger = false;  ///< of start: the trigger output rises at start_time_us, falls when this motion ends
};

}  // namespace topple::firmware_iface

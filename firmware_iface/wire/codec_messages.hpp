// Inside of Codec: its reused protobuf messages. Not for others to include.
#pragma once

#include <cmath>

#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "firmware_iface/wire/table.pb.h"

namespace topple::firmware_iface {

struct Codec::Messages {
    wire::Hello hello;
    wire::DeviceDescription description;
    wire::Command command;
    wire::Reply reply;
    wire::SetpointBatch setpoints;
    wire::Feedback feedback;

    /// Makes every nested message and reserves every vector once; Clear() keeps them for reuse.
    Messages() {
        for (std::size_t i = 0; i < kSetpointBatchMax; ++i) {
            auto& setpoint = *setpoints.add_setpoints();
            for (std::size_t axis = 0; axis < kAxesMax; ++axis) setpoint.add_axes();
        }
        for (std::size_t axis = 0; axis < kAxesMax; ++axis) feedback.add_axes();
        feedback.mutable_specimen_rotation_rad()->Reserve(static_cast<int>(kRotationSensorsMax));
        feedback.mutable_aux_v()->Reserve(static_cast<int>(kAuxChannelsMax));
        reply.mutable_holder()->reserve(kPayloadMax);  // longer than kTextMax it is read and then refused
    }
};

inline Codec::Size serialise(const google::protobuf::MessageLite& message, std::span<std::byte> out) {
    const std::size_t size = message.ByteSizeLong();
    if (size > out.size() || !message.SerializeToArray(out.data(), static_cast<int>(size))) return std::nullopt;
    return size;
}

inline bool parse(std::span<const std::byte> payload, google::protobuf::MessageLite& message) {
    return message.ParseFromArray(payload.data(), static_cast<int>(payload.size()));
}

inline bool axes_in_bounds(std::size_t count) noexcept { return count >= 1 && count <= kAxesMax; }

template <class... Numbers>
bool all_finite(Numbers... numbers) noexcept {
    return (std::isfinite(numbers) && ...);
}

}  // namespace topple::firmware_iface

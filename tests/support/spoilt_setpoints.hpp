// The host's end of a wire on which setpoints are changed on their way, or lost.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include "firmware_iface/transport/forwarding_stream.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "tests/support/heap_counter.hpp"

namespace topple::test {

using namespace topple::firmware_iface;

class SpoiltSetpoints final : public ForwardingStream {
  public:
    /// `change`: may change a setpoint; false: its frame is lost, and a sign of life comes in its place. May be empty.
    /// `allocations`: what the inner stream takes from the heap is added, since it is no matter of the host's.
    SpoiltSetpoints(std::unique_ptr<ByteStream> inner, std::uint64_t& allocations,
                    std::function<bool(Setpoint&)> change)
        : ForwardingStream(std::move(inner)), allocations_(allocations), change_(std::move(change)) {}
    std::size_t read_some(std::span<std::byte> into) noexcept override {
        const std::uint64_t before = heap_allocations_of_this_thread();
        const std::size_t count = inner().read_some(into);
        allocations_ += heap_allocations_of_this_thread() - before;
        return count;
    }
    std::size_t write_some(std::span<const std::byte> from) noexcept override {
        if (!change_) return inner().write_some(from);
        std::span<const std::byte> bytes = from;
        while (const auto frame = decoder_.next(bytes)) pass(*frame);
        return from.size();
    }

  private:
    void pass(const Frame& frame) {
        std::array<std::byte, kPayloadMax> payload;
        std::size_t size = frame.payload.size();
        std::copy_n(frame.payload.begin(), size, payload.begin());
        if (frame.header.type == FrameType::setpoints) {
            std::array<Setpoint, kSetpointBatchMax> batch;
            const std::size_t count = codec_.decode_setpoints(frame.payload, batch);
            for (std::size_t i = 0; i < count; ++i)
                if (!change_(batch[i]))
                    return send({FrameType::alive, frame.header.session, frame.header.sequence}, {});
            size = codec_.encode(std::span<const Setpoint>(batch).first(count), payload).value();
        }
        send(frame.header, std::span(payload).first(size));
    }
    void send(const FrameHeader& header, std::span<const std::byte> payload) {
        std::array<std::byte, kEncodedFrameMax> bytes;
        inner().write_some(std::span(bytes).first(encode_frame(header, payload, bytes)));
    }

    std::uint64_t& allocations_;
    std::function<bool(Setpoint&)> change_;
    Codec codec_;
    FrameDecoder decoder_;
};

}  // namespace topple::test

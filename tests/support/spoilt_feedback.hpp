// The host's end of a wire on which a table says what no sound firmware would: feedback changed on its way.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "firmware_iface/transport/forwarding_stream.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::test {

using namespace topple::firmware_iface;

/// What the payload of a sound feedback becomes.
enum class Spoilt {
    no,
    not_a_number,   ///< the setpoint's position
    unknown_state,  ///< 99
};

/// Bytes of a feedback message that a codec would refuse to write.
inline std::vector<std::byte> spoil(std::vector<std::byte> payload, Spoilt how, double position_m) {
    if (how == Spoilt::not_a_number) {
        const auto find = std::as_bytes(std::span(&position_m, 1));
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const auto put = std::as_bytes(std::span(&nan, 1));
        const auto at = std::search(payload.begin(), payload.end(), find.begin(), find.end());
        if (at != payload.end()) std::copy(put.begin(), put.end(), at);
    }
    if (how == Spoilt::unknown_state) {  // of two values of one field the later counts
        payload.push_back(std::byte{0x30});
        payload.push_back(std::byte{99});
    }
    return payload;
}

class SpoiltFeedback final : public ForwardingStream {
  public:
    /// Called for every feedback; may change it.
    using Change = std::function<Spoilt(Feedback&)>;
    SpoiltFeedback(std::unique_ptr<ByteStream> inner, Change change)
        : ForwardingStream(std::move(inner)), change_(std::move(change)) {}

    std::size_t read_some(std::span<std::byte> into) noexcept override {
        std::array<std::byte, 512> buffer;
        while (const std::size_t count = inner().read_some(buffer)) {
            std::span<const std::byte> bytes(buffer.data(), count);
            while (const auto frame = decoder_.next(bytes)) pass(*frame);
        }
        const std::size_t count = std::min(into.size(), waiting_.size());
        std::copy_n(waiting_.begin(), count, into.begin());
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
        return count;
    }

  private:
    void pass(const Frame& frame) {
        std::vector<std::byte> payload(frame.payload.begin(), frame.payload.end());
        Feedback feedback;
        if (frame.header.type == FrameType::feedback && codec_.decode_feedback(payload, feedback)) {
            const Spoilt how = change_(feedback);
            payload.resize(kPayloadMax);
            payload.resize(codec_.encode(feedback, payload).value());
            payload = spoil(std::move(payload), how, feedback.axes[0].setpoint_position_m);
        }
        std::array<std::byte, kEncodedFrameMax> bytes;
        const std::size_t length = encode_frame(frame.header, payload, bytes);
        waiting_.insert(waiting_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    }

    Change change_;
    Codec codec_;
    FrameDecoder decoder_;
    std::vector<std::byte> waiting_;
};

}  // namespace topple::test

#include "firmware_iface/served/turn_away.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace topple::firmware_iface {
namespace {
constexpr std::uint64_t kCycleCounted_us = 100'000;  // of one cycle: a clock that jumps sends nobody away early
}  // namespace

void TurnAway::take(std::unique_ptr<ByteStream> host) noexcept {
    Guest& guest = guests_[next_];
    next_ = (next_ + 1) % kGuestsMax;
    guest.stream = std::move(host);
    guest.decoder.reset();
    guest.stayed_us = 0;
    guest.answer_size = guest.answer_sent = 0;
}

void TurnAway::serve(const DeviceSession& busy, std::uint64_t now_us) noexcept {
    const std::uint64_t since_us = std::min(now_us - std::exchange(served_us_, now_us), kCycleCounted_us);
    for (Guest& guest : guests_) {
        if (!guest.stream) continue;
        read(guest, busy, now_us);
        guest.stayed_us += since_us;
        if (guest.stream->status() != StreamStatus::open || guest.stayed_us > kStayMax_us) guest.stream.reset();
    }
}

// It is not hung up on as soon as it has its answer: bytes that arrive at a closed socket would take the answer along.
void TurnAway::read(Guest& guest, const DeviceSession& busy, std::uint64_t now_us) noexcept {
    std::array<std::byte, 512> bytes;
    std::span<const std::byte> input(bytes.data(), guest.stream->read_some(bytes));
    while (const auto frame = guest.decoder.next(input)) answer(guest, *frame, busy, now_us);
    const auto rest = std::span<const std::byte>(guest.answer).first(guest.answer_size).subspan(guest.answer_sent);
    guest.answer_sent += guest.stream->write_some(rest);
}

void TurnAway::answer(Guest& guest, const Frame& frame, const DeviceSession& busy, std::uint64_t now_us) noexcept {
    HelloMessage hello;
    if (guest.answer_size > 0 || frame.header.type != FrameType::hello || !codec_.decode_hello(frame.payload, hello))
        return;
    std::array<std::byte, kPayloadMax> payload;
    const auto size = codec_.encode(busy.busy_reply(frame.header.sequence, now_us), payload);
    if (!size) return;
    guest.answer_size = encode_frame({FrameType::reply, frame.header.session, 0},
                                     std::span<const std::byte>(payload).first(*size), guest.answer);
}

}  // namespace topple::firmware_iface

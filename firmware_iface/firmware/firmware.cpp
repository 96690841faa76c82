#include "firmware_iface/firmware/firmware.hpp"

#include "firmware_iface/device/dialogue_impl.hpp"

namespace topple::firmware_iface {
template class Dialogue<SmallCodec, firmware::GuardedCore, firmware::kBacklog>;
}  // namespace topple::firmware_iface

namespace topple::firmware {

Firmware::Firmware(firmware_iface::Board& board, const Identity& identity) noexcept
    : board_(board),
      core_(identity.parameters),
      guarded_(core_),
      dialogue_(guarded_, identity.info),
      feedback_period_us_(identity.parameters.timing.feedback_period_us) {
    if (identity.homed) core_.assume_homed(0);
}

// Feedback leaves at whole multiples of its period, as long as the control period divides it.
void Firmware::cycle() noexcept {
    control_cycle(board_, core_);
    const std::uint64_t now_us = core_.now_us();
    if (now_us < feedback_due_us_) return;
    feedback_due_us_ = now_us - now_us % feedback_period_us_ + feedback_period_us_;
    const std::uint32_t written = written_;
    if (lost_ > 0 || written - read_ == feedback_.size()) {
        lost_ = lost_ + 1;
        return;
    }
    feedback_[written % feedback_.size()] = core_.feedback();
    written_ = written + 1;
}

// What was lost comes after all that were kept: none is kept again until it is accounted for.
void Firmware::send_feedback() noexcept {
    while (read_ != written_) {
        dialogue_.send_feedback(feedback_[read_ % feedback_.size()]);
        read_ = read_ + 1;
        dialogue_.flush(board_.line());  // many at once are more than the backlog holds
    }
    if (lost_ == 0) return;
    const InterruptsOff off;
    for (std::uint32_t i = lost_; i > 0; --i) dialogue_.skip_feedback();
    lost_ = 0;
}

bool Firmware::serve() noexcept {
    dialogue_.receive(board_.line(), guarded_.now_us());
    send_feedback();
    dialogue_.flush(board_.line());
    return dialogue_.has_bytes_to_send();
}

}  // namespace topple::firmware

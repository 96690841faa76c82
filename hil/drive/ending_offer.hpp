// An ending on its way from the predictor to the tick: one at a time, without lock, wait or heap on the tick's side.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "hil/drive/protection.hpp"

namespace topple::hil::drive {

class EndingOffer {
  public:
    enum class State : std::uint8_t {
        none,
        waiting,  ///< the tick has not looked at it yet
        taken,    ///< the motion ends so
        refused,  ///< came too late, or the motion is being stopped
    };
    State state() const noexcept { return state_.load(std::memory_order_acquire); }

    /// The predictor's side; not while one is waiting or taken.
    void make(ChosenEnding ending) {
        ending_ = std::move(ending);
        state_.store(State::waiting, std::memory_order_release);
    }
    /// Once it is taken nobody changes it but for its setpoints.
    const ChosenEnding& ending() const noexcept { return ending_; }

    /// The tick's side: null if none is waiting. Answer it in the same tick.
    ChosenEnding* waiting() noexcept { return state() == State::waiting ? &ending_ : nullptr; }
    void answer(bool taken) noexcept { state_.store(taken ? State::taken : State::refused, std::memory_order_release); }

  private:
    ChosenEnding ending_;
    std::atomic<State> state_{State::none};
};

}  // namespace topple::hil::drive

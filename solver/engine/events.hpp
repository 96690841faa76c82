// Where inside a step the first events are, whatever the law.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "solver/engine/law.hpp"
#include "solver/numerics/guard_path.hpp"

namespace topple::solver {

inline constexpr double kSimultaneous_s = 1e-12;  ///< events closer than this are one

/// Events of one instant, in the order of time, then of guards.
template <int Guards>
class Events {
  public:
    double sigma = 2.0;  ///< share of the step, 0..1; above 1: nothing happens

    bool any(GuardSet guards) const noexcept { return (set_ & guards) != 0; }
    const int* begin() const noexcept { return guard_.data(); }
    const int* end() const noexcept { return guard_.data() + count_; }

    /// Falls come in the order of guards.
    void add(int guard, double at) noexcept {
        int place = count_++;
        for (; place > 0 && at_[place - 1] > at; --place)
            guard_[place] = guard_[place - 1], at_[place] = at_[place - 1];
        guard_[place] = guard;
        at_[place] = at;
    }
    /// Keeps those that are one with the first.
    void keep_first(double step_s) noexcept {
        if (count_ == 0) return;
        sigma = at_[0];
        while (count_ > 1 && (at_[count_ - 1] - sigma) * step_s > kSimultaneous_s) --count_;
        for (const int guard : *this) set_ |= guard_bit(guard);
    }

  private:
    std::array<int, static_cast<std::size_t>(Guards)> guard_{};
    std::array<double, static_cast<std::size_t>(Guards)> at_{};
    int count_ = 0;
    GuardSet set_ = 0;
};

/// First events among the guards of `risk`. `inside(sigma)`: the state at a share of the step from `from_s`.
template <class Law, class Inside>
Events<Law::kGuards> find_events(const Law& law, GuardSet risk, Inside&& inside, double from_s, double step_s,
                                 const Excitation& excitation) {
    std::array<std::array<double, Law::kGuards>, kGuardNodeCount> at_node;
    const auto time_s = [&](double sigma) { return from_s + sigma * step_s; };
    for (std::size_t i = 0; i < kGuardNodeCount; ++i)
        law.guards(risk, inside(kGuardNode[i]), time_s(kGuardNode[i]), excitation, at_node[i]);
    Events<Law::kGuards> events;
    for (GuardSet left = risk; left != 0; left &= left - 1) {
        const int guard = std::countr_zero(left);
        const bool is_held = (Law::kHeldGuards & guard_bit(guard)) != 0;
        GuardValues values;
        for (std::size_t i = 0; i < kGuardNodeCount; ++i) values[i] = at_node[i][guard];
        if (is_held) values[0] = std::max(values[0], 0.0);
        const auto value = [&](double sigma) {
            std::array<double, Law::kGuards> now;
            law.guards(guard_bit(guard), inside(sigma), time_s(sigma), excitation, now);
            return is_held && sigma == 0.0 ? std::max(now[guard], 0.0) : now[guard];
        };
        const auto counts = [&](double sigma) {
            return law.counts(guard, inside(sigma), excitation.drive(time_s(sigma)));
        };
        if (const auto at = first_fall(values, value, counts)) events.add(guard, *at);
    }
    events.keep_first(step_s);
    return events;
}

}  // namespace topple::solver

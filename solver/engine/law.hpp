// What a law of motion must say so that the engine can follow it from event to event.
//
// A law is a class L with its present state and mode. Its coordinates q have the units that the law names. Every
// function below is noexcept; `Moment` is the engine's, a template parameter of the law's functions.
//
//   constants  kSize, kBlocks        coordinates (the room for them), and bodies that a history shows
//              kTolerance            absolute error of q per step; of q_rate p_1_s() times that
//              kGuards               number of guards, at most 64
//              kHopGuards            those of a quantity that may start at zero: a hop that begins and ends unseen
//              kHeldGuards           those that carry at the start of a step but for rounding
//   state      State<kSize>& state(), int size()          coordinates in use
//              double p_1_s()                             rate with which small differences grow
//   rest       int standing()                             bodies not yet gone; 0: nothing more can happen
//              bool rests(), bool is_open()               all at rest; any contact open
//              RestBand rest_band(vertical_m_s2)          drive within which the resting law stays
//              void begin(Moment&)                        a run begins: the drive may have jumped
//              void leave_rest(bool above, Moment&)       the drive has left the band above its upper end, or below
//   motion     Row acceleration(State, Drive)
//              double step_limit_s(Row acceleration, Excitation, time_s, bool fresh)   `fresh`: after an event
//   guards     positive until their event; an event is the first fall below zero inside a step (guard_path.hpp says the
//              rule for guards that start at zero)
//              GuardSet at_risk(StepEnd from, StepEnd end, Excitation)    those that may fall; cheap
//              void guards(GuardSet, State, time_s, Excitation, values)
//              bool counts(int guard, State, Drive)       does a guard that starts at zero fall in earnest here?
//              int closing_coordinate(int guard)          coordinate that is zero at this event, or -1
//              void reset(Events, Moment&)                what the events of one instant do, in the order of time
//   verdict    EnergyVerdict verdict(Drive still)         of what moves, if the base keeps its velocity
//              EnergyVerdict last_verdict(Drive still)    the same when the time allowed is over
//   shown      Row<kBlocks> rotations(State), rates(State), Supports<kBlocks> supports()
//              BaseReaction reaction(Drive), StandingLoad load()
//
// Optional: flow(Excitation, time_s) -> optional of a closed-form path .at(time_s) instead of an integrator;
// kPlainSteppers (Newmark and, of several coordinates, short steps: next_closing_s(Row), is_short(step_s));
// may_be_followed(); status(); closes_at(guard), value of the closing coordinate at this event instead of zero;
// base_acceleration_m_s2(State, Excitation, time_s); slip_m(State), slid(); arrived(); watch_rest(), watch_step();
// fill(Prediction&).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "solver/motion/excitation.hpp"
#include "solver/numerics/state.hpp"
#include "solver/outcome.hpp"

namespace topple::solver {

inline constexpr double kHalfPi = 1.5707963267948966;  ///< a block turned this far has overturned
/// Forces below this share of the weight, and accelerations below it of p^2, count as zero. Rounding in the
/// assembly is about 1e-15; boundaries of outcomes move by less than 1e-11.
inline constexpr double kContactTolerance = 1e-12;
inline constexpr double kRestRate = 1e-6;  ///< rotation rates below this times p end a decaying sequence

/// Guards by number, one bit each.
using GuardSet = std::uint64_t;
constexpr GuardSet guard_bit(int guard) noexcept { return GuardSet{1} << guard; }
/// `count` guards from `first` on.
constexpr GuardSet guard_range(int first, int count) noexcept {
    return count == 0 ? 0 : (~GuardSet{0} >> (64 - count)) << first;
}

/// Support per body: -1 left corner, 0 full face, +1 right corner.
template <int N>
using Supports = std::array<int, static_cast<std::size_t>(N)>;

/// Drives between which what rests in full contact stays.
struct RestBand {
    double low_m_s2 = 0.0, high_m_s2 = 0.0;
};

/// What energy alone says about the future if the base keeps its velocity.
enum class EnergyVerdict { stable, falls_left, falls_right, undecided };

/// Time until a decaying sequence of impacts is over: each pair of flights repeats the last one scaled by `ratio`,
/// the first pair takes `pair_s`. 0 if it does not decay.
inline double decaying_sequence_s(double pair_s, double ratio) noexcept {
    return ratio < 1.0 ? pair_s / (1.0 - ratio) : 0.0;
}

/// Longest step after a hop from zero has begun: 1.5 of its flights, so that its end is seen. `out` is the rate with
/// which it leaves, `down` the acceleration that brings it back.
inline double hop_limit_s(double out, double down, double otherwise_s) noexcept {
    return out > 0.0 && down > 0.0 ? std::fmin(otherwise_s, 3.0 * out / down) : otherwise_s;
}

}  // namespace topple::solver

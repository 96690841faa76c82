// The stack of rocking blocks as a law: each interface full or on one of its corners.
// Coordinates: relative rotations phi_i = theta_i - theta_(i-1), rad, interface by interface from the base up.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/engine/guard_risk.hpp"
#include "solver/engine/trace.hpp"
#include "solver/stack/contact_watch.hpp"
#include "solver/stack/edge_share.hpp"
#include "solver/stack/energy_verdict.hpp"
#include "solver/stack/stack_state.hpp"

namespace topple::solver {

/// Steps shorter than this over p: contact forces hardly change, and a polynomial of low degree is exact enough.
inline constexpr double kShortStep = 5e-3;
/// Edge share below which a step is searched for an opening; below a short step's end the less, the shorter it is.
inline constexpr double kEdgeAlert = 0.1;

/// At most N blocks. Guards: interface k closes (k), a full one opens and turns about its left or right corner
/// (N + 2k, N + 2k + 1), block k reaches pi/2 to the left or right (3N + 2k, 3N + 2k + 1).
template <int N>
class StackLaw {
  public:
    static constexpr int kSize = N, kBlocks = N, kGuards = 5 * N;
    static constexpr double kTolerance = 1e-12;
    static constexpr bool kPlainSteppers = true;
    static constexpr GuardSet kHopGuards = guard_range(0, N);
    static constexpr GuardSet kHeldGuards = guard_range(N, 2 * N);  // what was decided to stay full carries

    /// `watch`: of the contacts, with the friction that they have.
    StackLaw(const StackState<N>& start, const ContactWatch<N>& watch) noexcept : stack_(start), watch_(watch) {}

    const StackState<N>& stack() const noexcept { return stack_; }
    const ContactWatch<N>& watch() const noexcept { return watch_; }

    State<N>& state() noexcept { return stack_.motion; }
    const State<N>& state() const noexcept { return stack_.motion; }
    int size() const noexcept { return stack_.size(); }
    double p_1_s() const noexcept { return stack_.p_rad_s; }
    int standing() const noexcept { return stack_.standing; }
    bool rests() const noexcept { return stack_.all_full(); }
    bool is_open() const noexcept { return !stack_.all_full(); }
    RestBand rest_band(double vertical_m_s2) const noexcept { return stack_.rest_band(vertical_m_s2); }
    SolverStatus status() const noexcept {
        return stack_.contacts_solved ? SolverStatus::ok : SolverStatus::contacts_not_solved;
    }

    template <class Moment>
    void begin(Moment& now) noexcept {
        if (!stack_.all_full()) stack_.decide(now.drive());
    }
    /// A jump of the drive: all faces are decided together. A smooth crossing: the one whose edge lifts, at once.
    template <class Moment>
    void leave_rest(bool above, Moment& now) noexcept {
        if (stack_.decide(now.drive())) return;
        const StackRestBand band = stack_.rest_band(now.still_vertical_m_s2());
        stack_.open(above ? band.high_interface : band.low_interface, above ? -1 : 1);
    }

    Row<N> acceleration(const State<N>& state, const Drive& drive) const noexcept {
        return relative_accelerations(stack_.table, state, drive, stack_.size());
    }
    double step_limit_s(const Row<N>& acceleration, const Excitation&, double, bool fresh) const noexcept {
        double limit = (N == 1 ? 0.5 : 0.2) / stack_.p_rad_s;
        for (int i = 0; fresh && i < stack_.table.open_count; ++i) {
            const int k = stack_.table.open[i], s = stack_.table.s[k];
            if (stack_.motion.q[k] == 0.0)
                limit = hop_limit_s(s * stack_.motion.q_rate[k], -s * acceleration[k], limit);
        }
        return limit;
    }
    bool is_short(double step_s) const noexcept { return N > 1 && step_s * stack_.p_rad_s < kShortStep; }
    /// Until an open face closes if the accelerations stay as they are; infinite if none does.
    double next_closing_s(const Row<N>& acceleration) const noexcept;

    GuardSet at_risk(const StepEnd<N>& from, const StepEnd<N>& end, double step_s,
                     const Excitation& excitation) const noexcept;
    void guards(GuardSet wanted, const State<N>& state, double time_s, const Excitation& excitation,
                std::array<double, kGuards>& value) const noexcept;
    bool counts(int guard, const State<N>& state, const Drive&) const noexcept {
        return guard >= N || stack_.table.s[guard] * state.q_rate[guard] < 0.0;
    }
    int closing_coordinate(int guard) const noexcept { return guard < N ? guard : -1; }
    template <class Moment>
    void reset(const Events<kGuards>& events, Moment& now);

    EnergyVerdict verdict(const Drive& still) const noexcept;
    EnergyVerdict last_verdict(const Drive&) const noexcept { return EnergyVerdict::undecided; }
    bool may_be_followed() const noexcept { return stack_.standing > 1; }

    Row<N> rotations(const State<N>& state) const noexcept { return sums(state.q); }
    Row<N> rates(const State<N>& state) const noexcept { return sums(state.q_rate); }
    const Supports<N>& supports() const noexcept { return stack_.table.s; }
    BaseReaction reaction(const Drive& drive) const noexcept {
        const Vec2 on_block = contact_forces(stack_.stack, stack_.table, stack_.motion, drive).force_n[0];
        return {-on_block.x, -on_block.z};
    }
    StandingLoad load() const noexcept {
        StandingLoad load{0.0, stack_.momentum_above_kg_m_s(0), stack_.lost_momentum_kg_m_s};
        for (int i = 0; i < stack_.standing; ++i) load.mass_kg += stack_.stack.block[i].mass_kg;
        return load;
    }

    void watch_rest(const Excitation& excitation, double from_s, double until_s) noexcept {
        watch_.rest(stack_.size(), excitation, from_s, until_s);
    }
    void watch_step(const StepEnd<N>& from, double time_s, bool fresh, const Excitation& excitation) noexcept {
        watch_.step(stack_.stack, stack_.table, from, {time_s, stack_.motion, {}},
                    {fresh, is_short(time_s - from.time_s)}, excitation);
    }
    void fill(Prediction& prediction, std::size_t block_count) const {
        for (std::size_t i = 0; watch_.is_on() && i < block_count; ++i)
            prediction.friction_demand.push_back(watch_.friction_demand(static_cast<int>(i)));
        prediction.left_validity = watch_.breach();
    }

  private:
    Row<N> sums(const Row<N>& relative) const noexcept {
        Row<N> absolute{};
        double sum = 0.0;
        for (int i = 0; i < stack_.size(); ++i) absolute[i] = sum += relative[i];
        return absolute;
    }
    bool edges_at_risk(const StepEnd<N>& from, const StepEnd<N>& end, double step_s,
                       const Excitation& excitation) const noexcept;
    template <class Moment>
    void impact(const InterfaceSet<N>& closing, Moment& now);
    template <class Moment>
    void topple(int lowest, Moment& now);

    StackState<N> stack_;
    ContactWatch<N> watch_;
};

template <int N>
double StackLaw<N>::next_closing_s(const Row<N>& acceleration) const noexcept {
    double first = std::numeric_limits<double>::infinity();
    for (int i = 0; i < stack_.table.open_count; ++i) {
        const int k = stack_.table.open[i], s = stack_.table.s[k];
        const double gap = s * stack_.motion.q[k], out = s * stack_.motion.q_rate[k], down = -s * acceleration[k],
                     inside = out * out + 2.0 * down * gap;
        if (inside < 0.0 || (down <= 0.0 && out >= 0.0)) continue;
        const double root = std::sqrt(inside);
        // Two forms of the same root; each without cancellation on its side.
        const double at = out > 0.0 ? (out + root) / down : 2.0 * gap / (root - out);
        if (at > 0.0) first = std::min(first, at);
    }
    return first;
}

template <int N>
GuardSet StackLaw<N>::at_risk(const StepEnd<N>& from, const StepEnd<N>& end, double step_s,
                              const Excitation& excitation) const noexcept {
    GuardSet risk = 0;
    for (int i = 0; i < stack_.table.open_count; ++i) {
        const int k = stack_.table.open[i];
        if (gap_may_close(from, end, k, stack_.table.s[k], step_s)) risk |= guard_bit(k);
    }
    if (stack_.table.open_count < stack_.size() && edges_at_risk(from, end, step_s, excitation))
        for (int k = 0; k < stack_.size(); ++k)
            if (stack_.table.s[k] == 0) risk |= guard_range(N + 2 * k, 2);
    const Row<N> farthest = farthest_sums(from, end, stack_.size(), step_s);
    for (int k = 0; k < stack_.size(); ++k)
        if (farthest[k] >= kHalfPi) risk |= guard_range(3 * N + 2 * k, 2);
    return risk;
}

/// Does an edge of a full face carry little anywhere on the way?
template <int N>
bool StackLaw<N>::edges_at_risk(const StepEnd<N>& from, const StepEnd<N>& end, double step_s,
                                const Excitation& excitation) const noexcept {
    const int n = stack_.size();
    const double alert = kEdgeAlert * std::min(1.0, step_s * stack_.p_rad_s / kShortStep);
    for (const double sigma : {1.0, 0.5, 0.25, 0.75}) {
        const State<N> motion = between(from.state, end.state, step_s, sigma, n);
        const Drive drive = excitation.drive(from.time_s + sigma * step_s);
        const Row<N> acceleration =
            sigma == 1.0 ? end.acceleration : relative_accelerations(stack_.table, motion, drive, n);
        const Attitude<N> a = attitude(motion, n);
        const auto contact = contact_forces(stack_.stack, stack_.table, a,
                                            inertia_loads(stack_.stack, stack_.table, a, acceleration, drive));
        if (edge_margin<N>(contact, stack_.table.s, n).margin < alert) return true;
        if (is_short(step_s)) break;
    }
    return false;
}

template <int N>
void StackLaw<N>::guards(GuardSet wanted, const State<N>& state, double time_s, const Excitation& excitation,
                         std::array<double, kGuards>& value) const noexcept {
    for (int k = 0; k < stack_.size(); ++k)
        if (wanted & guard_bit(k)) value[k] = stack_.table.s[k] * state.q[k];
    if (wanted & kHeldGuards) {
        const auto contact = contact_forces(stack_.stack, stack_.table, state, excitation.drive(time_s));
        for (int k = 0; k < stack_.size(); ++k)
            for (const int about : {-1, 1})
                if (const int guard = N + 2 * k + (about > 0 ? 1 : 0); wanted & guard_bit(guard))
                    value[guard] = edge_share(contact, k, about) + kContactTolerance;
    }
    if (!(wanted & guard_range(3 * N, 2 * N))) return;
    const Row<N> rotation = rotations(state);
    for (int k = 0; k < stack_.size(); ++k) {
        value[3 * N + 2 * k] = kHalfPi + rotation[k];
        value[3 * N + 2 * k + 1] = kHalfPi - rotation[k];
    }
}

template <int N>
template <class Moment>
void StackLaw<N>::reset(const Events<kGuards>& events, Moment& now) {
    InterfaceSet<N> closing;
    int opening = -1, about = 0, toppling = -1;
    for (const int guard : events) {
        if (guard < N)
            closing.insert(guard);
        else if (guard < 3 * N && opening < 0)
            opening = (guard - N) / 2, about = (guard - N) % 2 == 0 ? -1 : 1;
        else if (guard >= 3 * N && toppling < 0)
            toppling = (guard - 3 * N) / 2;
    }
    if (closing.size > 0) impact(closing, now);
    if (opening >= 0 && stack_.table.s[opening] == 0 && !stack_.all_full()) {
        stack_.open(opening, about);
        now.sample();
    }
    if (toppling >= 0) topple(toppling, now);
}

template <int N>
template <class Moment>
void StackLaw<N>::impact(const InterfaceSet<N>& closing, Moment& now) {
    now.sample();
    ImpactRecord<N> record{now.time_s(), 0, rates(stack_.motion), {}};
    const SupportTable<N> table_before = stack_.table;
    const State<N> motion_before = stack_.motion;
    const Attitude<N> attitude_before = attitude(motion_before, stack_.size());
    Row<N> after{};
    const double remaining_s = stack_.impact(closing, now.drive(), after);
    if (!is_finite(stack_.motion, stack_.size())) {
        stack_.motion = motion_before;
        return now.fail(SolverStatus::not_finite);
    }
    record.after = sums(after);
    if (!stack_.law.literal)
        watch_.impact(stack_.stack, table_before, stack_.table, attitude_before, record.after,
                      {now.time_s(), stack_.p_rad_s});
    for (int i = 0; i < closing.size; ++i) {
        record.interface_index = closing.index[i];
        now.impact(record);
    }
    if (stack_.all_full()) now.settles_in(remaining_s);
    now.sample();
}

template <int N>
template <class Moment>
void StackLaw<N>::topple(int lowest, Moment& now) {
    const Row<N> rotation = rotations(stack_.motion);
    for (int i = lowest; i < stack_.size(); ++i) now.falls(i, rotation[i] < 0.0 ? -1 : 1);
    stack_.remove_from(lowest);
    if (stack_.standing > 0) {
        if (stack_.all_full())
            now.settles_in(0.0);
        else
            stack_.decide(now.drive());
    }
    now.sample();
}

template <int N>
EnergyVerdict StackLaw<N>::verdict(const Drive& still) const noexcept {
    if (stack_.standing > 1) return stack_verdict(stack_.stack, stack_.table, stack_.motion, still);
    const auto by = [&](const std::array<double, 2>& ratio) {
        return single_block_verdict(stack_.stack.block[0], stack_.table.s[0], stack_.motion.q[0],
                                    stack_.motion.q_rate[0], still, ratio);
    };
    if (!stack_.random.in_use()) return by({stack_.single_ratio(-1), stack_.single_ratio(1)});
    // Ratios still to be drawn: known only if neither a full nor no rebound changes it.
    const EnergyVerdict lossless = by({1.0, 1.0});
    return lossless == by({0.0, 0.0}) ? lossless : EnergyVerdict::undecided;
}

}  // namespace topple::solver

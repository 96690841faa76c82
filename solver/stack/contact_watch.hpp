// Do the contacts give what a run without slip and without jumps asks of them?
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/numerics/root_find.hpp"
#include "solver/outcome.hpp"
#include "solver/stack/edge_share.hpp"
#include "solver/stack/opening.hpp"

namespace topple::solver {

/// Forces and impulses below this share of the whole count as zero for the watch; rounding is far below.
inline constexpr double kWatchTolerance = 1e-9;
/// Impacts with rates below this times p could slip by less than 1e-6 of the size; they are not watched.
inline constexpr double kSlowImpact = 1e-3;

/// Share of each contact resultant along its face: friction, N.
template <int N>
Row<N> friction_n(const ContactForces<N>& contact, const Attitude<N>& a, int n) noexcept {
    Row<N> friction{};
    for (int i = 0; i < n; ++i) {
        const double sine = i > 0 ? a.sine[i - 1] : 0.0, cosine = i > 0 ? a.cosine[i - 1] : 1.0;
        friction[i] = contact.force_n[i].x * cosine - contact.force_n[i].z * sine;
    }
    return friction;
}

/// Momentum changes of an impact as loads (N s, N m s): `before` and `after` are the supports around it, `a`
/// the attitude with the rates before, `rates_after` absolute.
template <int N>
InertiaLoads<N> impulse_loads(const StackGeometry<N>& stack, const SupportTable<N>& before,
                              const SupportTable<N>& after, const Attitude<N>& a, const Row<N>& rates_after) noexcept {
    InertiaLoads<N> loads;
    Vec2 pivot_jump{};
    for (int i = 0; i < stack.size(); ++i) {
        const auto jump = [&](Vec2 u_before, Vec2 u_after) {
            return turned(rates_after[i] * perpendicular(u_after) - a.rate_rad_s[i] * perpendicular(u_before),
                          a.sine[i], a.cosine[i]);
        };
        loads.force_n[i] = stack.block[i].mass_kg * (pivot_jump + jump(before.c[i], after.c[i]));
        loads.moment_n_m[i] = stack.block[i].inertia_kg_m2 * (rates_after[i] - a.rate_rad_s[i]);
        pivot_jump = pivot_jump + jump(before.d[i], after.d[i]);
    }
    return loads;
}

/// Cubic through motion and rates at both ends of a step; sigma in 0..1. Good to 1e-5 of a swing.
template <int N>
State<N> between(const State<N>& from, const State<N>& to, double step_s, double sigma, int n) noexcept {
    State<N> motion;
    const double rest = 1.0 - sigma, bend = sigma * rest;
    for (int i = 0; i < n; ++i) {
        const double change = to.q[i] - from.q[i];
        const double from_bend = step_s * from.q_rate[i] - change, to_bend = change - step_s * to.q_rate[i];
        motion.q[i] = from.q[i] + sigma * change + bend * (rest * from_bend + sigma * to_bend);
        const double slope = (rest - sigma) * (rest * from_bend + sigma * to_bend) + bend * (to_bend - from_bend);
        motion.q_rate[i] = (change + slope) / step_s;
    }
    return motion;
}

/// Largest friction each interface needed, and the first instant at which a contact could not give its part.
/// The run continues after it as if it could.
template <int N>
class ContactWatch {
  public:
    /// `friction_ratio`: static friction of each interface to compare with; infinite if it never slips.
    ContactWatch(bool is_on, const Row<N>& friction_ratio) : is_on_(is_on), friction_ratio_(friction_ratio) {}
    /// The same one at every interface.
    ContactWatch(bool is_on, double friction_ratio) : is_on_(is_on) { friction_ratio_.fill(friction_ratio); }

    bool is_on() const noexcept { return is_on_; }
    double friction_demand(int interface_index) const noexcept { return demand_[interface_index]; }
    const std::optional<ValidityBreach>& breach() const noexcept { return breach_; }

    /// At rest from `from_s` to `until_s`: every interface carries the same ratio of friction to normal force.
    void rest(int n, const Excitation& excitation, double from_s, double until_s) noexcept;
    /// How a step came about: the first one after an event, and so short that its ends are enough.
    struct StepKind {
        bool fresh, is_short;
    };
    /// From `from` to `to`, supports unchanged. The ends and the middle are looked at; a contact that fails is followed
    /// back to the instant.
    void step(const StackGeometry<N>& stack, const SupportTable<N>& table, const StepEnd<N>& from, const StepEnd<N>& to,
              StepKind kind, const Excitation& excitation) noexcept;
    struct ImpactInstant {
        double time_s, p_rad_s;
    };
    /// Impulses that the change of velocities needs. The literal rule, which slows everything down, needs
    /// impulses that no contact knows: do not ask. `a`: with the rates before; `rates_after` absolute.
    void impact(const StackGeometry<N>& stack, const SupportTable<N>& before, const SupportTable<N>& after,
                const Attitude<N>& a, const Row<N>& rates_after, ImpactInstant at) noexcept;

  private:
    /// Notes |friction| / normal force where the contact pushes. `whole_n` scales what counts as nothing.
    void note_demand(const ContactForces<N>& contact, const Row<N>& friction, int n, double whole_n) noexcept {
        for (int k = 0; k < n; ++k)
            if (contact.normal_n[k] > 1e-6 * whole_n)
                demand_[k] = std::max(demand_[k], std::abs(friction[k]) / contact.normal_n[k]);
    }
    void note_breach(double time_s, int interface_index, Breach breach) noexcept {
        if (!breach_) breach_ = ValidityBreach{time_s, static_cast<std::size_t>(interface_index), breach};
    }

    /// The contact with the least to spare. `spare` is a share of `whole_n`, negative where a contact fails.
    struct Worst {
        double spare = 1.0;
        int interface_index = 0;
        Breach breach = Breach::pull;
    };
    Worst worst(const ContactForces<N>& contact, const Row<N>& friction, int n, double whole_n) const noexcept {
        Worst least;
        const auto consider = [&](double spare, int k, Breach breach) {
            if (spare < least.spare) least = {spare, k, breach};
        };
        for (int k = 0; k < n; ++k) {
            const double normal = contact.normal_n[k] / whole_n;
            consider(normal, k, Breach::pull);
            if (std::isfinite(friction_ratio_[k]) && normal > 0.0)
                consider(friction_ratio_[k] * normal - std::abs(friction[k]) / whole_n, k, Breach::slip);
        }
        return least;
    }

    bool is_on_;
    Row<N> friction_ratio_{};
    Row<N> demand_{};
    std::optional<ValidityBreach> breach_;
};

template <int N>
void ContactWatch<N>::rest(int n, const Excitation& excitation, double from_s, double until_s) noexcept {
    if (!is_on_) return;
    constexpr double kSamplesPerStep = 16.0, kSamplesMax = 4096.0;
    const double share = (until_s - from_s) / excitation.step_max_s();
    const int samples = static_cast<int>(std::clamp(std::ceil(kSamplesPerStep * share), 4.0, kSamplesMax));
    double largest = 0.0;
    for (int i = 0; i <= samples; ++i) {
        const double t = from_s + (until_s - from_s) * i / samples;
        largest = std::max(largest, std::abs(excitation.horizontal_m_s2(t)) / excitation.vertical_m_s2(t));
    }
    for (int k = 0; k < n; ++k) demand_[k] = std::max(demand_[k], largest);
    int weakest = 0;
    for (int k = 1; k < n; ++k)
        if (friction_ratio_[k] < friction_ratio_[weakest]) weakest = k;
    const double vertical = excitation.still_vertical_m_s2(), limit = friction_ratio_[weakest] * vertical;
    if (breach_ || !std::isfinite(limit)) return;
    const auto exit = excitation.first_exit(from_s, until_s, -limit, limit, kWatchTolerance * vertical);
    if (exit) note_breach(exit->time_s, weakest, Breach::slip);
}

template <int N>
void ContactWatch<N>::step(const StackGeometry<N>& stack, const SupportTable<N>& table, const StepEnd<N>& from,
                           const StepEnd<N>& to, StepKind kind, const Excitation& excitation) noexcept {
    const double step_s = to.time_s - from.time_s;
    if (!is_on_ || !(step_s > 0.0)) return;
    const int n = stack.size();
    const double whole_n = weight_n(stack, excitation.drive(from.time_s));
    const auto worst_at = [&](double sigma, bool notes_demand) {
        const State<N> motion = between(from.state, to.state, step_s, sigma, n);
        const Attitude<N> a = attitude(motion, n);
        const Drive drive = excitation.drive(from.time_s + sigma * step_s);
        const Row<N> acceleration = sigma == 0.0 ? from.acceleration : relative_accelerations(table, motion, drive, n);
        const auto contact = contact_forces(stack, table, a, inertia_loads(stack, table, a, acceleration, drive));
        const Row<N> friction = friction_n(contact, a, n);
        if (notes_demand) note_demand(contact, friction, n, whole_n);
        if (sigma == 0.0 && pulls(contact, table.s, n, kWatchTolerance * whole_n))
            note_breach(from.time_s, edge_margin<N>(contact, table.s, n).interface_index, Breach::jump);
        return worst(contact, friction, n, whole_n);
    };
    double left = 0.0, spare_left = 0.0;
    if (kind.fresh) {
        const Worst at_start = worst_at(0.0, true);
        spare_left = at_start.spare;
        if (at_start.spare < -kWatchTolerance) note_breach(from.time_s, at_start.interface_index, at_start.breach);
    }
    for (const double right : {0.5, 1.0}) {
        if (right < 1.0 && kind.is_short) continue;
        const Worst now = worst_at(right, true);
        if (now.spare < -kWatchTolerance && !breach_) {
            const auto spare = [&](double sigma) { return worst_at(sigma, false).spare; };
            const double at =
                spare_left > 0.0 ? find_root(spare, left, right, spare_left, now.spare, 1e-9).after : left;
            const Worst first = worst_at(at, false);
            note_breach(from.time_s + at * step_s, first.interface_index, first.breach);
        }
        left = right;
        spare_left = now.spare;
    }
}

template <int N>
void ContactWatch<N>::impact(const StackGeometry<N>& stack, const SupportTable<N>& before, const SupportTable<N>& after,
                             const Attitude<N>& a, const Row<N>& rates_after, ImpactInstant at) noexcept {
    if (!is_on_) return;
    const int n = stack.size();
    double fastest = 0.0;
    for (int k = 0; k < n; ++k) fastest = std::max({fastest, std::abs(a.rate_rad_s[k]), std::abs(rates_after[k])});
    if (fastest < kSlowImpact * at.p_rad_s) return;
    const auto impulse = contact_forces(stack, after, a, impulse_loads(stack, before, after, a, rates_after));
    double whole = 0.0;
    for (int k = 0; k < n; ++k) whole = std::max(whole, std::abs(impulse.normal_n[k]));
    if (whole == 0.0) return;
    const Row<N> friction = friction_n(impulse, a, n);
    note_demand(impulse, friction, n, whole);
    const Worst least = worst(impulse, friction, n, whole);
    if (least.spare < -kWatchTolerance)
        note_breach(at.time_s, least.interface_index, least.breach == Breach::slip ? Breach::slip : Breach::jump);
}

}  // namespace topple::solver

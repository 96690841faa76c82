// What the run asks of the contacts: watched at rest, along steps and at impacts. Included by event_loop.hpp.
#pragma once

#include "solver/engine/event_loop.hpp"

namespace topple::solver {

/// Impacts with rates below this times p could slip by less than 1e-6 of the size; they are not watched.
inline constexpr double kSlowImpact = 1e-3;

/// At rest every interface carries the same ratio of friction to normal force.
template <int N>
void EventLoop<N>::watch_rest(const Excitation& excitation, double from_s, double until_s) noexcept {
    if (!watch_.is_on()) return;
    constexpr double kSamplesPerStep = 16.0, kSamplesMax = 4096.0;
    const double share = (until_s - from_s) / excitation.step_max_s();
    const int samples = static_cast<int>(std::clamp(std::ceil(kSamplesPerStep * share), 4.0, kSamplesMax));
    double largest = 0.0;
    for (int i = 0; i <= samples; ++i) {
        const double t = from_s + (until_s - from_s) * i / samples;
        largest = std::max(largest, std::abs(excitation.horizontal_m_s2(t)) / excitation.vertical_m_s2(t));
    }
    const double vertical = excitation.still_vertical_m_s2(), limit = watch_.friction_ratio() * vertical;
    watch_.note_demand_at_rest(largest, state_.size());
    if (watch_.breach() || !std::isfinite(limit)) return;
    const auto exit = excitation.first_exit(from_s, until_s, -limit, limit, kWatchTolerance * vertical);
    if (exit) watch_.note_breach(exit->time_s, 0, Breach::slip);
}

/// From `from` to the present state, supports unchanged. The ends and the middle are looked at, of a short
/// step the ends; a contact that fails is followed back to the instant.
template <int N>
void EventLoop<N>::watch_step(const StepEnd<N>& from, bool fresh, const Excitation& excitation) noexcept {
    const double step_s = state_.time_s - from.time_s;
    if (!watch_.is_on() || !(step_s > 0.0)) return;
    const int n = state_.size();
    const double whole_n = weight_n(state_.stack, excitation.drive(from.time_s));
    const auto worst_at = [&](double sigma, bool notes_demand) {
        const Motion<N> motion = between(from.motion, state_.motion, step_s, sigma, n);
        const Attitude<N> a = attitude(motion, n);
        const Drive drive = excitation.drive(from.time_s + sigma * step_s);
        const Row<N> acceleration =
            sigma == 0.0 ? from.acceleration_rad_s2 : relative_accelerations(state_.table, motion, drive, n);
        const auto contact = contact_forces(state_.stack, state_.table, a,
                                            inertia_loads(state_.stack, state_.table, a, acceleration, drive));
        const Row<N> friction = friction_n(contact, a, n);
        if (notes_demand) watch_.note_demand(contact, friction, n, whole_n);
        if (sigma == 0.0 && pulls(contact, state_.table.s, n, kWatchTolerance * whole_n))
            watch_.note_breach(from.time_s, edge_margin<N>(contact, state_.table.s, n).interface_index, Breach::jump);
        return watch_.worst(contact, friction, n, whole_n);
    };
    double left = 0.0, spare_left = 0.0;
    if (fresh) {
        const auto worst = worst_at(0.0, true);
        spare_left = worst.spare;
        if (worst.spare < -kWatchTolerance) watch_.note_breach(from.time_s, worst.interface_index, worst.breach);
    }
    for (const double right : {0.5, 1.0}) {
        if (right < 1.0 && is_short(step_s)) continue;
        const auto worst = worst_at(right, true);
        if (worst.spare < -kWatchTolerance && !watch_.breach()) {
            const auto spare = [&](double sigma) { return worst_at(sigma, false).spare; };
            const double at =
                spare_left > 0.0 ? find_root(spare, left, right, spare_left, worst.spare, 1e-9).after : left;
            const auto first = worst_at(at, false);
            watch_.note_breach(from.time_s + at * step_s, first.interface_index, first.breach);
        }
        left = right;
        spare_left = worst.spare;
    }
}

/// Impulses that the change of velocities needs. The literal rule, which slows everything down, needs
/// impulses that no contact knows; it is not watched.
template <int N>
void EventLoop<N>::watch_impact(const SupportTable<N>& before, const Attitude<N>& a,
                                const Row<N>& rates_after) noexcept {
    if (!watch_.is_on() || state_.law.literal) return;
    const int n = state_.size();
    double fastest = 0.0;
    for (int k = 0; k < n; ++k) fastest = std::max({fastest, std::abs(a.rate_rad_s[k]), std::abs(rates_after[k])});
    if (fastest < kSlowImpact * state_.p_rad_s) return;
    const auto impulse = contact_forces(state_.stack, state_.table, a,
                                        impulse_loads(state_.stack, before, state_.table, a, rates_after));
    double whole = 0.0;
    for (int k = 0; k < n; ++k) whole = std::max(whole, std::abs(impulse.normal_n[k]));
    if (whole == 0.0) return;
    const Row<N> friction = friction_n(impulse, a, n);
    watch_.note_demand(impulse, friction, n, whole);
    const auto worst = watch_.worst(impulse, friction, n, whole);
    if (worst.spare < -kWatchTolerance)
        watch_.note_breach(state_.time_s, worst.interface_index,
                           worst.breach == Breach::slip ? Breach::slip : Breach::jump);
}

}  // namespace topple::solver

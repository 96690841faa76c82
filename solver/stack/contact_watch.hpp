// Do the contacts give what a run without slip and without jumps asks of them?
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/outcome.hpp"
#include "solver/stack/opening.hpp"

namespace topple::solver {

/// Forces and impulses below this share of the whole count as zero for the watch; rounding is far below.
inline constexpr double kWatchTolerance = 1e-9;

/// Largest friction each interface needed, and the first instant at which a contact could not give its part.
/// The run goes on after it as if it could.
template <int N>
class ContactWatch {
  public:
    /// `friction_ratio`: static friction to compare with; infinite if the contacts never slip.
    ContactWatch(bool is_on, double friction_ratio) : is_on_(is_on), friction_ratio_(friction_ratio) {}

    bool is_on() const noexcept { return is_on_; }
    double friction_ratio() const noexcept { return friction_ratio_; }
    double friction_demand(int interface_index) const noexcept { return demand_[interface_index]; }
    const std::optional<ValidityBreach>& breach() const noexcept { return breach_; }

    /// Notes |friction| / normal force where the contact pushes. `whole_n` scales what counts as nothing.
    void note_demand(const ContactForces<N>& contact, const Row<N>& friction, int n, double whole_n) noexcept {
        for (int k = 0; k < n; ++k)
            if (contact.normal_n[k] > 1e-6 * whole_n)
                demand_[k] = std::max(demand_[k], std::abs(friction[k]) / contact.normal_n[k]);
    }
    void note_demand_at_rest(double ratio, int n) noexcept {
        for (int k = 0; k < n; ++k) demand_[k] = std::max(demand_[k], ratio);
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
            if (std::isfinite(friction_ratio_) && normal > 0.0)
                consider(friction_ratio_ * normal - std::abs(friction[k]) / whole_n, k, Breach::slip);
        }
        return least;
    }

  private:
    bool is_on_;
    double friction_ratio_;
    Row<N> demand_{};
    std::optional<ValidityBreach> breach_;
};

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
Motion<N> between(const Motion<N>& from, const Motion<N>& to, double step_s, double sigma, int n) noexcept {
    Motion<N> motion;
    const double rest = 1.0 - sigma, bend = sigma * rest;
    for (int i = 0; i < n; ++i) {
        const double change = to.phi_rad[i] - from.phi_rad[i];
        const double from_bend = step_s * from.psi_rad_s[i] - change, to_bend = change - step_s * to.psi_rad_s[i];
        motion.phi_rad[i] = from.phi_rad[i] + sigma * change + bend * (rest * from_bend + sigma * to_bend);
        const double slope = (rest - sigma) * (rest * from_bend + sigma * to_bend) + bend * (to_bend - from_bend);
        motion.psi_rad_s[i] = (change + slope) / step_s;
    }
    return motion;
}

}  // namespace topple::solver

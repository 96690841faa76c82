#include "solver/laws/corner_impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace topple::solver {
namespace {

constexpr int kPiecesMax = 16;

/// dPt/dPn of one corner alone: friction against the slip, or what keeps a corner that does not slip from slipping.
double friction_slope(const Compliance& w, double slip_m_s, const ImpactRule& rule) noexcept {
    if (slip_m_s != 0.0) return -rule.kinetic_ratio * sign(slip_m_s);
    const double stick = -w.nt / w.tt;
    return std::abs(stick) <= rule.static_ratio ? stick : -rule.kinetic_ratio * sign(w.nt);
}

/// Two springs under the corners, followed over their deformation.
class TwoSprings {
  public:
    TwoSprings(const ImpactBody& body, const std::array<CornerArm, 2>& arms, const PlanarVelocity& before,
               const ImpactRule& rule, int steps) noexcept
        : body_(body),
          arms_(arms),
          rule_(rule),
          w_{compliance(body, arms[0], arms[0]), compliance(body, arms[1], arms[1])},
          stiffness_{1.0, rule.stiffness_ratio},  // their scale is that of the pseudo-time
          now_{before, {}, {}, {}, {}, 0.0, false} {
        double fastest = 0.0;
        for (std::size_t j = 0; j < 2; ++j) {
            const CornerVelocity u = at_corner(before, arms[j]);
            fastest = std::max(fastest, std::abs(u.normal_m_s));
            slips_[j] = u.tangential_m_s != 0.0;
        }
        const double n1 = rule.exponent + 1.0;
        const double hardest = std::max(1.0, rule.stiffness_ratio) * std::max(w_[0].nn, w_[1].nn);
        if (fastest > 0.0) step_ = 3.0 * std::pow(0.5 * n1 * fastest * fastest / hardest, 1.0 / n1) / (fastest * steps);
    }

    /// False: no corner is loaded any more.
    bool step() noexcept {
        std::array<double, 2> depth = depth_, pn{}, before{};
        bool loaded = false;
        const double e2 = rule_.restitution * rule_.restitution;
        for (std::size_t j = 0; j < 2; ++j) {
            const double u = before[j] = at_corner(now_.after, arms_[j]).normal_m_s;
            if (u >= 0.0 && (depth[j] <= 0.0 || e2 == 0.0)) {  // without restitution nothing is given back
                depth[j] = 0.0;
                continue;
            }
            loaded = true;
            // The depth belongs to the middle of the step: a leapfrog, of second order.
            const double rate = u < 0.0 ? -u : -u / e2;
            depth[j] = std::max(0.0, depth[j] + (depth[j] == 0.0 ? 0.5 : 1.0) * rate * step_);
            pn[j] = stiffness_[j] * std::pow(depth[j], rule_.exponent) * step_;
        }
        depth_ = depth;
        if (!loaded || step_ == 0.0) return false;
        CornerImpact next = pushed(pn, before);
        if (e2 == 0.0) {  // a compression ends at rest, not beyond
            double share = 1.0;
            for (std::size_t j = 0; j < 2; ++j) {
                const double after = at_corner(next.after, arms_[j]).normal_m_s;
                if (before[j] < 0.0 && after > 0.0) share = std::min(share, before[j] / (before[j] - after));
            }
            if (share < 1.0) next = pushed({share * pn[0], share * pn[1]}, before);
        }
        now_ = next;
        return true;
    }
    const CornerImpact& now() const noexcept { return now_; }

  private:
    /// The present impact with these normal impulses and the friction that goes with them.
    CornerImpact pushed(const std::array<double, 2>& pn, const std::array<double, 2>& normal_before) noexcept {
        CornerImpact next = now_;
        for (std::size_t j = 0; j < 2; ++j) push(next.after, body_, arms_[j], pn[j], 0.0);
        std::array<double, 2> pt{};
        for (int sweep = 0; sweep < 20; ++sweep) {
            double changed = 0.0;
            for (std::size_t j = 0; j < 2; ++j) {
                if (pn[j] == 0.0) continue;
                const double wanted = pt[j] - at_corner(next.after, arms_[j]).tangential_m_s / w_[j].tt;
                const double held = (slips_[j] ? rule_.kinetic_ratio : rule_.static_ratio) * pn[j];
                const double given =
                    std::abs(wanted) <= held ? wanted : std::copysign(rule_.kinetic_ratio * pn[j], wanted);
                push(next.after, body_, arms_[j], 0.0, given - pt[j]);
                changed = std::max(changed, std::abs(given - pt[j]));
                pt[j] = given;
            }
            if (changed <= 1e-12 * (pn[0] + pn[1])) break;
        }
        for (std::size_t j = 0; j < 2; ++j) {
            if (pn[j] == 0.0) continue;
            const CornerVelocity was = at_corner(now_.after, arms_[j]), is = at_corner(next.after, arms_[j]);
            slips_[j] = std::abs(pt[j]) >= rule_.kinetic_ratio * pn[j] && is.tangential_m_s != 0.0;
            const double work_j = 0.5 * (was.normal_m_s + is.normal_m_s) * pn[j];
            if (normal_before[j] < 0.0)
                next.compression_j[j] -= work_j;
            else
                next.restitution_j[j] += work_j;
            next.friction_j += 0.5 * (was.tangential_m_s + is.tangential_m_s) * pt[j];
            next.normal_n_s[j] += pn[j];
            next.tangential_n_s[j] += pt[j];
        }
        return next;
    }

    const ImpactBody& body_;
    const std::array<CornerArm, 2>& arms_;
    const ImpactRule& rule_;
    std::array<Compliance, 2> w_;
    std::array<double, 2> stiffness_, depth_{};
    std::array<bool, 2> slips_{};
    double step_ = 0.0;
    CornerImpact now_;
};

}  // namespace

CornerImpact single_impact(const ImpactBody& body, const std::array<CornerArm, 2>& arms, std::size_t side,
                           const PlanarVelocity& before, const ImpactRule& rule) noexcept {
    CornerImpact impact{before, {}, {}, {}, {}, 0.0, false};
    const CornerArm arm = arms[side], other = arms[1 - side];
    const Compliance w = compliance(body, arm, arm);
    CornerVelocity u = at_corner(before, arm);
    const double other_tolerance = 1e-12 * std::abs(u.normal_m_s);
    double& compressed_j = impact.compression_j[side];
    double& restored_j = impact.restitution_j[side];
    bool expands = false;
    for (int piece = 0; piece < kPiecesMax; ++piece) {
        if (!expands && !(u.normal_m_s < 0.0)) expands = true;
        const double wanted_j = rule.restitution * rule.restitution * compressed_j - restored_j;
        if (expands && !(wanted_j > 0.0)) break;
        const double kappa = friction_slope(w, u.tangential_m_s, rule);
        const double an = w.nn + kappa * w.nt;
        const bool sticks = u.tangential_m_s == 0.0 && std::abs(w.nt + kappa * w.tt) <= 1e-15 * w.tt;
        const double at = sticks ? 0.0 : w.nt + kappa * w.tt;
        // To the end of the phase; of the expansion: u d + an d^2 / 2 = wanted.
        double d =
            expands ? 2.0 * wanted_j /
                          (u.normal_m_s + std::sqrt(std::max(0.0, u.normal_m_s * u.normal_m_s + 2.0 * an * wanted_j)))
            : an > 0.0 ? -u.normal_m_s / an
                       : std::numeric_limits<double>::infinity();
        const bool slip_ends = u.tangential_m_s * at < 0.0 && -u.tangential_m_s / at < d;
        if (slip_ends) d = -u.tangential_m_s / at;
        if (!std::isfinite(d)) break;  // wedged: only with a friction beyond 4/3
        const double work_j = u.normal_m_s * d + 0.5 * an * d * d;
        (expands ? restored_j : compressed_j) += expands ? work_j : -work_j;
        impact.friction_j += kappa * (u.tangential_m_s * d + 0.5 * at * d * d);
        impact.normal_n_s[side] += d;
        impact.tangential_n_s[side] += kappa * d;
        push(impact.after, body, arm, d, kappa * d);
        const bool compression_ends = !expands && !slip_ends;
        u.normal_m_s = compression_ends ? 0.0 : u.normal_m_s + an * d;
        u.tangential_m_s = slip_ends ? 0.0 : u.tangential_m_s + at * d;
        impact.other_approached =
            impact.other_approached || at_corner(impact.after, other).normal_m_s < -other_tolerance;
        if (expands && !slip_ends) break;
        expands = expands || compression_ends;
    }
    return impact;
}

CornerImpact double_impact(const ImpactBody& body, const std::array<CornerArm, 2>& arms, const PlanarVelocity& before,
                           const ImpactRule& rule, int steps) noexcept {
    TwoSprings springs(body, arms, before, rule, steps);
    for (int count = 0; count < 1000 * steps && springs.step(); ++count) {
    }
    return springs.now();
}

}  // namespace topple::solver

#include "tests/bench/newmark_stack.hpp"

#include <algorithm>
#include <cmath>

namespace topple::bench {
namespace {

constexpr double kGravity = 9.81, kHalfPi = 1.5707963267948966, kTwoPi = 6.283185307179586;

struct State {
    double th1 = 0, th2 = 0, w1 = 0, w2 = 0, a1 = 0, a2 = 0;
};

/// Symbols as in the thesis, chapter 6: R, alpha per block; s1, s2 = -1 left, +1 right, 0 full.
struct Stack {
    double b, h1, h2, m1, m2, i1, i2, e, a0, w;
    int s1 = 0, s2 = 0;
    bool top_gone = false;

    double ug(double t) const { return t < kTwoPi / w ? a0 * std::sin(w * t) : 0.0; }

    struct Terms {
        double m11, m12, m22, dm12, px, pz, cx, cz;
    };
    Terms terms(int q1, int q2, double phi) const {
        const double c1x = -q1 * b / 2, c1z = h1 / 2, dx = (q2 - q1) * b / 2, dz = h1, cx = -q2 * b / 2, cz = h2 / 2;
        const double m = top_gone ? 0.0 : m2, dot = dx * cx + dz * cz, cross = dx * cz - dz * cx;
        return {i1 + m1 * (c1x * c1x + c1z * c1z) + m * (dx * dx + dz * dz),
                m * (dot * std::cos(phi) + cross * std::sin(phi)),
                i2 + m2 * (cx * cx + cz * cz),
                m * (-dot * std::sin(phi) + cross * std::cos(phi)),
                m1 * c1x + m * dx,
                m1 * c1z + m * dz,
                m2 * cx,
                m2 * cz};
    }
    void bias(const Terms& k, const State& x, double t, double& r1, double& r2) const {
        const double u = ug(t);
        r1 = k.dm12 * x.w2 * x.w2 - kGravity * (k.px * std::cos(x.th1) + k.pz * std::sin(x.th1)) +
             u * (k.pz * std::cos(x.th1) - k.px * std::sin(x.th1));
        r2 = -k.dm12 * x.w1 * x.w1 - kGravity * (k.cx * std::cos(x.th2) + k.cz * std::sin(x.th2)) +
             u * (k.cz * std::cos(x.th2) - k.cx * std::sin(x.th2));
    }
    /// Accelerations of the present configuration.
    void accelerate(State& x, double t) const {
        const int q2 = s2 == 0 ? s1 : s2;
        const Terms k = terms(s1 == 0 ? s2 : s1, q2, x.th2 - x.th1);
        double r1, r2;
        bias(k, x, t, r1, r2);
        x.a1 = x.a2 = 0;
        if (top_gone) {
            x.a1 = -r1 / k.m11;
        } else if (s2 == 0) {
            x.a1 = x.a2 = -(r1 + r2) / (k.m11 + 2 * k.m12 + k.m22);
        } else if (s1 == 0) {
            x.a2 = -r2 / k.m22;
        } else {
            const double det = k.m11 * k.m22 - k.m12 * k.m12;
            x.a1 = (-r1 * k.m22 + r2 * k.m12) / det;
            x.a2 = (-r2 * k.m11 + r1 * k.m12) / det;
        }
    }
    State moved(const State& from, double a1, double a2, double h) const {
        State to = from;
        to.w1 += h * 0.5 * (from.a1 + a1);
        to.w2 += h * 0.5 * (from.a2 + a2);
        to.th1 += h * from.w1 + h * h * 0.25 * (from.a1 + a1);
        to.th2 += h * from.w2 + h * h * 0.25 * (from.a2 + a2);
        return to;
    }
    /// One Newmark step (beta 1/4, gamma 1/2), Newton with a Jacobian by differences.
    State step(const State& from, double t, double h) const {
        double a1 = from.a1, a2 = from.a2;
        State to;
        for (int iteration = 0; iteration < 20; ++iteration) {
            to = moved(from, a1, a2, h);
            accelerate(to, t + h);
            const double f1 = to.a1 - a1, f2 = to.a2 - a2, nudge = 1e-4;
            State p = moved(from, a1 + nudge, a2, h), q = moved(from, a1, a2 + nudge, h);
            accelerate(p, t + h);
            accelerate(q, t + h);
            const double j11 = (p.a1 - to.a1) / nudge - 1, j21 = (p.a2 - to.a2) / nudge, j12 = (q.a1 - to.a1) / nudge,
                         j22 = (q.a2 - to.a2) / nudge - 1;
            const double det = j11 * j22 - j12 * j21, d1 = -(f1 * j22 - f2 * j12) / det,
                         d2 = -(f2 * j11 - f1 * j21) / det;
            a1 += d1;
            a2 += d2;
            if (std::abs(d1) + std::abs(d2) < 1e-10) break;
        }
        to = moved(from, a1, a2, h);
        to.a1 = a1;
        to.a2 = a2;
        return to;
    }
    double base_gap(const State& x) const { return s1 == 0 ? 1.0 : s1 * x.th1; }
    double top_gap(const State& x) const { return s2 == 0 || top_gone ? 1.0 : s2 * (x.th2 - x.th1); }

    /// Balance of angular momentum about the post-impact corners; q1, q2 after.
    void balance(State& x, int p1, int p2, int q1, int q2, bool lock, bool seat) const {
        const double m = top_gone ? 0.0 : m2, phi = x.th2 - x.th1, c = std::cos(phi), s = std::sin(phi);
        const auto mix = [&](double ux, double uz, double vx, double vz) {
            return (ux * vx + uz * vz) * c + (ux * vz - uz * vx) * s;
        };
        const double dxp = (p2 - p1) * b / 2, dxq = (q2 - q1) * b / 2, cp = -p2 * b / 2, cq = -q2 * b / 2;
        const double n11 = i1 + m1 * (p1 * q1 * b * b / 4 + h1 * h1 / 4) + m * (dxp * dxq + h1 * h1),
                     n12 = m * mix(dxq, h1, cp, h2 / 2), n21 = m * mix(dxp, h1, cq, h2 / 2),
                     n22 = i2 + m2 * (cp * cq + h2 * h2 / 4);
        const double l1 = n11 * x.w1 + n12 * x.w2, l2 = n21 * x.w1 + n22 * x.w2;
        const Terms k = terms(q1, q2, phi);
        if (top_gone) {
            x.w1 = l1 / k.m11;
        } else if (lock) {
            x.w1 = x.w2 = (l1 + l2) / (k.m11 + 2 * k.m12 + k.m22);
        } else if (seat) {
            x.w1 = 0;
            x.w2 = l2 / k.m22;
        } else {
            const double det = k.m11 * k.m22 - k.m12 * k.m12;
            x.w1 = (l1 * k.m22 - l2 * k.m12) / det;
            x.w2 = (l2 * k.m11 - l1 * k.m12) / det;
        }
    }
    void impact_top(State& x, double tolerance) {
        State stop = x, flip = x;
        balance(flip, s1, s2, s1, -s2, false, false);
        balance(stop, s1, s2, s1, s1, true, false);
        x.w1 = stop.w1 + e * (flip.w1 - stop.w1);
        x.w2 = stop.w2 + e * (flip.w2 - stop.w2);
        const bool opens = -s2 * (x.w2 - x.w1) > tolerance;
        s2 = opens ? -s2 : 0;
        if (!opens) x.w1 = x.w2 = stop.w1;
        x.th2 = x.th1;
    }
    void impact_base(State& x, double tolerance) {
        if (s2 == 0 && !top_gone) {
            State flip = x;
            balance(flip, s1, s1, -s1, -s1, true, false);
            x.w1 = x.w2 = e * flip.w1;
            s1 = -s1 * x.w1 > tolerance ? -s1 : 0;
            x.th1 = x.th2 = 0;
            if (s1 == 0) x.w1 = x.w2 = 0;
            return;
        }
        State stop = x, flip = x;
        balance(flip, s1, s2, -s1, s2, false, false);
        balance(stop, s1, s2, s1, s2, false, true);
        if (top_gone) stop.w1 = 0;
        x.w1 = e * flip.w1 + (1 - e) * stop.w1;
        x.w2 = stop.w2 + e * (flip.w2 - stop.w2);
        const bool opens = -s1 * x.w1 > tolerance;
        s1 = opens ? -s1 : 0;
        if (!opens) x.w1 = 0, x.w2 = stop.w2;
        x.th1 = 0;
    }
    /// Openings of 3 and 4, and from rest, tested at the end of a step.
    bool open(State& x, double t) {
        if (top_gone || (s1 != 0 && s2 != 0)) return false;
        for (const int side : {-1, 1}) {
            double r1, r2;
            const Terms k = terms(s1 == 0 ? side : s1, s2 == 0 ? side : s2, x.th2 - x.th1);
            bias(k, x, t, r1, r2);
            if (s2 == 0 && -side * (k.m12 * x.a1 + k.m22 * x.a1 + r2) > 0) return s2 = side, true;
            if (s1 == 0 && -side * (k.m12 * x.a2 + r1) > 0) return s1 = side, true;
        }
        return false;
    }
    bool leave_rest(double t) {
        const double u = ug(t), m = top_gone ? 0.0 : m2, height = m1 * h1 + m * (2 * h1 + h2);
        if (std::abs(u) * height <= kGravity * b * (m1 + m)) return false;
        s1 = u > 0 ? -1 : 1;
        return true;
    }
    bool stable(const State& x) const {
        const Terms k = terms(s1 == 0 ? s2 : s1, s2 == 0 ? s1 : s2, x.th2 - x.th1);
        const double m = top_gone ? 0.0 : m2, total = h1 + (top_gone ? 0.0 : h2);
        const double kinetic =
            0.5 * (k.m11 * x.w1 * x.w1 + (top_gone ? 0 : 2 * k.m12 * x.w1 * x.w2 + k.m22 * x.w2 * x.w2));
        const auto rise = [](double px, double pz, double th) { return -px * std::sin(th) - pz * (1 - std::cos(th)); };
        const double potential = kGravity * (rise(k.px, k.pz, x.th1) + (top_gone ? 0 : rise(k.cx, k.cz, x.th2)));
        const auto barrier = [&](double mass, double h) { return mass * kGravity * 0.5 * (std::hypot(b, h) - h); };
        double least = barrier(m1 + m, total);
        if (!top_gone) least = std::min(least, barrier(m2, h2));
        return kinetic + potential < 0.25 * least && std::abs(x.th1) < 0.1 && std::abs(x.th2) < 0.1;
    }
};

}  // namespace

NewmarkAnswer solve_by_newmark(const solver::Block& lower, const solver::Block& upper, double material,
                               double amplitude_m_s2, double angular_frequency_rad_s, double step_s) {
    const auto inertia = [](const solver::Block& k) {
        return k.mass_kg * (k.width_m * k.width_m + k.height_m * k.height_m) / 12;
    };
    Stack stack{lower.width_m,  lower.height_m, upper.height_m, lower.mass_kg,  upper.mass_kg,
                inertia(lower), inertia(upper), material,       amplitude_m_s2, angular_frequency_rad_s};
    const double p = std::sqrt(1.5 * kGravity / std::hypot(stack.b, stack.h1 + stack.h2));
    const double pulse_s = kTwoPi / angular_frequency_rad_s, window_s = pulse_s + 80 / p, slow = 1e-6 * p;
    State x;
    NewmarkAnswer answer;
    double t = 0;
    while (t < window_s) {
        ++answer.steps;
        if (stack.s1 == 0 && stack.s2 == 0) {
            if (t >= pulse_s) break;
            t += step_s;
            if (stack.leave_rest(t)) answer.uplifted = true, stack.accelerate(x, t);
            continue;
        }
        State to = stack.step(x, t, step_s);
        double h = step_s;
        const double base = stack.base_gap(to), top = stack.top_gap(to);
        if (base < 0 || top < 0) {
            const bool at_base = base < top;
            const auto gap = [&](const State& y) { return at_base ? stack.base_gap(y) : stack.top_gap(y); };
            double low = 0, high = step_s, g_low = gap(x), g_high = gap(to);
            for (int i = 0; i < 20 && g_low > 0 && high - low > 1e-9; ++i) {  // regula falsi, halved
                h = i % 2 == 0 ? low + (high - low) * g_low / (g_low - g_high) : 0.5 * (low + high);
                to = stack.step(x, t, h);
                (gap(to) > 0 ? low : high) = h;
                (gap(to) > 0 ? g_low : g_high) = gap(to);
            }
            at_base ? stack.impact_base(to, slow) : stack.impact_top(to, slow);
            stack.accelerate(to, t + h);
        }
        x = to;
        t += h;
        if (stack.s1 == 0 && stack.s2 == 0) continue;
        if (stack.open(x, t)) stack.accelerate(x, t);
        if (!stack.top_gone && std::abs(x.th2) >= kHalfPi) {
            answer.blocks_overturned = 1;
            stack.top_gone = true;
            stack.s2 = 0;
            x.th2 = x.w2 = x.a2 = 0;
            if (stack.s1 != 0) stack.accelerate(x, t);
        }
        if (std::abs(x.th1) >= kHalfPi) return answer.blocks_overturned = 2, answer;
        if (t >= pulse_s && stack.stable(x)) break;
    }
    return answer;
}

}  // namespace topple::bench

#include "solver/laws/slide_rock_modes.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {
namespace {

/// The corner over which kinetic friction of a face sliding with the sign `slip` tips the body, 0: none. Over the one
/// ahead (Yang (8)), or over the one behind if the mass centre is so far beyond it.
int slide_tips(const SlidingBody& body, int slip) noexcept {
    const std::size_t side = side_index(slip), behind = side_index(-slip);
    const double mu = body.friction.kinetic_ratio;
    if (mu * body.height_m[side] > body.reach_m[side] * (1.0 + kContactTolerance)) return slip;
    return mu * body.height_m[behind] < -body.reach_m[behind] * (1.0 - kContactTolerance) ? -slip : 0;
}

/// The corner over which a body tips whose face sticks, 0: none. `first`: the one to try first.
int stick_tips(const SlidingBody& body, int first, const SlideRockState& state, const Drive& drive) noexcept {
    for (const int side : {first, -first})
        if (side * sticking_response(body, side, state, drive).rotation_rad_s2 > 0.0) return side;
    return 0;
}

bool sticks(const SlidingBody& body, int support, const SlideRockState& state, const Drive& drive) noexcept {
    return stick_deficit_m_s2(body, support, state, drive) <= kContactTolerance * drive.vertical_m_s2;
}

SlideRockMode decide_rocking(const SlidingBody& body, int support, const SlideRockState& state,
                             const Drive& drive) noexcept {
    if (state.slip_rate_m_s != 0.0) {
        const int slip = sign_of(state.slip_rate_m_s);
        return {support, slip};
    }
    if (sticks(body, support, state, drive)) return {support, 0};
    const double friction = sticking_response(body, support, state, drive).friction_m_s2;
    return let_go(body, support, state, sign_of(friction));
}

}  // namespace

double stick_deficit_m_s2(const SlidingBody& body, int support, const SlideRockState& state,
                          const Drive& drive) noexcept {
    const SlideRockResponse r = sticking_response(body, support, state, drive);
    return std::abs(r.friction_m_s2) - body.friction.static_ratio * r.normal_m_s2;
}

RestBand rest_band(const SlidingBody& body, double vertical_m_s2) noexcept {
    const auto limit = [&](std::size_t side) {
        return vertical_m_s2 * std::min(body.friction.static_ratio, body.reach_m[side] / body.height_m[side]);
    };
    return {-limit(1), limit(0)};
}

SlideRockMode let_go(const SlidingBody& body, int support, const SlideRockState& state, int friction_sign) noexcept {
    const int slip = -friction_sign;
    const Vec2 r = centre_from_corner(body, support, state.rotation_rad);
    // A wedged foot cannot slip: it holds (docs/physics.md#sliding-and-rocking).
    return {support, slipping_inertia_m2(body, r, slip) > 0.0 ? slip : 0};
}

bool is_jammed(const SlidingBody& body, SlideRockMode mode, const SlideRockState& state, const Drive& drive) noexcept {
    if (mode.support == 0 || mode.slip == 0) return false;
    const Vec2 r = centre_from_corner(body, mode.support, state.rotation_rad);
    const bool pressed = drive.vertical_m_s2 > r.z * state.rate_rad_s * state.rate_rad_s;
    return pressed && slipping_inertia_m2(body, r, mode.slip) <= 0.0;
}

SlideRockState stopped_slip(const SlidingBody& body, int support, const SlideRockState& state) noexcept {
    const Vec2 r = centre_from_corner(body, support, state.rotation_rad);
    SlideRockState stopped = state;
    stopped.rate_rad_s += r.z * state.slip_rate_m_s / (body.inertia_kg_m2 / body.mass_kg + dot(r, r));
    stopped.slip_rate_m_s = 0.0;
    return stopped;
}

SlideRockMode leave_rest(const SlidingBody& body, int towards) noexcept {
    const std::size_t side = side_index(-towards);
    const bool tips_first = body.reach_m[side] / body.height_m[side] <= body.friction.static_ratio;
    if (tips_first) return {-towards, 0};
    return {0, -towards};
}

SlideRockMode decide_mode(const SlidingBody& body, int support, const SlideRockState& state,
                          const Drive& drive) noexcept {
    if (support != 0) return decide_rocking(body, support, state, drive);
    if (state.slip_rate_m_s != 0.0) {
        const int slip = sign_of(state.slip_rate_m_s);
        return {slide_tips(body, slip), slip};
    }
    const double u = drive.horizontal_m_s2;
    const RestBand band = rest_band(body, drive.vertical_m_s2);
    const double tolerance = kContactTolerance * drive.vertical_m_s2;
    if (u <= band.high_m_s2 + tolerance && u >= band.low_m_s2 - tolerance) return {0, 0};
    const int slips = u > 0.0 ? -1 : 1;
    const int tips = stick_tips(body, slips, state, drive);
    if (tips != 0 && sticks(body, tips, state, drive)) return {tips, 0};
    const int needed = tips == 0 ? 0 : sign_of(sticking_response(body, tips, state, drive).friction_m_s2);
    // With its mass centre beyond the face the body tips whether it slips or not; friction says which way.
    if (needed != 0 && (tips != slips || needed != -slips)) return let_go(body, tips, state, needed);
    if (const int over = slide_tips(body, slips)) return let_go(body, over, state, -slips);
    return {0, slips};
}

namespace {

/// Impact in the axes of the fall: rates and slip counted positive as the rotation before, so that one formula serves
/// both sides. Symbols: i = I/m, z height, x reach of the old corner, y of the new one, q where the vertical impulse
/// acts.
struct ImpactFrame {
    double i, z, x, y, q, mu_s, mu_k;
    double w, v;  // rate (> 0) and slip rate before

    struct After {
        double w, v;
    };
    double horizontal(const After& a) const noexcept { return a.v - v + z * (a.w - w); }  // impulse / mass
    double vertical(const After& a) const noexcept { return y * a.w + x * w; }
    double energy(double rate, double slip, double arm) const noexcept {
        const double vx = slip + z * rate;
        return 0.5 * (vx * vx + (i + arm * arm) * rate * rate);
    }
    bool dissipates(const After& a) const noexcept { return energy(a.w, a.v, y) <= energy(w, v, x) * (1.0 + 1e-12); }

    After stick() const noexcept { return {((i + z * z - q * x) * w + z * v) / (i + z * z + q * y), 0.0}; }
    /// Slip with the given sign throughout: horizontal impulse -slip mu_k times the vertical one.
    After slide(int slip) const noexcept {
        const double lever = q - slip * mu_k * z;
        if (i + lever * y <= 0.0) return {0.0, 0.0};  // wedged: no such slip
        const double rate = (i - lever * x) * w / (i + lever * y);
        const After a{rate, 0.0};
        return {rate, v - z * (rate - w) - slip * mu_k * vertical(a)};
    }
    /// Slip stops on the way; the rest of the impact slips the other way. The vertical impulse until then: `first`.
    After reverse() const noexcept {
        const int slip = sign_of(v);
        const double lever = q - slip * mu_k * z;
        const double first = std::abs(v) / (mu_k - slip * z * lever / i);
        const double w1 = w - lever * first / i;
        const double back = q + slip * mu_k * z;
        // The vertical impulse still missing: y w2 + x w = first + second, w2 = w1 - back second / i.
        const double second = (y * w1 + x * w - first) / (1.0 + y * back / i);
        const After a{w1 - back * second / i, 0.0};
        return {a.w, slip * second * (mu_k + slip * z * back / i)};
    }
};

/// The corner left behind does not lift: both corners take the vertical impulse, the rotation ends.
ImpactFrame::After stay_down(const ImpactFrame& f) noexcept {
    const double carried = f.v + f.z * f.w, rub = f.x * f.w;  // horizontal momentum and vertical impulse per mass
    if (std::abs(carried) <= f.mu_s * rub) return {0.0, 0.0};
    return {0.0, sign_of(carried) * std::max(0.0, std::abs(carried) - f.mu_k * rub)};
}

ImpactFrame::After resolve(const ImpactFrame& f) noexcept {
    using After = ImpactFrame::After;
    const double rest = 1e-15 * f.w;
    const After stick = f.stick();
    if (stick.w > rest && f.dissipates(stick) &&
        std::abs(f.horizontal(stick)) <= f.mu_s * f.vertical(stick) * (1.0 + kContactTolerance))
        return stick;
    if (stick.w <= rest && std::abs(f.v + f.z * f.w) <= f.mu_s * f.x * f.w) return {0.0, 0.0};
    const int before = f.v != 0.0 ? sign_of(f.v) : -sign_of(f.horizontal(stick));
    for (const int slip : {before, -before}) {
        const After slide = f.slide(slip);
        if (slide.w > rest && slip * slide.v > 0.0 && f.dissipates(slide)) return slide;
    }
    if (f.v != 0.0) {
        const After reversed = f.reverse();
        if (reversed.w > rest && before * reversed.v < 0.0 && std::isfinite(reversed.w) && f.dissipates(reversed))
            return reversed;
    }
    // Of a face that the mass centre has not reached: the fall is not on it, and the corner behind always lifts.
    if (f.q == f.y) return f.x > 0.0 ? stay_down(f) : stick;
    ImpactFrame at_corner = f;  // where another place of the impulse would raise the energy
    at_corner.q = f.y;
    return resolve(at_corner);
}

}  // namespace

SlideRockImpact slide_rock_impact(const SlidingBody& body, int support, double rate_rad_s,
                                  double slip_rate_m_s) noexcept {
    const std::size_t old_side = side_index(support), new_side = side_index(-support);
    const double turning = -support;  // sign of the rate before
    const double i = body.inertia_kg_m2 / body.mass_kg;
    const double z = 0.5 * (body.height_m[0] + body.height_m[1]);
    const double x = body.reach_m[old_side], y = body.reach_m[new_side];
    const double ratio = body.sticking_ratio[old_side];
    // A loss that no pushing impulse explains is taken afterwards; only of a face beside the mass centre.
    const double pushed = x + ratio * y;
    const double q = pushed > 0.0 ? (i + z * z) * (1.0 - ratio) / pushed : y;
    const double kept = pushed > 0.0 ? 1.0 : ratio * (i + z * z + y * y) / (i + z * z - x * y);
    const ImpactFrame frame{i,
                            z,
                            x,
                            y,
                            q,
                            body.friction.static_ratio,
                            body.friction.kinetic_ratio,
                            turning * rate_rad_s,
                            turning * slip_rate_m_s};
    const ImpactFrame::After after = resolve(frame);
    return {after.w > 0.0 ? -support : 0, turning * kept * after.w, turning * kept * after.v};
}

}  // namespace topple::solver

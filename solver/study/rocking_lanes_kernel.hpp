// The vectorised kernel of outcome maps. Included once per instruction set, by files that name its entry point.
//
// Each lane is one wave. Equation of a body resting on side s = -1 (left) or +1 (right), u = |theta| - alpha_s:
//   u'' = k_s [cos(seat) sin u - s (a(t) - sin(seat)) cos u]            docs/physics.md, single block
// One step is the Taylor series of order 16 of u', sin u and cos u (no trigonometric call: (sin u)' = u' cos u and so
// on) and of a (a'' = -frequency^2 a, or summed up for other pieces). The step is chosen from the last coefficients
// (Jorba & Zou 2005); impacts are roots of the series itself, so an event costs no accuracy. A lane that is finished
// takes the next point at once. Lanes are independent: results do not depend on the neighbours.
#pragma once

#include <math.h>

#include "solver/study/lane_vector.hpp"
#include "solver/study/rocking_lanes.hpp"

namespace topple::solver {
namespace {

inline constexpr int kOrder = 16;            // a power of two: the step needs a 16th root
inline constexpr double kTolerance = 1e-13;  // of a rate per step; amplified by less than 1e4 over a map's waves
inline constexpr double kHalfPi = 1.57079632679489661923;
inline constexpr double kRateFloor = 1e-13;    // slower than this after an impact: at rest (rounding)
inline constexpr unsigned kStepsMax = 200000;  // of one point; then the scalar solver takes over

/// The lanes' state, in memory between steps.
struct LaneState {
    LaneArray rotation, rate, sine, cosine;  // |theta|, its rate, sin u, cos u
    LaneArray base, base_slope;              // a, a'
    LaneArray frequency_squared;             // of a, in this piece and in p t
    LaneArray push;                          // -s k_s: how a acts
    LaneArray gravity;                       // k_s cos(seat)
    LaneArray time_left;                     // to the end of the piece
    LaneArray rate_slope_kept;               // 0 for the step from an uplift by crossing, where u'' = 0 exactly
    LaneArray escape_push, escape_energy;    // worst case of the rest of the wave: see escapes()
};

/// What only scalar code needs of a lane.
struct LaneBook {
    size_t point = 0;
    size_t piece = 0;
    double frequency_ratio = 0.0, amplitude = 0.0;  // a0/g
    double piece_time = 0.0;
    int side = 0;        // index: 0 left, 1 right
    bool fresh = false;  // has just left the seat: rotation = 0 is not an impact
    bool lifted = false; // ever
    bool busy = false;
    unsigned impacts = 0, steps = 0;
};

/// Taylor coefficients of one step, all lanes.
struct StepSeries {
    LaneArray rate[kOrder + 1], sine[kOrder + 1], cosine[kOrder + 1], base[kOrder + 1], slope[kOrder + 1];
    LaneArray rotation[kOrder + 2];
};

inline constexpr int sign_of(int side) { return side == 0 ? -1 : 1; }

class Kernel {
  public:
    Kernel(const LaneProblem& problem, const LanePoint* points, LaneOutcome* outcomes, size_t count)
        : p_(problem), points_(points), outcomes_(outcomes), count_(count) {}
    void run();

  private:
    // ---- one lane at a time ----
    void refill(int l);
    void finish(int l, LaneEnd end, int side);
    void make_idle(int l);
    bool enter_piece(int l);
    void enter_side(int l, int side);
    void rest(int l);
    bool find_uplift(int l);
    bool find_uplift_by_search(int l);
    double base_at(int l, double piece_time) const;
    void lift(int l, int side, bool by_crossing);
    void impact(int l, double rate_before);
    bool settles(int l, double rate) const;
    void decide(int l);
    void sum_up_base(int l);
    double base_threshold(int side) const;
    // ---- all lanes ----
    void expand();
    void choose_step();
    void advance();
    void after_step(int l);
    bool stays_up(int l) const;
    enum class Event { none, impact, fallen };
    Event first_event(int l, double& time) const;

    const LaneProblem& p_;
    const LanePoint* points_;
    LaneOutcome* outcomes_;
    size_t count_, next_ = 0;
    LaneState s_{};
    StepSeries c_{};
    LaneArray step_{}, doubt_{}, rest_{};
    LaneArray end_rotation_{}, end_rate_{}, end_sine_{}, end_cosine_{}, end_base_{}, end_slope_{};
    LaneBook book_[kLanes];
    int busy_ = 0;
};

// ---------------------------------------------------------------- all lanes

/// The recurrences: coefficient n + 1 from those up to n.
void Kernel::expand() {
    const Lanes push = Lanes::load(s_.push), gravity = Lanes::load(s_.gravity);
    const Lanes minus_f2 = Lanes::all(0.0) - Lanes::load(s_.frequency_squared);
    Lanes a = Lanes::load(s_.base), da = Lanes::load(s_.base_slope);
    a.store(c_.base[0]);
    da.store(c_.slope[0]);
    for (int n = 0; n < kOrder; ++n) {
        const double inverse = 1.0 / (n + 1);
        const Lanes next = da * inverse;
        da = minus_f2 * a * inverse;
        a = next;
        a.store(c_.base[n + 1]);
        da.store(c_.slope[n + 1]);
    }
    for (int l = 0; l < kLanes; ++l)
        if (book_[l].busy && !p_.pieces[book_[l].piece].oscillator) sum_up_base(l);
    LaneArray force[kOrder + 1];  // -s k (a - sin(seat))
    (push * (Lanes::load(c_.base[0]) - p_.seat_sine)).store(force[0]);
    for (int n = 1; n <= kOrder; ++n) (push * Lanes::load(c_.base[n])).store(force[n]);

    c_.rate[0] = s_.rate;
    c_.sine[0] = s_.sine;
    c_.cosine[0] = s_.cosine;
    c_.rotation[0] = s_.rotation;
    c_.rotation[1] = s_.rate;
#pragma GCC unroll 16
    for (int n = 0; n < kOrder; ++n) {
        const double inverse = 1.0 / (n + 1);
        Lanes rate = gravity * Lanes::load(c_.sine[n]);
        Lanes sine = Lanes::all(0.0), cosine = Lanes::all(0.0);
#pragma GCC unroll 16
        for (int j = 0; j <= n; ++j) {
            const Lanes w = Lanes::load(c_.rate[n - j]), cj = Lanes::load(c_.cosine[j]);
            rate = rate + Lanes::load(force[n - j]) * cj;
            sine = sine + w * cj;
            cosine = cosine - w * Lanes::load(c_.sine[j]);
        }
        rate = rate * inverse;
        if (n == 0) rate = rate * Lanes::load(s_.rate_slope_kept);
        rate.store(c_.rate[n + 1]);
        (rate * (1.0 / (n + 2))).store(c_.rotation[n + 2]);
        (sine * inverse).store(c_.sine[n + 1]);
        (cosine * inverse).store(c_.cosine[n + 1]);
    }
}

/// h such that the last terms of the rate are at the tolerance; cut at the end of the piece, and for a lane that has
/// just left its seat at 1.5 times the duration of a parabolic hop, so that the series resolves the hop.
void Kernel::choose_step() {
    const Lanes last = max(abs(Lanes::load(c_.rate[kOrder])), abs(Lanes::load(c_.rate[kOrder - 1])));
    const Lanes h = root16(Lanes::all(kTolerance) / (last + 1e-30)) * 0.92;
    min(h, Lanes::load(s_.time_left)).store(step_);
    for (int l = 0; l < kLanes; ++l) {
        const double rate = s_.rate.lane[l], bend = c_.rate[1].lane[l];
        if (book_[l].fresh && rate > 0.0 && bend < 0.0) {
            const double hop = -3.0 * rate / bend;
            if (hop < step_.lane[l]) step_.lane[l] = hop;
        }
    }
}

inline Lanes horner(const LaneArray* c, int order, const Lanes& t) {
    Lanes r = Lanes::load(c[order]);
#pragma GCC unroll 20
    for (int n = order - 1; n >= 0; --n) r = r * t + Lanes::load(c[n]);
    return r;
}

/// Values at the end of the step, and `doubt` > 0 where the rotation might leave (0, pi/2) inside it.
void Kernel::advance() {
    const Lanes h = Lanes::load(step_), zero = Lanes::all(0.0);
    horner(c_.rotation, kOrder + 1, h).store(end_rotation_);
    horner(c_.rate, kOrder, h).store(end_rate_);
    horner(c_.sine, kOrder, h).store(end_sine_);
    horner(c_.cosine, kOrder, h).store(end_cosine_);
    horner(c_.base, kOrder, h).store(end_base_);
    horner(c_.slope, kOrder, h).store(end_slope_);
    Lanes rest = abs(Lanes::load(c_.rotation[kOrder + 1]));
#pragma GCC unroll 20
    for (int n = kOrder; n >= 5; --n) rest = rest * h + abs(Lanes::load(c_.rotation[n]));
    const Lanes h2 = h * h, h4 = h2 * h2;
    rest = rest * h4 * h;
    rest.store(rest_);
    const Lanes first = Lanes::load(c_.rotation[1]) * h, second = Lanes::load(c_.rotation[2]) * h2;
    const Lanes bound = rest + abs(Lanes::load(c_.rotation[3])) * h2 * h + abs(Lanes::load(c_.rotation[4])) * h4;
    const Lanes least = Lanes::load(s_.rotation) + min(zero, first) + min(zero, second) - bound;
    const Lanes most = Lanes::load(s_.rotation) + max(zero, first) + max(zero, second) + bound;
    max(zero - least, most - kHalfPi).store(doubt_);
}

/// A lane that has just left its seat, where the rotation starts at 0: true if its leading term outweighs the others
/// over the whole step, so that it neither comes back nor falls.
bool Kernel::stays_up(int l) const {
    const double h = step_.lane[l], rest = rest_.lane[l];
    double term[5];
    double power = 1.0;
    for (int n = 1; n < 5; ++n) {
        power *= h;
        term[n] = c_.rotation[n].lane[l] * power;
    }
    int lead = 1;
    while (lead < 4 && term[lead] == 0.0) ++lead;
    double least = term[lead] - rest, most = fabs(term[lead]) + rest;
    for (int n = lead + 1; n < 5; ++n) {
        least += n == lead + 1 ? fmin(0.0, term[n]) : -fabs(term[n]);
        most += fabs(term[n]);
    }
    return least > 0.0 && most < kHalfPi;
}

/// Rest of the step's work of one lane: events, end of piece, end of wave, certain escape.
void Kernel::after_step(int l) {
    LaneBook& b = book_[l];
    ++b.steps;
    double time = step_.lane[l];
    s_.rate_slope_kept.lane[l] = 1.0;
    if (!(doubt_.lane[l] < 0.0) && !(b.fresh && stays_up(l))) {  // also NaN
        const Event event = first_event(l, time);
        if (event == Event::fallen) return finish(l, LaneEnd::overturning, b.side);
        if (event == Event::impact) {
            double a = 0.0, da = 0.0, rate = 0.0;
            for (int n = kOrder; n >= 0; --n) {
                a = a * time + c_.base[n].lane[l];
                da = da * time + c_.slope[n].lane[l];
                rate = rate * time + c_.rate[n].lane[l];
            }
            s_.base.lane[l] = a;
            s_.base_slope.lane[l] = da;
            s_.time_left.lane[l] -= time;
            b.piece_time += time;
            return impact(l, rate);
        }
    }
    b.fresh = false;
    s_.rotation.lane[l] = end_rotation_.lane[l];
    s_.rate.lane[l] = end_rate_.lane[l];
    s_.sine.lane[l] = end_sine_.lane[l];
    s_.cosine.lane[l] = end_cosine_.lane[l];
    s_.base.lane[l] = end_base_.lane[l];
    s_.base_slope.lane[l] = end_slope_.lane[l];
    s_.time_left.lane[l] -= time;
    b.piece_time += time;
    if (!(fabs(s_.rotation.lane[l]) < 10.0) || b.steps > kStepsMax) return finish(l, LaneEnd::unsolved, 0);
    // Even if the base pushed back with its strongest acceleration until the end, it would reach pi/2: the energy
    // rate^2/2k + cos(seat) cos u + B sin u does not fall while moving out, and it is above the barrier.
    const double k = p_.sides[b.side].stiffness_ratio, rate = s_.rate.lane[l];
    if (rate > 0.0 && 0.5 * rate * rate / k + p_.seat_cosine * s_.cosine.lane[l] +
                              s_.escape_push.lane[l] * s_.sine.lane[l] > s_.escape_energy.lane[l])
        return finish(l, LaneEnd::overturning, b.side);
    if (s_.time_left.lane[l] <= 0.0) {
        ++b.piece;
        if (!enter_piece(l)) decide(l);
    }
}

// ---------------------------------------------------------------- events of one lane

/// Value and slope of a polynomial.
struct Tangent {
    double value, slope;
};

inline Tangent tangent(const LaneArray* c, int order, int l, double t) {
    double value = c[order].lane[l], slope = 0.0;
    for (int n = order - 1; n >= 0; --n) {
        slope = slope * t + value;
        value = value * t + c[n].lane[l];
    }
    return {value, slope};
}

/// Zero of sign * polynomial in [low, high], positive at low and not at high: Newton from the far end, by bisection
/// where that leaves the bracket. To rounding of t.
inline double falling_root(const LaneArray* c, int order, int l, double sign, double low, double high) {
    double t = high;
    for (int i = 0; i < 200; ++i) {
        const Tangent f = tangent(c, order, l, t);
        if (sign * f.value > 0.0) low = t; else high = t;
        double next = t - f.value / f.slope;
        const bool is_settled = fabs(next - t) <= 4e-16 * high;
        if (is_settled) return t;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (!(next > low && next < high)) return high;
        t = next;
    }
    return t;
}

/// The first time in (0, step] at which the body meets its seat or falls. Eighths of the step, and the extremes of
/// the rotation inside them, so that no dip is missed.
Kernel::Event Kernel::first_event(int l, double& time) const {
    LaneArray at, rotation, rate;
    for (int i = 0; i < kLanes; ++i) at.lane[i] = step_.lane[l] * (i + 1) / kLanes;
    const Lanes t = Lanes::load(at);
    Lanes value = Lanes::all(c_.rotation[kOrder + 1].lane[l]), slope = Lanes::all(0.0);
    for (int n = kOrder; n >= 0; --n) {
        slope = slope * t + value;
        value = value * t + c_.rotation[n].lane[l];
    }
    value.store(rotation);
    slope.store(rate);
    double t0 = 0.0, rate0 = s_.rate.lane[l];
    for (int i = 0; i < kLanes; ++i) {
        const double t1 = at.lane[i], rotation1 = rotation.lane[i], rate1 = rate.lane[i];
        double touch = -1.0;
        if (rotation1 <= 0.0) {
            touch = t1;
        } else if (rate0 < 0.0 && rate1 > 0.0) {
            const double lowest = falling_root(c_.rate, kOrder, l, -1.0, t0, t1);
            if (tangent(c_.rotation, kOrder + 1, l, lowest).value <= 0.0) touch = lowest;
        }
        if (touch >= 0.0) {
            time = falling_root(c_.rotation, kOrder + 1, l, 1.0, t0, touch);
            return Event::impact;
        }
        if (rotation1 >= kHalfPi) return Event::fallen;
        if (rate0 > 0.0 && rate1 < 0.0) {
            const double highest = falling_root(c_.rate, kOrder, l, 1.0, t0, t1);
            if (tangent(c_.rotation, kOrder + 1, l, highest).value >= kHalfPi) return Event::fallen;
        }
        t0 = t1;
        rate0 = rate1;
    }
    return Event::none;
}

void Kernel::impact(int l, double rate_before) {
    LaneBook& b = book_[l];
    ++b.impacts;
    const double rate = p_.sides[b.side].restitution * (rate_before < 0.0 ? -rate_before : 0.0);
    enter_side(l, 1 - b.side);
    if (rate <= kRateFloor || settles(l, rate)) return rest(l);
    s_.rate.lane[l] = rate;
    b.fresh = true;
}

/// True if the hops that follow an impact with this rate end before the base can lift the body again. With the
/// downward acceleration staying above K/2 all hops last less than 4 rate / (K (1 - r)) together.
bool Kernel::settles(int l, double rate) const {
    const LaneBook& b = book_[l];
    double down = 1e300;
    for (int side = 0; side < 2; ++side)
        down = fmin(down, p_.sides[side].stiffness_ratio * p_.sides[side].cosine *
                              (base_threshold(side) + sign_of(side) * s_.base.lane[l]));
    const double r = fmax(p_.sides[0].restitution, p_.sides[1].restitution);
    if (down <= 0.0 || r >= 1.0) return false;
    const double duration = 4.0 * rate / (down * (1.0 - r));
    const double stiffness = fmax(p_.sides[0].stiffness_ratio, p_.sides[1].stiffness_ratio);
    const double drift = stiffness * b.amplitude * b.frequency_ratio * p_.pieces[b.piece].slope_peak * duration;
    const double lowering = 2.0 * stiffness * rate * rate / down;  // of the weight's moment by the rotation itself
    return duration < s_.time_left.lane[l] && drift + lowering < 0.25 * down;
}

// ---------------------------------------------------------------- rest and uplift of one lane

/// Base acceleration over g, towards -side, above which the body leaves rest to that side.
double Kernel::base_threshold(int side) const {
    return p_.seat_cosine * p_.sides[side].sine / p_.sides[side].cosine - sign_of(side) * p_.seat_sine;
}

void Kernel::enter_side(int l, int side) {
    const LaneSide& of = p_.sides[side];
    book_[l].side = side;
    s_.rotation.lane[l] = 0.0;
    s_.sine.lane[l] = -of.sine;
    s_.cosine.lane[l] = of.cosine;
    s_.push.lane[l] = -sign_of(side) * of.stiffness_ratio;
    s_.gravity.lane[l] = of.stiffness_ratio * p_.seat_cosine;
}

/// Leaves rest: by a jump of the base acceleration, or where it crosses the threshold (there u'' = 0).
void Kernel::lift(int l, int side, bool by_crossing) {
    LaneBook& b = book_[l];
    enter_side(l, side);
    s_.rate.lane[l] = 0.0;
    s_.rate_slope_kept.lane[l] = by_crossing ? 0.0 : 1.0;
    b.impacts = 0;
    b.fresh = b.lifted = true;
}

/// The body rests: go to its next uplift, or to the end of the wave.
void Kernel::rest(int l) {
    while (!find_uplift(l)) {
        ++book_[l].piece;
        if (!enter_piece(l)) return finish(l, book_[l].lifted ? LaneEnd::rocking : LaneEnd::rest, 0);
    }
}

bool Kernel::find_uplift(int l) {
    LaneBook& b = book_[l];
    const ShapePiece& piece = p_.pieces[b.piece];
    const double a = s_.base.lane[l], slope = s_.base_slope.lane[l], left = s_.time_left.lane[l];
    const double limit[2] = {base_threshold(0), base_threshold(1)};  // left lifts above limit[0], right below -limit[1]
    const double tiny = 4e-16 * fmax(limit[0], limit[1]);
    if (a > limit[0] + tiny) return lift(l, 0, false), true;
    if (a < -limit[1] - tiny) return lift(l, 1, false), true;
    if (!piece.oscillator) return find_uplift_by_search(l);
    const double f2 = s_.frequency_squared.lane[l], f = ::sqrt(f2);
    double first = left;
    int first_side = -1;
    double first_base = 0.0, first_slope = 0.0;
    for (int side = 0; side < 2; ++side) {
        const double target = -sign_of(side) * limit[side];
        double t, slope_there;
        if (f2 == 0.0) {
            if (slope * (side == 0 ? 1.0 : -1.0) <= 0.0) continue;
            t = (target - a) / slope;
            slope_there = slope;
        } else {
            const double radius = hypot(a, slope / f);
            if (!(radius > fabs(target) * (1.0 + 4e-16))) continue;
            // a = radius sin(phase): rising through target for side 0, falling for side 1
            const double inside = ::sqrt((radius - fabs(target)) * (radius + fabs(target)));
            const double there = atan2(target, side == 0 ? inside : -inside);
            double angle = there - atan2(a, slope / f);
            if (angle < -1e-12) angle += 4.0 * kHalfPi;
            t = angle / f;
            slope_there = (side == 0 ? f : -f) * inside;
        }
        if (t < 0.0) t = 0.0;
        if (t < first) first = t, first_side = side, first_base = target, first_slope = slope_there;
    }
    if (first_side < 0) return false;
    s_.base.lane[l] = first_base;
    s_.base_slope.lane[l] = first_slope;
    s_.time_left.lane[l] -= first;
    b.piece_time += first;
    lift(l, first_side, true);
    return true;
}

/// Base acceleration of a piece that is no oscillator.
double Kernel::base_at(int l, double piece_time) const {
    const ShapePiece& piece = p_.pieces[book_[l].piece];
    const double x = piece_time * book_[l].frequency_ratio;
    double w = ((piece.polynomial[3] * x + piece.polynomial[2]) * x + piece.polynomial[1]) * x + piece.polynomial[0];
    for (int i = 0; i < piece.harmonic_count; ++i) {
        const ShapeHarmonic& h = piece.harmonics[i];
        w += (h.sine[0] + h.sine[1] * x) * ::sin(h.frequency * x) + (h.cosine[0] + h.cosine[1] * x) * ::cos(h.frequency * x);
    }
    return w * book_[l].amplitude;
}

/// Uplift in a piece that is no oscillator: a scan at 64 instants per period of the fastest harmonic, then bisection.
bool Kernel::find_uplift_by_search(int l) {
    LaneBook& b = book_[l];
    const ShapePiece& piece = p_.pieces[b.piece];
    double fastest = 2.0 * kHalfPi / piece.length;
    for (int i = 0; i < piece.harmonic_count; ++i) fastest = fmax(fastest, piece.harmonics[i].frequency);
    const double length = piece.length / b.frequency_ratio;
    const double stride = 4.0 * kHalfPi / fastest / b.frequency_ratio / 64.0;
    const auto lifting_side = [&](double t) {
        const double a = base_at(l, t);
        return a > base_threshold(0) ? 0 : a < -base_threshold(1) ? 1 : -1;
    };
    double low = b.piece_time;
    while (low < length) {
        double high = fmin(low + stride, length);
        if (lifting_side(high) >= 0) {
            while (true) {
                const double middle = 0.5 * (low + high);
                if (!(middle > low && middle < high)) break;
                (lifting_side(middle) >= 0 ? high : low) = middle;
            }
            s_.time_left.lane[l] = length - high;
            b.piece_time = high;
            const int side = lifting_side(high);
            s_.base.lane[l] = -sign_of(side) * base_threshold(side);
            lift(l, side, true);
            return true;
        }
        low = high;
    }
    return false;
}

/// Taylor coefficients in p t of the base acceleration of a piece that is no oscillator, about piece_time.
void Kernel::sum_up_base(int l) {
    const LaneBook& b = book_[l];
    const ShapePiece& piece = p_.pieces[b.piece];
    const double x = b.piece_time * b.frequency_ratio;
    double w[kOrder + 1] = {};
    for (int n = 0; n < 4; ++n) {  // binomial shift of the cubic
        const double c = piece.polynomial[n];
        w[0] += n == 0 ? c : n == 1 ? c * x : n == 2 ? c * x * x : c * x * x * x;
        if (n >= 1) w[1] += n == 1 ? c : n == 2 ? 2.0 * c * x : 3.0 * c * x * x;
        if (n >= 2) w[2] += n == 2 ? c : 3.0 * c * x;
        if (n == 3) w[3] += c;
    }
    for (int i = 0; i < piece.harmonic_count; ++i) {
        const ShapeHarmonic& h = piece.harmonics[i];
        double sine = ::sin(h.frequency * x), cosine = ::cos(h.frequency * x), sine_before = 0.0, cosine_before = 0.0;
        for (int n = 0; n <= kOrder; ++n) {
            w[n] += (h.sine[0] + h.sine[1] * x) * sine + h.sine[1] * sine_before;
            w[n] += (h.cosine[0] + h.cosine[1] * x) * cosine + h.cosine[1] * cosine_before;
            sine_before = sine;
            cosine_before = cosine;
            sine = h.frequency / (n + 1) * cosine_before;
            cosine = -h.frequency / (n + 1) * sine_before;
        }
    }
    double scale = b.amplitude;
    for (int n = 0; n <= kOrder; ++n) {
        c_.base[n].lane[l] = scale * w[n];
        scale *= b.frequency_ratio;
    }
    c_.base[0].lane[l] = s_.base.lane[l] = base_at(l, b.piece_time);
    for (int n = 0; n < kOrder; ++n) c_.slope[n].lane[l] = (n + 1) * c_.base[n + 1].lane[l];
    c_.slope[kOrder].lane[l] = 0.0;
}

// ---------------------------------------------------------------- start and end of one lane

/// Takes up the base acceleration of the present piece. False after the last one.
bool Kernel::enter_piece(int l) {
    LaneBook& b = book_[l];
    if (b.piece >= p_.piece_count) return false;
    const ShapePiece& piece = p_.pieces[b.piece];
    b.piece_time = 0.0;
    s_.time_left.lane[l] = piece.length / b.frequency_ratio;
    s_.frequency_squared.lane[l] = piece.frequency_squared * b.frequency_ratio * b.frequency_ratio;
    s_.base.lane[l] = piece.oscillator ? piece.value * b.amplitude : base_at(l, 0.0);
    s_.base_slope.lane[l] = piece.slope * b.amplitude * b.frequency_ratio;
    const double worst = piece.peak_from_here * b.amplitude + fabs(p_.seat_sine);
    s_.escape_push.lane[l] = worst;
    s_.escape_energy.lane[l] = ::sqrt(p_.seat_cosine * p_.seat_cosine + worst * worst) * (1.0 + 1e-12);
    return true;
}

/// Gives a lane the next point that needs integration; points that are answered at once are answered here.
void Kernel::refill(int l) {
    while (!book_[l].busy && next_ < count_) {
        LaneBook& b = book_[l];
        b = LaneBook{};
        b.point = next_++;
        b.busy = true;
        ++busy_;
        b.frequency_ratio = points_[b.point].frequency_ratio;
        b.amplitude = points_[b.point].amplitude_ratio * p_.amplitude_unit;
        s_.rate_slope_kept.lane[l] = 1.0;
        s_.rate.lane[l] = 0.0;
        const bool moving = enter_piece(l);
        if (p_.initial_rotation_rad == 0.0) {
            enter_side(l, 0);
            if (moving) rest(l);
            else finish(l, LaneEnd::rest, 0);
            continue;
        }
        const int side = p_.initial_rotation_rad < 0.0 ? 0 : 1;
        enter_side(l, side);
        const double rotation = fabs(p_.initial_rotation_rad), u = rotation - p_.sides[side].slenderness_rad;
        s_.rotation.lane[l] = rotation;
        s_.sine.lane[l] = ::sin(u);
        s_.cosine.lane[l] = ::cos(u);
        b.lifted = true;
        if (!moving) decide(l);
    }
}

void Kernel::finish(int l, LaneEnd end, int side) {
    LaneBook& b = book_[l];
    LaneOutcome& to = outcomes_[b.point];
    to.end = end;
    to.steps = b.steps;
    const bool fell = end == LaneEnd::overturning;
    to.side = static_cast<signed char>(fell ? sign_of(side) : 0);
    to.impacts = fell ? b.impacts : 0;
    b.busy = false;
    --busy_;
    make_idle(l);
}

/// An idle lane is stepped along with the others: keep it harmless.
void Kernel::make_idle(int l) {
    s_.rotation.lane[l] = 1.0;
    s_.rate.lane[l] = s_.sine.lane[l] = s_.base.lane[l] = s_.base_slope.lane[l] = 0.0;
    s_.cosine.lane[l] = 1.0;
    s_.time_left.lane[l] = 1.0;
}

/// The base moves at constant velocity for good: the energy rate^2/2k + cos(u + s seat) is kept between impacts and
/// the barrier is 1 on either side. Impact by impact until the body falls or cannot pass any barrier.
void Kernel::decide(int l) {
    LaneBook& b = book_[l];
    int side = b.side;
    double tilt = sign_of(side) * asin(p_.seat_sine);
    double u = s_.rotation.lane[l] - p_.sides[side].slenderness_rad + tilt;  // 0: on the barrier
    double rate = s_.rate.lane[l];
    double excess = 0.5 * rate * rate / p_.sides[side].stiffness_ratio - 2.0 * ::sin(0.5 * u) * ::sin(0.5 * u);
    if (u >= 0.0 && (rate >= 0.0 || excess < 0.0)) return finish(l, LaneEnd::overturning, side);
    if (u < 0.0 && rate > 0.0 && excess >= 0.0) return finish(l, LaneEnd::overturning, side);
    const double seat[2] = {p_.sides[0].slenderness_rad + asin(p_.seat_sine),
                            p_.sides[1].slenderness_rad - asin(p_.seat_sine)};
    double needed = 1e300;  // rate^2/2 below which no barrier is passed any more
    double depth[2];
    for (int i = 0; i < 2; ++i) {
        if (seat[i] <= 0.0) return finish(l, LaneEnd::overturning, i);  // the seat is steeper than the body is slender
        depth[i] = 2.0 * ::sin(0.5 * seat[i]) * ::sin(0.5 * seat[i]);
        needed = fmin(needed, p_.sides[i].stiffness_ratio * depth[i]);
    }
    double half_rate_squared = p_.sides[side].stiffness_ratio * (excess + depth[side]);
    for (int hop = 0; hop < 10000 && half_rate_squared > needed; ++hop) {
        const double r = fmax(p_.sides[side].restitution, 0.0);
        side = 1 - side;
        ++b.impacts;
        half_rate_squared *= r * r;
        if (half_rate_squared >= p_.sides[side].stiffness_ratio * depth[side])
            return finish(l, LaneEnd::overturning, side);
    }
    finish(l, LaneEnd::rocking, 0);
}

void Kernel::run() {
    for (int l = 0; l < kLanes; ++l) {
        make_idle(l);
        refill(l);
    }
    while (busy_ > 0) {
        expand();
        choose_step();
        advance();
        for (int l = 0; l < kLanes; ++l) {
            if (!book_[l].busy) continue;
            after_step(l);
            if (!book_[l].busy) refill(l);
        }
    }
}

}  // namespace
}  // namespace topple::solver

// One step of all record lanes: Taylor series of u', sin u, cos u by the recurrences of series.hpp, as long as the
// piece or as the last terms allow.
#pragma once

#include "solver/lanes/record_kernel.hpp"

namespace topple::solver {
namespace {

using RegisterMask = decltype(Register{} < Register{});

/// One bit per lane of a register: set where the comparison held.
inline unsigned bits_of(const RegisterMask& mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(__builtin_ia32_movmskpd256((double __attribute__((vector_size(32))))mask));
#elif defined(__SSE2__)
    return static_cast<unsigned>(__builtin_ia32_movmskpd((double __attribute__((vector_size(16))))mask));
#else
    unsigned bits = 0;
    for (int i = 0; i < kRegisterBytes / 8; ++i) bits |= (mask[i] != 0 ? 1U : 0U) << i;
    return bits;
#endif
}
inline Register least_of(const Register& a, const Register& b) { return a < b ? a : b; }
inline Register most_of(const Register& a, const Register& b) { return a > b ? a : b; }
inline Register size_of(const Register& a) { return most_of(a, -a); }

/// Taylor series of one step of a register's lanes: u', sin u, cos u.
struct RegisterSeries {
    static constexpr int kN = kRecordOrder;
    Register w[kN + 1], s[kN + 1], c[kN + 1];

    /// Coefficients from those of order 0; `f` are those of the base's push, `kept` multiplies the first slope of u'.
    template <int kForces>
    void expand(const Register (&f)[kForces], const Register& gravity, const Register& kept) {
#pragma GCC unroll 8
        for (int n = 0; n < kN; ++n) {
            Register force = gravity * s[n], sine = w[0] * c[n], cosine = w[0] * s[n];
#pragma GCC unroll 8
            for (int j = 0; j < kForces; ++j)
                if (j <= n) force += f[j] * c[n - j];
#pragma GCC unroll 8
            for (int j = 1; j <= n; ++j) sine += w[j] * c[n - j], cosine += w[j] * s[n - j];
            w[n + 1] = force * (1.0 / (n + 1));
            if (n == 0) w[1] *= kept;
            s[n + 1] = sine * (1.0 / (n + 1));
            c[n + 1] = cosine * (-1.0 / (n + 1));
        }
    }

    /// At most `h`, halved until the last terms of u' are below `allowed`.
    Register step(Register h, const Register& allowed, const Register& quickest) const {
        static_assert(kN == 6);
        const Register last = size_of(w[kN]), last_but_one = size_of(w[kN - 1]);
        for (int halvings = 0; halvings < 60; ++halvings) {
            const Register h2 = h * h, ph = quickest * h;
            const Register error = most_of(last * h, last_but_one * ph) * (h2 * h2 * h) * ph;
            const RegisterMask is_long = error > allowed;
            if (bits_of(is_long) == 0) break;
            h = is_long ? h * 0.5 : h;
        }
        return h;
    }

    static Register sum(const Register (&of)[kN + 1], const Register& h) {
        Register sum = of[kN];
#pragma GCC unroll 8
        for (int n = kN - 1; n >= 0; --n) sum = sum * h + of[n];
        return sum;
    }
    /// Of the rotation within the step.
    Register gain(const Register& h) const {
        Register sum = w[kN] * (1.0 / (kN + 1));
#pragma GCC unroll 8
        for (int n = kN - 1; n >= 0; --n) sum = sum * h + w[n] * (1.0 / (n + 1));
        return sum * h;
    }
    /// Between the ends of the step the rotation leaves their chord by no more: h^2/8 times a bound of u''.
    Register bulge(const Register& h) const {
        Register bend = size_of(w[kN]) * kN;
#pragma GCC unroll 8
        for (int n = kN - 1; n >= 1; --n) bend = bend * h + size_of(w[n]) * n;
        return bend * h * h * 0.125;
    }
};

/// Taylor coefficients of -s k (a A/g - sin(seat)) from the present place in the piece on.
template <int kForces>
inline void RecordKernel::forces(int part, Register (&f)[kForces]) {
    const auto of = [part](LaneArray& lanes) -> Register& { return part_of(lanes, part); };
    const Register x = of(s_.passed), push = of(s_.push);
#pragma GCC unroll 8
    for (int n = 0; n < kForces; ++n) f[n] = of(s_.base[n]);
#pragma GCC unroll 8
    for (int lowest = 0; lowest + 1 < kForces; ++lowest)
#pragma GCC unroll 8
        for (int n = kForces - 1; n > lowest; --n) f[n - 1] += x * f[n];
#pragma GCC unroll 8
    for (int n = 0; n < kForces; ++n) f[n] *= push;
    f[0] += of(s_.tilt);
}

/// Step of a register's lanes, in place. A bit for each lane that has to be looked at: it might have met a face or
/// fallen, or it has turned higher than before, or it is no number.
template <bool is_linear>
inline unsigned RecordKernel::step_part(int part) {
    const auto of = [part](LaneArray& lanes) -> Register& { return part_of(lanes, part); };
    Register f[is_linear ? 2 : kRecordTerms];
    forces(part, f);
    RegisterSeries series;
    series.w[0] = of(s_.rate), series.s[0] = of(s_.sine), series.c[0] = of(s_.cosine);
    series.expand(f, of(s_.gravity), of(s_.rate_slope_kept));
    const Register x = of(s_.passed), left = of(s_.left), rotation = of(s_.rotation);
    const Register longest = least_of(left, of(s_.step_max)), allowed = of(s_.rate_unit) * kRecordTolerance;
    const Register h = series.step(longest, allowed, of(s_.quickest));
    const Register r1 = series.gain(h) + rotation, w1 = RegisterSeries::sum(series.w, h), bulge = series.bulge(h);
    const Register least = least_of(rotation, r1) - bulge, most = most_of(rotation, r1) + bulge;
    const Register inverse_alpha = of(s_.inverse_alpha), peak = of(s_.peak);
    const Register origin = of(s_.origin);
    const RegisterMask is_clear = (least > of(s_.low)) & (most < of(s_.high));
    const RegisterMask turns = (series.w[0] > 0.0) & (w1 <= 0.0) & ((most + origin) * inverse_alpha > peak);

    of(step_.rotation) = rotation;
    for (int n = 0; n <= kRecordOrder; ++n) of(step_.rate[n]) = series.w[n];
    of(step_.length) = h, of(step_.passed) = x, of(step_.left) = left;
    of(s_.rotation) = r1, of(s_.rate) = w1;
    of(s_.sine) = RegisterSeries::sum(series.s, h), of(s_.cosine) = RegisterSeries::sum(series.c, h);
    of(s_.passed) = x + h, of(s_.left) = left - h;
    of(s_.rate_slope_kept) = Register{} + 1.0;
    of(s_.peak) = is_clear ? most_of(peak, (r1 + origin) * inverse_alpha) : peak;
    return bits_of(~is_clear | turns);
}

template <bool is_linear>
void RecordKernel::step_all() {
    unsigned looked = 0;
#pragma GCC unroll 4
    for (int part = 0; part < kRegisters; ++part) looked |= step_part<is_linear>(part) << (part * kRegisterBytes / 8);
    for (; looked != 0; looked &= looked - 1) look(__builtin_ctz(looked));
    for (int l = 0; l < kLanes; ++l)
        if (s_.left.lane[l] <= 0.0) go_on(l);
}

/// The lane's piece has ended.
void RecordKernel::go_on(int l) {
    const size_t next = book_[l].piece + 1;
    if (next < track_.piece_count) return enter_piece(l, next);
    end_of_record(l);
    refill(l);
}

}  // namespace
}  // namespace topple::solver

#include "solver/motion/excitation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/numerics/root_find.hpp"

namespace topple::solver {

namespace {
constexpr double kSamplesPerPeriod = 20.0;
constexpr double kTwoPi = 6.283185307179586;
constexpr double kStepOfPeriod = 0.2;

/// Of a piece's acceleration, m/s3.
double slope_of(const MotionPiece& piece, double time_s) noexcept {
    const double tau = time_s - piece.start_s;
    const auto& c = piece.polynomial;
    double slope = c[1] + tau * (2.0 * c[2] + tau * 3.0 * c[3]);
    for (const HarmonicTerm& term : piece.harmonics) {
        const double w = term.angular_frequency_rad_s;
        const double sine = term.sine_m_s2[0] + term.sine_m_s2[1] * tau;
        const double cosine = term.cosine_m_s2[0] + term.cosine_m_s2[1] * tau;
        slope +=
            (term.sine_m_s2[1] - w * cosine) * std::sin(w * tau) + (term.cosine_m_s2[1] + w * sine) * std::cos(w * tau);
    }
    return slope;
}

bool is_straight(const MotionPiece* piece) noexcept {
    return piece == nullptr || (piece->polynomial[2] == 0.0 && piece->polynomial[3] == 0.0);
}
}  // namespace

Excitation::Excitation(const BasePieces& pieces, double gravity_m_s2, double tilt_rad) noexcept
    : piece_(pieces.horizontal),
      vertical_(pieces.vertical),
      offset_m_s2_(tilt_rad == 0.0 ? 0.0 : -gravity_m_s2 * std::sin(tilt_rad)),
      still_vertical_m_s2_(gravity_m_s2 * std::cos(tilt_rad)),
      sine_(0.0),
      cosine_(1.0),
      step_max_s_(std::numeric_limits<double>::infinity()) {
    if (vertical_ != nullptr && tilt_rad != 0.0) {
        sine_ = std::sin(tilt_rad);
        cosine_ = std::cos(tilt_rad);
    }
    for (const MotionPiece* piece : {piece_, vertical_}) {
        if (piece == nullptr) continue;
        for (const HarmonicTerm& term : piece->harmonics)
            step_max_s_ = std::min(step_max_s_, kStepOfPeriod * kTwoPi / term.angular_frequency_rad_s);
    }
}

double Excitation::slope(double time_s) const noexcept { return slope_of(*piece_, time_s); }

double Excitation::bound(double time_s) const noexcept {
    const double tau = time_s - piece_->start_s;
    const auto& c = piece_->polynomial;
    double bound = std::abs(offset_m_s2_) + std::abs(c[0]) +
                   tau * (std::abs(c[1]) + tau * (std::abs(c[2]) + tau * std::abs(c[3])));
    for (const HarmonicTerm& term : piece_->harmonics)
        bound += std::hypot(term.sine_m_s2[0], term.cosine_m_s2[0]) +
                 tau * std::hypot(term.sine_m_s2[1], term.cosine_m_s2[1]);
    return bound;
}

std::optional<Excitation::Exit> Excitation::first_exit(double from_s, double until_s, double low_m_s2, double high_m_s2,
                                                       double tolerance_m_s2) const noexcept {
    const Band band{low_m_s2, high_m_s2, tolerance_m_s2};
    if (vertical_ == nullptr) {
        if (piece_ == nullptr) return exit_between(from_s, from_s, band);
        if (bound(until_s) <= std::min(-low_m_s2, high_m_s2)) return std::nullopt;
    }
    const double count = samples(from_s, until_s);
    double left = from_s;
    for (double i = 1.0; i <= count; i += 1.0) {
        const double right = i == count ? until_s : from_s + (until_s - from_s) * (i / count);
        const auto exit = vertical_ == nullptr ? exit_between(left, right, band) : exit_under_weight(left, right, band);
        if (exit) return exit;
        left = right;
    }
    return std::nullopt;
}

/// Intervals within which a drive turns at most once.
double Excitation::samples(double from_s, double until_s) const noexcept {
    const double polynomial = is_straight(piece_) && is_straight(vertical_) ? 1.0 : 16.0;
    if (!std::isfinite(step_max_s_)) return polynomial;
    return std::max(polynomial, std::ceil(kSamplesPerPeriod * kStepOfPeriod * (until_s - from_s) / step_max_s_));
}

/// The edges of the band move with the weight: each is followed on its own.
std::optional<Excitation::Exit> Excitation::exit_under_weight(double from_s, double until_s,
                                                              const Band& band) const noexcept {
    const auto above = time_beyond(1, from_s, until_s, band), below = time_beyond(-1, from_s, until_s, band);
    if (above && (!below || *above <= *below)) return Exit{*above, true};
    if (below) return Exit{*below, false};
    return std::nullopt;
}

std::optional<double> Excitation::time_beyond(int side, double from_s, double until_s,
                                              const Band& band) const noexcept {
    const double edge = (side > 0 ? band.high : band.low) / still_vertical_m_s2_;
    if (!std::isfinite(edge)) return std::nullopt;
    const auto excess = [&](double t) {
        return side * (horizontal_m_s2(t) - edge * vertical_m_s2(t)) - band.tolerance;
    };
    const auto growth = [&](double t) {
        const double along = piece_ == nullptr ? 0.0 : slope_of(*piece_, t);
        return side * (along - (sine_ + edge * cosine_) * slope_of(*vertical_, t));
    };
    const double start = excess(from_s);
    if (start > 0.0) return from_s;
    double last = until_s;
    if (excess(last) <= 0.0) {
        const double s0 = growth(from_s), s1 = growth(until_s);
        if (!(s0 > 0.0 && s1 < 0.0)) return std::nullopt;
        last = find_root(growth, from_s, until_s, s0, s1, 0.0).before;
        if (excess(last) <= 0.0) return std::nullopt;
    }
    return find_root(excess, from_s, last, start, excess(last), 0.0).after;
}

std::optional<Excitation::Exit> Excitation::exit_between(double from_s, double until_s,
                                                         const Band& band) const noexcept {
    const auto excess = [&](double t) {
        const double u = horizontal_m_s2(t);
        return std::max(u - band.high, band.low - u) - band.tolerance;
    };
    const double start = excess(from_s);
    if (start > 0.0) return Exit{from_s, horizontal_m_s2(from_s) > band.high};
    if (piece_ == nullptr) return std::nullopt;
    double last = until_s;
    if (excess(last) <= 0.0) {
        // Outside only if an extremum lies between.
        const double s0 = slope(from_s), s1 = slope(until_s);
        if ((s0 > 0.0) == (s1 > 0.0)) return std::nullopt;
        const auto turn = find_root([&](double t) { return slope(t); }, from_s, until_s, s0, s1, 0.0);
        last = turn.before;
        if (excess(last) <= 0.0) return std::nullopt;
    }
    const bool above = horizontal_m_s2(last) > band.high;
    return Exit{find_root(excess, from_s, last, start, excess(last), 0.0).after, above};
}

}  // namespace topple::solver

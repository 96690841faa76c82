#include "solver/laws/small_rotation.hpp"

#include <cmath>

namespace topple::solver {

RotationAndRate ConstantFlow::at(double time_s) const noexcept {
    const double k2 = equation.stiffness, t = time_s - from_s, x2 = k2 * t * t;
    const double a = equation.acceleration(from.rotation_rad), w = from.rate_rad_s;
    double s = 0.0, c = 0.0, cosine = 0.0;
    if (std::abs(x2) < 1e-6) {
        s = t * (1.0 + x2 / 6.0 * (1.0 + x2 / 20.0));
        c = 0.5 * t * t * (1.0 + x2 / 12.0 * (1.0 + x2 / 30.0));
        cosine = 1.0 + k2 * c;
    } else if (k2 > 0.0) {
        const double k = std::sqrt(k2), half = std::sinh(0.5 * k * t);
        s = std::sinh(k * t) / k;
        c = 2.0 * half * half / k2;
        cosine = 1.0 + k2 * c;
    } else {
        const double k = std::sqrt(-k2), half = std::sin(0.5 * k * t);
        s = std::sin(k * t) / k;
        c = 2.0 * half * half / -k2;
        cosine = 1.0 + k2 * c;
    }
    return {from.rotation_rad + w * s + a * c, w * cosine + a * s};
}

LinearisedFlow::LinearisedFlow(const SmallRotationCorner& corner, int support, double vertical_m_s2, double steady_m_s2,
                               const MotionPiece* piece, double from_s, const RotationAndRate& from) noexcept
    : p_(std::sqrt(corner.p2_per_gravity * vertical_m_s2)),
      p2_(corner.p2_per_gravity * vertical_m_s2),
      vertical_(vertical_m_s2),
      steady_(steady_m_s2),
      piece_(piece),
      from_s_(from_s),
      from_(from),
      particular_from_(particular(from_s)),
      grow_(from.rotation_rad - support * corner.alpha_rad - particular_from_.rotation_rad),
      swing_((from.rate_rad_s - particular_from_.rate_rad_s) / p_) {}

/// Q/G with Q - Q''/p^2 = u(t), term by term; derived in docs/physics.md#linearised-and-quasi-linear-block.
RotationAndRate LinearisedFlow::particular(double time_s) const noexcept {
    if (piece_ == nullptr) return {steady_ / vertical_, 0.0};
    const double t = time_s - piece_->start_s;
    const auto& c = piece_->polynomial;
    const double q1 = c[1] + 6.0 * c[3] / p2_, q0 = c[0] + steady_ + 2.0 * c[2] / p2_;
    double value = q0 + t * (q1 + t * (c[2] + t * c[3])), slope = q1 + t * (2.0 * c[2] + t * 3.0 * c[3]);
    for (const HarmonicTerm& term : piece_->harmonics) {
        const double w = term.angular_frequency_rad_s, k = 1.0 + w * w / p2_, cross = 2.0 * w / p2_;
        const double a1 = term.sine_m_s2[1] / k, b1 = term.cosine_m_s2[1] / k;
        const double a = (term.sine_m_s2[0] - cross * b1) / k + a1 * t;
        const double b = (term.cosine_m_s2[0] + cross * a1) / k + b1 * t;
        const double sine = std::sin(w * t), cosine = std::cos(w * t);
        value += a * sine + b * cosine;
        slope += (a1 - w * b) * sine + (b1 + w * a) * cosine;
    }
    return {value / vertical_, slope / vertical_};
}

RotationAndRate LinearisedFlow::at(double time_s) const noexcept {
    const double x = p_ * (time_s - from_s_), half = std::sinh(0.5 * x), s = std::sinh(x);
    const RotationAndRate q = particular(time_s);
    return {
        from_.rotation_rad + 2.0 * grow_ * half * half + swing_ * s + (q.rotation_rad - particular_from_.rotation_rad),
        p_ * (grow_ * s + swing_ * (1.0 + 2.0 * half * half)) + q.rate_rad_s};
}

}  // namespace topple::solver

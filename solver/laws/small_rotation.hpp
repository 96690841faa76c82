// The linearised and the quasi-linear block: equations of motion that are linear in the rotation, and their flows.
#pragma once

#include <variant>

#include "solver/laws/sliding_body.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// theta'' = stiffness theta + forcing about one corner, in the drive (u, G):
/// linearised (thesis 3.21):   stiffness p^2,                         forcing -p^2 (s alpha + u/G)
/// quasi-linear (thesis 3.19): stiffness p^2 (cos a - s (u/G) sin a), forcing -p^2 (s sin a + (u/G) cos a)
struct SmallRotationCorner {
    double alpha_rad = 0.0;
    double p2_per_gravity = 0.0;  ///< p^2/G = m R / I_corner, 1/m
};

struct SmallRotationEquation {
    double stiffness = 0.0, forcing = 0.0;
    double acceleration(double rotation_rad) const noexcept { return stiffness * rotation_rad + forcing; }
};

inline SmallRotationEquation small_rotation_equation(const SmallRotationCorner& corner, bool quasi_linear, int support,
                                                     const Drive& drive) noexcept {
    const double k = corner.p2_per_gravity, u = drive.horizontal_m_s2, g = drive.vertical_m_s2;
    if (!quasi_linear) return {k * g, -k * (support * corner.alpha_rad * g + u)};
    const double s = std::sin(corner.alpha_rad), c = std::cos(corner.alpha_rad);
    return {k * (g * c - support * u * s), -k * (support * g * s + u * c)};
}

struct RotationAndRate {
    double rotation_rad = 0.0, rate_rad_s = 0.0;
};

/// Flow with constant coefficients: theta0 + theta0' S + theta0'' C, S = sinh(k t)/k, C = (cosh(k t) - 1)/k^2 (their
/// trigonometric twins for negative stiffness). Nothing cancels near theta = 0.
struct ConstantFlow {
    SmallRotationEquation equation;
    double from_s = 0.0;
    RotationAndRate from;
    RotationAndRate at(double time_s) const noexcept;
};

/// Flow of the linearised block along a piece of base acceleration: exponentials plus the particular solution of the
/// piece's polynomial and harmonics. Times are those of the piece; `steady_m_s2` is the tilt's share of the drive.
class LinearisedFlow {
  public:
    LinearisedFlow(const SmallRotationCorner& corner, int support, double vertical_m_s2, double steady_m_s2,
                   const MotionPiece* piece, double from_s, const RotationAndRate& from) noexcept;
    RotationAndRate at(double time_s) const noexcept;

  private:
    RotationAndRate particular(double time_s) const noexcept;

    double p_, p2_, vertical_, steady_;
    const MotionPiece* piece_;
    double from_s_;
    RotationAndRate from_, particular_from_;
    double grow_, swing_;  // factors of cosh and sinh
};

/// Either of the two as a path for the engine.
class SmallRotationFlow {
  public:
    explicit SmallRotationFlow(const ConstantFlow& flow) noexcept : flow_(flow) {}
    explicit SmallRotationFlow(const LinearisedFlow& flow) noexcept : flow_(flow) {}
    State<1> at(double time_s) const noexcept {
        const RotationAndRate there = std::visit([&](const auto& flow) { return flow.at(time_s); }, flow_);
        return {{there.rotation_rad}, {there.rate_rad_s}};
    }

  private:
    std::variant<ConstantFlow, LinearisedFlow> flow_;
};

}  // namespace topple::solver

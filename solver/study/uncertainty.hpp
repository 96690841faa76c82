// How far the specimen and the motion may be from what is described, and random draws of it: members of an ensemble.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "solver/motion/base_motion.hpp"
#include "solver/study/perturbation.hpp"

namespace topple::solver {

enum class DistributionKind {
    fixed,      ///< no spread
    normal,     ///< spread: standard deviation; cut at 4 of them
    lognormal,  ///< spread: standard deviation of the logarithm of the factor; cut at 4 of them
    uniform,    ///< spread: half the width of the interval about the described value
};
std::string_view name(DistributionKind kind) noexcept;  ///< as in files: "fixed", ...

/// Of one parameter about its described value: of a factor about 1, or of what is added about 0.
struct Distribution {
    DistributionKind kind = DistributionKind::fixed;
    double spread = 0.0;  ///< >= 0; of a factor without dimension, else in the parameter's unit; 0 is fixed
    /// Where its middle lies from the described value, as measurements have taught: added to a factor's 1, to its
    /// logarithm (lognormal), or to what is added about 0.
    double centre = 0.0;

    /// Every kind takes one standard normal draw, so that a change of kind or spread moves no other parameter.
    double factor(double standard_normal) const noexcept;  ///< about 1
    double offset(double standard_normal) const noexcept;  ///< about 0; not of a lognormal kind
};

/// Numbers of a specimen whose uncertainties may hang together, in this order everywhere.
enum class SpecimenParameter { restitution, impulse_position, width, height, tilt_rad, friction };
inline constexpr std::size_t kSpecimenParameters = 6;

/// One standard normal draw for each of them; of width and height that of the first foot.
using StandardDraw = std::array<double, kSpecimenParameters>;

/// Lower triangular C whose C C^T is the matrix of their correlations; its rows have length 1.
using CorrelationFactor = std::array<StandardDraw, kSpecimenParameters>;

/// Distributions of everything that is uncertain, independent but for `correlation`.
struct Uncertainty {
    Distribution restitution{DistributionKind::normal, 0.015};  ///< of restitution_factor
    Distribution impulse_position;                              ///< of impulse_position_factor
    Distribution width{DistributionKind::normal, 0.005};        ///< of each of width_factors
    Distribution height;                                        ///< of each of height_factors
    Distribution tilt_rad{DistributionKind::normal, 0.002};     ///< added to the slope of the seat
    Distribution friction;                                      ///< of friction_factor
    Distribution amplitude{DistributionKind::normal, 0.01};     ///< of the base's accelerations
    Distribution frequency;                                     ///< of the base's frequencies
    // ---- how a single body stands, independent of everything else ----
    Distribution yaw_rad{};  ///< added to the yaw
    Distribution seat_m{};   ///< of seat_m
    /// Of wear_m, one-sided: the size of a draw about 0. Normal: half-normal, the spread that of the whole normal
    /// distribution; uniform: between 0 and the spread.
    Distribution wear_m{};
    Distribution restitution_face{};                 ///< of each of face_factors
    std::optional<CorrelationFactor> correlation{};  ///< of the specimen's numbers; empty: independent
};

const Distribution& distribution_of(const Uncertainty& uncertainty, SpecimenParameter parameter) noexcept;
Distribution& distribution_of(Uncertainty& uncertainty, SpecimenParameter parameter) noexcept;

/// Independent draws made to hang together as `uncertainty` says, each cut at 4; unchanged without a correlation.
StandardDraw correlated(const Uncertainty& uncertainty, const StandardDraw& independent) noexcept;

/// The departure of a specimen with one foot for such an independent draw.
Perturbation perturbation_at(const Uncertainty& uncertainty, const StandardDraw& independent);

/// One draw: the specimen's departure and the motion's.
struct MemberDraw {
    Perturbation perturbation;
    MotionScale motion;
};

/// Member `index` of the ensemble of `seed` for a specimen with so many feet (foot_count) and faces (face_count of
/// standing_pose.hpp; 0: it stands as described): a pure function of its arguments, the same on every machine with IEEE
/// arithmetic up to the last digit of log, sin, cos, exp and erf.
MemberDraw draw_member(const Uncertainty& uncertainty, std::uint64_t seed, std::uint64_t index, std::size_t feet,
                       std::size_t faces = 0);

}  // namespace topple::solver

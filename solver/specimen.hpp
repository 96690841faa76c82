// What stands on the base: blocks, how they touch, how they lose energy at an impact.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "solver/foot.hpp"
#include "solver/solid.hpp"

namespace topple::solver {

inline constexpr double kStandardGravity_m_s2 = 9.81;  ///< the value of the sources
inline constexpr std::size_t kSpecimenBlocksMax = 64;  ///< of the models that take the tallest stacks

/// Homogeneous rectangular block; full sizes.
struct Block {
    double width_m = 0.0;   ///< b > 0
    double height_m = 0.0;  ///< h > 0
    double mass_kg = 0.0;   ///< > 0

    double slenderness_rad() const noexcept;                               ///< alpha = atan(b/h)
    double half_diagonal_m() const noexcept;                               ///< R = sqrt(b^2+h^2)/2
    double frequency_parameter_rad_s(double gravity_m_s2) const noexcept;  ///< p = sqrt(3 g / 4 R)
};

/// A body that is not symmetric: each side has its own pivot. Single specimens only.
struct Pivots {
    double alpha_left_rad = 0.0,
           alpha_right_rad = 0.0;                      ///< between the vertical and the line pivot - mass centre
    double radius_left_m = 0.0, radius_right_m = 0.0;  ///< pivot to mass centre
    double inertia_kg_m2 = 0.0;                        ///< about the mass centre
};

enum class RestitutionModel {
    housner,   ///< conservation of angular momentum about the new pivot
    improved,  ///< impulse and pivot at k b/2 (Cepero et al.; thesis eq. 4.5), single block only
    fixed,     ///< given ratio of rotation rates, single block only
    random,    ///< drawn anew at every impact about a mean ratio, single block only (stack/random_ratio.hpp)
};

enum class RestitutionRule {
    relative,  ///< eta_material scales the rebound relative to the velocities of sticking (default)
    literal,   ///< eta_material scales all rotation rates (thesis); ill-posed in chatter
};

struct Restitution {
    RestitutionModel model = RestitutionModel::housner;
    double impulse_position_k = 1.0;   ///< improved: 0 <= k
    double fixed_left_to_right = 1.0;  ///< fixed: rate ratio when the pivot changes from left to right
    double fixed_right_to_left = 1.0;  ///< fixed: the other way
    /// fixed, of a foot: one pair {left_to_right, right_to_left} per face from the left; empty: the two above for all.
    std::vector<std::array<double, 2>> fixed_faces{};
    std::optional<double> random_mean;  ///< random: 0 < mean < 1; left out: the block's Housner ratio
    double random_defect_ratio = 0.0;   ///< random: size of the corner's defect over half the width, [0, 0.5)
    std::uint64_t random_seed = 1;      ///< random: same seed, same sequence of impacts
    /// Factor per interface from the base up (of a foot: per face from the left), or one for all; 0..1.
    std::vector<double> material = {1.0};
    RestitutionRule rule = RestitutionRule::relative;
};

struct Friction {
    double static_ratio = 0.0;   ///< mu_s
    double kinetic_ratio = 0.0;  ///< mu_k <= mu_s
};

/// Simply supported Euler-Bernoulli beam on which a specimen stands at midspan; its ends move with the base.
struct BeamBase {
    double length_m = 0.0, width_m = 0.0, thickness_m = 0.0;  ///< span; width across the plane; height of the section
    double density_kg_m3 = 0.0;
    std::optional<double> modulus_pa;  ///< Young's
    std::optional<double>
        static_deflection_ratio;  ///< instead: sag at midspan under the specimen's weight over the span
    int elements = 6;             ///< 2..64
    double damping_ratio_1 = 0.0, damping_ratio_3 = 0.0;  ///< of its first and third mode, >= 0; Rayleigh damping
};

/// One specimen: one block, one asymmetric or irregular body, or a stack counted from 0 at the bottom.
struct Specimen {
    std::vector<Block> blocks;     ///< empty: nothing stands on the base
    std::optional<Pivots> pivots;  ///< replaces width and height of blocks[0] (mass is kept)
    std::optional<Foot> foot;      ///< likewise; not together with pivots
    /// The body of which `foot` is the section at `yaw_rad`; null: the foot is all that is known.
    std::shared_ptr<const Solid> solid;
    double yaw_rad = 0.0;  ///< about the vertical, counter-clockwise seen from above
    Restitution restitution;
    std::optional<Friction> friction;  ///< left out: no sliding
    std::vector<Friction>
        interface_friction;  ///< instead of `friction`, of a stack: one per interface from the base up
    std::vector<double> initial_rotation_rad;  ///< absolute, per block; released at t = 0
    /// Absolute, per block, at t = 0; empty: zero. A block set turning from full contact starts on the corner of that
    /// side (positive: the right one).
    std::vector<double> initial_rotation_rate_rad_s;
    /// Of the mass centre relative to the base, [x, z] at t = 0; left out: it follows from the rotation about the
    /// corner. A single block in Model::contact_dynamics only.
    std::optional<std::array<double, 2>> initial_velocity_m_s;
    std::optional<BeamBase> beam;   ///< Model::contact_dynamics only; left out: the base is rigid
    double initial_tilt_rad = 0.0;  ///< slope of the seat, clockwise positive: rotates gravity
};

/// Throws std::invalid_argument naming field, value and what is allowed.
void validate(const Specimen& specimen);
/// What only contact dynamics covers: more than 8 blocks, blocks wider than the one below, a start in flight. Throws
/// the same.
void require_rocking(const Specimen& specimen);

/// Friction of one interface; empty: nothing slips there.
std::optional<Friction> friction_at(const Specimen& specimen, std::size_t interface_index) noexcept;

/// The two corners of a single body that is no block: its pivots, or those of the face on which its foot stands. Empty
/// for blocks.
std::optional<Pivots> pivots_of(const Specimen& specimen) noexcept;

/// Does any block turn at t = 0 already?
bool starts_turning(const Specimen& specimen) noexcept;

/// Base acceleration (m/s2) towards +x or -x, whichever is less, at which the specimen leaves full contact
/// from rest.
double uplift_acceleration_m_s2(const Specimen& specimen, double gravity_m_s2 = kStandardGravity_m_s2);

/// Rotation-rate ratio of each interface's impact as implemented (thesis "eta"), all other interfaces full.
/// One entry for a single body (of a foot: of the face on which it stands); two, from the left pivot and from the right
/// one, if the sides differ.
std::vector<double> restitution_ratios(const Specimen& specimen);

}  // namespace topple::solver

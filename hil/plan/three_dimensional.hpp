// How far a body that is predicted in the plane is a plane body: docs/mesh.md#how-three-dimensional.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

enum class SpaceVerdict {
    planar,      ///< it moves in the plane as far as a test of the prediction can tell
    with_care,   ///< read probabilities as said in `reading`
    not_planar,  ///< a prediction in the plane is not of this body
};

/// What is beyond these makes a body `with_care` (first) or `not_planar` (second).
inline constexpr std::array<double, 2> kEdgeObliquity_rad = {0.14, 0.32};  ///< the balance angle falls by 1 and 5 %
inline constexpr std::array<double, 2> kReach = {1.0 / 3.0, 2.0 / 3.0};    ///< all and half of the edge is pressed
inline constexpr std::array<double, 2> kEdgeRatio = {0.5, 0.25};           ///< least; judgement, docs/mesh.md
inline constexpr std::array<double, 2> kWeakestRatio = {0.5, 0.2};  ///< least; lifted by 50 and 20 % of the motion

/// Members of which the verdict of an ensemble may be too good, and how many are asked without a members table.
inline constexpr double kMisjudgedShare = 0.05;
inline constexpr std::size_t kYawsAsked = 500;

/// How the members of an ensemble are judged at their yaws; everything else of them is as described.
struct SpaceOfMembers {
    std::size_t count = 0;
    std::array<double, 3> share{};  ///< by SpaceVerdict; sum 1
};

/// Angles rad, 0 and more unless said otherwise; directions about the vertical from +x, counter-clockwise from above.
struct SpaceAccount {
    double width_along_m = 0.0,
           width_across_m = 0.0;      ///< of what it stands on, on the two lines through the mass centre
    double centre_offset_m = 0.0;     ///< of the mass centre across the plane from the middle of width_across_m, +y
    double obliquity_left_rad = 0.0;  ///< of the edge over which it tips, to the axis across the plane
    double obliquity_right_rad = 0.0;
    std::optional<double> principal_angle_rad;  ///< between the axis across the plane and the nearest principal axis
    std::optional<double> momentum_angle_rad;   ///< between that axis and the angular momentum about it
    double reach_ratio = 0.0;        ///< farthest the reaction must be from the middle of its edge, over half the edge
    double edge_ratio = 1.0;         ///< the shorter of the edges over which it tips, over width_across_m
    double uplift_angle_rad = 0.0;   ///< in the plane, the lesser of the two sides: lifts at g tan of it
    double weakest_angle_rad = 0.0;  ///< the least of all directions
    double weakest_direction_rad = 0.0;     ///< in which it falls
    double weakest_ratio = 1.0;             ///< tan(weakest_angle_rad) / tan(uplift_angle_rad)
    std::optional<SpaceOfMembers> members;  ///< where its yaw is uncertain
    /// As described; of uncertain yaw that to which kMisjudgedShare of the members at most are worse.
    SpaceVerdict verdict = SpaceVerdict::planar;
    std::vector<std::string> reasons;  ///< of a verdict that is not planar, worst first; at last those of a member
    std::string reading;               ///< how a probability of the plane should be read
};

/// The largest uplift acceleration that is believed; beyond it the footprint is wrong.
inline constexpr double kUpliftMax_m_s2 = 1e6;

/// As it is described. Empty for a stack, and for a body of which nothing is known across the plane. Throws
/// files::InputError if a width of its footprint is not finite and > 0, or beyond kUpliftMax_m_s2.
std::optional<SpaceAccount> space_account(const solver::Specimen& specimen, const experiment::SpecimenShape& shape);
/// Over the yaws of the members of [uncertainty], too.
std::optional<SpaceAccount> space_account(const experiment::Experiment& experiment, std::size_t specimen);

const char* name(SpaceVerdict verdict) noexcept;  ///< "planar", "with_care", "not_planar"

/// Why space_account() is empty, and what would make it known.
std::string space_missing(const experiment::Experiment& experiment, std::size_t specimen);

/// The key "three_dimensional" of a specimen in JSON documents: "state" is "known", or "unknown" with what is
/// "missing".
nlohmann::ordered_json space_json(const experiment::Experiment& experiment, std::size_t specimen);
/// A few lines, each begun by two blanks and a label of `width` characters.
std::string space_text(const experiment::Experiment& experiment, std::size_t specimen, int width);

}  // namespace topple::hil::plan

#include "hil/plan/three_dimensional.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "hil/files/errors.hpp"
#include "hil/plan/drawn_yaw.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/footprint.hpp"

namespace topple::hil::plan {
namespace {

using solver::Solid;

constexpr double kDegrees = 180.0 / std::numbers::pi;

/// In axes x along the plane, y across it, z up.
Eigen::Matrix3d inertia_tensor(const Solid& solid, double yaw_rad) {
    const auto& i = solid.inertia_kg_m2;
    Eigen::Matrix3d body;
    body << i[0], -i[3], -i[4], -i[3], i[1], -i[5], -i[4], -i[5], i[2];
    Eigen::Matrix3d turn;
    turn << std::cos(yaw_rad), -std::sin(yaw_rad), 0.0, std::sin(yaw_rad), std::cos(yaw_rad), 0.0, 0.0, 0.0, 1.0;
    return turn * body * turn.transpose();
}

/// Of principal axes with equal moments every direction between them is one, too.
double principal_angle(const Eigen::Matrix3d& tensor) {
    constexpr double kEqual = 1e-6;  // of the largest moment
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solved(tensor);
    const Eigen::Vector3d moments = solved.eigenvalues();
    double largest = 0.0;  // part of the axis across the plane within the axes of one moment
    for (int k = 0; k < 3; ++k) {
        double part = 0.0;
        for (int n = 0; n < 3; ++n)
            if (std::abs(moments[n] - moments[k]) <= kEqual * moments[2])
                part += solved.eigenvectors()(1, n) * solved.eigenvectors()(1, n);
        largest = std::max(largest, part);
    }
    return std::acos(std::min(1.0, std::sqrt(largest)));
}

/// The edge of one side over which it tips, and what the tensor is in axes across and along it.
struct TippingEdge {
    double distance_m, length_m, offset_m;  ///< from the mass centre; of its middle from the perpendicular, 0 or more
    double inertia_along_kg_m2, inertia_mixed_kg_m2;
};

TippingEdge tipping_edge(const WayOut& way, double along, const std::optional<Eigen::Matrix3d>& tensor) noexcept {
    TippingEdge edge{way.distance_m * along, way.ends_m[1] - way.ends_m[0],
                     0.5 * std::abs(way.ends_m[0] + way.ends_m[1]), 0.0, 0.0};
    if (!tensor) return edge;
    const Eigen::Vector3d across(way.normal[0], way.normal[1], 0.0), axis(-way.normal[1], way.normal[0], 0.0);
    edge.inertia_along_kg_m2 = axis.dot(*tensor * axis);
    edge.inertia_mixed_kg_m2 = std::abs(across.dot(*tensor * axis));
    return edge;
}

/// Over half of the edge. To begin to turn about it the body needs the moment I_nt theta'' about the normal with
/// theta'' = m g d / (I_tt + m (d^2 + h^2)), which the reaction gives by moving along the edge.
double reach_ratio(const TippingEdge& edge, double mass_kg, double height_m) noexcept {
    if (edge.inertia_mixed_kg_m2 == 0.0) return edge.offset_m / (0.5 * edge.length_m);
    const double about_edge =
        edge.inertia_along_kg_m2 + mass_kg * (edge.distance_m * edge.distance_m + height_m * height_m);
    const double inertia_m = edge.inertia_mixed_kg_m2 * edge.distance_m / about_edge;
    return (edge.offset_m + inertia_m) / (0.5 * edge.length_m);
}

/// Nothing that is measured on a footprint that is not one may become a verdict.
void refuse_nonsense(const SpaceAccount& account, double least_m, double height_m) {
    const auto is_length = [](double value) { return std::isfinite(value) && value > 0.0; };
    const double uplift_m_s2 = solver::kStandardGravity_m_s2 * least_m / height_m;
    if (is_length(account.width_along_m) && is_length(account.width_across_m) && uplift_m_s2 <= kUpliftMax_m_s2) return;
    throw files::InputError(
        fmt::format("what the body stands on measures {:g} m along the plane and {:g} m across it below a mass centre "
                    "at {:g} m, and would lift at {:g} m/s2; allowed: finite widths above 0 and at most {:g} m/s2: "
                    "check the sizes of the specimen and its yaw",
                    account.width_along_m, account.width_across_m, height_m, uplift_m_s2, kUpliftMax_m_s2));
}

void measure_inertia(const Eigen::Matrix3d& tensor, SpaceAccount& account) {
    account.principal_angle_rad = principal_angle(tensor);
    account.momentum_angle_rad = std::atan2(std::hypot(tensor(0, 1), tensor(1, 2)), tensor(1, 1));
}

void measure_edges(const std::array<TippingEdge, 2>& edges, double mass_kg, double height_m, SpaceAccount& account) {
    account.reach_ratio = std::max(reach_ratio(edges[0], mass_kg, height_m), reach_ratio(edges[1], mass_kg, height_m));
    account.edge_ratio = std::min(edges[0].length_m, edges[1].length_m) / account.width_across_m;
}

SpaceAccount measured(const solver::Specimen& specimen, const Footprint& footprint, double turned_rad) {
    SpaceAccount account;
    std::optional<Eigen::Matrix3d> tensor;
    if (specimen.solid) tensor = inertia_tensor(*specimen.solid, specimen.yaw_rad + turned_rad);
    const WayOut right = way_out(footprint, {1.0, 0.0}), left = way_out(footprint, {-1.0, 0.0});
    const WayOut back = way_out(footprint, {0.0, 1.0}), front = way_out(footprint, {0.0, -1.0});
    const WayOut weakest = nearest_edge(footprint);
    account.width_along_m = right.distance_m + left.distance_m;
    account.width_across_m = back.distance_m + front.distance_m;
    account.centre_offset_m = 0.5 * (front.distance_m - back.distance_m);
    account.obliquity_right_rad = std::acos(std::min(1.0, right.normal[0]));
    account.obliquity_left_rad = std::acos(std::min(1.0, -left.normal[0]));
    const double least_m = std::min(left.distance_m, right.distance_m);
    refuse_nonsense(account, least_m, footprint.height_m);
    const double mass_kg = specimen.solid ? specimen.solid->mass_kg : specimen.blocks.front().mass_kg;
    measure_edges({tipping_edge(right, right.normal[0], tensor), tipping_edge(left, -left.normal[0], tensor)}, mass_kg,
                  footprint.height_m, account);
    account.uplift_angle_rad = std::atan2(least_m, footprint.height_m);
    account.weakest_angle_rad = std::atan2(weakest.distance_m, footprint.height_m);
    account.weakest_direction_rad = std::atan2(weakest.normal[1], weakest.normal[0]);
    account.weakest_ratio = weakest.distance_m / least_m;
    if (tensor) measure_inertia(*tensor, account);
    return account;
}

struct Criterion {
    SpaceVerdict verdict;
    std::string reason;
};

/// `limits`: with_care and not_planar beyond them; falling limits are of a value that should be large.
SpaceVerdict judged(double value, const std::array<double, 2>& limits) noexcept {
    const double sign = limits[1] > limits[0] ? 1.0 : -1.0;
    if (sign * value > sign * limits[1]) return SpaceVerdict::not_planar;
    return sign * value > sign * limits[0] ? SpaceVerdict::with_care : SpaceVerdict::planar;
}

std::vector<Criterion> criteria_of(const SpaceAccount& a) {
    const bool to_right = a.obliquity_right_rad > a.obliquity_left_rad;
    const double obliquity_rad = std::max(a.obliquity_right_rad, a.obliquity_left_rad);
    return {{judged(obliquity_rad, kEdgeObliquity_rad),
             fmt::format("the edge over which it tips to the {} is {:.1f} deg off the axis across the plane: it turns "
                         "out of the plane as it rocks",
                         to_right ? "right" : "left", kDegrees * obliquity_rad)},
            {judged(a.reach_ratio, kReach),
             fmt::format("its reaction must act {:.0f} % of half of its edge off the middle of the edge: {}",
                         100.0 * a.reach_ratio,
                         a.reach_ratio >= 1.0 ? "no edge reaches so far" : "part of the edge lifts")},
            {judged(a.edge_ratio, kEdgeRatio),
             fmt::format("the edge over which it tips is {:.0f} % of its width across the plane: it rolls on to the "
                         "next edge, out of the plane",
                         100.0 * a.edge_ratio)},
            {judged(a.weakest_ratio, kWeakestRatio),
             fmt::format("towards {:.0f} deg from +x it lifts at {:.0f} % of what lifts it in the plane",
                         kDegrees * a.weakest_direction_rad, 100.0 * a.weakest_ratio)}};
}

std::string reading_of(const SpaceAccount& a) {
    std::string text;
    switch (a.verdict) {
        case SpaceVerdict::planar: text = "probabilities as they stand"; break;
        case SpaceVerdict::with_care:
            text = "P(overturning) as a lower bound, and impact times as those of the plane only";
            break;
        case SpaceVerdict::not_planar:
            text = "P(overturning) as a lower bound at best; peak, direction and impacts are not those of this body";
            break;
    }
    if (a.weakest_ratio < 0.995)
        text += fmt::format("{}; motion towards {:.0f} deg from +x, its weakest direction, lifts it at {:.0f} % less",
                            a.verdict == SpaceVerdict::planar ? " for motion along x alone" : "",
                            kDegrees * a.weakest_direction_rad, 100.0 * (1.0 - a.weakest_ratio));
    return text;
}

/// The body and its footprint, turned from where they are described.
SpaceAccount judged_at(const solver::Specimen& specimen, Footprint footprint, double turned_rad) {
    const double s = std::sin(turned_rad), c = std::cos(turned_rad);
    for (auto& [x, y] : footprint.corners_m) std::tie(x, y) = std::pair(x * c - y * s, x * s + y * c);
    SpaceAccount account = measured(specimen, footprint, turned_rad);
    std::vector<Criterion> criteria = criteria_of(account);
    std::stable_sort(criteria.begin(), criteria.end(),
                     [](const Criterion& a, const Criterion& b) { return a.verdict > b.verdict; });
    account.verdict = criteria.front().verdict;
    for (Criterion& criterion : criteria)
        if (criterion.verdict != SpaceVerdict::planar) account.reasons.push_back(std::move(criterion.reason));
    return account;
}

bool is_yaw_uncertain(const experiment::UncertaintySection& uncertainty) noexcept {
    return uncertainty.of.yaw_rad.spread > 0.0 || uncertainty.of.yaw_rad.centre != 0.0 ||
           (uncertainty.members && uncertainty.members->has("yaw_rad"));
}

/// Replaces the verdict on the body as described by that on its members.
void judge_members(const solver::Specimen& specimen, const Footprint& footprint,
                   const experiment::UncertaintySection& uncertainty, SpaceAccount& account) {
    SpaceOfMembers members{.count = ensemble_size(uncertainty, kYawsAsked)};
    std::array<std::string, 3> example;  // of each verdict
    for (std::size_t i = 0; i < members.count; ++i) {
        const double yaw_rad = drawn_yaw_rad(specimen, uncertainty, i);
        const SpaceAccount member = judged_at(specimen, footprint, yaw_rad);
        const auto verdict = static_cast<std::size_t>(member.verdict);
        members.share[verdict] +=
            (uncertainty.members ? uncertainty.members->rows[i].weight : 1.0) / static_cast<double>(members.count);
        if (example[verdict].empty() && !member.reasons.empty())
            example[verdict] = fmt::format("a member turned by {:+.3f} rad: {}", yaw_rad, member.reasons.front());
    }
    const double sum = members.share[0] + members.share[1] + members.share[2];
    for (double& share : members.share) share /= sum;
    account.verdict = members.share[2] > kMisjudgedShare                      ? SpaceVerdict::not_planar
                      : members.share[1] + members.share[2] > kMisjudgedShare ? SpaceVerdict::with_care
                                                                              : SpaceVerdict::planar;
    if (const std::string& reason = example[static_cast<std::size_t>(account.verdict)]; !reason.empty())
        account.reasons.push_back(reason);
    account.members = members;
}

experiment::SpecimenShape shape_of(const experiment::Experiment& experiment, std::size_t specimen) {
    return specimen < experiment.shapes.size() ? experiment.shapes[specimen] : experiment::SpecimenShape{};
}

}  // namespace

std::optional<SpaceAccount> space_account(const solver::Specimen& specimen, const experiment::SpecimenShape& shape) {
    const std::optional<Footprint> footprint = footprint_of(specimen, shape);
    if (!footprint) return std::nullopt;
    SpaceAccount account = judged_at(specimen, *footprint, 0.0);
    account.reading = reading_of(account);
    return account;
}

std::optional<SpaceAccount> space_account(const experiment::Experiment& experiment, std::size_t index) {
    const solver::Specimen& specimen = experiment.specimens.at(index);
    std::optional<SpaceAccount> account = space_account(specimen, shape_of(experiment, index));
    if (!account || !is_yaw_uncertain(experiment.uncertainty)) return account;
    judge_members(specimen, footprint_of(specimen, shape_of(experiment, index)).value(), experiment.uncertainty,
                  *account);
    account->reading = reading_of(*account);
    return account;
}

std::string space_missing(const experiment::Experiment& experiment, std::size_t specimen) {
    if (experiment.specimens.at(specimen).blocks.size() != 1) return "single bodies only are judged, not stacks";
    return "give depth_m, centre_offset_y_m or a mesh";
}

const char* name(SpaceVerdict verdict) noexcept {
    switch (verdict) {
        case SpaceVerdict::planar: return "planar";
        case SpaceVerdict::with_care: return "with_care";
        case SpaceVerdict::not_planar: return "not_planar";
    }
    return "";
}

}  // namespace topple::hil::plan

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "hil/experiment/fragility.hpp"
#include "hil/experiment/members_specimen.hpp"
#include "hil/experiment/sections.hpp"
#include "solver/study/standing_pose.hpp"

namespace topple::hil::experiment {
namespace {

using solver::Distribution;
using solver::DistributionKind;
using solver::Uncertainty;

/// The spreads that one kind of parameter may have. They keep every factor above 0 (a normal draw is cut at 4 standard
/// deviations) and every seat less steep than 1 rad.
struct SpreadRanges {
    NumberRange normal, uniform;
    std::optional<NumberRange> lognormal;  ///< empty: what is added about 0 has no logarithm
};
const SpreadRanges kOfFactor = {between(0.0, 0.2), between(0.0, 0.9), between(0.0, 1.0)};
/// Everything in a basin hangs on its friction, which few laboratories know better.
constexpr Distribution kFrictionOfAssembly{DistributionKind::lognormal, 0.1};
const SpreadRanges kOfTilt = {between(0.0, 0.1), between(0.0, 0.4), std::nullopt};
/// Of a plane section kYawMax_rad is the farthest; a solid may stand in any direction.
const SpreadRanges kOfYaw = {between(0.0, 0.17), between(0.0, solver::kYawMax_rad), std::nullopt};
const SpreadRanges kOfYawOfSolid = {between(0.0, 0.8), between(0.0, 3.2), std::nullopt};
const SpreadRanges kOfLength = {between(0.0, 1.0), between(0.0, 1.0), std::nullopt};

Distribution read_distribution(TomlTable& section, std::string_view key, const SpreadRanges& ranges) {
    std::vector<std::string_view> kinds = {"normal", "uniform", "fixed"};
    if (ranges.lognormal) kinds.insert(kinds.begin() + 1, "lognormal");
    const std::string allowed = fmt::format("allowed: one of {{ {} = spread }} or {{ fixed = true }}",
                                            fmt::join(kinds.begin(), kinds.end() - 1, " = spread }, { "));
    if (!section.is_table(key)) section.fail(key, allowed);
    TomlTable table = section.table(key);
    std::vector<std::string_view> given;
    for (const std::string_view kind : kinds)
        if (table.has(kind)) given.push_back(kind);
    table.finish();
    if (given.empty()) section.fail(key, allowed);
    if (given.size() > 1) table.fail(given[1], fmt::format("not allowed together with {}; {}", given[0], allowed));
    if (given[0] == "fixed") {
        if (!table.boolean_or("fixed", true)) table.fail("fixed", fmt::format("says nothing; {}", allowed));
        return {};
    }
    if (given[0] == "normal") return {DistributionKind::normal, table.number("normal", ranges.normal)};
    if (given[0] == "uniform") return {DistributionKind::uniform, table.number("uniform", ranges.uniform)};
    return {DistributionKind::lognormal, table.number("lognormal", *ranges.lognormal)};
}

/// One key of the section, and why it cannot apply to this experiment; empty if it can.
struct Parameter {
    std::string_view key;
    Distribution Uncertainty::*of;
    const SpreadRanges& ranges;
    std::string cannot_apply{};
};

bool any_specimen(const Experiment& experiment, bool (*has)(const solver::Specimen&)) {
    return std::any_of(experiment.specimens.begin(), experiment.specimens.end(), has);
}

/// A block with a depth.
bool is_box(const solver::Specimen& specimen) { return specimen.solid && !specimen.foot && !specimen.pivots; }

std::vector<Parameter> parameters_of(const Experiment& experiment) {
    const bool improved = any_specimen(experiment, [](const solver::Specimen& specimen) {
        return specimen.restitution.model == solver::RestitutionModel::improved;
    });
    const bool slides = experiment.assembly && experiment.assembly->friction > 0.0;
    const bool friction = slides || any_specimen(experiment, [](const solver::Specimen& specimen) {
                              return specimen.friction.has_value() || !specimen.interface_friction.empty();
                          });
    const bool is_solid = any_specimen(experiment, [](const solver::Specimen& specimen) { return !!specimen.solid; });
    std::string motion, tilt, height, pose, corners;
    if (!any_specimen(experiment, [](const solver::Specimen& specimen) { return specimen.blocks.size() == 1; }))
        pose = "no specimen is a single body";
    const bool y_moves = experiment.excitation_y && !experiment.excitation_y->planned_motion().empty();
    const bool is_scaled = experiment.excitation.type == kMotionsOfFragility;
    if (experiment.excitation.planned_motion().empty() && !y_moves && !is_scaled) motion = "the base does not move";
    if (experiment.excitation.coupled) {
        motion = "the motion of a coupled air track follows from its masses";
        tilt = "a coupled air track is level";
        pose = "a coupled air track carries a rectangular block that stands square";
    }
    if (experiment.assembly) {
        tilt = "the floor of a basin is level";
        height = "blocks in a basin have no height";
        pose = "blocks in a basin do not rock";
    }
    corners = pose;
    if (corners.empty() && (experiment.model == "contact_dynamics" || experiment.model == "multiple_impact"))
        corners = fmt::format("model \"{}\" is for rectangular blocks", experiment.model);
    std::string yaw = pose;
    if (!corners.empty() && any_specimen(experiment, is_box))
        yaw = corners + ", and one of known depth_m that is turned about the vertical has a section that is none";
    return {{"restitution", &Uncertainty::restitution, kOfFactor},
            {"k", &Uncertainty::impulse_position, kOfFactor,
             improved ? "" : "no specimen has restitution = { model = \"improved\" }"},
            {"width", &Uncertainty::width, kOfFactor},
            {"height", &Uncertainty::height, kOfFactor, height},
            {"tilt_rad", &Uncertainty::tilt_rad, kOfTilt, tilt},
            {"friction", &Uncertainty::friction, kOfFactor, friction ? "" : "no specimen has friction"},
            {"amplitude", &Uncertainty::amplitude, kOfFactor, motion},
            {"frequency", &Uncertainty::frequency, kOfFactor, motion},
            {"yaw_rad", &Uncertainty::yaw_rad, is_solid ? kOfYawOfSolid : kOfYaw, yaw},
            {"seat_m", &Uncertainty::seat_m, kOfLength, corners},
            {"wear_m", &Uncertainty::wear_m, kOfLength, corners},
            {"restitution_face", &Uncertainty::restitution_face, kOfFactor, pose}};
}

/// The file's distributions take the place of the defaults. What it teaches is good for the specimen it was learned on.
void take_prior(TomlTable& section, const Experiment& experiment, UncertaintySection& uncertainty) {
    const std::string name = section.text("prior");
    if (experiment.specimens.empty())
        section.fail("prior", "the experiment has no specimen that can have been learned");
    LearnedPrior prior = read_learned_prior(experiment.source.parent_path() / name);
    prior.file = name;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i)
        if (const std::string why = not_of(prior, experiment.specimens[i]); !why.empty())
            section.fail("prior", fmt::format("learned on another specimen than number {}: {}; allowed: a file that "
                                              "`topple fit` wrote for this one",
                                              i, why));
    const std::vector<Parameter> parameters = parameters_of(experiment);
    for (const solver::SpecimenParameter parameter : prior.learned) {
        const auto known = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const Parameter& one) { return one.key == key_of(parameter); });
        if (section.has(key_of(parameter)))
            section.fail(key_of(parameter), fmt::format("{} is in {} already; allowed: one of them", known->key, name));
        if (known->cannot_apply.empty()) uncertainty.of.*known->of = distribution_of(prior.of, parameter);
    }
    uncertainty.of.correlation = prior.of.correlation;
    uncertainty.prior = std::move(prior);
}

/// The farthest of the corners in the plane.
double reach_m(const solver::Specimen& specimen) {
    if (specimen.pivots)
        return std::max(specimen.pivots->radius_left_m * std::sin(specimen.pivots->alpha_left_rad),
                        specimen.pivots->radius_right_m * std::sin(specimen.pivots->alpha_right_rad));
    const auto& corners = specimen.foot->corners_m;
    return std::max(-corners.front()[0], corners.back()[0]);
}

/// The section of a profile that goes on to an end: beyond some yaw the shaking plane leaves by that end.
void require_within_depth(TomlTable& section, std::string_view key, const Experiment& experiment, double yaw_rad) {
    for (std::size_t i = 0; i < std::min(experiment.specimens.size(), experiment.shapes.size()); ++i) {
        const solver::Specimen& specimen = experiment.specimens[i];
        const SpecimenShape& shape = experiment.shapes[i];
        if (!shape.depth_m || specimen.solid || yaw_rad == 0.0) continue;
        const double end_m = 0.5 * *shape.depth_m - std::abs(shape.centre_offset_y_m);
        const double farthest_rad = std::atan(end_m / reach_m(specimen));
        if (std::abs(yaw_rad) <= farthest_rad) continue;
        section.fail(key,
                     fmt::format("a member turned by {:.4g} rad is cut by the shaking plane at an end of its "
                                 "depth_m = {:g}, not at its corners; allowed: yaws within {:.4g} rad, or the body "
                                 "as a mesh",
                                 yaw_rad, *shape.depth_m, farthest_rad));
    }
}

/// Factors and ratios by face are of the faces of one section.
void require_same_faces(TomlTable& section, std::string_view key, const Experiment& experiment) {
    for (const solver::Specimen& specimen : experiment.specimens)
        if (specimen.solid && solver::lists_faces(specimen))
            section.fail(key,
                         "restitution lists the faces of the section one by one, and at another yaw the section "
                         "of the mesh has other faces; allowed: one value for all faces, or no uncertain yaw_rad");
}

/// The file's rows take the place of every distribution that does not stand beside them.
void take_members(TomlTable& section, const Experiment& experiment, const std::vector<Parameter>& parameters,
                  UncertaintySection& uncertainty) {
    const std::string name = section.text("members");
    if (section.has("prior")) section.fail("members", "not allowed together with prior; allowed: one of them");
    if (experiment.specimens.empty()) section.fail("members", "the experiment has no specimen that it could be about");
    MembersTable members = read_members_table(experiment.source.parent_path() / name);
    if (const std::string why = members_not_of(experiment.source.parent_path() / name, experiment.specimens);
        !why.empty())
        section.fail("members", fmt::format("{}: {}; allowed: a table that `topple fit` wrote for this one, or without "
                                            "lines that begin with \"# specimen.\"",
                                            members.file, why));
    for (const std::string& column : members.keys) {
        const auto about = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const Parameter& one) { return one.key == parameter_of(column); });
        if (!about->cannot_apply.empty())
            section.fail("members", fmt::format("{}: column \"{}\": {}", members.file, column, about->cannot_apply));
        if (section.has(about->key))
            section.fail(about->key, fmt::format("{} is a column of {} already; allowed: one of them", column, name));
    }
    if (members.has("yaw_rad")) require_same_faces(section, "members", experiment);
    for (const WeightedMember& row : members.rows)
        require_within_depth(section, "members", experiment, row.perturbation.yaw_rad);
    for (const solver::Specimen& specimen : experiment.specimens) require_members_of(members, specimen);
    members.file = name;
    for (const Parameter& parameter : parameters) uncertainty.of.*parameter.of = {};
    uncertainty.members = std::make_shared<const MembersTable>(std::move(members));
}

/// The farthest that a draw can lie from the described value.
double reach(const Distribution& of) {
    constexpr double kCut = 4.0;
    return std::abs(of.centre) + (of.kind == DistributionKind::uniform ? of.spread : kCut * of.spread);
}

/// The narrowest bodies, farthest off their places and most worn, must still stand.
void require_that_all_stand(TomlTable& section, const Experiment& experiment, const Uncertainty& of) {
    const std::string_view key = of.wear_m.spread > 0.0 ? "wear_m" : of.seat_m.spread > 0.0 ? "seat_m" : "yaw_rad";
    if (!section.has(key)) return;
    if (reach(of.yaw_rad) > 0.0) require_same_faces(section, "yaw_rad", experiment);
    require_within_depth(section, "yaw_rad", experiment, reach(of.yaw_rad));
    const double narrowest =
        of.width.kind == DistributionKind::lognormal ? std::exp(-reach(of.width)) : 1.0 - reach(of.width);
    for (const solver::Specimen& specimen : experiment.specimens) {
        if (specimen.blocks.size() != 1) continue;
        for (const double side : {-1.0, 1.0}) {
            solver::Perturbation farthest;
            farthest.width_factors = {narrowest};
            farthest.yaw_rad = side * reach(of.yaw_rad);
            farthest.seat_m = side * reach(of.seat_m);
            farthest.wear_m = reach(of.wear_m);
            try {
                solver::perturbed(specimen, farthest);
            } catch (const std::invalid_argument& error) {
                section.fail(key, fmt::format("a member at the end of its range is no valid specimen: {}; allowed: a "
                                              "lesser spread",
                                              error.what()));
            }
        }
    }
}

}  // namespace

UncertaintySection read_uncertainty(TomlTable& file, const Experiment& experiment) {
    UncertaintySection uncertainty;
    if (experiment.assembly) uncertainty.of.friction = kFrictionOfAssembly;
    const std::vector<Parameter> parameters = parameters_of(experiment);
    for (const Parameter& parameter : parameters)
        if (!parameter.cannot_apply.empty()) uncertainty.of.*parameter.of = {};
    if (!file.has("uncertainty")) return uncertainty;
    TomlTable section = file.table("uncertainty");
    uncertainty.seed = static_cast<std::uint64_t>(section.integer_or("seed", 0, kSeedMax, 1));
    if (section.has("members"))
        take_members(section, experiment, parameters, uncertainty);
    else if (section.has("prior"))
        take_prior(section, experiment, uncertainty);
    for (const Parameter& parameter : parameters) {
        if (!section.has(parameter.key)) continue;
        const Distribution given = read_distribution(section, parameter.key, parameter.ranges);
        if (given.kind != DistributionKind::fixed && !parameter.cannot_apply.empty())
            section.fail(parameter.key,
                         fmt::format("{}; allowed: nothing, or {{ fixed = true }}", parameter.cannot_apply));
        uncertainty.of.*parameter.of = given;
    }
    require_that_all_stand(section, experiment, uncertainty.of);
    section.finish();
    return uncertainty;
}

}  // namespace topple::hil::experiment

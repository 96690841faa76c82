// foot = [[x_m, z_m], ...]: an irregular body by the profile of its underside.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "hil/experiment/foot_reach.hpp"
#include "hil/experiment/sections.hpp"
#include "hil/mesh/mesh_unit.hpp"
#include "solver/laws/resting_places.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kPointsMax = 20'000;  // drawn; the hull keeps at most kFootCornersMax of them
constexpr double kInertiaMax_kg_m2 = kMassMax_kg * kLengthMax_m * kLengthMax_m;
constexpr double kRadiusMax = 10.0;  // radius of gyration over the reach of the foot
const NumberRange kCoordinate = between(-kLengthMax_m, kLengthMax_m);
const NumberRange kRatio = between(0.0, 1.0);

/// The profile must pass below the mass centre, at [0, 0], where it passes there at all: a body that is drawn leaning
/// may have its mass centre beside its foot.
void require_below(TomlTable& table, const std::vector<solver::ProfilePoint>& points) {
    const std::vector<std::size_t> hull = solver::lower_hull(points);
    for (std::size_t i = 0; i + 1 < hull.size(); ++i) {
        const solver::ProfilePoint &a = points[hull[i]], &b = points[hull[i + 1]];
        if (a[0] > 0.0 || b[0] < 0.0) continue;
        const double z_m = a[1] + (b[1] - a[1]) * (0.0 - a[0]) / (b[0] - a[0]);
        if (!(z_m < 0.0))
            table.fail("foot", fmt::format("the mass centre, at [0, 0], is {:.4g} m below the foot; allowed: above it: "
                                           "x and z are measured from the mass centre, z upwards",
                                           z_m));
    }
}

/// As of a mesh: a body that is larger is one in millimetres.
void require_likely_size(TomlTable& table, double reach_m) {
    if (reach_m > mesh::kExtentMax_m)
        table.fail("foot",
                   fmt::format("a corner is {0:.4g} m from the mass centre; allowed: up to {1:g} m (millimetres? "
                               "the points are in m: it would be {2:.4g} m)",
                               reach_m, mesh::kExtentMax_m, reach_m / 1000.0));
}

/// No body whose mass is about as far from its centre as its foot has a radius of gyration that is many times that.
void require_likely_inertia(TomlTable& table, double radius_m, double reach_m) {
    if (radius_m > kRadiusMax * reach_m)
        table.fail(
            "inertia_kg_m2",
            fmt::format("makes a radius of gyration of {:.4g} m; allowed: up to {:g} times the {:.4g} m from the "
                        "mass centre to the farthest corner of the foot (it is about the mass centre, in kg m2)",
                        radius_m, kRadiusMax, reach_m));
}

solver::StandingFoot standing(TomlTable& table, const std::vector<solver::ProfilePoint>& points, double inertia_kg_m2) {
    require_below(table, points);
    try {
        return solver::standing_foot(points, inertia_kg_m2);
    } catch (const std::invalid_argument& error) {
        const std::string reason = error.what();
        table.fail("foot", reason.starts_with("foot: ") ? reason.substr(6) : reason);
    }
}

}  // namespace

void read_foot(TomlTable& table, WrittenSpecimen& written) {
    for (const char* key : {"width_m", "height_m", "density_kg_m3", "pivots"})
        if (table.has(key)) table.fail(key, "not allowed together with foot: write mass_kg and inertia_kg_m2");
    const std::vector<solver::ProfilePoint> points = table.number_pairs("foot", kCoordinate, 2, kPointsMax);
    const double mass_kg = table.number("mass_kg", above(0.0, kMassMax_kg));
    const double inertia_kg_m2 = table.number("inertia_kg_m2", above(0.0, kInertiaMax_kg_m2));
    solver::StandingFoot stands = standing(table, points, inertia_kg_m2);
    const double reach_m = experiment::reach_m(stands.foot);
    require_likely_size(table, reach_m);
    require_likely_inertia(table, std::sqrt(inertia_kg_m2 / mass_kg), reach_m);
    written.drawn = {points.size(), stands.turned_rad, std::move(stands.left_out)};
    solver::Foot& foot = written.specimen.foot.emplace(std::move(stands.foot));
    written.specimen.blocks = {block_around(foot, mass_kg)};
}

void read_overturned(TomlTable& table, solver::Specimen& body) {
    if (!table.has("overturned_rad")) return;
    if (!body.foot)
        table.fail("overturned_rad",
                   "of a foot or a mesh only: any other body has one face and overturns when it turns by pi/2");
    double hill_rad = 0.0;  // on the way from its standing face, of the side that is higher
    for (const solver::RestingPlace& place : solver::resting_places(body))
        if (place.face == solver::standing_face(*body.foot))
            hill_rad = std::max(-place.to_left.balance_rad, place.to_right.balance_rad);
    const double overturned_rad = table.number("overturned_rad", NumberRange{});
    if (!(overturned_rad > hill_rad) || !(overturned_rad <= solver::kLyingDown_rad))
        table.fail(
            "overturned_rad",
            fmt::format("{:g}; allowed: above {:.4f}, where its mass centre has passed its first corner to either "
                        "side on a level seat, up to pi/2 = 1.5707963",
                        overturned_rad, hill_rad));
    body.foot->overturned_rad = overturned_rad;
}

solver::Block block_around(const solver::Foot& foot, double mass_kg) {
    return {foot.corners_m.back()[0] - foot.corners_m.front()[0], -2.0 * foot.corners_m[solver::standing_face(foot)][1],
            mass_kg};
}

solver::Restitution read_foot_restitution(TomlTable& specimen, std::size_t faces) {
    using solver::RestitutionModel;
    solver::Restitution restitution;
    if (!specimen.has("restitution")) return restitution;
    if (specimen.is_text("restitution")) {
        specimen.one_of("restitution", {"housner"});
        return restitution;
    }
    TomlTable table = specimen.table("restitution");
    const std::string model = table.one_of("model", {"housner", "improved", "fixed", "random"});
    if (model == "improved" || model == "random")
        table.fail("model",
                   "a foot allows \"housner\" and \"fixed\": the others are laws of a flat face between two "
                   "edges");
    if (model == "fixed") restitution.model = RestitutionModel::fixed;
    if (model == "fixed" && table.has("faces")) {
        for (const char* key : {"value", "left_to_right", "right_to_left"})
            if (table.has(key)) table.fail(key, "not allowed together with faces: write one of them");
        restitution.fixed_faces = table.number_pairs("faces", kRatio, faces, faces);
    } else if (model == "fixed" && (table.has("left_to_right") || table.has("right_to_left"))) {
        restitution.fixed_left_to_right = table.number("left_to_right", kRatio);
        restitution.fixed_right_to_left = table.number("right_to_left", kRatio);
    } else if (model == "fixed") {
        restitution.fixed_left_to_right = restitution.fixed_right_to_left = table.number("value", kRatio);
    }
    if (model == "housner" && table.has("material")) {
        restitution.material = table.numbers("material", kRatio, faces);
        if (restitution.material.size() != 1 && restitution.material.size() != faces)
            table.fail("material",
                       fmt::format("must be one number or {}, one for each face of the foot from the left", faces));
    }
    table.finish();
    return restitution;
}

}  // namespace topple::hil::experiment

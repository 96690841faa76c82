// How far a body is a plane body: what is measured, the verdict and how a probability is read.
#include "hil/plan/three_dimensional.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "hil/experiment/members_table.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/input_file.hpp"
#include "hil/mesh/mesh_body.hpp"
#include "hil/plan/foot_figure.hpp"
#include "hil/plan/footprint.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solid_shapes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using hil::plan::space_account;
using hil::plan::SpaceVerdict;

namespace {

hil::experiment::Experiment of_mesh(hil::mesh::TriangleMesh mesh, double yaw_rad = 0.0) {
    hil::mesh::MeshRequest request;
    request.density_kg_m3 = 2000.0;
    hil::experiment::Experiment experiment;
    experiment.shapes.emplace_back().mesh =
        std::make_shared<hil::mesh::MeshBody>(hil::mesh::mesh_body(std::move(mesh), "body.obj", request));
    solver::Specimen& specimen = experiment.specimens.emplace_back();
    specimen.solid = experiment.shapes[0].mesh->solid;
    specimen.yaw_rad = yaw_rad;
    specimen.foot = solver::foot_of(*specimen.solid, yaw_rad).foot;
    specimen.blocks = {{1.0, 1.0, specimen.solid->mass_kg}};
    return experiment;
}

hil::experiment::Experiment of_block(double width_m, double height_m, hil::experiment::SpecimenShape shape) {
    hil::experiment::Experiment experiment;
    experiment.specimens.emplace_back().blocks = {{width_m, height_m, 1.0}};
    experiment.shapes = {std::move(shape)};
    return experiment;
}

/// Upright, on this outline as seen from above.
hil::mesh::TriangleMesh standing_prism(const std::vector<std::array<double, 2>>& outline, double height_m) {
    auto mesh = shapes::prism(outline, height_m);
    for (auto& point : mesh.points) std::swap(point[1], point[2]);
    return mesh;
}

hil::mesh::TriangleMesh headed(hil::mesh::TriangleMesh mesh, double heading_rad) {
    const double s = std::sin(heading_rad), c = std::cos(heading_rad);
    for (auto& p : mesh.points) p = {p[0] * c - p[1] * s + 0.37, p[0] * s + p[1] * c - 0.11, p[2] + 0.73};
    return mesh;
}

}  // namespace

TEST_CASE("A box along the plane is a plane body, and its probabilities stand") {
    const auto account = space_account(of_mesh(shapes::box(0.1, 0.3, 0.4)), 0).value();
    CHECK(account.verdict == SpaceVerdict::planar);
    CHECK(account.reasons.empty());
    CHECK(account.reading == "probabilities as they stand");
    CHECK(account.width_along_m == Approx(0.1));
    CHECK(account.width_across_m == Approx(0.3));
    CHECK(account.centre_offset_m == Approx(0.0).margin(1e-12));
    CHECK(account.obliquity_right_rad == Approx(0.0).margin(1e-7));
    CHECK(account.principal_angle_rad.value() == Approx(0.0).margin(1e-6));
    CHECK(account.momentum_angle_rad.value() == Approx(0.0).margin(1e-9));
    CHECK(account.weakest_ratio == Approx(1.0));
    CHECK(account.uplift_angle_rad == Approx(std::atan2(0.05, 0.2)));
}

TEST_CASE("A box turned about the vertical tips over an oblique edge and turns out of the plane") {
    for (const double yaw_rad : {0.1, 0.2, 0.5}) {
        const auto account = space_account(of_mesh(shapes::box(0.1, 0.3, 0.4), yaw_rad), 0).value();
        CHECK(account.obliquity_left_rad == Approx(yaw_rad).epsilon(1e-6));
        CHECK(account.obliquity_right_rad == Approx(yaw_rad).epsilon(1e-6));
        CHECK(account.width_along_m == Approx(0.1 / std::cos(yaw_rad)));
        CHECK(account.principal_angle_rad.value() == Approx(yaw_rad).epsilon(1e-6));
        CHECK(account.weakest_ratio == Approx(std::cos(yaw_rad)));
        CHECK(account.verdict == (yaw_rad < 0.14   ? SpaceVerdict::planar
                                  : yaw_rad < 0.32 ? SpaceVerdict::with_care
                                                   : SpaceVerdict::not_planar));
    }
    const auto account = space_account(of_mesh(shapes::box(0.1, 0.3, 0.4), 0.5), 0).value();
    CHECK_THAT(account.reasons.at(0), ContainsSubstring("28.6 deg off the axis"));
    CHECK_THAT(account.reading, ContainsSubstring("lower bound at best") && ContainsSubstring("at 12 % less"));
}

TEST_CASE("The principal axis of a body that has the same moment about two axes is any between them") {
    const auto account = space_account(of_mesh(shapes::box(0.2, 0.2, 0.4), 0.12), 0).value();
    CHECK(account.principal_angle_rad.value() == Approx(0.0).margin(1e-6));
}

TEST_CASE("The depth of a block and the place of its mass centre across the plane are judged") {
    // 0.1 m wide, 0.4 m high.
    const auto judged = [](double depth_m, double offset_m) {
        return space_account(of_block(0.1, 0.4, {.depth_m = depth_m, .centre_offset_y_m = offset_m}), 0).value();
    };
    CHECK(judged(0.1, 0.0).verdict == SpaceVerdict::planar);
    CHECK(judged(0.1, 0.014).verdict == SpaceVerdict::planar);  // within the middle third
    CHECK(judged(0.1, 0.0141).centre_offset_m == Approx(0.0141));
    CHECK(judged(0.2, 0.04).verdict == SpaceVerdict::with_care);
    CHECK(judged(0.2, 0.04).reach_ratio == Approx(0.4));
    CHECK(judged(0.2, -0.07).verdict == SpaceVerdict::not_planar);
    CHECK_THAT(judged(0.2, -0.07).reasons.at(0), ContainsSubstring("70 % of half of its edge"));
    // Thin across the plane: it lifts sideways at a part of the motion.
    CHECK(judged(0.04, 0.0).verdict == SpaceVerdict::with_care);
    CHECK(judged(0.04, 0.0).weakest_ratio == Approx(0.4));
    CHECK(std::abs(judged(0.04, 0.0).weakest_direction_rad) == Approx(std::numbers::pi / 2));
    CHECK(judged(0.015, 0.0).verdict == SpaceVerdict::not_planar);
}

TEST_CASE("The reach is counted along the edge over which the body tips, and over half of that edge") {
    // The right edge spans y = 0.02 ... 0.1 m, and the mass centre is at 0.0257 m: 0.0343 m off its middle.
    const auto slanted =
        space_account(of_mesh(standing_prism({{-0.1, -0.1}, {0.1, 0.02}, {0.1, 0.1}, {-0.1, 0.1}}, 0.6)), 0).value();
    CHECK(slanted.reach_ratio > 0.857);
    CHECK(slanted.reach_ratio < 0.9);  // and what the inertia asks
    CHECK(slanted.verdict == SpaceVerdict::not_planar);
    CHECK_THAT(slanted.reasons.at(0), ContainsSubstring("of half of its edge"));
    // Without inertia about a mixed axis it is the same on a box however its edge is turned.
    for (const double yaw_rad : {0.0, 0.13, -0.3, 1.2})
        CHECK(space_account(of_mesh(shapes::box(0.1, 0.3, 0.4), yaw_rad), 0).value().reach_ratio ==
              Approx(0.0).margin(1e-9));
}

TEST_CASE("A round base has no edge that keeps the body in the plane") {
    const auto on_polygon = [](int sides, double yaw_rad) {
        std::vector<std::array<double, 2>> outline;
        for (int i = 0; i < sides; ++i) {
            const double angle_rad = 2 * std::numbers::pi * (i + 0.5) / sides;
            outline.push_back({0.1 * std::cos(angle_rad), 0.1 * std::sin(angle_rad)});
        }
        return space_account(of_mesh(standing_prism(outline, 0.6), yaw_rad), 0).value();
    };
    for (const double yaw_rad : {0.0, 0.02, 0.05, 1.0}) {
        const auto round = on_polygon(64, yaw_rad);
        CHECK(round.edge_ratio == Approx(std::sin(std::numbers::pi / 64)).epsilon(2e-3));
        CHECK(round.verdict == SpaceVerdict::not_planar);
        CHECK_THAT(round.reasons.at(0), ContainsSubstring("5 % of its width across the plane"));
    }
    // Edge over width between edges: tan(pi / 8) = 0.41 of an octagon, 0.2 of a polygon of 16 sides.
    CHECK(on_polygon(4, 0.0).edge_ratio == Approx(1.0));
    CHECK(on_polygon(4, 0.0).verdict == SpaceVerdict::planar);
    CHECK(on_polygon(8, 0.0).edge_ratio == Approx(std::tan(std::numbers::pi / 8)));
    CHECK(on_polygon(8, 0.0).verdict == SpaceVerdict::with_care);
    CHECK(on_polygon(16, 0.0).verdict == SpaceVerdict::not_planar);
}

TEST_CASE("An edge goes on through corners that stand back by less than the contact tolerance") {
    hil::plan::Footprint footprint{
        {{-0.1, -0.1}, {0.0999, -0.1}, {0.1, 0.0}, {0.1, 0.02}, {0.0999, 0.1}, {-0.1, 0.1}}, 0.2, 0.0};
    CHECK(hil::plan::way_out(footprint, {1.0, 0.1}).ends_m[0] == Approx(0.0).margin(1e-12));
    CHECK(hil::plan::way_out(footprint, {1.0, 0.1}).ends_m[1] == Approx(0.02));
    footprint.contact_m = 2e-4;
    CHECK(hil::plan::way_out(footprint, {1.0, 0.1}).ends_m[0] == Approx(-0.1));
    CHECK(hil::plan::way_out(footprint, {1.0, 0.1}).ends_m[1] == Approx(0.1));
}

TEST_CASE("A box is the same in space from whichever side and however it is drawn") {
    constexpr double kPi = std::numbers::pi;
    const auto expect = [](const hil::plan::SpaceAccount& account, double along_m, double across_m) {
        CHECK(account.width_along_m == Approx(along_m));
        CHECK(account.width_across_m == Approx(across_m));
        CHECK(account.obliquity_left_rad == Approx(0.0).margin(1e-6));
        CHECK(account.obliquity_right_rad == Approx(0.0).margin(1e-6));
        CHECK(account.edge_ratio == Approx(1.0));
        CHECK(account.reach_ratio == Approx(0.0).margin(1e-9));
    };
    const auto box = shapes::box(0.2, 0.3, 0.5);
    for (const double yaw_rad : {0.0, kPi, -kPi}) expect(space_account(of_mesh(box, yaw_rad), 0).value(), 0.2, 0.3);
    for (const double yaw_rad : {kPi / 2, -kPi / 2}) expect(space_account(of_mesh(box, yaw_rad), 0).value(), 0.3, 0.2);
    for (double heading_rad = -3.1; heading_rad < 3.1; heading_rad += 0.1) {
        INFO("heading " << heading_rad);
        expect(space_account(of_mesh(headed(box, heading_rad), -heading_rad), 0).value(), 0.2, 0.3);
    }
}

TEST_CASE("A crate that is drawn tilted stands on its sides at every yaw") {
    for (const double tilt_rad : {0.3, 1.0, 1.9, 2.7, 4.4}) {
        auto experiment = of_mesh(shapes::turned(shapes::box(0.2, 0.3, 0.5), tilt_rad));
        const double heading_rad = space_account(experiment, 0).value().weakest_direction_rad;
        for (double turned_rad = -1.0; turned_rad < 1.0; turned_rad += 0.03) {
            for (const double quarter : {0.0, 0.5, 1.0, -0.5, turned_rad}) {
                experiment.specimens[0].yaw_rad =
                    std::remainder(quarter * std::numbers::pi - heading_rad, 2 * std::numbers::pi);
                INFO("tilt " << tilt_rad << ", yaw " << experiment.specimens[0].yaw_rad);
                const auto account = space_account(experiment, 0).value();
                const double psi = account.obliquity_right_rad, edge_m = account.edge_ratio * account.width_across_m;
                CHECK(account.obliquity_left_rad == Approx(psi).margin(1e-6));
                CHECK(account.weakest_ratio <= 1.0 + 1e-12);
                const auto is_side = [](double length_m) {
                    return length_m == Approx(0.2) || length_m == Approx(0.3) || length_m == Approx(0.5);
                };
                CHECK(is_side(account.width_along_m * std::cos(psi)));
                CHECK(is_side(edge_m));
                CHECK(account.reach_ratio == Approx(0.0).margin(1e-6));
            }
        }
    }
}

TEST_CASE("A footprint that is none is refused instead of judged") {
    const auto judged = [](double width_m, double height_m) {
        return space_account(of_block(width_m, height_m, {.depth_m = 0.1}), 0);
    };
    CHECK_NOTHROW(judged(0.1, 0.4));
    for (const double width_m : {0.0, -0.1, std::nan(""), std::numeric_limits<double>::infinity()})
        CHECK_THROWS_WITH(judged(width_m, 0.4), ContainsSubstring("allowed: finite widths above 0"));
    CHECK_THROWS_WITH(judged(1.0, 1e-6), ContainsSubstring("at most 1e+06 m/s2"));
    CHECK_THROWS_WITH(space_account(of_block(0.1, 0.4, {.depth_m = std::nan("")}), 0),
                      ContainsSubstring("m across it below"));
}

TEST_CASE("Of a body of which nothing is known across the plane it is said what would make it known") {
    const auto block = of_block(0.1, 0.4, {});
    CHECK_FALSE(space_account(block, 0));
    CHECK(hil::plan::space_json(block, 0).at("state") == "unknown");
    CHECK(hil::plan::space_json(block, 0).at("missing") == "give depth_m, centre_offset_y_m or a mesh");
    CHECK_THAT(hil::plan::space_text(block, 0, 14),
               ContainsSubstring("not known: give depth_m, centre_offset_y_m or a mesh"));
    CHECK(hil::plan::space_json(of_mesh(shapes::box(0.1, 0.3, 0.4)), 0).at("state") == "known");
    CHECK(hil::plan::foot_panels(block).count == 0);
    auto stack = block;
    stack.specimens[0].blocks.push_back(stack.specimens[0].blocks[0]);
    CHECK_THAT(hil::plan::space_text(stack, 0, 14), ContainsSubstring("not known: single bodies only"));
}

TEST_CASE(
    "A plane body that another direction lifts sooner is read for motion along x alone, and the direction named") {
    const auto account = space_account(of_block(0.06, 0.4, {.depth_m = 0.04}), 0).value();
    CHECK(account.verdict == SpaceVerdict::planar);
    CHECK_THAT(account.reading, ContainsSubstring("as they stand for motion along x alone; motion towards") &&
                                    ContainsSubstring("90 deg from +x") && ContainsSubstring("at 33 % less"));
}

TEST_CASE("A body of uncertain yaw is judged over its members, and the share of each verdict is told") {
    auto experiment = of_mesh(shapes::box(0.1, 0.3, 0.4));
    CHECK_FALSE(space_account(experiment, 0).value().members);
    // Planar within 0.14 rad, with care within 0.32 rad: of a uniform spread of 0.4 rad 35, 45 and 20 %.
    auto& yaw = experiment.uncertainty.of.yaw_rad;
    yaw = {solver::DistributionKind::uniform, 0.4};
    const auto account = space_account(experiment, 0).value();
    REQUIRE(account.members);
    CHECK(account.members->count == hil::plan::kYawsAsked);
    CHECK(account.members->share[0] == Approx(0.35).margin(0.06));  // 3 deviations of 500 draws
    CHECK(account.members->share[1] == Approx(0.45).margin(0.07));
    CHECK(account.members->share[2] == Approx(0.2).margin(0.055));
    CHECK(account.verdict == SpaceVerdict::not_planar);
    CHECK_THAT(account.reading, ContainsSubstring("lower bound at best"));
    REQUIRE(account.reasons.size() == 1);
    CHECK_THAT(account.reasons[0], ContainsSubstring("a member turned by"));
    CHECK_THAT(hil::plan::space_text(experiment, 0, 14), ContainsSubstring("at the yaws of 500 members"));
    CHECK(hil::plan::space_json(experiment, 0).at("members").at("not_planar") == account.members->share[2]);
    yaw.spread = 0.3;
    CHECK(space_account(experiment, 0).value().verdict == SpaceVerdict::with_care);
    yaw.spread = 0.142;  // 1.4 % of them are beyond the first limit
    CHECK(space_account(experiment, 0).value().verdict == SpaceVerdict::planar);
}

TEST_CASE("Members of a table are judged with their weights") {
    auto experiment = of_block(0.1, 0.4, {.depth_m = 0.3});
    auto table = std::make_shared<hil::experiment::MembersTable>();
    table->keys = {"yaw_rad"};
    table->rows.resize(2);
    table->rows[0].weight = 1.96;
    table->rows[1].weight = 0.04;
    table->rows[1].perturbation.yaw_rad = 0.5;
    table->effective_members = 1.04;
    experiment.uncertainty.of = {};
    experiment.uncertainty.members = table;
    const auto account = space_account(experiment, 0).value();
    CHECK(account.members.value().share[2] == Approx(0.02));
    CHECK(account.verdict == SpaceVerdict::planar);
}

TEST_CASE("A body from a mesh is drawn in section and from above") {
    const auto panels = hil::plan::foot_panels(of_mesh(shapes::box(0.1, 0.3, 0.4)));
    CHECK(panels.count == 2);
    CHECK(panels.data.size() == 7);
    const tests::TemporaryFolder folder;
    const auto figure = folder.file("body.svg");
    hil::files::draw_figure(
        hil::files::figure_head(figure, 800, 620) + "set multiplot layout 2,1\n" + panels.script + "unset multiplot\n",
        panels.data, figure);
    // gnuplot names no curve of which it found no point.
    const std::string drawn = hil::files::read_text_file(figure);
    for (const char* curve :
         {"hull", "can rest", "corners", "number of the face", "mass centre", "stands on", "weakest direction"})
        CHECK_THAT(drawn, ContainsSubstring(curve));
}

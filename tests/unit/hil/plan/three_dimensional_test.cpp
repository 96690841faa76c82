// How far a body is a plane body: what is measured, the verdict and how a probability is read.
#include "hil/plan/three_dimensional.hpp"

#include <cmath>
#include <numbers>

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
    CHECK_THAT(judged(0.2, -0.07).reasons.at(0), ContainsSubstring("70 % of the half-width"));
    // Thin across the plane: it lifts sideways at a part of the motion.
    CHECK(judged(0.04, 0.0).verdict == SpaceVerdict::with_care);
    CHECK(judged(0.04, 0.0).weakest_ratio == Approx(0.4));
    CHECK(std::abs(judged(0.04, 0.0).weakest_direction_rad) == Approx(std::numbers::pi / 2));
    CHECK(judged(0.015, 0.0).verdict == SpaceVerdict::not_planar);
}

TEST_CASE("Nothing is said of a body of which nothing is known across the plane") {
    const auto block = of_block(0.1, 0.4, {});
    CHECK_FALSE(space_account(block, 0));
    CHECK(hil::plan::space_json(block, 0).is_null());
    CHECK(hil::plan::space_text(block, 0, 14).empty());
    CHECK(hil::plan::foot_panels(block).count == 0);
}

TEST_CASE("A body from a mesh is drawn in section and from above") {
    const auto panels = hil::plan::foot_panels(of_mesh(shapes::box(0.1, 0.3, 0.4)));
    CHECK(panels.count == 2);
    CHECK(panels.data.size() == 6);
    const tests::TemporaryFolder folder;
    const auto figure = folder.file("body.svg");
    hil::files::draw_figure(
        hil::files::figure_head(figure, 800, 620) + "set multiplot layout 2,1\n" + panels.script + "unset multiplot\n",
        panels.data, figure);
    // gnuplot names no curve of which it found no point.
    const std::string drawn = hil::files::read_text_file(figure);
    for (const char* curve : {"hull", "can rest", "corners", "mass centre", "stands on", "weakest direction"})
        CHECK_THAT(drawn, ContainsSubstring(curve));
}

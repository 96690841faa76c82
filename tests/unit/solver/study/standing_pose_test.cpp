#include "solver/study/standing_pose.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solver/foot_energy.hpp"
#include "solver/study/held_restitution.hpp"
#include "solver/study/perturbation.hpp"
#include "solver/study/uncertainty.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::b6l;

namespace {

Perturbation pose(double yaw_rad, double seat_m, double wear_m = 0.0) {
    Perturbation by;
    by.yaw_rad = yaw_rad;
    by.seat_m = seat_m;
    by.wear_m = wear_m;
    return by;
}

Specimen asymmetric() {
    Specimen body = b6l();
    body.pivots = Pivots{0.2, 0.3, 0.135 / std::cos(0.2), 0.135 / std::cos(0.3), 0.0164};
    return body;
}

Specimen of_foot(std::vector<ProfilePoint> corners) {
    Specimen body = b6l();
    body.foot = Foot{std::move(corners), 0.0164};
    return body;
}

/// A box of these full sizes.
Specimen of_box(double x_m, double y_m, double z_m) {
    auto solid = std::make_shared<Solid>();
    for (int i = 0; i < 8; ++i)
        solid->corners_m.push_back(
            {(i & 1 ? 0.5 : -0.5) * x_m, (i & 2 ? 0.5 : -0.5) * y_m, (i & 4 ? 0.5 : -0.5) * z_m});
    for (std::size_t i = 0; i < 8; ++i)
        for (const std::size_t bit : {1u, 2u, 4u})
            if (!(i & bit)) solid->edges.push_back({i, i | bit});
    solid->mass_kg = 2.5;
    solid->inertia_kg_m2 = {0.02, 0.0164, 0.003, 0.0, 0.0, 0.0};
    Specimen body = b6l();
    body.solid = solid;
    body.foot = foot_of(*solid, 0.0).foot;
    return body;
}

double uplift_ratio(const Specimen& body) { return uplift_acceleration_m_s2(body) / kStandardGravity_m_s2; }

}  // namespace

TEST_CASE("A block turned by yaw lifts at the acceleration whose component across the edge lifts it") {
    const double yaw_rad = 0.3;
    CHECK(uplift_ratio(perturbed(b6l(), pose(yaw_rad, 0.0))) * std::cos(yaw_rad) ==
          Approx(uplift_ratio(b6l())).epsilon(1e-12));
    CHECK(uplift_ratio(perturbed(asymmetric(), pose(-yaw_rad, 0.0))) * std::cos(yaw_rad) ==
          Approx(uplift_ratio(asymmetric())).epsilon(1e-12));
    CHECK(perturbed(asymmetric(), pose(yaw_rad, 0.0)).pivots->inertia_kg_m2 == 0.0164);
    CHECK_THROWS_WITH(perturbed(b6l(), pose(0.71, 0.0)), Catch::Contains("yaw_rad = 0.71"));
    const Specimen foot = of_foot({{-0.04, -0.13}, {-0.03, -0.135}, {0.03, -0.135}});
    CHECK(perturbed(foot, pose(yaw_rad, 0.0)).foot->corners_m[0][0] == Approx(-0.04 / std::cos(yaw_rad)));
    CHECK(perturbed(foot, pose(yaw_rad, 0.0)).foot->corners_m[0][1] == -0.13);
}

TEST_CASE("A solid turned by yaw shows the section that a prism of its face has, and beyond a diagonal another one") {
    const Specimen box = of_box(0.06, 0.2, 0.27);
    const Specimen turned = perturbed(box, pose(0.2, 0.0));
    CHECK(turned.yaw_rad == 0.2);
    CHECK(turned.foot->corners_m.back()[0] == Approx(0.03 / std::cos(0.2)).epsilon(1e-12));
    CHECK(perturbed(box, pose(1.5, 0.0)).foot->corners_m.back()[0] == Approx(0.1 / std::sin(1.5)).epsilon(1e-12));
}

TEST_CASE("A block of known depth turned by yaw is the section of that box, whichever face the plane leaves it by") {
    Specimen block = b6l();
    block.blocks[0].width_m = 0.06;
    block.solid = std::make_shared<Solid>(box_of(block.blocks[0], 0.04));
    const double mass_kg = block.blocks[0].mass_kg, height_m = block.blocks[0].height_m;
    for (const double yaw_rad : {0.1, 0.4, 0.588, 0.7, -0.7, 1.5}) {
        const double c = std::cos(yaw_rad), s = std::sin(yaw_rad);
        const Specimen turned = perturbed(block, pose(yaw_rad, 0.0));
        INFO("yaw " << yaw_rad);
        REQUIRE(turned.pivots);
        const double half_m = std::min(0.03 / c, 0.02 / std::abs(s));
        for (const double alpha_rad : {turned.pivots->alpha_left_rad, turned.pivots->alpha_right_rad})
            CHECK(std::tan(alpha_rad) == Approx(half_m / (0.5 * height_m)).epsilon(1e-12));
        CHECK(turned.pivots->radius_right_m == Approx(std::hypot(half_m, 0.5 * height_m)).epsilon(1e-12));
        const double along_m = 0.06 * c, across_m = 0.04 * s;
        CHECK(turned.pivots->inertia_kg_m2 ==
              Approx(mass_kg * (along_m * along_m + across_m * across_m + height_m * height_m) / 12.0).epsilon(1e-12));
    }
    // A map that varies the sizes leaves the solid behind: only its depth counts.
    block.blocks[0].width_m = 0.02;
    CHECK(uplift_ratio(perturbed(block, pose(0.7, 0.0))) * std::cos(0.7) == Approx(uplift_ratio(block)).epsilon(1e-12));
}

TEST_CASE("The plane leaves a turned box sooner by the end that is nearer to its mass centre") {
    Specimen block = b6l();
    block.blocks[0].width_m = 0.06;
    block.solid = std::make_shared<Solid>(box_of(block.blocks[0], 0.04, 0.005));
    const auto reach_m = [&](double yaw_rad, bool to_left) {
        const Pivots pivots = perturbed(block, pose(yaw_rad, 0.0)).pivots.value();
        return to_left ? pivots.radius_left_m * std::sin(pivots.alpha_left_rad)
                       : pivots.radius_right_m * std::sin(pivots.alpha_right_rad);
    };
    // Turned counter-clockwise, the back comes to the left, 0.015 m from the mass centre.
    CHECK(reach_m(0.7, true) == Approx(0.015 / std::sin(0.7)).epsilon(1e-12));
    CHECK(reach_m(0.7, false) == Approx(0.025 / std::sin(0.7)).epsilon(1e-12));
    CHECK(reach_m(-0.7, false) == Approx(reach_m(0.7, true)).epsilon(1e-12));
}

TEST_CASE("A solid whose restitution lists its faces is not turned, because its section would have others") {
    Specimen box = of_box(0.06, 0.2, 0.27);
    box.restitution.model = RestitutionModel::fixed;
    box.restitution.fixed_faces = {{0.9, 0.9}};
    CHECK(lists_faces(box));
    CHECK_THROWS_WITH(perturbed(box, pose(0.1, 0.0)), Catch::Contains("one by one"));
    CHECK_NOTHROW(perturbed(box, pose(0.0, 0.0)));
}

TEST_CASE("A seat off the middle makes a block lift sooner on one side and later on the other") {
    const Specimen moved = perturbed(b6l(), pose(0.0, 0.005));
    REQUIRE(moved.pivots);
    CHECK(std::tan(moved.pivots->alpha_left_rad) == Approx(0.025 / 0.135).epsilon(1e-12));
    CHECK(std::tan(moved.pivots->alpha_right_rad) == Approx(0.035 / 0.135).epsilon(1e-12));
    CHECK(moved.pivots->radius_right_m == Approx(std::hypot(0.035, 0.135)).epsilon(1e-12));
    CHECK(moved.pivots->inertia_kg_m2 == Approx(2.5692 * (0.06 * 0.06 + 0.27 * 0.27) / 12.0).epsilon(1e-12));
    CHECK(std::tan(perturbed(asymmetric(), pose(0.0, -0.01)).pivots->alpha_left_rad) ==
          Approx(std::tan(0.2) + 0.01 / 0.135).epsilon(1e-12));
    CHECK(perturbed(of_foot({{-0.03, -0.135}, {0.03, -0.135}}), pose(0.0, 0.01)).foot->corners_m[1][0] == Approx(0.04));
    CHECK_THROWS_WITH(perturbed(b6l(), pose(0.0, 0.03)), Catch::Contains("0.030000 m to its left"));
}

TEST_CASE("Housner's ratio of a moved block is that of each direction, on both sides of 1 times it") {
    Perturbation by = pose(0.0, 0.01);
    const auto plain = restitution_ratios(perturbed(b6l(), by));
    REQUIRE(plain.size() == 2);
    CHECK(plain[0] != Approx(plain[1]).epsilon(1e-4));
    for (const double factor : {0.98, 1.02}) {
        by.restitution_factor = factor;
        const auto scaled = restitution_ratios(perturbed(b6l(), by));
        CHECK(scaled.at(0) == Approx(factor * plain[0]).epsilon(1e-12));
        CHECK(scaled.at(1) == Approx(factor * plain[1]).epsilon(1e-12));
    }
}

TEST_CASE("The ensemble of an asymmetric body has two distributions of ratios, and neither is cut off at its middle") {
    const Specimen body = asymmetric();
    const auto described = restitution_ratios(body);
    REQUIRE(described.size() == 2);
    std::size_t above[2] = {0, 0};
    double mean[2] = {0.0, 0.0};
    constexpr std::size_t kMembers = 1000;
    for (std::size_t i = 0; i < kMembers; ++i) {
        const auto ratio = restitution_ratios(perturbed(body, draw_member({}, 3, i, 2, 1).perturbation));
        for (int side = 0; side < 2; ++side) {
            mean[side] += ratio.at(side) / kMembers;
            if (ratio.at(side) > described[side]) ++above[side];
        }
    }
    CHECK(std::abs(described[0] - described[1]) > 0.01);
    for (int side = 0; side < 2; ++side) {
        CHECK(mean[side] == Approx(described[side]).margin(0.002));
        CHECK(above[side] > 440);
        CHECK(above[side] < 560);
    }
}

TEST_CASE("Each side of a foot is widened on its own, and the mass centre raised over the standing face") {
    const Specimen foot = of_foot({{-0.04, -0.13}, {-0.03, -0.135}, {0.02, -0.135}, {0.05, -0.12}});
    Perturbation by;
    by.width_factors = {1.1, 0.9};
    by.height_factors = {1.02, 5.0};
    const auto corners = perturbed(foot, by).foot->corners_m;
    REQUIRE(foot_count(foot) == 2);
    CHECK(corners[0][0] == Approx(-0.044));
    CHECK(corners[3][0] == Approx(0.045));
    CHECK(corners[1][1] == Approx(-0.135 * 1.02));
    CHECK(corners[3][1] - corners[2][1] == Approx(0.015));
}

TEST_CASE("Every face of a foot has its own factor beside the common one") {
    const Specimen foot = of_foot({{-0.04, -0.13}, {-0.03, -0.135}, {0.02, -0.135}, {0.05, -0.12}});
    Perturbation by;
    by.restitution_factor = 0.99;
    by.face_factors = {1.0, 0.9, 0.8};
    REQUIRE(face_count(foot) == 3);
    const Specimen changed = perturbed(foot, by);
    const auto faces = faces_of(*foot.foot, foot.blocks[0].mass_kg);
    REQUIRE(changed.restitution.fixed_faces.size() == 3);
    CHECK(changed.restitution.fixed_faces[1][0] == Approx(0.99 * 0.9 * faces[1].left_to_right).epsilon(1e-12));
    CHECK(changed.restitution.fixed_faces[2][1] == Approx(0.99 * 0.8 * faces[2].right_to_left).epsilon(1e-12));
    by.restitution_factor = 5.0;
    const auto most = perturbed(foot, by).restitution.fixed_faces[2];
    CHECK(most[0] == Approx(lossless_ratios(*foot.foot, foot.blocks[0].mass_kg, 2)[0]).epsilon(1e-12));
    by.restitution_factor = 0.99;
    by.face_factors = {1.0, 0.9};
    CHECK_THROWS_WITH(perturbed(foot, by), Catch::Contains("2 values given, allowed: none or 3"));
    by.face_factors = {0.9};
    CHECK(restitution_ratios(perturbed(b6l(), by))[0] == Approx(0.99 * 0.9 * restitution_ratios(b6l())[0]));
}

TEST_CASE("Members whose ratio would add energy are told, and no others") {
    Perturbation by;
    CHECK_FALSE(restitution_is_held(b6l(), by));
    by.restitution_factor = 1.02;
    CHECK_FALSE(restitution_is_held(b6l(), by));
    by.restitution_factor = 1.2;
    CHECK(restitution_is_held(b6l(), by));
    by.restitution_factor = 1.001;
    CHECK(restitution_is_held(topple::test::stack({topple::test::kB6l, topple::test::kB6m}), by));
    const Specimen foot = of_foot({{-0.04, -0.13}, {-0.03, -0.135}, {0.02, -0.135}, {0.05, -0.12}});
    CHECK_FALSE(restitution_is_held(foot, by));
    by.face_factors = {1.0, 1.0, 1.5};
    CHECK(restitution_is_held(foot, by));
}

TEST_CASE("A worn block stands on what is left, keeps its stated ratio there, and loses little on its arcs") {
    Specimen block = b6l();
    block.restitution.model = RestitutionModel::fixed;
    block.restitution.fixed_left_to_right = 0.9;
    block.restitution.fixed_right_to_left = 0.8;
    Perturbation by = pose(0.0, 0.0, 0.002);
    by.restitution_factor = 0.5;
    const Specimen worn = perturbed(block, by);
    REQUIRE(worn.foot);
    const std::size_t stands = standing_face(*worn.foot);
    CHECK(worn.foot->corners_m[stands + 1][0] == Approx(0.028));
    CHECK(uplift_ratio(worn) == Approx(0.028 / 0.135).epsilon(1e-12));
    REQUIRE(worn.restitution.fixed_faces.size() == worn.foot->corners_m.size() - 1);
    CHECK(worn.restitution.fixed_faces[stands][0] == Approx(0.45));
    CHECK(worn.restitution.fixed_faces[stands][1] == Approx(0.4));
    const auto faces = faces_of(*worn.foot, block.blocks[0].mass_kg);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        if (i == stands) continue;
        CHECK(worn.restitution.fixed_faces[i][0] == faces[i].left_to_right);
        CHECK(worn.restitution.fixed_faces[i][1] == faces[i].right_to_left);
        CHECK(faces[i].left_to_right > 0.99);
    }
    CHECK(faces[stands + 1].left_to_right < 1.0);
    CHECK(faces[stands + 1].right_to_left > 1.0);  // on its way back it turns faster and loses energy nevertheless
}

TEST_CASE("Material factors stay with their faces when the corners are worn") {
    Specimen foot = of_foot({{-0.04, -0.13}, {-0.03, -0.135}, {0.02, -0.135}, {0.05, -0.12}});
    foot.restitution.material = {0.7, 0.8, 0.9};
    const Specimen worn = perturbed(foot, pose(0.0, 0.0, 0.0005));
    const auto& material = worn.restitution.material;
    REQUIRE(material.size() == worn.foot->corners_m.size() - 1);
    CHECK(material[standing_face(*worn.foot)] == 0.8);
    for (const double once : {0.7, 0.8, 0.9}) CHECK(std::count(material.begin(), material.end(), once) == 1);
    CHECK(std::count(material.begin(), material.end(), 1.0) + 3 == std::ptrdiff_t(material.size()));
}

TEST_CASE("Laws that no foot has refuse wear, and stacks refuse a pose") {
    Specimen improved = b6l();
    improved.restitution.model = RestitutionModel::improved;
    CHECK_THROWS_WITH(perturbed(improved, pose(0.0, 0.0, 0.001)), Catch::Contains("wear_m"));
    CHECK_NOTHROW(perturbed(improved, pose(0.1, 0.001)));
    const Specimen stack = topple::test::stack({topple::test::kB6l, topple::test::kB6m});
    CHECK(face_count(stack) == 0);
    CHECK_THROWS_WITH(perturbed(stack, pose(0.1, 0.0)), Catch::Contains("not of a stack"));
    CHECK_THROWS_WITH(perturbed(stack, pose(0.0, 0.001)), Catch::Contains("not of a stack"));
    CHECK_THROWS_WITH(perturbed(stack, pose(0.0, 0.0, 0.001)), Catch::Contains("not of a stack"));
}

TEST_CASE("Uncertain poses are drawn beside everything else, which stays as it was, wear to one side only") {
    Uncertainty uncertain;
    uncertain.yaw_rad = {DistributionKind::normal, 0.05};
    uncertain.seat_m = {DistributionKind::uniform, 0.002};
    uncertain.wear_m = {DistributionKind::uniform, 0.001};
    uncertain.restitution_face = {DistributionKind::normal, 0.02};
    double yaw2 = 0.0, wear_mean = 0.0;
    constexpr std::size_t kMembers = 2000;
    for (std::size_t i = 0; i < kMembers; ++i) {
        const MemberDraw with = draw_member(uncertain, 5, i, 2, 3), without = draw_member({}, 5, i, 2);
        REQUIRE(with.perturbation.width_factors == without.perturbation.width_factors);
        REQUIRE(with.perturbation.tilt_rad == without.perturbation.tilt_rad);
        REQUIRE(with.motion.amplitude == without.motion.amplitude);
        REQUIRE(with.perturbation.face_factors.size() == 3);
        REQUIRE(with.perturbation.face_factors[0] != with.perturbation.face_factors[1]);
        REQUIRE(std::abs(with.perturbation.seat_m) <= 0.002);
        REQUIRE(with.perturbation.wear_m >= 0.0);
        REQUIRE(with.perturbation.wear_m <= 0.001);
        yaw2 += with.perturbation.yaw_rad * with.perturbation.yaw_rad / kMembers;
        wear_mean += with.perturbation.wear_m / kMembers;
    }
    CHECK(std::sqrt(yaw2) == Approx(0.05).epsilon(0.05));
    CHECK(wear_mean == Approx(0.0005).epsilon(0.05));
    CHECK(draw_member(uncertain, 5, 1, 2, 0).perturbation.yaw_rad == 0.0);
}

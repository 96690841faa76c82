// The body on a foot in the cases that are easy to get wrong.
#include <algorithm>
#include <cmath>

#include "solver/laws/air_track.hpp"
#include "solver/laws/foot_fate.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

constexpr double kG = kStandardGravity_m_s2;

/// Faces at -atan(0.4), 0 and atan(0.375); the body rests on the middle one only.
Specimen three_faces() { return with_foot({{{-0.2, -0.16}, {-0.1, -0.2}, {0.1, -0.2}, {0.18, -0.17}}, 0.03}, 2.0); }

/// Two faces on which it rests alike, the right one level.
Specimen boat() { return with_foot(standing_foot({{-0.2, -0.46}, {0.0, -0.5}, {0.2, -0.46}}, 0.05).foot, 2.0); }

Prediction released(Specimen specimen, double rotation_rad, double rate_rad_s = 0.0) {
    specimen.initial_rotation_rad = {rotation_rad};
    specimen.initial_rotation_rate_rad_s = {rate_rad_s};
    return follow(specimen, {}, {});
}

Prediction pushed(const Specimen& specimen, double acceleration_m_s2, double until_s = 0.2) {
    SolverOptions options;
    options.model = Model::rocking;  // friction is watched
    return follow(specimen, BaseMotion({piece(0.0, until_s, acceleration_m_s2)}), options);
}

}  // namespace

TEST_CASE("a foot leaves its face above the threshold of its nearer edge and not exactly at it") {
    const Specimen specimen = three_faces();
    const double threshold = kG * 0.1 / 0.2;
    CHECK(uplift_acceleration_m_s2(specimen) == Approx(threshold).epsilon(1e-14));
    for (const int side : {-1, 1}) {
        CHECK(pushed(specimen, side * threshold).outcome == Outcome::translation);
        const Prediction above = pushed(specimen, side * threshold * (1.0 + 1e-9));
        CHECK(above.outcome == Outcome::rocking);
        CHECK(above.resting_face == 1u);
    }
}

TEST_CASE("a foot on a sloping seat leaves its face sooner on the lower side") {
    Specimen specimen = three_faces();
    specimen.initial_tilt_rad = 0.1;
    const double slope = std::tan(0.1), band = 0.1 / 0.2;
    // Rightwards acceleration turns it left; gravity along the seat helps the other side.
    const double right = kG * std::cos(0.1) * (band + slope), left = kG * std::cos(0.1) * (band - slope);
    CHECK(uplift_acceleration_m_s2(specimen) == Approx(left).epsilon(1e-13));
    CHECK(pushed(specimen, right - 1e-6).outcome == Outcome::translation);
    CHECK(pushed(specimen, right + 1e-6).outcome != Outcome::translation);
    CHECK(pushed(specimen, -left + 1e-6).outcome == Outcome::translation);
    CHECK(pushed(specimen, -left - 1e-6).outcome != Outcome::translation);
}

TEST_CASE("a body let go rolls over its edges down to the face on which it rests, each impact with its face") {
    const Prediction prediction = released(three_faces(), 0.7);
    CHECK(prediction.outcome == Outcome::rocking);
    REQUIRE(prediction.impacts.size() > 3);
    CHECK(prediction.impacts[0].face == 2u);
    CHECK(prediction.impacts[1].face == 1u);
    CHECK(prediction.impacts[0].rotation_rate_before_rad_s[0] < 0.0);
    CHECK(prediction.impacts[1].rotation_rate_before_rad_s[0] < prediction.impacts[0].rotation_rate_after_rad_s[0]);
    CHECK(prediction.resting_face == 1u);
    CHECK(prediction.settled_time_s);
}

TEST_CASE("each impact on a foot has the ratio of its face and direction, by geometry or as stated") {
    Specimen specimen = three_faces();
    const auto check = [&](const std::vector<std::array<double, 2>>& ratios) {
        for (const double start : {0.7, -0.6})
            for (const Impact& impact : released(specimen, start).impacts) {
                const double before = impact.rotation_rate_before_rad_s[0];
                CHECK(impact.rotation_rate_after_rad_s[0] ==
                      Approx(ratios[*impact.face][before > 0.0 ? 0 : 1] * before).epsilon(1e-14));
            }
    };
    const std::vector<FootFace> faces = faces_of(*specimen.foot, 2.0);
    std::vector<std::array<double, 2>> ratios;
    for (const FootFace& face : faces) ratios.push_back({face.left_to_right, face.right_to_left});
    check(ratios);
    specimen.restitution.material = {0.9, 0.8, 0.7};
    for (std::size_t i = 0; i < 3; ++i)
        for (double& ratio : ratios[i]) ratio *= specimen.restitution.material[i];
    check(ratios);
    specimen.restitution = {};
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.restitution.fixed_faces = ratios = {{0.5, 0.6}, {0.7, 0.8}, {0.9, 0.95}};
    check(ratios);
    CHECK(restitution_ratios(specimen) == std::vector<double>{0.7, 0.8});
}

TEST_CASE("between two impacts a foot keeps its energy to rounding") {
    const Specimen specimen =
        with_foot({{{-0.1, -0.2}, {0.1, -0.2}, {0.13, -0.197}, {0.16, -0.19}, {0.2, -0.17}}, 0.03}, 2.0);
    const Prediction prediction = released(specimen, 0.6);
    const FootBody body = make_foot_body(specimen, kG);
    int onwards = 0;
    for (std::size_t i = 0; i + 1 < prediction.impacts.size() && i < 6; ++i) {
        const Impact &from = prediction.impacts[i], &to = prediction.impacts[i + 1];
        if (from.face == to.face) continue;
        ++onwards;
        const double rate0 = from.rotation_rate_after_rad_s[0], rate1 = to.rotation_rate_before_rad_s[0];
        const int way = rate1 > 0.0 ? 1 : -1;
        const FootBody::Corner& corner = body.corner(*from.face, way);
        const double fallen_m = corner.at_limit_m[way > 0 ? 0 : 1].z - corner.at_limit_m[way > 0 ? 1 : 0].z;
        CHECK(rate1 * rate1 == Approx(rate0 * rate0 + 2.0 * kG * fallen_m / corner.inertia_m2).epsilon(5e-12));
    }
    CHECK(onwards >= 3);
}

TEST_CASE("the small tops between the edges of a round foot do not hide that it cannot fall") {
    const Specimen specimen = circle_segment(0.5, 0.2, 1.0, 739, 2.0, 0.3);
    const FootBody body = make_foot_body(specimen, kG);
    const Drive still{0.0, kG};
    CHECK(foot_verdict(body, place_at(body, 0.7, 0.0), 0.0, still) == EnergyVerdict::stable);
    CHECK(foot_verdict(body, place_at(body, 0.7, 0.0), 20.0, still) == EnergyVerdict::falls_right);
    CHECK(foot_verdict(body, place_at(body, 0.0, -20.0), -20.0, still) == EnergyVerdict::falls_left);
}

TEST_CASE("a body that stops at an impact rests where it can and goes on from there where it cannot") {
    Specimen specimen = three_faces();
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.restitution.fixed_faces = {{1.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}};
    const Prediction prediction = released(specimen, 0.7);
    REQUIRE(prediction.impacts.size() == 2);
    CHECK(prediction.impacts[0].rotation_rate_after_rad_s[0] == 0.0);  // on the right face, where it cannot rest
    CHECK(prediction.impacts[1].rotation_rate_before_rad_s[0] < 0.0);
    CHECK(prediction.impacts[1].face == 1u);
    CHECK(prediction.settled_time_s == prediction.impacts[1].time_s);
    CHECK(prediction.resting_face == 1u);
}

TEST_CASE("stated ratios that take nothing leave a foot rocking for ever and its outcome known") {
    Specimen specimen = with_foot({{{-0.1, -0.2}, {0.08, -0.2}, {0.15, -0.18}}, 0.03}, 2.0);
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.initial_rotation_rad = {0.2};
    SolverOptions options;
    options.settle_limit_s = 5.0;
    for (const bool outcome_only : {false, true}) {
        options.outcome_only = outcome_only;
        const Prediction prediction = follow(specimen, {}, options);
        CHECK(prediction.status == SolverStatus::ok);
        CHECK(prediction.outcome == Outcome::rocking);
        CHECK_FALSE(prediction.settled_time_s);
    }
}

TEST_CASE("a squat body whose impact would turn it back stays on the face") {
    const Specimen specimen = with_foot({{{-1.0, -0.2}, {1.0, -0.2}}, 0.01}, 2.0);
    CHECK(faces_of(*specimen.foot, 2.0)[0].left_to_right < 0.0);
    const Prediction prediction = released(specimen, 0.3);
    REQUIRE(prediction.impacts.size() == 1);
    CHECK(prediction.impacts[0].rotation_rate_after_rad_s[0] == 0.0);
    CHECK(prediction.settled_time_s == prediction.impacts[0].time_s);
}

TEST_CASE("a body set down exactly on a face rests there, or leaves it at once") {
    const double beta = -2.0 * std::atan(0.2);
    REQUIRE(faces_of(*boat().foot, 2.0)[0].slope_rad == Approx(beta));
    const double slope = faces_of(*boat().foot, 2.0)[0].slope_rad;
    const Prediction rests = released(boat(), slope);
    CHECK(rests.outcome == Outcome::translation);
    CHECK(rests.resting_face == 0u);
    CHECK(rests.peak_rotation_rad[0] == Approx(-slope));
    const Prediction leaves = released(three_faces(), faces_of(*three_faces().foot, 2.0)[2].slope_rad);
    CHECK(leaves.outcome == Outcome::rocking);
    REQUIRE(!leaves.impacts.empty());
    CHECK(leaves.impacts[0].face == 1u);
    CHECK(leaves.impacts[0].rotation_rate_before_rad_s[0] < -1.0);
}

TEST_CASE("a body set turning on a face starts about the corner of that side") {
    for (const int side : {-1, 1}) {
        const Prediction prediction = released(three_faces(), 0.0, side * 0.5);
        REQUIRE(!prediction.turning_points.empty());
        CHECK(side * prediction.turning_points[0].rotation_rad > 0.0);
        CHECK(prediction.outcome == Outcome::rocking);
    }
}

TEST_CASE("a body on a foot falls when it is let go beyond its last edge's balance, and not short of it") {
    const double balance = std::atan2(0.18, 0.17);
    for (const bool outcome_only : {false, true}) {
        SolverOptions options;
        options.outcome_only = outcome_only;
        Specimen specimen = three_faces();
        specimen.initial_rotation_rad = {balance + 1e-9};
        const Prediction beyond = follow(specimen, {}, options);
        CHECK(beyond.outcome == Outcome::overturning);
        CHECK(beyond.direction == Side::right);
        CHECK_FALSE(beyond.resting_face);
        specimen.initial_rotation_rad = {balance - 1e-9};
        const Prediction short_of = follow(specimen, {}, options);
        CHECK(short_of.outcome == Outcome::rocking);
        CHECK(short_of.resting_face == 1u);
    }
}

TEST_CASE("a body with two resting faces ends on the other one when its energy passes the barrier between them") {
    const Specimen specimen = boat();
    const auto faces = faces_of(*specimen.foot, 2.0);
    const auto& corner = specimen.foot->corners_m[1];
    const double radius2 = corner[0] * corner[0] + corner[1] * corner[1];
    // From the right face over the middle corner: half (I + m R^2) omega^2 = m g (R - h).
    const double rate = std::sqrt(2.0 * 2.0 * kG * (std::sqrt(radius2) - faces[1].height_m) / (0.05 + 2.0 * radius2));
    for (const bool outcome_only : {false, true}) {
        SolverOptions options;
        options.outcome_only = outcome_only;
        Specimen set_turning = specimen;
        set_turning.initial_rotation_rate_rad_s = {-rate * (1.0 - 1e-9)};
        CHECK(follow(set_turning, {}, options).resting_face == 1u);
        set_turning.initial_rotation_rate_rad_s = {-rate * (1.0 + 1e-9)};
        const Prediction over = follow(set_turning, {}, options);
        CHECK(over.resting_face == 0u);
        CHECK(over.outcome == Outcome::rocking);
    }
}

TEST_CASE("faces shorter than any step are crossed one after the other") {
    const double tiny = 1e-7;
    const Specimen specimen = with_foot({{{-0.1, -0.2},
                                          {0.1, -0.2},
                                          {0.1 + tiny, -0.2 + 1e-3 * tiny},
                                          {0.1 + 2.0 * tiny, -0.2 + 3e-3 * tiny},
                                          {0.1 + 3.0 * tiny, -0.2 + 6e-3 * tiny}},
                                         0.03},
                                        2.0);
    const Prediction prediction = released(specimen, 0.2);
    REQUIRE(prediction.impacts.size() > 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(prediction.impacts[i].face == 3 - i);
    for (std::size_t i = 1; i < 4; ++i) CHECK(prediction.impacts[i].time_s > prediction.impacts[i - 1].time_s);
    // As if the tiny faces were not there.
    const Specimen plain = with_foot({{{-0.1, -0.2}, {0.1, -0.2}}, 0.03}, 2.0);
    CHECK(prediction.impacts[3].time_s == Approx(released(plain, 0.2).impacts[0].time_s).margin(1e-6));
}

TEST_CASE("an impact exactly at the end of a pulse and of a piece changes nothing") {
    const Specimen specimen = three_faces();
    const double push = 1.5 * uplift_acceleration_m_s2(specimen);
    const Prediction whole = pushed(specimen, push, 0.3);
    REQUIRE(!whole.impacts.empty());
    for (std::size_t i = 0; i < whole.impacts.size() && i < 2; ++i) {
        const double at = whole.impacts[i].time_s;
        REQUIRE(at < 0.3);
        const Prediction cut = follow(specimen, BaseMotion({piece(0.0, at, push), piece(at, 0.3, push)}), {});
        REQUIRE(cut.impacts.size() == whole.impacts.size());
        for (std::size_t k = 0; k < std::min<std::size_t>(5, whole.impacts.size()); ++k)
            CHECK(cut.impacts[k].time_s == Approx(whole.impacts[k].time_s).margin(1e-10).epsilon(0));
    }
}

TEST_CASE("a foot asks no more friction than stated or says when it did") {
    Specimen specimen = three_faces();
    const Prediction free = pushed(specimen, 6.0);
    REQUIRE(free.friction_demand.size() == 1);
    CHECK(free.friction_demand[0] >= 6.0 / kG);
    CHECK_FALSE(free.left_validity);
    specimen.friction = Friction{0.3, 0.3};
    const Prediction slipping = pushed(specimen, 6.0);
    REQUIRE(slipping.left_validity);
    CHECK(slipping.left_validity->breach == Breach::slip);
    CHECK(slipping.left_validity->time_s == 0.0);
    CHECK(slipping.impacts.size() == free.impacts.size());
}

TEST_CASE("a foot that turns so fast that its corner would have to pull says so") {
    const Prediction fast = released(three_faces(), 0.0, 8.0);
    REQUIRE(fast.left_validity);
    CHECK(fast.left_validity->breach == Breach::pull);
    CHECK_FALSE(released(three_faces(), 0.0, 0.5).left_validity);
}

TEST_CASE("a body balanced over a corner goes to one of the sides, or stays") {
    const Specimen specimen = boat();
    const auto& corner = specimen.foot->corners_m[1];
    for (const double off : {0.0, 1e-15, -1e-15, 1e-9, -1e-9}) {
        const Prediction balanced = released(specimen, std::atan2(corner[0], -corner[1]) + off);
        CHECK(balanced.status == SolverStatus::ok);
        CHECK(balanced.outcome == Outcome::rocking);
        CHECK(balanced.resting_face);
        if (std::abs(off) > 1e-12) CHECK(*balanced.resting_face == (off > 0.0 ? 1u : 0u));
    }
}

TEST_CASE("which of its resting faces a foot is drawn level on does not matter") {
    Specimen from_right = boat(), from_left = boat();
    for (auto& corner : from_left.foot->corners_m) corner[0] = -corner[0];
    std::reverse(from_left.foot->corners_m.begin(), from_left.foot->corners_m.end());
    const double slope = faces_of(*from_right.foot, 2.0)[0].slope_rad;
    for (const double start : {-0.1, 0.05, 0.3}) {  // from the left face
        const Prediction a = released(from_right, slope + start), b = released(from_left, start);
        CHECK(a.resting_face == b.resting_face);
        REQUIRE(a.impacts.size() == b.impacts.size());
        for (std::size_t i = 0; i < a.impacts.size(); ++i) {
            REQUIRE(a.impacts[i].face == b.impacts[i].face);
            REQUIRE(a.impacts[i].time_s == Approx(b.impacts[i].time_s).margin(1e-9).epsilon(0));
        }
        REQUIRE(a.settled_time_s);
        CHECK(*a.settled_time_s == Approx(*b.settled_time_s).margin(1e-9).epsilon(0));
    }
}

TEST_CASE("a turning foot shows on which side of its standing face it turns") {
    Specimen specimen = three_faces();
    SolverOptions options;
    options.history_step_s = 1e-3;
    specimen.initial_rotation_rad = {0.7};
    for (const HistorySample& sample : follow(specimen, {}, options).history) {
        const double rotation = sample.rotation_rad[0];
        if (rotation > 1e-12) CHECK(sample.support[0] == Support::right);
        if (rotation < -1e-12) CHECK(sample.support[0] == Support::left);
    }
}

TEST_CASE("models made for two corners refuse a foot") {
    for (const Model model : {Model::linearised, Model::quasi_linear, Model::impulsive_force, Model::multiple_impact}) {
        SolverOptions options;
        options.model = model;
        CHECK_THROWS_WITH(follow(three_faces(), {}, options), Catch::Matchers::ContainsSubstring("foot"));
    }
    CHECK_THROWS_WITH(predict_coupled(three_faces(), {1.0, 1.0, 0.1}, {}), Catch::Matchers::ContainsSubstring("foot"));
}

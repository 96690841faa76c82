// A block whose corners bounce: impacts against closed forms, and the motion against the models that it contains.
#include <cmath>
#include <numbers>
#include <random>

#include "solver/laws/corner_impact.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

constexpr double kDegree = std::numbers::pi / 180.0, kG = 9.81;

ImpactBody block_body(double b, double h, double m) { return {m, m * (b * b + h * h) / 12.0}; }
std::array<CornerArm, 2> upright(double b, double h) {
    return {CornerArm{-0.5 * b, -0.5 * h}, CornerArm{0.5 * b, -0.5 * h}};
}
/// A block that turns at `rate` about its right corner, just before its left one comes down (rate < 0).
PlanarVelocity about_right(double b, double h, double rate) { return {0.5 * rate * h, 0.5 * rate * b, rate}; }
double energy_j(const ImpactBody& body, const PlanarVelocity& v) {
    return 0.5 * body.mass_kg * (v.x_m_s * v.x_m_s + v.z_m_s * v.z_m_s) +
           0.5 * body.inertia_kg_m2 * v.rate_rad_s * v.rate_rad_s;
}

/// B4M of the contact-dynamics paper, released leaning to the left.
Specimen b4m(double friction) {
    Specimen specimen;
    specimen.blocks = {{0.045, 0.135, 1.0}};
    specimen.friction = Friction{friction, friction};
    specimen.initial_rotation_rad = {-14.839 * kDegree};
    return specimen;
}

SolverOptions bouncing(double restitution) {
    SolverOptions options;
    options.model = Model::multiple_impact;
    options.multiple_impact.restitution = restitution;
    return options;
}

Prediction predict_free(const Specimen& specimen, const SolverOptions& options) {
    return predict(specimen, BaseMotion(), options);
}

}  // namespace

TEST_CASE("a rocking impact that sticks leaves 1 - (1 + e)(1 - r) of the rate, in closed form and over pseudo-time") {
    const double b = 0.2, h = 1.0;
    const ImpactBody body = block_body(b, h, 100.0);
    const auto arms = upright(b, h);
    const double r = 1.0 - 1.5 * std::pow(std::sin(std::atan(b / h)), 2);
    REQUIRE(3.0 * b * h / (4.0 * h * h + b * b) < 0.6);  // sticks
    for (const double e : {0.0, 0.3, 0.9, 1.0}) {
        const ImpactRule rule{e, 0.6, 0.6, 1.0, 1.5};
        const PlanarVelocity v = about_right(b, h, -0.5);
        const CornerImpact single = single_impact(body, arms, 0, v, rule);
        INFO("e " << e);
        CHECK(single.after.rate_rad_s / -0.5 == Approx(1.0 - (1.0 + e) * (1.0 - r)).epsilon(1e-13));
        CHECK_FALSE(single.other_approached);  // h > sqrt(2) b: the corner it stood on lifts at once
        CHECK(at_corner(single.after, arms[0]).normal_m_s ==
              Approx(-e * at_corner(v, arms[0]).normal_m_s).margin(1e-14));
        CHECK(double_impact(body, arms, v, rule).after.rate_rad_s ==
              Approx(single.after.rate_rad_s).epsilon(e == 0.0 ? 1e-6 : 1e-8));
    }
}

TEST_CASE("no impact adds energy, the works add up, and expansion gives back e^2 of the compression") {
    const topple::tests::RandomRuns runs(41, 20000);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(0.0, 1.0), both(-1.0, 1.0);
    double gain = -1.0, balance = 0.0, work = 0.0, into = 0.0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        const double b = 0.1 + unit(random), h = 0.2 + unit(random), mu = 1.2 * unit(random);
        const ImpactBody body = block_body(b, h, 3.0);
        const auto arms = upright(b, h);
        const PlanarVelocity v{both(random), -unit(random), both(random)};
        const ImpactRule rule{unit(random), mu, mu * unit(random), std::exp(both(random)), 1.0 + unit(random)};
        const bool of_both = trial % 200 == 0;
        const std::size_t side = at_corner(v, arms[0]).normal_m_s < 0.0 ? 0 : 1;
        if (!of_both && !(at_corner(v, arms[side]).normal_m_s < 0.0)) continue;
        const CornerImpact impact =
            of_both ? double_impact(body, arms, v, rule) : single_impact(body, arms, side, v, rule);
        const double before = energy_j(body, v), change = energy_j(body, impact.after) - before;
        double works = impact.friction_j;
        for (std::size_t j = 0; j < 2; ++j) {
            works += impact.restitution_j[j] - impact.compression_j[j];
            work = std::max(work, std::abs(impact.restitution_j[j] -
                                           rule.restitution * rule.restitution * impact.compression_j[j]) /
                                      before);
        }
        into = std::min(into, at_corner(impact.after, arms[side]).normal_m_s);
        gain = std::max(gain, change / before);
        // Over pseudo-time the works are sums of many thousand steps.
        balance = std::max(balance, std::abs(works - change) / before * (of_both ? 1e-3 : 1.0));
    }
    CHECK(gain <= 1e-12);
    CHECK(balance < 1e-12);
    CHECK(work < 1e-7);
    CHECK(into > -1e-9);
}

TEST_CASE("without restitution it is the sequence of Housner, whatever the friction that sticks") {
    // Published: B4M, first peak 8.28 degrees.
    Specimen rigid = b4m(0.0);
    rigid.friction.reset();
    const Prediction full = predict_free(rigid, {});
    for (const double friction : {0.364, 0.7, 1.0}) {
        const Prediction p = predict_free(b4m(friction), bouncing(0.0));
        INFO("friction " << friction);
        REQUIRE(p.status == SolverStatus::ok);
        CHECK(p.outcome == Outcome::rocking);
        CHECK(p.slip->residual_m == Approx(0.0).margin(1e-7));
        REQUIRE(p.turning_points.size() > 5);
        CHECK(p.turning_points[0].rotation_rad / kDegree == Approx(8.28).margin(5e-3));
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(p.turning_points[i].rotation_rad == Approx(full.turning_points[i].rotation_rad).margin(1e-8));
            CHECK(p.turning_points[i].time_s == Approx(full.turning_points[i].time_s).margin(1e-7));
        }
        for (std::size_t i = 0; i < 5; ++i) CHECK(p.impacts[i].time_s == Approx(full.impacts[i].time_s).margin(1e-8));
        CHECK(*p.settled_time_s == Approx(*full.settled_time_s).margin(5e-3));  // it rests at 1e-5 m/s
    }
}

TEST_CASE("with restitution up to 0.9 a half cycle of many small bounces loses what Housner's single impact does") {
    const double alpha = std::atan(0.045 / 0.135), r = 1.0 - 1.5 * std::pow(std::sin(alpha), 2);
    const auto height = [&](double rotation) { return std::cos(alpha - std::abs(rotation)) - std::cos(alpha); };
    for (const double e : {0.3, 0.5, 0.7}) {
        const Prediction p = predict_free(b4m(0.7), bouncing(e));
        INFO("e " << e);
        REQUIRE(p.turning_points.size() > 2);
        CHECK(std::sqrt(height(p.turning_points[1].rotation_rad) / height(p.turning_points[0].rotation_rad)) ==
              Approx(r).margin(2e-3));
    }
}

TEST_CASE("a block with little friction slides as the closed form says, and never lifts") {
    Specimen specimen;
    specimen.blocks = {{0.1, 0.1, 1.0}};
    specimen.friction = Friction{0.1, 0.1};
    const Prediction p = predict(specimen, constant_acceleration_and_stop(3.0, 0.5, 3.0), bouncing(0.5));
    const double back = 3.0 - 0.1 * kG, stop = 3.0 + 0.1 * kG, v = back * 0.5;
    CHECK(p.outcome == Outcome::sliding);
    CHECK(p.slip->peak_m == Approx(0.5 * v * 0.5 + 0.5 * v * v / stop).epsilon(1e-9));
    CHECK(p.impacts.empty());
}

TEST_CASE("a block that is thrown flies on its parabola, lands on its lower corner, and comes to rest") {
    Specimen specimen;
    specimen.blocks = {{0.1, 0.2, 1.0}};
    specimen.friction = Friction{0.5, 0.5};
    specimen.initial_rotation_rate_rad_s = {0.5};
    specimen.initial_velocity_m_s = {{0.0, 1.0}};
    const Prediction p = predict_free(specimen, bouncing(0.5));
    REQUIRE(p.status == SolverStatus::ok);
    REQUIRE_FALSE(p.impacts.empty());
    // z + corner = 0: h/2 + t - g t^2/2 = (b/2) sin(w t) + (h/2) cos(w t).
    const double t = p.impacts[0].time_s, turn = 0.5 * t;
    CHECK(0.1 + t - 0.5 * kG * t * t == Approx(0.05 * std::sin(turn) + 0.1 * std::cos(turn)).margin(1e-9));
    CHECK(p.impacts[0].centre_velocity_before_m_s.at(0)[1] == Approx(1.0 - kG * t).margin(1e-9));
    CHECK(p.settled_time_s);
}

TEST_CASE("the mirror image of a start is the mirror image of the motion") {
    Specimen left = b4m(0.4), right = left;
    right.initial_rotation_rad[0] *= -1.0;
    const Prediction p = predict_free(left, bouncing(0.6)), q = predict_free(right, bouncing(0.6));
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(q.turning_points.at(i).rotation_rad == Approx(-p.turning_points.at(i).rotation_rad).margin(1e-9));
}

TEST_CASE("it starts to rock where statics says, if the base moves from the start as the block does") {
    // A sin(wt) of displacement: g b/(h w^2).
    Specimen specimen;
    specimen.blocks = {{0.2, 0.7, 1.0}};
    specimen.friction = Friction{0.577, 0.3};
    const double w = 2.0 * std::numbers::pi * 3.3, onset = kG * 0.2 / (0.7 * w * w);
    for (const double share : {0.999, 1.001}) {
        const Prediction p = predict(specimen, displacement_sine(share * onset, w, 2.0), bouncing(0.9));
        CHECK(p.outcome == (share < 1.0 ? Outcome::translation : Outcome::rocking));
    }
}

TEST_CASE("what the model does not cover is refused") {
    Specimen slippery = b4m(0.4);
    slippery.friction.reset();
    CHECK_THROWS_AS(predict_free(slippery, bouncing(0.5)), std::invalid_argument);
    Specimen stack = b4m(0.4);
    stack.blocks.push_back({0.04, 0.04, 1.0});
    stack.initial_rotation_rad = {};
    CHECK_THROWS_AS(predict_free(stack, bouncing(0.5)), std::invalid_argument);
    CHECK_THROWS_AS(predict_free(b4m(0.4), bouncing(1.1)), std::invalid_argument);
}

TEST_CASE("a tilted seat turns gravity as in the full model, and what slips counts wherever the block stands") {
    Specimen tilted = b4m(0.7), rigid = tilted;
    tilted.initial_tilt_rad = rigid.initial_tilt_rad = 0.01;
    rigid.friction.reset();
    const Prediction p = predict_free(tilted, bouncing(0.0)), full = predict_free(rigid, {});
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(p.turning_points.at(i).rotation_rad == Approx(full.turning_points.at(i).rotation_rad).margin(1e-8));
    Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};
    specimen.friction = Friction{0.3, 0.25};
    const Prediction shaken = predict(specimen, sine_acceleration(4.0, 25.0), bouncing(0.9));
    CHECK(shaken.slip->peak_m >= std::abs(shaken.slip->residual_m));
    CHECK(shaken.slip->peak_m > 1e-5);
}

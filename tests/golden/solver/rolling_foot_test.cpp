// A foot of many edges on a circle against the rolling pendulum, whose period and loss are known in closed form
// (docs/physics/irregular_bodies.md#many-edges).
#include <cmath>
#include <numbers>

#include "solver/laws/foot_body.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

constexpr double kA = 0.5, kBelow = 0.2, kMass = 3.0, kInertia = 0.15, kHalf = 0.6, kStart = 0.35;
constexpr double kG = kStandardGravity_m_s2;

/// About the point that touches a plane when the circle has rolled by theta.
double inertia_about_contact(double theta) {
    return kInertia + kMass * (kA * kA + kBelow * kBelow - 2.0 * kA * kBelow * std::cos(theta));
}

/// Mean over a full turn of a smooth periodic function.
template <class F>
double mean(F&& f) {
    constexpr int kPoints = 400;
    double sum = 0.0;
    for (int i = 0; i < kPoints; ++i) sum += f(2.0 * std::numbers::pi * i / kPoints);
    return sum / kPoints;
}

/// Half a period of the circle that rolls without loss from rest at kStart; sin(theta/2) = sin(kStart/2) sin(phi).
double half_period_s() {
    const double k = std::sin(0.5 * kStart);
    return std::numbers::pi * mean([&](double phi) {
               const double s = k * std::sin(phi), theta = 2.0 * std::asin(s);
               return std::sqrt(inertia_about_contact(theta) / (kMass * kG * kBelow * (1.0 - s * s)));
           });
}

/// Energy lost in half a period, times the number of edges per radian, in the limit of many: an edge of length a D
/// takes m (a D)^2 omega^2 / 2.
double loss_per_edge_angle_j() {
    const auto rate2 = [](double theta) {
        return 2.0 * kMass * kG * kBelow * (std::cos(theta) - std::cos(kStart)) / inertia_about_contact(theta);
    };
    constexpr int kPoints = 4000;
    double integral = 0.0;
    for (int i = 0; i < kPoints; ++i) integral += rate2(kStart * (2.0 * (i + 0.5) / kPoints - 1.0));
    return 0.5 * kMass * kA * kA * integral * 2.0 * kStart / kPoints;
}

struct Swing {
    double half_period_s = 0.0, loss_j = 0.0;
};

Swing first_swing(int edges) {
    Specimen specimen = circle_segment(kA, kBelow, kHalf, edges, kMass, kInertia);
    specimen.initial_rotation_rad = {kStart};
    SolverOptions options;
    options.settle_limit_s = 2.0;
    const Prediction prediction = follow(specimen, {}, options);
    const TurningPoint turn = prediction.turning_points.at(0);
    const FootBody body = make_foot_body(specimen, kG);
    const auto height = [&](double rotation) {
        const FootPlace place = place_at(body, rotation, 0.0);
        return turned(body.arm_m(place.face, place.side), std::sin(place.from_face_rad), std::cos(place.from_face_rad))
            .z;
    };
    return {turn.time_s, kMass * kG * (height(kStart) - height(turn.rotation_rad))};
}

}  // namespace

TEST_CASE("with more and more edges on a circle the body swings in the period of the rolling pendulum") {
    const double exact = half_period_s();
    const double coarse = first_swing(255).half_period_s - exact, fine = first_swing(1023).half_period_s - exact;
    CHECK(std::abs(coarse) < 2e-3 * exact);
    CHECK(std::abs(fine) < 5e-4 * exact);
    CHECK(std::abs(fine) < 0.35 * std::abs(coarse));  // a quarter for four times the edges
    CHECK(std::abs(fine - 0.25 * coarse) < 5e-5 * exact);
}

TEST_CASE("with more and more edges on a circle the loss vanishes as one over their number") {
    const double limit = loss_per_edge_angle_j();
    for (const int edges : {127, 255, 511, 1023}) {
        const double per_edge_angle = first_swing(edges).loss_j * edges / (2.0 * kHalf);
        CAPTURE(edges, per_edge_angle, limit);
        CHECK(per_edge_angle == Approx(limit).epsilon(8.0 / edges));
    }
}

// T. McGeer, "Passive dynamic walking", Int. J. Robotics Research 9 (1990): the rimless wheel. On a slope gamma, with
// legs of length R an angle 2 a apart, the rate after each change of leg follows from the last one by
// omega'^2 = eta^2 (omega^2 + 4 g R sin a sin gamma/(k^2 + R^2)), eta = (k^2 + R^2 cos 2a)/(k^2 + R^2).
TEST_CASE("a regular polygon rolls down a slope by the map of the rimless wheel") {
    constexpr double kR = 0.3, kGyration2 = 0.02, kSlope = 0.05;
    constexpr int kCorners = 24;  // of the whole polygon; its lower half is the foot
    const double a = std::numbers::pi / kCorners;
    Specimen wheel = circle_segment(kR, 0.0, 11.0 * a, 11, kMass, kMass * kGyration2);
    wheel.initial_tilt_rad = kSlope;
    wheel.initial_rotation_rate_rad_s = {1.5};
    const double inertia = kGyration2 + kR * kR, eta = (kGyration2 + kR * kR * std::cos(2.0 * a)) / inertia;
    const double gained = 4.0 * kG * kR * std::sin(a) * std::sin(kSlope) / inertia;
    const Prediction prediction = follow(wheel, {}, {});
    REQUIRE(prediction.impacts.size() == 5);
    double rate2 = 1.5 * 1.5;
    for (std::size_t i = 0; i < 5; ++i) {
        rate2 = eta * eta * (rate2 + gained);
        CHECK(prediction.impacts[i].face == 6 + i);
        CHECK(prediction.impacts[i].rotation_rate_after_rad_s[0] == Approx(std::sqrt(rate2)).epsilon(1e-11));
    }
    CHECK(prediction.direction == Side::right);
}

TEST_CASE("the rimless wheel stops where its slope gives less than a step takes") {
    constexpr double kR = 0.3, kGyration2 = 0.02, kSlope = 0.05;
    const double a = std::numbers::pi / 24;
    const double inertia = kGyration2 + kR * kR;
    Specimen wheel = circle_segment(kR, 0.0, 11.0 * a, 11, kMass, kMass * kGyration2);
    wheel.initial_tilt_rad = kSlope;
    // Over the first leg it must rise from R cos(a - slope) to R.
    const double needed = std::sqrt(2.0 * kG * kR * (1.0 - std::cos(a - kSlope)) / inertia);
    for (const bool outcome_only : {false, true}) {
        SolverOptions options;
        options.outcome_only = outcome_only;
        wheel.initial_rotation_rate_rad_s = {needed * (1.0 - 1e-9)};
        CHECK(follow(wheel, {}, options).resting_face == 5u);
        wheel.initial_rotation_rate_rad_s = {needed * (1.0 + 1e-9)};
        CHECK(follow(wheel, {}, options).resting_face != 5u);
    }
}

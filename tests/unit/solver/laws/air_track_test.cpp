#include <cmath>

#include "solver/predict.hpp"
#include "solver/study/critical_drop.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kG = kStandardGravity_m_s2;

/// The block and slider of thesis 5.1.3.
Specimen thesis_block() {
    Specimen block;
    block.blocks = {{0.02, 0.09, 0.0955}};
    return block;
}

}  // namespace

TEST_CASE("pull and duration of the air track have everything under the root, masses in kg") {
    const AirTrack track{0.12, 0.08, 0.3};
    CHECK(track.acceleration_m_s2(0.0955, kG) == Approx(0.08 * kG / 0.2955));
    CHECK(track.pull_duration_s(0.0955, kG) == Approx(std::sqrt(2 * 0.3 / kG * 0.2955 / 0.08)));
    // Rocking needs more than 61.57 g of hanging mass.
    CHECK(predict_coupled(thesis_block(), {0.12, 0.06157, 0.3}).outcome == Outcome::translation);
    CHECK(predict_coupled(thesis_block(), {0.12, 0.06158, 0.3}).outcome != Outcome::translation);
}

TEST_CASE("slider and block together gain the momentum and the work of the pull") {
    const Specimen specimen = thesis_block();
    const double b = 0.02, h = 0.09, m = 0.0955, ms = 0.12, ma = 0.09;
    SolverOptions options;
    options.history_step_s = 1e-5;
    options.settle_limit_s = 0.0;
    const Prediction answer = predict_coupled(specimen, {ms, ma, 0.05}, options);
    REQUIRE(answer.history.size() > 1000);
    const double inertia = m * (b * b + h * h) / 3, radius = std::hypot(b, h) / 2, alpha = std::atan(b / h);
    double velocity = 0.0, way = 0.0;
    for (std::size_t i = 1; i < answer.history.size() && way < 0.0499; ++i) {
        const HistorySample &last = answer.history[i - 1], &now = answer.history[i];
        const double dt = now.time_s - last.time_s;
        const double before = velocity;
        velocity += 0.5 * dt * (last.base_acceleration_m_s2 + now.base_acceleration_m_s2);
        way += 0.5 * dt * (before + velocity);
        const double lean = std::abs(now.rotation_rad[0]), w = now.rotation_rate_rad_s[0];
        const double z = radius * std::cos(alpha - lean), total = m + ms + ma;
        CHECK(total * velocity + m * z * w == Approx(ma * kG * now.time_s).margin(1e-8));
        const double energy =
            0.5 * total * velocity * velocity + m * z * w * velocity + 0.5 * inertia * w * w + m * kG * (z - h / 2);
        CHECK(energy == Approx(ma * kG * way).margin(1e-8));
    }
    CHECK(way > 0.0499);
}

TEST_CASE("on a slider that outweighs the block the coupled motion is the prescribed one") {
    const Specimen specimen = thesis_block();
    double last = 1.0;
    for (const double slider_kg : {1e2, 1e4, 1e6}) {
        const AirTrack track{slider_kg, 0.4 * slider_kg, 0.01};
        const double a0 = track.acceleration_m_s2(0.0955, kG);
        const Prediction free = predict(specimen, constant_acceleration(a0, track.pull_duration_s(0.0955, kG)));
        const Prediction coupled = predict_coupled(specimen, track);
        REQUIRE(free.outcome == Outcome::rocking);
        REQUIRE(coupled.outcome == Outcome::rocking);
        const double apart = std::abs(coupled.impacts.at(3).time_s - free.impacts.at(3).time_s);
        CHECK(apart < 0.02 * last);
        last = apart;
    }
    CHECK(last < 1e-6);
}

TEST_CASE("the block's reaction lowers the critical drop height of the thesis's rig by 7 to 19 percent") {
    double least = 1.0, most = 0.0;
    for (const double hanging_kg : {0.07, 0.08, 0.09, 0.1, 0.115}) {
        const CriticalDrop critical = critical_drop(thesis_block(), {0.12, hanging_kg, 0.1});
        REQUIRE((critical.prescribed_m && critical.coupled_m));
        const double lower = 1.0 - *critical.coupled_m / *critical.prescribed_m;
        INFO(hanging_kg << " kg: " << *critical.prescribed_m << " m, lower by " << lower);
        CHECK(lower > 0.06);
        CHECK(lower < 0.20);
        least = std::min(least, lower);
        most = std::max(most, lower);
        AirTrack there{0.12, hanging_kg, *critical.coupled_m * (1 + 1e-6)};
        CHECK(predict_coupled(thesis_block(), there).outcome == Outcome::overturning);
        there.drop_m = *critical.coupled_m * (1 - 1e-6);
        CHECK(predict_coupled(thesis_block(), there).outcome == Outcome::rocking);
    }
    CHECK(least < 0.09);
    CHECK(most > 0.15);
}

TEST_CASE("the prescribed critical drop is the elliptic-integral duration of the constant pulse") {
    const CriticalDrop critical = critical_drop(thesis_block(), {0.12, 0.1, 0.1});
    const double a0 = 0.1 * kG / 0.3155, x = a0 / kG, alpha = std::atan(0.02 / 0.09);
    const double p = std::sqrt(3 * kG / (2 * std::hypot(0.02, 0.09)));
    const double psi = alpha - std::asin(std::sin(alpha) - (1 - std::cos(alpha)) / x), c = std::atan(x) - alpha;
    const double k = std::cos(c / 2), u = std::asin(std::cos((c + psi) / 2) / k);
    const double ta = (std::comp_ellint_1(k) - std::ellint_1(k, u)) / std::pow(1 + x * x, 0.25) / p;
    CHECK(critical.prescribed_m.value() == Approx(0.5 * a0 * ta * ta).epsilon(3e-9));
}

TEST_CASE("the coupled air track refuses what it does not model") {
    Specimen leaning = thesis_block();
    leaning.initial_tilt_rad = 0.01;
    CHECK_THROWS_AS(predict_coupled(leaning, {0.12, 0.1, 0.1}), std::invalid_argument);
    Specimen slippery = thesis_block();
    slippery.friction = Friction{0.3, 0.3};
    CHECK_THROWS_AS(predict_coupled(slippery, {0.12, 0.1, 0.1}), std::invalid_argument);
    CHECK_THROWS_AS(predict_coupled(thesis_block(), {0.0, 0.1, 0.1}), std::invalid_argument);
    CHECK_FALSE(critical_drop(thesis_block(), {0.12, 0.05, 0.1}).coupled_m);
}

#include <cmath>
#include <random>

#include "solver/laws/slide_rock_modes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

SlidingBody body(double width_m, double height_m, double mu_static, double mu_kinetic, double material = 1.0) {
    Specimen specimen;
    specimen.blocks = {{width_m, height_m, 1.0}};
    specimen.friction = Friction{mu_static, mu_kinetic};
    specimen.restitution.material = {material};
    return make_sliding_body(specimen, kStandardGravity_m_s2);
}

double energy(const SlidingBody& body, int support, double rate, double slip) {
    return slide_rock_energy_j(body, support, {0.0, rate, 0.0, slip}, kStandardGravity_m_s2);
}

}  // namespace

TEST_CASE("an impact without slip keeps Housner's ratio and needs mu_s = 3 s c / (1 + 3 c^2)") {
    const double s = std::sin(std::atan(0.25)), c = std::cos(std::atan(0.25));
    const double needed = 3 * s * c / (1 + 3 * c * c);
    const SlideRockImpact sticks = slide_rock_impact(body(10, 40, needed * (1 + 1e-9), 0.1), 1, -0.3, 0.0);
    CHECK(sticks.support == -1);
    CHECK(sticks.rate_rad_s == Approx(-0.3 * (1 - 1.5 * s * s)).epsilon(1e-12));
    CHECK(1 - 1.5 * s * s == Approx(0.911765).margin(1e-6));  // printed (38) with full sizes: 0.823529
    CHECK(sticks.slip_rate_m_s == 0.0);
    CHECK(slide_rock_impact(body(10, 40, needed * (1 - 1e-9), 0.1), 1, -0.3, 0.0).slip_rate_m_s != 0.0);
}

TEST_CASE("an impact with slip follows (36) and (37) of the source with sin for sgn") {
    // Counter-clockwise positive there: theta1' > 0 is a fall to the corner at -x; x has the same sense.
    const double mu = 0.1, b = 10, h = 40, R = 0.5 * std::hypot(b, h), phi = std::atan(b / h);
    const double s = std::sin(phi), c = std::cos(phi), ig = R * R / 3;
    for (const double xc1 : {4.0, 9.0, -4.0, -9.0}) {
        const double theta1 = 0.3;
        const SlideRockImpact got = slide_rock_impact(body(b, h, 0.12, mu), 1, -theta1, xc1);
        REQUIRE(got.slip_rate_m_s != 0.0);
        const double sign = got.slip_rate_m_s > 0 ? 1 : -1;
        const double e =
            (ig - mu * sign * R * R * s * c - R * R * s * s) / (ig + mu * sign * R * R * s * c + R * R * s * s);
        const double xc2 = R * ((e - 1) * c - (e + 1) * mu * sign * s) * theta1 + xc1;
        CHECK(got.rate_rad_s == Approx(-e * theta1).epsilon(1e-11));
        CHECK(got.slip_rate_m_s == Approx(xc2).epsilon(1e-11));
    }
}

TEST_CASE("an impact never gains energy, keeps the friction cone and has one mirror image") {
    const topple::tests::RandomRuns runs(3, 20000);
    std::mt19937 random(runs.seed());
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    int stuck = 0, slipped = 0, stayed = 0;
    for (int i = 0; i < runs.count(); ++i) {
        const double mu_k = 0.6 + 0.6 * unit(random), mu_s = mu_k * (1.2 + 0.2 * unit(random));
        const SlidingBody b = body(0.1, 0.1 * (1.6 + 1.4 * unit(random)), mu_s, mu_k, i % 2 ? 1.0 : 0.9);
        const double rate = -(0.01 + std::abs(unit(random))), slip = i % 5 ? 0.3 * unit(random) : 0.0;
        const SlideRockImpact after = slide_rock_impact(b, 1, rate, slip);
        const double before_j = energy(b, 1, rate, slip),
                     after_j = energy(b, after.support, after.rate_rad_s, after.slip_rate_m_s);
        CHECK(after_j <= before_j * (1 + 1e-11));
        CHECK(after.rate_rad_s <= 0.0);
        const double px = after.slip_rate_m_s - slip + b.height_m[0] * (after.rate_rad_s - rate);
        const double pz = -b.reach_m[0] * (after.rate_rad_s + rate);
        CHECK(pz > 0.0);
        CHECK(std::abs(px) <= mu_s * pz * (1 + 1e-9) + 1e-15);
        const SlideRockImpact mirror = slide_rock_impact(b, -1, -rate, -slip);
        CHECK(mirror.support == -after.support);
        CHECK(mirror.rate_rad_s == -after.rate_rad_s);
        CHECK(mirror.slip_rate_m_s == -after.slip_rate_m_s);
        (after.support == 0 ? stayed : after.slip_rate_m_s == 0.0 ? stuck : slipped) += 1;
    }
    CHECK(stuck > runs.scaled(100));
    CHECK(slipped > runs.scaled(100));
    CHECK(stayed > runs.scaled(100));
}

TEST_CASE("a bulky block whose ratio would be negative stays down where friction holds it") {
    const SlideRockImpact after = slide_rock_impact(body(0.2, 0.1, 2.0, 1.2), 1, -0.5, 0.0);
    CHECK(after.support == 0);
    CHECK(after.rate_rad_s == 0.0);
    CHECK(after.slip_rate_m_s == 0.0);
}

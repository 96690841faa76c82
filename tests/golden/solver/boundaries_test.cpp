// Boundaries of overturning against closed forms and independently computed numbers.
#include <cmath>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kGravity = 9.81, kPi = 3.141592653589793;

Specimen block(double width_m, double height_m) {
    Specimen specimen;
    specimen.blocks = {{width_m, height_m, 1.0}};
    return specimen;
}

bool overturns(const Specimen& specimen, const BaseMotion& motion) {
    SolverOptions options;
    options.outcome_only = true;
    return predict(specimen, motion, options).outcome == Outcome::overturning;
}

/// p t_a of the critical constant pulse from rest, A = a0/g (docs/physics.md#constant-pulse).
double critical_pulse(double alpha, double a) {
    const double c = std::atan(a) - alpha, k = std::cos(0.5 * c);
    const double angle = alpha - std::asin(std::sin(alpha) - (1.0 - std::cos(alpha)) / a);
    const double u = std::asin(std::cos(0.5 * (c + angle)) / k);
    return (std::comp_ellint_1(k) - std::ellint_1(k, u)) / std::pow(1.0 + a * a, 0.25);
}

/// Critical value between lo and hi, where the outcome changes.
template <class Overturns>
double boundary(Overturns&& falls, double lo, double hi) {
    const bool at_lo = falls(lo);
    REQUIRE(at_lo != falls(hi));
    for (int i = 0; i < 44; ++i) {
        const double middle = 0.5 * (lo + hi);
        (falls(middle) == at_lo ? lo : hi) = middle;
    }
    return 0.5 * (lo + hi);
}

}  // namespace

TEST_CASE("the shortest constant pulse that overturns is that of the elliptic integrals") {
    for (const double slenderness : {4.5, 2.25}) {
        const Specimen specimen = block(0.06, 0.06 * slenderness);
        const double alpha = specimen.blocks[0].slenderness_rad();
        const double p = specimen.blocks[0].frequency_parameter_rad_s(kGravity);
        for (const double ratio : {1.2, 1.5, 3.0}) {
            const double a0 = ratio * alpha * kGravity;
            const double duration = boundary(
                [&](double s) { return overturns(specimen, constant_acceleration(a0, s)); }, 0.1 / p, 10.0 / p);
            CHECK(p * duration == Approx(critical_pulse(alpha, ratio * alpha)).margin(1e-9).epsilon(0));
        }
    }
    CHECK(critical_pulse(std::atan(1 / 4.5), 1.5 * std::atan(1 / 4.5)) == Approx(1.13161946).margin(6e-9).epsilon(0));
    CHECK(critical_pulse(std::atan(1 / 2.25), 1.5 * std::atan(1 / 2.25)) == Approx(1.23014844).margin(6e-9).epsilon(0));
}

TEST_CASE("a single sine overturns the 0.06 x 0.135 block in two separate regions") {
    const Specimen specimen = block(0.06, 0.135);
    const double alpha = specimen.blocks[0].slenderness_rad();
    const double omega = 4.0 * specimen.blocks[0].frequency_parameter_rad_s(kGravity);
    const auto falls = [&](double ratio) {
        return overturns(specimen, sine_acceleration(ratio * alpha * kGravity, omega));
    };
    CHECK(boundary(falls, 3.0, 3.5) == Approx(3.147351).margin(1e-6).epsilon(0));
    CHECK(boundary(falls, 4.0, 5.0) == Approx(4.401048).margin(1e-6).epsilon(0));
    CHECK(boundary(falls, 5.0, 6.5) == Approx(5.811356).margin(1e-6).epsilon(0));
}

TEST_CASE("the first rebound amplitudes of the 0.045 m blocks") {
    const auto rebound = [](double height_m, double start_deg) {
        Specimen specimen = block(0.045, height_m);
        specimen.initial_rotation_rad = {start_deg * kPi / 180.0};
        RockingRun run(specimen, {});
        double first = 0.0;
        for (double t = 0.0; run.result().impacts.size() < 2 && t < 5.0; t += 1e-3) {
            run.coast(t);
            if (run.result().impacts.size() == 1) first = std::max(first, std::abs(run.rotation_rad(0)));
        }
        return first * 180.0 / kPi;
    };
    CHECK(rebound(0.2025, -11.268) == Approx(7.7665).margin(2e-4).epsilon(0));
    CHECK(rebound(0.135, -14.839) == Approx(8.2808).margin(2e-4).epsilon(0));
}

TEST_CASE("similar blocks overturn at the same scaled amplitudes") {
    for (const double scale : {0.5, 3.0}) {
        const Specimen specimen = block(0.06 * scale, 0.27 * scale), reference = block(0.06, 0.27);
        const auto critical = [&](const Specimen& body) {
            const double omega = 3.0 * body.blocks[0].frequency_parameter_rad_s(kGravity);
            return boundary([&](double a0) { return overturns(body, sine_acceleration(a0, omega)); }, 2.5, 8.0);
        };
        CHECK(critical(specimen) == Approx(critical(reference)).margin(1e-9).epsilon(0));
    }
}

// Free rocking by contact dynamics against the closed form: no slip, no rebound, Housner's ratio follows by itself.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/contact_dynamics/scheme.hpp"
#include "solver/contact_dynamics/start.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kDegree_rad = std::numbers::pi / 180.0;

struct Case {
    double width_m, height_m, start_deg;
};
constexpr Case kB4M{.045, .135, 14.839}, kB6M{.045, .2025, 11.268}, kB8M{.045, .30375, 7.731};

/// k-th peak (absolute, rad) after a release from start_rad: energy between impacts, Housner's ratio at each.
double exact_peak_rad(const Case& block, double start_rad, int k) {
    const double alpha = std::atan2(block.width_m, block.height_m), ratio = 1.0 - 1.5 * std::pow(std::sin(alpha), 2);
    double peak = start_rad;
    for (int i = 0; i < k; ++i)
        peak = alpha - std::acos(std::cos(alpha) + ratio * ratio * (std::cos(alpha - peak) - std::cos(alpha)));
    return peak;
}

Specimen released(const Case& block, double start_deg, double friction = .364) {
    Specimen specimen;
    specimen.blocks = {{block.width_m, block.height_m, 1.0896}};
    specimen.initial_rotation_rad = {start_deg * kDegree_rad};
    specimen.friction = Friction{friction, friction};
    return specimen;
}

SolverOptions contact_options(double time_step_s, double activation = 1.0) {
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = time_step_s;
    options.contact.activation = activation;
    return options;
}

std::vector<double> peaks_rad(const Specimen& specimen, SolverOptions options, double until_s) {
    options.settle_limit_s = until_s;
    std::vector<double> peaks;
    for (const TurningPoint& turn : follow(specimen, BaseMotion{}, options).turning_points)
        peaks.push_back(turn.rotation_rad);
    return peaks;
}

}  // namespace

TEST_CASE("contact dynamics: the peaks of free rocking converge to the closed form, sides in turn") {
    for (const Case& block : {kB4M, kB6M, kB8M}) {
        const auto peaks = peaks_rad(released(block, -block.start_deg), contact_options(1e-5), 2.5);
        REQUIRE(peaks.size() >= 3);
        for (int k = 1; k <= 3; ++k) {
            const double exact = exact_peak_rad(block, block.start_deg * kDegree_rad, k);
            CHECK(std::abs(std::abs(peaks[k - 1]) - exact) < .02 * kDegree_rad);
            CHECK((peaks[k - 1] > 0.0) == (k % 2 == 1));
        }
    }
}

TEST_CASE("contact dynamics: with a step of 1 us and contacts sought where the block is, peak 1 is exact to .002 deg") {
    for (const Case& block : {kB4M, kB6M}) {
        const auto peaks = peaks_rad(released(block, -block.start_deg), contact_options(1e-6, 0.0), .8);
        REQUIRE_FALSE(peaks.empty());
        CHECK(std::abs(peaks[0] - exact_peak_rad(block, block.start_deg * kDegree_rad, 1)) < .002 * kDegree_rad);
    }
}

TEST_CASE("contact dynamics: the envelope of the first peak's error over start angles is of first order") {
    const auto envelope_deg = [](double time_step_s) {
        double largest = 0.0;
        for (int i = 0; i < 24; ++i) {
            const double start_deg = 8.0 + .13 * i;
            const auto peaks = peaks_rad(released(kB6M, -start_deg), contact_options(time_step_s), 1.2);
            REQUIRE_FALSE(peaks.empty());
            const double exact = exact_peak_rad(kB6M, start_deg * kDegree_rad, 1);
            largest = std::max(largest, std::abs(peaks[0] - exact) / kDegree_rad);
        }
        return largest;
    };
    const double coarse = envelope_deg(1e-3), medium = envelope_deg(1e-4), fine = envelope_deg(1e-5);
    CHECK(coarse < .9);
    CHECK(medium < coarse / 5.0);
    CHECK(fine < medium / 5.0);
    CHECK(fine < .01);
}

TEST_CASE("contact dynamics: friction that holds has no influence") {
    const auto with = [](double friction) {
        return peaks_rad(released(kB6M, -11.268, friction), contact_options(1e-4), 3.0);
    };
    const auto reference = with(.364);
    CHECK(reference.size() > 10);
    CHECK(with(.7) == reference);
    CHECK(with(1.0) == reference);
    Specimen rough = released(kB6M, -11.268);
    rough.friction.reset();
    CHECK(peaks_rad(rough, contact_options(1e-4), 3.0) == reference);
}

TEST_CASE("contact dynamics: the mirrored start moves as the mirror image") {
    const SolverOptions options = contact_options(1e-4);
    const auto left = follow(released(kB6M, -11.268), BaseMotion{}, options);
    const auto right = follow(released(kB6M, 11.268), BaseMotion{}, options);
    REQUIRE(left.turning_points.size() >= 10);
    for (std::size_t i = 0; i < 10; ++i) {
        CHECK(left.turning_points[i].rotation_rad == Approx(-right.turning_points[i].rotation_rad).margin(1e-9));
        CHECK(left.turning_points[i].time_s == Approx(right.turning_points[i].time_s).margin(1e-9));
    }
}

TEST_CASE("contact dynamics: a released block comes to rest once, and its impacts are those of rocking") {
    const Prediction p = follow(released(kB4M, -14.839), BaseMotion{}, contact_options(1e-5));
    CHECK(p.status == SolverStatus::ok);
    CHECK(p.outcome == Outcome::rocking);
    REQUIRE(p.settled_time_s);
    CHECK(*p.settled_time_s > 1.4);
    CHECK(*p.settled_time_s < 1.6);
    CHECK(p.peak_rotation_rad[0] == Approx(14.839 * kDegree_rad));
    REQUIRE(p.impacts.size() > 10);
    // Between two impacts there is one turning point: no impact is counted twice.
    for (std::size_t i = 0; i < 10; ++i) {
        CHECK(p.impacts[i].time_s < p.turning_points[i].time_s);
        CHECK(p.turning_points[i].time_s < p.impacts[i + 1].time_s);
    }
    const Impact& first = p.impacts.front();
    const double alpha = std::atan2(.045, .135);
    CHECK(first.rotation_rate_after_rad_s[0] / first.rotation_rate_before_rad_s[0] ==
          Approx(1.0 - 1.5 * std::pow(std::sin(alpha), 2)).margin(1e-3));
    REQUIRE(first.centre_velocity_before_m_s.size() == 1);
    CHECK(first.centre_velocity_after_m_s[0][1] > 0.0);  // over the new corner it rises
    CHECK(first.centre_velocity_before_m_s[0][1] < 0.0);
}

TEST_CASE("contact dynamics: penetration stays below a multiple of the time step") {
    for (const double time_step_s : {1e-3, 1e-4, 1e-5}) {
        const Specimen specimen = released(kB6M, -11.268);
        ContactDynamics parameters;
        parameters.time_step_s = time_step_s;
        contact::Scheme scheme(contact::assembly_of(specimen, contact::initial_posture(specimen)), parameters, {.364},
                               kStandardGravity_m_s2);
        double deepest_m = 0.0;
        for (double t = 0.0; t < 3.0; t += time_step_s) {
            scheme.step({0.0, kStandardGravity_m_s2 * time_step_s});
            for (int j = 0; j < 2; ++j) deepest_m = std::max(deepest_m, -scheme.assembly().slots[j].gap_m);
        }
        CHECK(deepest_m > 0.0);
        CHECK(deepest_m < 1.0 * time_step_s);
    }
}

TEST_CASE("contact dynamics: an independent program with the same scheme finds the same peak") {
    // Siconos 4.4 (MoreauJeanOSI, theta 1, gamma 1, Newton's e 0, 2D Gauss-Seidel to 1e-10), by contact_dynamics_bench.
    Specimen block;
    block.blocks = {{.045, .135, 1.0}};
    block.friction = Friction{.364, .364};
    block.initial_rotation_rad = {-.25898942};
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = 1e-4;
    const Prediction p = follow(block, {}, options);
    CHECK(p.turning_points.at(0).rotation_rad * 57.29577951308232 == Approx(8.232167).margin(1e-6).epsilon(0));
}

// How alike two histories are, in numbers whose values are known.
#include "hil/compare/history_likeness.hpp"

#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::compare;

namespace {

const hil::signal::EvenGrid kGrid{-0.5, 0.002, 1251};  // to t = 2 s

std::vector<double> sine(double amplitude_rad, double delay_s = 0.0, double omega = 2.0 * std::numbers::pi) {
    std::vector<double> values;
    for (std::size_t i = 0; i < kGrid.count; ++i) {
        const double t = kGrid.time_s(i);
        values.push_back(t < 0.0 ? 0.0 : amplitude_rad * std::sin(omega * (t - delay_s)));
    }
    return values;
}

}  // namespace

TEST_CASE("a sine 10 % larger differs by known amounts") {
    const PhaseScale scale{0.2, 2.0 * std::numbers::pi};
    const HistoryLikeness l = likeness(kGrid, sine(0.11), sine(0.10), scale, 2.0);
    CHECK(l.peak_rad == Approx(0.11).epsilon(1e-4));
    CHECK(l.expected_peak_rad == Approx(0.10).epsilon(1e-4));
    CHECK(*l.nrmse == Approx(0.01 / std::sqrt(2.0) / 0.2).epsilon(0.01));
    // Rotation and rate differ by circles of radius 0.01 / 0.2 in the plane scaled by alpha and alpha p.
    CHECK(*l.phase_plane == Approx(0.05).epsilon(0.01));
    CHECK(*l.orbit == Approx(0.05).epsilon(0.02));
}

TEST_CASE("a shift in time is a distance in the phase plane, but none between the orbits") {
    const PhaseScale scale{0.2, 2.0 * std::numbers::pi};
    const HistoryLikeness l = likeness(kGrid, sine(0.10, 0.05), sine(0.10), scale, 2.0);
    CHECK(*l.phase_plane == Approx(0.5 * 2.0 * std::sin(std::numbers::pi * 0.05)).epsilon(0.03));
    CHECK(*l.orbit < 0.01);
}

TEST_CASE("impacts and periods of both curves are listed, and what is not finite ends the comparison") {
    std::vector<double> expected = sine(0.10);
    HistoryLikeness l = likeness(kGrid, sine(0.10), expected, {0.2, 6.0}, 2.0);
    add_impacts(l, kGrid, sine(0.10), expected, 0.004);
    REQUIRE(l.impact_s.size() >= 3);
    CHECK(l.impact_s[0] == Approx(0.5).margin(0.002));
    CHECK(l.period_s[0] == Approx(1.0).margin(0.002));
    for (std::size_t i = 0; i < kGrid.count; ++i)
        if (kGrid.time_s(i) > 1.2) expected[i] = std::nan("");
    l = likeness(kGrid, sine(0.10), expected, {0.2, 6.0}, 2.0);
    CHECK(l.until_s == Approx(1.2).margin(0.003));
    CHECK(*l.nrmse == 0.0);
}

TEST_CASE("a curve that hardly moves has no range to divide by") {
    const HistoryLikeness l = likeness(kGrid, sine(1e-4), sine(2e-4), {0.2, 6.0}, 2.0);
    CHECK_FALSE(l.nrmse.has_value());
    CHECK_FALSE(likeness(kGrid, {}, {}, {0.2, 6.0}, 2.0).phase_plane.has_value());
}

TEST_CASE("a stack is scaled by one block of its total height") {
    solver::Specimen stack;
    stack.blocks = {{0.2, 0.4, 1.0}, {0.2, 0.6, 1.0}};
    const PhaseScale scale = phase_scale(stack, 9.81);
    CHECK(scale.alpha_rad == Approx(std::atan(0.2)));
    CHECK(scale.p_rad_s == Approx(std::sqrt(3.0 * 9.81 / (2.0 * std::hypot(0.2, 1.0)))));
}

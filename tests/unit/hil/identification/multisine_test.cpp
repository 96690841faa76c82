#include "hil/identification/multisine.hpp"

#include <cmath>
#include <numbers>

#include "controller/feasibility.hpp"
#include "hil/identification/excitation.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::identification;

namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

double displacement_m(const Multisine& m, double time_s) {
    double sum = 0.0;
    for (std::size_t k = 0; k < m.frequency_hz.size(); ++k) {
        const double w = kTwoPi * m.frequency_hz[k];
        sum += m.acceleration_m_s2[k] / (w * w) * std::sin(w * time_s + m.phase_rad[k]);
    }
    return sum;
}

}  // namespace

TEST_CASE("A ramped multisine is the sum of its lines while it is held, and rests at both ends") {
    const Multisine m = drawn_multisine(1.0, 4.0, 60.0, 3).scaled(0.05);
    const solver::BaseMotion motion = ramped(m, 0.5, 1.3);
    CHECK(motion.end_s() == Approx(2.3));
    for (const double t : {0.5, 0.77, 1.3, 1.79})
        CHECK(motion.at(t).displacement_m == Approx(displacement_m(m, t)).margin(1e-12));
    CHECK(motion.at(0.2).displacement_m ==
          Approx(0.5 * (1.0 - std::cos(std::numbers::pi * 0.2 / 0.5)) * displacement_m(m, 0.2)).margin(1e-12));
    const auto end = motion.at(motion.end_s());
    CHECK(std::abs(end.displacement_m) < 1e-12);
    CHECK(std::abs(end.velocity_m_s) < 1e-11);
}

TEST_CASE("The lines of a multisine are whole multiples of its period, and its peaks those of the motion") {
    const Multisine m = drawn_multisine(0.998, 4.0, 150.0, 8);
    for (const double f : m.frequency_hz) CHECK(std::abs(std::remainder(f * m.period_s, 1.0)) < 1e-9);
    CHECK(m.frequency_hz.front() >= 4.0);
    CHECK(m.frequency_hz.back() <= 150.0);
    double acceleration = 0.0;
    const solver::BaseMotion motion = ramped(m, 0.5, m.period_s);
    for (int i = 0; i < 20000; ++i)
        acceleration = std::max(acceleration, std::abs(motion.at(0.5 + m.period_s * i / 20000.0).acceleration_m_s2));
    CHECK(m.peaks().acceleration_m_s2 == Approx(acceleration).epsilon(0.02));
}

TEST_CASE("No motion of an identification turns back while it is evaluated, and the table can make all of them") {
    struct Case {
        double stroke_m, amplitude_m_s2;
    };
    for (const Case& c : {Case{0.018, 2.0}, Case{0.108, 5.0}, Case{0.5, 0.05}}) {
        auto machine = firmware_iface::quanser_st_iii();
        machine.stroke_m = c.stroke_m;
        INFO("stroke " << c.stroke_m << ", amplitude " << c.amplitude_m_s2);
        const IdentificationPlan plan = plan_identification(machine, 2000, c.amplitude_m_s2);
        // The first stands for the others, which differ in their phases: a check takes seconds with so many lines.
        CHECK(controller::check_feasibility(plan.multisine.front().profile, machine, 0.0).feasible());
        for (const IdentificationMotion& motion : plan.strokes)
            CHECK(controller::check_feasibility(motion.profile, machine, 0.0).feasible());
        for (const auto* motions : {&plan.multisine, &plan.strokes})
            for (const IdentificationMotion& motion : *motions) {
                const auto end = motion.profile.at(motion.profile.duration_s());
                CHECK(std::abs(end.displacement_m - plan.start_m) < 1e-9);
                CHECK(std::abs(end.velocity_m_s) < 1e-9);
                for (const Stretch& stretch : motion.stretches)
                    for (int i = 0; i <= 1000; ++i) {
                        const double t = stretch.start_s + (stretch.end_s - stretch.start_s) * i / 1000.0;
                        const auto now = motion.profile.at(t);
                        REQUIRE(motion.carrier.at(t).velocity_m_s == Approx(stretch.velocity_m_s));
                        REQUIRE(now.velocity_m_s / stretch.velocity_m_s > 0.25);
                        REQUIRE(std::abs(now.velocity_m_s) <= 1.001 * plan.velocity_peak_m_s);
                        REQUIRE(std::abs(now.acceleration_m_s2) <= 1.02 * plan.acceleration_peak_m_s2);
                    }
            }
        CHECK(plan.acceleration_peak_m_s2 < std::max(1.3, 1.001 * c.amplitude_m_s2));
    }
}

TEST_CASE("An identification that a table has no room for, or that is too strong, is refused in words") {
    auto machine = firmware_iface::quanser_st_iii();
    CHECK_THROWS_WITH(plan_identification(machine, 2000, 7.0), Catch::Matchers::ContainsSubstring("0.05 and 6.25"));
    CHECK_THROWS_WITH(plan_identification(machine, 2000, 0.01), Catch::Matchers::ContainsSubstring("0.05 and 6.25"));
    machine.stroke_m = 0.01;
    CHECK_THROWS_WITH(plan_identification(machine, 2000, 2.0), Catch::Matchers::ContainsSubstring("0.02 m are needed"));
}

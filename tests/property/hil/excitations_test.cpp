// Every type of excitation that a table can make, from its lines in the file to its setpoints.
#include <cmath>
#include <string>
#include <vector>

#include "controller/profile/profile.hpp"
#include "hil/plan/motion_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/read_excitation.hpp"

using namespace topple;

namespace {

const std::vector<std::string> kExcitations = {
    "type = \"sine\"\namplitude_m_s2 = 3\nfrequency_hz = 4\n",
    "type = \"cosine\"\namplitude_m_s2 = -3\nfrequency_hz = 4\ncycles = 1.5\n",
    "type = \"cosine\"\namplitude_m_s2 = 3\nfrequency_hz = 4\nlead_in_jerk_m_s3 = 200\n",
    "type = \"constant\"\namplitude_m_s2 = 2\nduration_s = 0.1\ndeceleration_m_s2 = 5\n",
    "type = \"constant\"\namplitude_m_s2 = -2\nduration_s = 0.1\ncoast_s = 0.2\ndeceleration_m_s2 = 5\n",
    "type = \"constant\"\namplitude_m_s2 = 2\nduration_s = 0.1\ndeceleration_m_s2 = 5\nlead_in_jerk_m_s3 = 500\n",
    "type = \"harmonic\"\ndisplacement_m = 0.02\nfrequency_hz = 2\ncycles = 6\n",
    "type = \"double_pulse\"\npeak_velocity_m_s = 0.3\nrise_time_s = 0.02\ngap_m = 0.02\nbase_friction = 0.2\n"
    "stopper_rebound_ratio = 0.3\n",
    "type = \"ricker\"\namplitude_m_s2 = 3\nfrequency_hz = 2\n",
    "type = \"ricker\"\namplitude_m_s2 = -3\nfrequency_hz = 2\nshape = \"antisymmetric\"\n",
    "type = \"mavroeidis_papageorgiou\"\nvelocity_m_s = 0.2\nfrequency_hz = 1.5\ngamma = 2.2\nphase_rad = 1\n",
    "type = \"cycloidal\"\nshape = \"A\"\nvelocity_m_s = 0.2\nfrequency_hz = 2\n",
    "type = \"cycloidal\"\nshape = \"B\"\nvelocity_m_s = -0.2\nfrequency_hz = 2\n",
    "type = \"cycloidal\"\nshape = \"C\"\ncycles = 2\nvelocity_m_s = 0.2\nfrequency_hz = 2\n",
    "type = \"sweep\"\namplitude_m_s2 = 2\nstart_frequency_hz = 2\nend_frequency_hz = 12\nduration_s = 8\n",
    "type = \"sweep\"\nspacing = \"linear\"\namplitude_g = 0.2\nstart_frequency_hz = 9\nend_frequency_hz = 2\n"
    "duration_s = 8\nramp_cycles = 3\n",
    "type = \"noise\"\nrms_m_s2 = 0.6\nlow_hz = 2\nhigh_hz = 15\nduration_s = 8\nramp_s = 1\nseed = 5\n",
    "type = \"sum\"\n[[excitation.parts]]\ntype = \"ricker\"\namplitude_m_s2 = 2\nfrequency_hz = 3\n"
    "[[excitation.parts]]\ntype = \"sweep\"\namplitude_m_s2 = 1\nstart_frequency_hz = 3\nend_frequency_hz = 9\n"
    "duration_s = 3\ndelay_s = 0.4\n",
};

double value_of(const controller::FeasibilityReport& report, const std::string& name) {
    for (const controller::FeasibilityCheck& check : report.checks)
        if (check.name == name) return check.value;
    FAIL("no check " << name);
    return 0.0;
}

}  // namespace

TEST_CASE("Every excitation goes from rest to rest in setpoints that agree with each other and with feasibility") {
    for (const std::string& lines : kExcitations) {
        INFO(lines);
        const hil::plan::MotionPlan plan = hil::plan::plan_motion(tests::read_excitation(lines));
        CHECK(plan.feasibility.feasible());
        const double stroke_m = value_of(plan.feasibility, "stroke"), velocity = value_of(plan.feasibility, "velocity"),
                     acceleration = value_of(plan.feasibility, "acceleration");
        const auto setpoints = controller::setpoints(plan.profile, 0, 2000);
        CHECK(setpoints.front().axes[0].velocity_m_s == 0.0);
        CHECK(setpoints.back().axes[0].velocity_m_s == 0.0);
        CHECK(setpoints.back().axes[0].acceleration_m_s2 == 0.0);
        CHECK(setpoints.back().final);
        double velocity_m_s = 0.0, position_m = setpoints.front().axes[0].position_m;
        for (std::size_t i = 0; i < setpoints.size(); ++i) {
            const auto& now = setpoints[i].axes[0];
            CHECK(std::abs(now.position_m) <= stroke_m * (1 + 1e-9));
            CHECK(std::abs(now.velocity_m_s) <= velocity * (1 + 1e-9) + 1e-12);
            CHECK(std::abs(now.acceleration_m_s2) <= acceleration * (1 + 1e-9));
            if (i == 0) continue;
            // Trapezoids, of positions with their next term. The quickest bend here, a lead-in of 16 ms, leaves 0.3
            // mm/s; a step of acceleration that was missed would leave 4 mm/s.
            const auto& last = setpoints[i - 1].axes[0];
            const double step_s =
                1e-6 * static_cast<double>(setpoints[i].device_time_us - setpoints[i - 1].device_time_us);
            const double mean = 0.5 * (last.acceleration_m_s2 + now.acceleration_m_s2);
            velocity_m_s += step_s * mean;
            position_m += step_s * 0.5 * (last.velocity_m_s + now.velocity_m_s) +
                          step_s * step_s / 12 * (last.acceleration_m_s2 - now.acceleration_m_s2);
            CHECK(now.velocity_m_s == Approx(velocity_m_s).margin(5e-4));
            CHECK(now.position_m == Approx(position_m).margin(2e-6));
        }
    }
}

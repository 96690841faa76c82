#include "controller/headroom.hpp"

#include <random>
#include <vector>

#include "firmware_iface/machine.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;

namespace {

constexpr double kPayload_kg = 20.0;

controller::FeasibilityReport report_of(const solver::BaseMotion& motion, bool centre) {
    return controller::check_feasibility(controller::place(motion, centre), firmware_iface::quanser_st_iii(),
                                         kPayload_kg);
}

bool fails(const controller::FeasibilityReport& report, const std::string& name) {
    for (const controller::FeasibilityCheck& check : report.checks)
        if (check.name == name) return !check.passed;
    return false;
}

controller::Headroom room_of(const solver::BaseMotion& motion, bool centre) {
    const std::vector<controller::Profile> axes{controller::place(motion, centre)};
    return controller::headroom(axes, firmware_iface::quanser_st_iii(), kPayload_kg);
}

}  // namespace

TEST_CASE("A motion scaled to its headroom just fits, and the named limit is the first to fail beyond it") {
    const tests::RandomRuns runs(31, 60);
    std::mt19937 random(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        const auto between = [&](double low, double high) {
            return std::uniform_real_distribution<double>(low, high)(random);
        };
        const double w = between(4.0, 80.0), a0 = between(0.5, 10.0);
        const solver::BaseMotion motion = i % 3 == 0   ? solver::sine_acceleration(a0, w, 1.0 + i % 2)
                                          : i % 3 == 1 ? solver::cosine_acceleration(a0, w)
                                                       : solver::constant_acceleration_and_stop(a0, 0.1, 0.6 * a0);
        const bool centre = i % 4 != 0;
        INFO("run " << i << ", w " << w << ", a0 " << a0);
        const controller::Headroom room = room_of(motion, centre);
        REQUIRE(room.amplitude_ratio > 0.0);
        CHECK(report_of(motion.scaled(0.998 * room.amplitude_ratio), centre).feasible());
        CHECK(fails(report_of(motion.scaled(1.002 * room.amplitude_ratio), centre), room.amplitude_limit));
        if (report_of(motion, centre).feasible()) CHECK(room.amplitude_ratio > 0.998);
        if (room.frequency_ratio == 0.0) continue;
        CHECK(report_of(motion.faster(1.002 * room.frequency_ratio), centre).feasible());
        CHECK(fails(report_of(motion.faster(0.998 * room.frequency_ratio), centre), room.frequency_limit));
    }
}

TEST_CASE("Below the saturation ratio nothing warns of it, above it something does") {
    const solver::BaseMotion motion = solver::sine_acceleration(5.0, 40.0);
    const controller::Headroom room = room_of(motion, true);
    const auto warns = [&](double ratio) {
        const auto report = report_of(motion.scaled(ratio * room.saturation_ratio), true);
        return fails(report, "clean acceleration") || fails(report, "force");
    };
    CHECK_FALSE(warns(0.999));
    CHECK(warns(1.001));
}

TEST_CASE("A table at rest has no headroom to speak of, an acceleration beyond the limit fits at no frequency") {
    CHECK(room_of({}, true).amplitude_ratio == 0.0);
    const controller::Headroom room = room_of(solver::sine_acceleration(40.0, 100.0), true);
    CHECK(room.amplitude_ratio < 1.0);
    CHECK(room.amplitude_limit == "acceleration");
    CHECK(room.frequency_ratio == 0.0);
}

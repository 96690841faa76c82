// On which face of its foot a measured body is at rest in the end.
#include <cmath>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/measured.hpp"
#include "hil/compare/rotation_statistics.hpp"
#include "solver/laws/resting_places.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using tests::SyntheticRun;

namespace {

constexpr double kSpan_s = 0.8;

/// Rests on faces 0, 1 and 2 of 3, a slope of 0.3 rad apart.
solver::Specimen stone() {
    solver::Specimen specimen;
    solver::Block block;
    block.mass_kg = 2.0;
    specimen.blocks = {block};
    specimen.initial_rotation_rad = {0.0};
    const double slope = 0.3, half = 0.03, length = 0.07, low = -0.16;
    const double out = half + length * std::cos(slope), up = low + length * std::sin(slope);
    specimen.foot = solver::standing_foot({{-out, up}, {-half, low}, {half, low}, {out, up}}, 0.02).foot;
    return specimen;
}

/// What the sensor reads is given, from the start of the motion on.
SpecimenMeasurement measured(const std::function<double(double)>& rotation_rad) {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    hil::run_log::RunData data = tests::record(run);
    const double zero_rad = 1e-3;
    const std::uint64_t origin_us = motion_origin_us(data);
    for (auto& feedback : data.feedback) {
        const double time_s = 1e-6 * (static_cast<double>(feedback.device_time_us) - static_cast<double>(origin_us));
        const double noise = 2e-4 * std::sin(1e3 * time_s);
        feedback.rotation_rad[0] = zero_rad + noise + (time_s < 0.0 ? 0.0 : rotation_rad(time_s));
    }
    const AchievedMotion motion = identify_achieved_motion(data, run.experiment.table.description);
    return measure_specimens(data, {stone()}, motion.grid, find_motion_window(data), {}).front();
}

double swing(double time_s, double to_rad) {
    return time_s < kSpan_s ? to_rad * 0.5 * (1.0 - std::cos(std::acos(-1.0) * time_s / kSpan_s)) : to_rad;
}

}  // namespace

TEST_CASE("a body that ends still on another face is rocking, and rests there") {
    const auto places = solver::resting_places(stone());
    REQUIRE(places.size() == 3);
    REQUIRE(places[2].rotation_rad == Approx(0.3).epsilon(1e-9));
    const SpecimenMeasurement right = measured([](double time_s) { return swing(time_s, 0.31); });
    CHECK(right.outcome == solver::Outcome::rocking);
    CHECK(right.resting_face == 2u);
    CHECK(measured([](double time_s) { return swing(time_s, -0.28); }).resting_face == 0u);
}

TEST_CASE("a body that ends as it stood rests on the standing face") {
    const SpecimenMeasurement back =
        measured([](double time_s) { return time_s < 1.0 ? 0.02 * std::sin(6.2831853 * time_s) : 0.0; });
    CHECK(back.outcome == solver::Outcome::rocking);
    CHECK(back.resting_face == 1u);
}

TEST_CASE("a body that passed its last hill has overturned, and rests on no face") {
    const SpecimenMeasurement fallen = measured([](double time_s) { return swing(time_s, 1.5707963); });
    CHECK(fallen.outcome == solver::Outcome::overturning);
    CHECK_FALSE(fallen.resting_face);
}

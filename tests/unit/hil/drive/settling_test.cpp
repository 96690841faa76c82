#include "hil/drive/settling.hpp"

#include <cmath>

#include "hil/drive/run_plan.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using hil::drive::SettlingWatch;

namespace {

// 500 Hz samples of one sensor from `from_s` to `to_s`.
template <class Rotation>
void feed(SettlingWatch& watch, double from_s, double to_s, Rotation rotation_rad) {
    for (double t = from_s; t < to_s; t += 0.002) {
        firmware_iface::Feedback feedback;
        feedback.device_time_us = 1'000'000 + static_cast<std::uint64_t>(std::llround(t * 1e6));
        feedback.rotation_count = 1;
        feedback.rotation_rad[0] = rotation_rad(t);
        watch.add(feedback);
    }
}

}  // namespace

TEST_CASE("a rocking block is not at rest, a noisy still one is") {
    SettlingWatch watch;
    feed(watch, 0.0, 3.0, [](double t) { return 0.01 * std::sin(12.0 * t); });
    CHECK(watch.has_sensor());
    CHECK_FALSE(watch.at_rest());
    feed(watch, 3.0, 4.8, [](double t) { return 0.0005 * std::sin(4000.0 * t); });
    CHECK(watch.at_rest());
    feed(watch, 4.8, 6.0, [](double t) { return 0.01 * std::sin(12.0 * t); });
    CHECK_FALSE(watch.at_rest());
}

TEST_CASE("a fallen block counts as resting at its constant rotation") {
    SettlingWatch watch;
    feed(watch, 0.0, 2.0, [](double) { return 1.5707963; });
    CHECK(watch.at_rest());
}

TEST_CASE("recording goes on for at least five and at most sixty seconds after the platen rests") {
    SettlingWatch resting;
    feed(resting, 0.0, 2.0, [](double) { return 0.0; });
    CHECK_FALSE(hil::drive::recording_complete(5.2, 0.25, resting, 0.0));
    CHECK(hil::drive::recording_complete(5.26, 0.25, resting, 100.0));

    SettlingWatch rocking;
    feed(rocking, 0.0, 2.0, [](double t) { return 0.1 * std::sin(12.0 * t); });
    CHECK_FALSE(hil::drive::recording_complete(59.0, 0.25, rocking, 0.0));
    CHECK(hil::drive::recording_complete(60.3, 0.25, rocking, 0.0));
}

TEST_CASE("without a sensor recording outlasts the predicted settling by two seconds") {
    const SettlingWatch none;
    CHECK_FALSE(hil::drive::recording_complete(8.9, 0.25, none, 7.0));
    CHECK(hil::drive::recording_complete(9.0, 0.25, none, 7.0));
    CHECK(hil::drive::recording_complete(5.3, 0.25, none, 1.0));
}

TEST_CASE("without a sensor a block predicted to rock on for good is recorded for as long as anything is") {
    const std::string sine = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";
    hil::experiment::Experiment experiment = hil::experiment::read_experiment(sine);
    const double rest_s = hil::drive::plan_run(experiment).predicted_settling_s;
    CHECK(rest_s > 1.0);
    CHECK(rest_s < 30.0);
    solver::Restitution& restitution = experiment.specimens.front().restitution;
    restitution.model = solver::RestitutionModel::fixed;
    restitution.fixed_left_to_right = restitution.fixed_right_to_left = 1.0;
    const double never_s = hil::drive::plan_run(experiment).predicted_settling_s;
    CHECK_FALSE(hil::drive::recording_complete(59.0, 0.25, SettlingWatch(), never_s));
    CHECK(hil::drive::recording_complete(60.5, 0.25, SettlingWatch(), never_s));
}

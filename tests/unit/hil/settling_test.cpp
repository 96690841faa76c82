#include "hil/session/settling.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using namespace topple;
using hil::SettlingWatch;

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
    CHECK_FALSE(hil::recording_complete(5.2, 0.25, resting, 0.0));
    CHECK(hil::recording_complete(5.26, 0.25, resting, 100.0));

    SettlingWatch rocking;
    feed(rocking, 0.0, 2.0, [](double t) { return 0.1 * std::sin(12.0 * t); });
    CHECK_FALSE(hil::recording_complete(59.0, 0.25, rocking, 0.0));
    CHECK(hil::recording_complete(60.3, 0.25, rocking, 0.0));
}

TEST_CASE("without a sensor recording outlasts the predicted settling by two seconds") {
    const SettlingWatch none;
    CHECK_FALSE(hil::recording_complete(8.9, 0.25, none, 7.0));
    CHECK(hil::recording_complete(9.0, 0.25, none, 7.0));
    CHECK(hil::recording_complete(5.3, 0.25, none, 1.0));
}

// A camera's clock is found from what it saw: offset, rate, sign, and how well.
#include "hil/compare/camera_clock.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hil/compare/filmed_rotation.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::compare;

namespace {

double rotation_rad(double t) { return t <= 0.0 ? 0.0 : 0.12 * std::exp(-0.3 * t) * std::sin(8.0 * t); }

ClockReference reference(double delay_s = 0.0) {
    ClockReference r{{-2.0, 0.002, 7000}, {{}}, false, 12.0};
    for (std::size_t i = 0; i < r.grid.count; ++i)
        r.rotation_rad[0].push_back(rotation_rad(r.grid.time_s(i) - delay_s));
    return r;
}

struct Camera {
    double offset_s = 7.3, rate = 1.0 + 2e-5, noise_rad = 5e-4, sign = 1.0, frame_s = 1.0 / 150.0;
};

/// A camera whose time tau is that of the test t = rate (tau - offset), with a gap and single lost frames.
hil::camera::RotationHistory seen_by(const Camera& camera) {
    hil::camera::RotationHistory history;
    history.file = "camera.csv";
    history.format = "columns of rotations";
    history.rotation_rad.resize(1);
    solver::SplitMix64 random(5);
    for (int i = 0; i < 1800; ++i) {
        const double tau = camera.offset_s - 1.0 + i * camera.frame_s, t = camera.rate * (tau - camera.offset_s);
        history.time_s.push_back(tau);
        const double value = camera.sign * rotation_rad(t) + camera.noise_rad * solver::normal_pair(random)[0];
        history.rotation_rad[0].push_back(i % 37 == 0 || (i > 900 && i < 908) ? std::nan("") : value);
        history.sync.push_back(t >= 0.0 && t < 6.0 ? 1.0 : 0.0);
    }
    return history;
}

FilmedTest with_sensor() {
    FilmedTest test;
    test.motion_end_s = 6.0;
    test.sensor = reference();
    return test;
}

std::string refusal(const hil::camera::RotationHistory& history, const RotationSetup& setup, const FilmedTest& test) {
    try {
        film(history, setup, test);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "not refused";
}

}  // namespace

TEST_CASE("offset and rate of a camera follow from a sensor within the errors that are stated") {
    const FilmedRotation filmed = film(seen_by({}), {.start_s = {}, .sync_s = {}, .correlate = true}, with_sensor());
    INFO(filmed.how);
    const double true_offset_s = -7.3 * (1.0 + 2e-5);
    CHECK(filmed.is_fitted);
    CHECK(filmed.offset_error_s < 1e-4);
    CHECK(std::abs(filmed.line.rate - (1.0 + 2e-5)) < 4.0 * filmed.rate_error);
    CHECK(filmed.rate_error < 3e-5);
    for (const double tau : {7.3, 9.0, 12.0})  // where the block moves
        CHECK(std::abs(filmed.line.of(tau) - (true_offset_s + (1.0 + 2e-5) * tau)) < 5.0 * filmed.offset_error_s);
    CHECK(*filmed.residual_s < 0.5 * filmed.frame_s);
    CHECK(*filmed.correlation > 0.999);
    CHECK(*filmed.gain == Approx(1.0).margin(0.01));
}

TEST_CASE("a rate that can be told is found within its error, 20 ppm by a quiet camera") {
    for (const Camera& camera : {Camera{.rate = 1.0 + 1e-3}, Camera{.rate = 1.0 - 4e-3}, Camera{.noise_rad = 2e-5}}) {
        const FilmedRotation filmed =
            film(seen_by(camera), {.start_s = {}, .sync_s = {}, .correlate = true}, with_sensor());
        INFO(filmed.how);
        CHECK(filmed.line.rate != 1.0);
        CHECK(std::abs(filmed.line.rate - camera.rate) < 4.0 * filmed.rate_error);
        CHECK(filmed.how.find("ppm off") != std::string::npos);
    }
}

TEST_CASE("a clock that fits only if it is more than 1 % off is refused with its value") {
    const std::string message =
        refusal(seen_by({.rate = 1.02}), {.start_s = {}, .sync_s = {}, .correlate = true}, with_sensor());
    INFO(message);
    CHECK(message.find("% off; allowed: 1 %") != std::string::npos);
}

TEST_CASE("a rate that cannot be told from the table's is taken as true") {
    const FilmedRotation filmed = film(seen_by({.rate = 1.0, .noise_rad = 2e-3}),
                                       {.start_s = {}, .sync_s = {}, .correlate = true}, with_sensor());
    CHECK(filmed.line.rate == 1.0);
    CHECK(filmed.how.find("cannot be told") != std::string::npos);
}

TEST_CASE("a camera with the other sign is called so, unless the operator knows better") {
    for (const bool given_start : {false, true}) {
        RotationSetup setup{.start_s = {}, .sync_s = {}, .correlate = !given_start};
        if (given_start) setup.start_s = 7.3;
        CHECK(refusal(seen_by({.sign = -1.0}), setup, with_sensor()).find("sign reversed") != std::string::npos);
        CHECK(refusal(seen_by({}), setup, with_sensor()) == "not refused");
    }
    const FilmedRotation filmed =
        film(seen_by({.sign = -1.0}), {.start_s = 7.3, .sync_s = {}, .sign_is_known = true}, with_sensor());
    CHECK(*filmed.correlation < -0.9);
}

TEST_CASE("edges far apart tell offset and rate, edges close together only the offset") {
    FilmedTest test = with_sensor();
    test.trigger = {.asked = true, .rose_at_s = 0.0, .fell_at_s = 6.0};
    const std::vector<double> slow{7.3, 7.3 + 6.0 / 1.004};
    const FilmedRotation filmed = film(seen_by({.rate = 1.004}), {.start_s = {}, .sync_s = slow}, test);
    CHECK(filmed.line.rate == Approx(1.004).epsilon(1e-9));
    CHECK(filmed.line.of(7.3) == Approx(0.0).margin(1e-9));
    CHECK(std::abs(*filmed.lag_s) < 2e-4);
    const FilmedRotation true_rate = film(seen_by({}), {.start_s = {}, .sync_s = std::vector<double>{7.3, 13.3}}, test);
    CHECK(true_rate.line.rate == 1.0);  // 20 ppm are less than a frame in six seconds
    CHECK(refusal(seen_by({}), {.start_s = {}, .sync_s = std::vector<double>{7.3, 13.5}}, test)
              .find("1 % of difference") != std::string::npos);
    test.trigger = {};
    CHECK(refusal(seen_by({}), {.start_s = {}, .sync_s = slow}, test).find("[table] trigger") != std::string::npos);
}

TEST_CASE("the edges of a sync column are found half way, between two frames") {
    CHECK(edges_of({0.0, 1.0, 2.0, 3.0, 4.0}, {0.1, 0.0, 5.0, 5.1, 0.0}) == std::vector<double>{1.5, 3.5});
    CHECK(edges_of({0.0, 1.0, 2.0}, {0.0, 0.0, 1.0}) == std::vector<double>{1.5});
    CHECK(edges_of({0.0, 1.0}, {1.0, 1.0}).empty());
    FilmedTest test = with_sensor();
    test.trigger = {.asked = true, .rose_at_s = 0.0, .fell_at_s = 6.0};
    const FilmedRotation filmed = film(seen_by({}), {}, test);
    CHECK(filmed.how.find("trigger") != std::string::npos);
    CHECK(std::abs(*filmed.lag_s) < filmed.offset_error_s);
}

TEST_CASE("a camera that starts half a frame too late or more is warned about") {
    const auto warned = [](double start_s) {
        const FilmedRotation filmed = film(seen_by({.rate = 1.0}), {.start_s = start_s, .sync_s = {}}, with_sensor());
        return std::any_of(filmed.remarks.begin(), filmed.remarks.end(),
                           [](const std::string& remark) { return remark.starts_with("WARNING"); });
    };
    CHECK_FALSE(warned(7.301));
    CHECK(warned(7.305));
}

TEST_CASE("without a sensor the clock is fitted to the prediction, and said to be") {
    FilmedTest test;
    test.motion_end_s = 1.5;
    test.prediction = reference();
    test.prediction->is_prediction = true;
    test.prediction->until_s = 1.5;
    const RotationSetup correlate{.start_s = {}, .sync_s = {}, .correlate = true};
    const FilmedRotation filmed = film(seen_by({}), correlate, test);
    CHECK(filmed.line.of(7.3) == Approx(0.0).margin(1e-3));
    CHECK(filmed.line.rate == 1.0);
    CHECK(filmed.compared_with == "prediction");
    REQUIRE_FALSE(filmed.remarks.empty());
    CHECK(filmed.remarks.front().find("less independent") != std::string::npos);
    test.prediction.reset();
    CHECK(refusal(seen_by({}), correlate, test).find("neither") != std::string::npos);
}

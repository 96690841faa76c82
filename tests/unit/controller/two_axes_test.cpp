// A motion of two axes: setpoints, feasibility, supervision, estimate.
#include <atomic>
#include <cmath>

#include "controller/estimator.hpp"
#include "controller/feasibility.hpp"
#include "controller/supervisor.hpp"
#include "firmware_iface/device/setpoint_queue.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using controller::FeasibilityCheck;
using controller::Profile;
using firmware_iface::Feedback;
using firmware_iface::Setpoint;

namespace {

constexpr double kTwoPi = 6.283185307179586;

firmware_iface::MachineDescription machine() {
    auto both = firmware_iface::quanser_st_iii();
    both.y = both;
    both.y->stroke_m = 0.05;
    both.y->encoder_sign = -1;
    return both;
}

/// x: a sine of 0.25 s; y: a constant acceleration that is braked at 0.1 + 0.05 s.
std::vector<Profile> two_motions() {
    return {controller::place(solver::sine_acceleration(3.0, kTwoPi * 4.0), true),
            controller::place(solver::constant_acceleration_and_stop(2.0, 0.1, 4.0), true)};
}

Feedback at_rest(const std::vector<Profile>& axes, std::uint64_t time_us) {
    Feedback feedback;
    feedback.device_time_us = time_us;
    feedback.state = firmware_iface::DeviceState::armed;
    feedback.axis_count = 2;
    for (std::size_t i = 0; i < 2; ++i) {
        const double x = axes[i].start_position_m;
        feedback.axes[i] = {std::llround(x * (i == 0 ? 1e6 : -1e6)), x, 0.0, 0.0};
    }
    return feedback;
}

}  // namespace

TEST_CASE("The setpoints of two axes share their times, and the shorter motion holds its end") {
    const auto axes = two_motions();
    const auto knots = controller::setpoints(axes, 1'000'000, 2000);
    REQUIRE(knots.back().final);
    CHECK(knots.back().device_time_us == 1'250'000);
    for (std::size_t k = 0; k < knots.size(); ++k) {
        REQUIRE(knots[k].axis_count == 2);
        if (k > 0) CHECK(knots[k].device_time_us >= knots[k - 1].device_time_us);
        const double t = 1e-6 * static_cast<double>(knots[k].device_time_us - 1'000'000);
        CHECK(knots[k].axes[0].position_m == Approx(axes[0].at(t).displacement_m).margin(1e-12));
        CHECK(knots[k].axes[1].position_m == Approx(axes[1].at(std::min(t, 0.15)).displacement_m).margin(1e-9));
        if (t > 0.1501) CHECK(knots[k].axes[1].velocity_m_s == 0.0);
    }
    // Either queue of the device takes its part of every knot.
    for (std::size_t axis = 0; axis < 2; ++axis) {
        std::vector<firmware_iface::Knot> ring(firmware_iface::kSetpointCapacity);
        firmware_iface::SetpointQueue queue(ring);
        for (const Setpoint& knot : knots)
            CHECK(queue.push({knot.device_time_us, knot.axes[axis], knot.final}) ==
                  firmware_iface::SetpointQueue::Push::accepted);
    }
    CHECK(controller::duration_s(axes) == Approx(0.25));
    const auto one = controller::setpoints(axes[0], 1'000'000, 2000);
    const auto same = controller::setpoints(std::span(axes).first(1), 1'000'000, 2000);
    REQUIRE(one.size() == same.size());
    CHECK(one.front().axis_count == 1);
}

TEST_CASE("What an axis cannot do is named with the axis, and the payload is checked once") {
    const auto steep = controller::place(solver::sine_acceleration(3.0, kTwoPi * 1.6), true);
    const std::vector<Profile> axes{steep, steep};  // reaches 0.0933 m
    const auto report = controller::check_feasibility(axes, machine(), 20.0);
    CHECK_FALSE(report.feasible());
    CHECK(report.text().find("axis y: stroke: needs 0.0933 m") != std::string::npos);
    std::size_t payloads = 0;
    for (const FeasibilityCheck& check : report.checks) {
        const bool is_payload = check.name == "payload";
        payloads += is_payload ? 1 : 0;
        CHECK(check.axis.empty() == is_payload);
        if (check.name == "stroke") CHECK(check.passed == (check.axis == "x"));
    }
    CHECK(payloads == 1);
    const auto one = controller::check_feasibility(std::span(axes).first(1), firmware_iface::quanser_st_iii(), 20.0);
    const auto same = controller::check_feasibility(steep, firmware_iface::quanser_st_iii(), 20.0);
    REQUIRE(one.checks.size() == same.checks.size());
    CHECK(one.checks.front().axis.empty());
    CHECK(one.text() == same.text());
}

TEST_CASE("The supervisor begins and watches both axes") {
    const auto axes = two_motions();
    const std::atomic<bool> stop{false};
    controller::SupervisorSettings settings;
    settings.setpoint_capacity = 512;
    const auto knots = controller::setpoints(axes, 1'100'000, 2000);
    const auto refusal = [&](const Feedback& feedback, const std::vector<Setpoint>& sent) {
        return controller::Supervisor(sent, machine(), settings, stop).refusal(feedback);
    };
    using controller::StartRefusal;
    const Feedback sound = at_rest(axes, 1'000'000);
    CHECK(refusal(sound, knots) == StartRefusal::none);
    CHECK(refusal(sound, controller::setpoints(axes[0], 1'100'000, 2000)) == StartRefusal::setpoints_malformed);
    Feedback elsewhere = sound;
    elsewhere.axes[1].encoder_count += 1000;  // 1 mm
    CHECK(refusal(elsewhere, knots) == StartRefusal::table_elsewhere);
    Feedback of_one_axis = sound;
    of_one_axis.axis_count = 1;
    CHECK(refusal(of_one_axis, knots) == StartRefusal::feedback_unsound);

    controller::Supervisor supervisor(knots, machine(), settings, stop);
    REQUIRE(supervisor.begin(sound, firmware_iface::Nanoseconds{0}) == StartRefusal::none);
    Feedback lags = at_rest(axes, 1'002'000);
    lags.axes[1].setpoint_position_m += 0.011;
    CHECK(supervisor.tick(&lags, firmware_iface::Nanoseconds{2'000'000}, true).send_stop);
    CHECK(supervisor.reason() == controller::StopReason::following_error);
    CHECK(supervisor.text().find("axis y") != std::string::npos);
}

TEST_CASE("A feedback beyond the shorter stroke of axis y is a violation, within that of x it is none") {
    controller::FeedbackWatch watch(machine());
    Feedback feedback;
    feedback.axis_count = 2;
    feedback.axes[0] = {60'000, 0.06, 0.0, 0.0};
    CHECK_FALSE(watch.check(feedback));
    feedback.device_time_us = 2'000'000;  // long enough to get there
    feedback.axes[1] = {-60'000, 0.06, 0.0, 0.0};
    const auto violation = watch.check(feedback);
    REQUIRE(violation);
    CHECK(violation->reason == controller::StopReason::position_limit);
    CHECK(violation->axis == 1);
    CHECK(violation->limit == 0.05);
}

TEST_CASE("The estimator of axis y reads its encoder and its accelerometer") {
    controller::MotionEstimator estimator(machine(), 1);
    std::optional<controller::MotionEstimate> last;
    for (int i = 0; i < 30; ++i) {
        const double t = 0.002 * i, x = 0.5 * 2.0 * t * t;  // 2 m/s2
        Feedback feedback;
        feedback.device_time_us = static_cast<std::uint64_t>(2000 * (i + 1));
        feedback.axis_count = 2;
        feedback.axes[1].encoder_count = std::llround(-x * 1e6);
        feedback.acceleration_x_m_s2 = -50.0;
        feedback.acceleration_y_m_s2 = 2.0;
        if (Feedback rest; i < 12) {
            rest.acceleration_x_m_s2 = rest.acceleration_y_m_s2 = 0.0;
            estimator.observe_rest(rest);
        }
        if (const auto estimate = estimator.update(feedback)) last = estimate;
    }
    REQUIRE(last);
    CHECK(last->acceleration_m_s2 == Approx(2.0).margin(0.05));
    CHECK(last->velocity_m_s > 0.0);
}

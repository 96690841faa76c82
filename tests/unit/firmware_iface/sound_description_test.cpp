// What a table says of itself is held against what can be true before anything is computed from it.
#include "firmware_iface/sound_description.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// What connecting to a device says that describes itself so.
std::string refused(const std::function<void(DeviceInfo&)>& change, const decltype(ScriptedDevice::spoil)& spoil = {}) {
    Bench bench;
    change(bench.device.info);
    bench.device.spoil = spoil;
    const std::string error = error_of([&] { bench.link.connect(); });
    CHECK(bench.clock.now() < 500ms);  // told at once, not after a silence
    return error;
}

void replace(std::vector<std::byte>& in, std::span<const std::byte> what, std::span<const std::byte> with) {
    const auto at = std::search(in.begin(), in.end(), what.begin(), what.end());
    REQUIRE(at != in.end());
    std::copy(with.begin(), with.end(), at);
}

/// Puts a number in the place of another one of the description.
decltype(ScriptedDevice::spoil) with_number(double of, double number) {
    return [=](FrameType type, std::vector<std::byte>& payload) {
        if (type == FrameType::description)
            replace(payload, std::as_bytes(std::span(&of, 1)), std::as_bytes(std::span(&number, 1)));
    };
}

}  // namespace

TEST_CASE("every number of a description has a range, and the refusal names value and range") {
    struct Case {
        const char* name;
        const char* value;
        std::function<void(DeviceInfo&)> change;
    };
    const std::vector<Case> cases{
        {"feedback_period_us", "= 0,", [](DeviceInfo& i) { i.feedback_period_us = 0; }},
        {"feedback_period_us", "= 499,", [](DeviceInfo& i) { i.feedback_period_us = 499; }},
        {"feedback_period_us", "= 20001,", [](DeviceInfo& i) { i.feedback_period_us = 20'001; }},
        {"feedback_period_us", "allowed: 500 to 20000", [](DeviceInfo& i) { i.feedback_period_us = 60'000'000; }},
        {"feedback_period_us", "= 4294967295,", [](DeviceInfo& i) { i.feedback_period_us = 4'294'967'295; }},
        {"setpoint_capacity", "= 0,", [](DeviceInfo& i) { i.setpoint_capacity = 0; }},
        {"setpoint_capacity", "= 15,", [](DeviceInfo& i) { i.setpoint_capacity = 15; }},
        {"setpoint_capacity", "= 4294967295,", [](DeviceInfo& i) { i.setpoint_capacity = 4'294'967'295; }},
        {"axes[0].stroke_m", "= 0,", [](DeviceInfo& i) { i.axes[0].stroke_m = 0.0; }},
        {"axes[0].stroke_m", "= -0.108,", [](DeviceInfo& i) { i.axes[0].stroke_m = -0.108; }},
        {"axes[0].stroke_m", "= 108,", [](DeviceInfo& i) { i.axes[0].stroke_m = 108.0; }},
        {"axes[0].velocity_max_m_s", "= 1e+300,", [](DeviceInfo& i) { i.axes[0].velocity_max_m_s = 1e300; }},
        {"axes[0].acceleration_max_m_s2", "= 0,", [](DeviceInfo& i) { i.axes[0].acceleration_max_m_s2 = 0.0; }},
        {"axes[0].stop_deceleration_m_s2", "= -15,", [](DeviceInfo& i) { i.axes[0].stop_deceleration_m_s2 = -15.0; }},
        {"axes[0].counts_per_m", "= 0,", [](DeviceInfo& i) { i.axes[0].counts_per_m = 0.0; }},
        {"axes[0].counts_per_m", "= -1000000,", [](DeviceInfo& i) { i.axes[0].counts_per_m = -1e6; }},
        {"axes[1].stroke_m", "= 0,",
         [](DeviceInfo& i) { i.axes.push_back(i.axes[0]), i.axes[1].name = "y", i.axes[1].stroke_m = 0.0; }},
        {"axes[0].name", "\"z\"", [](DeviceInfo& i) { i.axes[0].name = "z"; }},
        {"axes[0].name", "\"\"", [](DeviceInfo& i) { i.axes[0].name = ""; }},
        {"axes[1].name", "each once", [](DeviceInfo& i) { i.axes.push_back(i.axes[0]); }},
    };
    for (const Case& one : cases) {
        INFO(one.name << " " << one.value);
        CHECK_THAT(refused(one.change),
                   ContainsSubstring(one.name) && ContainsSubstring(one.value) && ContainsSubstring("allowed"));
    }
}

TEST_CASE("numbers that are none, signs that are none and too many sensors or axes are named too") {
    const auto nothing = [](DeviceInfo&) {};
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    CHECK_THAT(refused(nothing, with_number(0.108, nan)), ContainsSubstring("stroke_m = nan, allowed"));
    CHECK_THAT(refused(nothing, with_number(1.0e6, infinity)), ContainsSubstring("counts_per_m = inf, allowed"));
    const auto with_bytes = [](std::vector<unsigned char> bytes) {
        return [bytes = std::move(bytes)](FrameType type, std::vector<std::byte>& payload) {
            if (type == FrameType::description)
                for (const unsigned char byte : bytes) payload.push_back(std::byte{byte});
        };
    };
    CHECK_THAT(refused(nothing, with_bytes({0x48, 17})),
               ContainsSubstring("rotation_sensor_count = 17, allowed: 0 to 16"));
    CHECK_THAT(refused(nothing, with_bytes({0x52, 0, 0x52, 0})),
               ContainsSubstring("number of axes = 3, allowed: 1 to 2"));
    CHECK_THAT(refused(nothing, with_bytes({0x12, 1, 0xFF})), ContainsSubstring("not UTF-8"));
    CHECK_THAT(refused(nothing, with_bytes({0xFF, 0xFF})), ContainsSubstring("not a description"));
    const auto sign = [](FrameType type, std::vector<std::byte>& payload) {
        const std::array one{std::byte{0x38}, std::byte{0x02}}, none{std::byte{0x38}, std::byte{0x04}};
        if (type == FrameType::description) replace(payload, one, none);
    };
    CHECK_THAT(refused(nothing, sign), ContainsSubstring("encoder_sign = 2, allowed: 1 or -1"));
}

TEST_CASE("texts of a description can be printed") {
    for (const char* text : {"\x1b[31mred", "two\nlines", "bell\a", "\x7f",
                             "c1 \xC2\x9B"
                             "31m",
                             "tab\t"}) {
        CHECK_THAT(refused([&](DeviceInfo& i) { i.device = text; }), ContainsSubstring("device holds a character"));
        CHECK_THAT(refused([&](DeviceInfo& i) { i.serial_number = text; }), ContainsSubstring("serial_number holds"));
        CHECK_THAT(refused([&](DeviceInfo& i) { i.firmware_version = text; }),
                   ContainsSubstring("firmware_version holds"));
    }
    for (const char* text : {"", "Sch\xC3\xBCttler 3", "\xE6\x8C\xAF\xE5\x8B\x95\xE5\x8F\xB0", "a b"}) {
        DeviceInfo info = scripted_info();
        info.device = text;
        CHECK(unsound(info).empty());
    }
    DeviceInfo longer = scripted_info();
    longer.device = std::string(65, 'x');
    CHECK_THAT(unsound(longer), ContainsSubstring("65 bytes"));
    const auto long_name = [](FrameType type, std::vector<std::byte>& payload) {
        if (type != FrameType::description) return;
        payload.insert(payload.end(), {std::byte{0x12}, std::byte{100}});
        payload.insert(payload.end(), 100, std::byte{'x'});
    };
    CHECK_THAT(refused([](DeviceInfo&) {}, long_name), ContainsSubstring("device has 100 bytes, allowed: 64"));
}

TEST_CASE("tables that exist are sound: slow and fast, short and long") {
    DeviceInfo info = scripted_info();
    CHECK(unsound(info).empty());
    info.feedback_period_us = 500, info.setpoint_capacity = 16, info.rotation_sensor_count = 16;
    CHECK(unsound(info).empty());
    info.feedback_period_us = 20'000, info.axes[0].stroke_m = 1.0, info.axes[0].counts_per_m = 2e4;
    CHECK(unsound(info).empty());
    info.axes.push_back(info.axes[0]);
    info.axes[1].name = "y";
    CHECK(unsound(info).empty());
}

TEST_CASE(
    "feedback with a value that is not a number, an unknown state or an impossible time is said as such, at once") {
    struct Case {
        std::vector<unsigned char> bytes;  // behind a sound message: of two values of one field the later counts
        FeedbackDefect defect;
        const char* text;
    };
    const std::vector<Case> cases{
        {{0x30, 99}, FeedbackDefect::unknown_state, "a state that this protocol does not know"},
        {{0x30, 0x80, 0x02}, FeedbackDefect::unknown_state, "a state"},  // 256: not idle
        {{0x19, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F}, FeedbackDefect::not_finite, "a value that is not a number"},
        {{0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}, FeedbackDefect::implausible_time, "clock"},
        {{0x12, 0, 0x12, 0}, FeedbackDefect::malformed, "not of this protocol"},
        {{0xFF}, FeedbackDefect::malformed, "not of this protocol"},
    };
    for (const Case& one : cases) {
        INFO(one.text);
        Bench bench;
        bench.link.connect();
        CHECK(bench.link.feedback_defect() == FeedbackDefect::none);
        bench.device.spoil = [&](FrameType type, std::vector<std::byte>& payload) {
            if (type == FrameType::feedback)
                for (const unsigned char byte : one.bytes) payload.push_back(std::byte{byte});
        };
        const auto before = bench.clock.now();
        CHECK_THAT(error_of([&] { bench.link.wait_feedback(); }),
                   ContainsSubstring(one.text) && !ContainsSubstring("table still on"));
        CHECK(bench.clock.now() - before <= 10ms);
        CHECK(bench.link.feedback_defect() == one.defect);
        bench.device.spoil = {};
        bench.link.connect();
        CHECK(bench.link.feedback_defect() == FeedbackDefect::none);
    }
}

TEST_CASE("an answer that is no reply is said as such") {
    Bench bench;
    bench.link.connect();
    bench.device.spoil = [](FrameType type, std::vector<std::byte>& payload) {
        if (type == FrameType::reply) payload.insert(payload.end(), {std::byte{0x18}, std::byte{99}});
    };
    CHECK_THAT(error_of([&] { bench.link.arm(1); }),
               ContainsSubstring("not a reply of this protocol") && !ContainsSubstring("still on"));
}

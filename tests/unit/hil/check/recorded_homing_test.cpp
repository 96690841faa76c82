// A homing is followed to its end; one that goes wrong, or of which nothing is heard any more, is stopped.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "hil/check/recorded_motion.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple;
using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

namespace {

// A table that searches for its reference as told; a stop ends it in a fault.
struct HomingTable {
    Bench bench;
    MachineDescription machine = quanser_st_iii();
    std::atomic<bool> stop{false};
    std::vector<Feedback> heard;
    std::string error;

    HomingTable() {
        bench.device.feedback.state = DeviceState::ready;
        bench.device.on_command = [&](const CommandMessage& command) {
            const bool stopped = command.kind == CommandKind::stop;
            bench.device.feedback.state = stopped ? DeviceState::faulted : DeviceState::homing;
            bench.device.feedback.fault_code = stopped ? 1 : 0;
        };
        bench.link.connect();
    }
    void home() {
        error = error_of([&] { heard = hil::check::record_homing({bench.link, bench.clock, machine, stop}); });
    }
    // Nothing more from the beginning of the search on.
    void home_silently(bool heard_again_after_stop) {
        auto answer = bench.device.on_command;
        bench.device.on_command = [=, this](const CommandMessage& command) {
            answer(command);
            bench.feeds = command.kind == CommandKind::stop && heard_again_after_stop;
        };
        home();
    }
    bool stop_sent() const {
        const auto kinds = bench.kinds();
        return std::find(kinds.begin(), kinds.end(), CommandKind::stop) != kinds.end();
    }
};

}  // namespace

TEST_CASE("Homing ends when the table has found its reference, with all that it said on the way") {
    HomingTable table;
    table.bench.before_feedback = [&](Nanoseconds now) {
        if (now > 2s) table.bench.device.feedback.state = DeviceState::ready;
    };
    table.home();
    CHECK(table.error == "no error");
    CHECK_FALSE(table.stop_sent());
    CHECK(table.bench.clock.now() > 2s);
    REQUIRE(table.heard.size() > 900);
    CHECK(table.heard.front().state == DeviceState::homing);
    CHECK(table.heard.back().state == DeviceState::ready);
}

TEST_CASE("Homing that ends in a fault names it") {
    HomingTable table;
    table.bench.before_feedback = [&](Nanoseconds now) {
        if (now < 2s) return;
        table.bench.device.feedback.state = DeviceState::faulted;
        table.bench.device.feedback.fault_code = static_cast<std::uint32_t>(FaultCode::homing_failed);
    };
    table.home();
    CHECK_THAT(table.error, ContainsSubstring("homing failed: homing_failed"));
    CHECK_FALSE(table.stop_sent());
}

TEST_CASE("Homing that does not end within a minute is stopped") {
    HomingTable table;
    table.home();
    CHECK(table.stop_sent());
    CHECK_THAT(table.error, ContainsSubstring("did not end within 60 s") && ContainsSubstring("reference switch"));
    CHECK(table.bench.clock.now() > 60s);
    CHECK(table.bench.clock.now() < 61s);
}

TEST_CASE("Homing without feedback is stopped after 1 s, and the operator is informed") {
    HomingTable table;
    table.home_silently(false);
    CHECK(table.stop_sent());
    CHECK_THAT(table.error, ContainsSubstring("no feedback for 1 s") && ContainsSubstring("press the emergency stop"));
    CHECK(table.bench.clock.now() < 5s);  // 1 s, and 3 s for the stop
}

TEST_CASE("Homing that was stopped for silence ends once the table is heard to stand") {
    HomingTable table;
    table.home_silently(true);
    CHECK(table.stop_sent());
    CHECK_THAT(table.error, ContainsSubstring("no feedback for 1 s") && !ContainsSubstring("emergency"));
    CHECK(table.bench.clock.now() < 2s);
}

TEST_CASE("A platen that homes further than its whole stroke is stopped there, and the operator is informed") {
    const double slow_m_s = GENERATE(0.05, -0.05, 0.02);
    const bool by_encoder = GENERATE(true, false);
    HomingTable table;
    const double stroke_m = 2.0 * table.machine.stroke_m;
    table.bench.before_feedback = [&](Nanoseconds now) {
        auto& axis = table.bench.device.feedback.axes[0];
        const double gone_m = slow_m_s * std::chrono::duration<double>(now).count();
        if (by_encoder)
            axis.encoder_count = std::llround(0.07e6 + 1e6 * gone_m);
        else
            axis.setpoint_position_m = 0.07 + gone_m;
    };
    table.home();
    CHECK(table.stop_sent());
    CHECK_THAT(table.error, ContainsSubstring("travelled 0.27") && ContainsSubstring("the whole stroke is 0.216 m") &&
                                ContainsSubstring("reference switch"));
    CHECK(std::chrono::duration<double>(table.bench.clock.now()).count() < 1.3 * stroke_m / std::abs(slow_m_s));
}

// A table in the middle of a test whose feedback can no longer be believed: said as what it is, and stopped at once.
#include <optional>

#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/driven_run.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/spoilt_feedback.hpp"

using namespace topple;
using namespace topple::tests;
using namespace topple::test;
using Catch::Matchers::ContainsSubstring;
using controller::StopReason;

namespace {

enum class When { at_rest, in_motion };

/// Device time after the start of the table's first running (or after the first feedback) at which it begins.
constexpr std::uint64_t kAfter_us = 200'000;

struct Evil {
    hil::drive::DriveResult result;
    std::uint64_t began_us = 0, ended_us = 0;  ///< device time: spoilt from, and at the end
    FaultCode fault{};
};

/// `change(feedback, since_us)`: what a feedback becomes so long after the beginning of the evil.
Evil run(When when, bool simulated, const std::function<Spoilt(Feedback&, std::uint64_t)>& change) {
    const TemporaryFolder folder;
    Evil evil;
    std::optional<std::uint64_t> from_us;
    hil::sim_table::SimulatedTableOptions options;
    options.reports_simulated = simulated;
    DrivenRun test(
        hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml"),
        folder.path(), options, [&](std::unique_ptr<ByteStream> host) -> std::unique_ptr<ByteStream> {
            return std::make_unique<SpoiltFeedback>(std::move(host), [&](Feedback& feedback) {
                if (!from_us && (when == When::at_rest || feedback.state == DeviceState::running))
                    from_us = feedback.device_time_us + kAfter_us;
                if (!from_us || feedback.device_time_us < *from_us) return Spoilt::no;
                evil.began_us = *from_us;
                return change(feedback, feedback.device_time_us - *from_us);
            });
        });
    evil.result = test.run();
    evil.ended_us = test.table().device_time_us();
    evil.fault = test.table().core().fault();
    return evil;
}

void check_stopped(const Evil& evil, StopReason reason, double within_s) {
    INFO(evil.result.text);
    REQUIRE(evil.began_us != 0);
    CHECK_FALSE(evil.result.complete);
    CHECK(evil.result.reason == reason);
    CHECK_THAT(evil.result.text, !ContainsSubstring("emergency stop") && !ContainsSubstring("still on"));
    CHECK(1e-6 * static_cast<double>(evil.ended_us - evil.began_us) < within_s);
}

}  // namespace

TEST_CASE("a number that is none and an unknown state stop a test in its next tick, on a simulated and a real table") {
    for (const bool simulated : {true, false})
        for (const When when : {When::at_rest, When::in_motion})
            for (const auto& [how, reason] : {std::pair(Spoilt::not_a_number, StopReason::not_finite),
                                              std::pair(Spoilt::unknown_state, StopReason::feedback_unreadable)}) {
                INFO((simulated ? "simulated, " : "real, ") << (when == When::at_rest ? "at rest" : "in motion"));
                const Evil evil = run(when, simulated, [how = how](Feedback& feedback, std::uint64_t) {
                    if (feedback.axes[0].setpoint_position_m == 0.0) feedback.axes[0].setpoint_position_m = 1e-9;
                    return how;
                });
                check_stopped(evil, reason,
                              11.0);  // the hold after a stop is counted by the host when no time can be read
                if (when == When::in_motion) CHECK(evil.fault == FaultCode::operator_stop);
            }
}

TEST_CASE("one stamp an hour ahead, or a clock that goes back, ends a test for what it is") {
    const std::uint64_t hour_us = 3'600'000'000;
    for (const When when : {When::at_rest, When::in_motion}) {
        check_stopped(run(when, true,
                          [=](Feedback& feedback, std::uint64_t since_us) {
                              if (since_us < 2000) feedback.device_time_us += hour_us;
                              return Spoilt::no;
                          }),
                      StopReason::clock_implausible, 11.0);
        check_stopped(run(when, true,
                          [=](Feedback& feedback, std::uint64_t) {
                              feedback.device_time_us -= 1'500'000;
                              return Spoilt::no;
                          }),
                      StopReason::feedback_implausible, 11.0);
    }
}

TEST_CASE("a clock that comes to stand in the middle of a test is not waited for") {
    for (const bool simulated : {true, false})
        for (const When when : {When::at_rest, When::in_motion}) {
            std::optional<std::uint64_t> frozen_us;
            const Evil evil = run(when, simulated, [&](Feedback& feedback, std::uint64_t) {
                if (!frozen_us) frozen_us = feedback.device_time_us;
                feedback.device_time_us = *frozen_us;
                return Spoilt::no;
            });
            check_stopped(evil, StopReason::clock_implausible, 12.0);
        }
}

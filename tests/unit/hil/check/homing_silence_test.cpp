// A homing of which nothing is heard any more is stopped, not waited for.
#include <algorithm>
#include <atomic>

#include "hil/check/recorded_motion.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple;
using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

namespace {

// A table that says nothing more from the beginning of the search on.
struct SilentHoming {
    Bench bench;
    MachineDescription machine = quanser_st_iii();
    std::atomic<bool> stop{false};
    std::string error;

    explicit SilentHoming(bool heard_again_after_stop) {
        bench.device.feedback.state = DeviceState::ready;
        bench.device.on_command = [&, heard_again_after_stop](const CommandMessage& command) {
            const bool stopped = command.kind == CommandKind::stop;
            bench.device.feedback.state = stopped ? DeviceState::faulted : DeviceState::homing;
            bench.device.feedback.fault_code = stopped ? 1 : 0;
            bench.feeds = stopped && heard_again_after_stop;
        };
        bench.link.connect();
        error = error_of([&] { hil::record_homing({bench.link, bench.clock, machine, stop}); });
    }
    bool stop_sent() const {
        const auto kinds = bench.kinds();
        return std::find(kinds.begin(), kinds.end(), CommandKind::stop) != kinds.end();
    }
};

}  // namespace

TEST_CASE("Homing without feedback is stopped after 1 s, and the operator is told so") {
    const SilentHoming silent(false);
    CHECK(silent.stop_sent());
    CHECK_THAT(silent.error, ContainsSubstring("no feedback for 1 s") && ContainsSubstring("press the emergency stop"));
    CHECK(silent.bench.clock.now() < 5s);  // 1 s, and 3 s for the stop
}

TEST_CASE("Homing that was stopped for silence ends once the table is heard to stand") {
    const SilentHoming silent(true);
    CHECK(silent.stop_sent());
    CHECK_THAT(silent.error, ContainsSubstring("no feedback for 1 s") && !ContainsSubstring("emergency"));
    CHECK(silent.bench.clock.now() < 2s);
}

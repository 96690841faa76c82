#include "hil/compare/trigger.hpp"

#include "tests/support/catch.hpp"

using namespace topple::hil;
using compare::find_trigger_edges;

namespace {

/// Feedback every 2 ms from t = -10 ms; `level` by the time in ms.
template <class Level>
run_log::RunData recorded(Level level) {
    run_log::RunData run;
    run.events.push_back({1'000'000, run_log::EventKind::motion_start, ""});
    for (int ms = -10; ms <= 20; ms += 2) {
        topple::firmware_iface::Feedback feedback;
        feedback.device_time_us = static_cast<std::uint64_t>(1'000'000 + 1000 * ms);
        feedback.trigger = level(ms);
        run.feedback.push_back(feedback);
    }
    return run;
}

}  // namespace

TEST_CASE("the edges of the trigger are those of the feedback, counted from the first setpoint") {
    const auto edges = find_trigger_edges(recorded([](int ms) { return ms >= 0 && ms < 12; }), true);
    CHECK(edges.asked);
    REQUIRE(edges.rose_at_s);
    CHECK(*edges.rose_at_s == 0.0);
    REQUIRE(edges.fell_at_s);
    CHECK(*edges.fell_at_s == Approx(0.012));
}

TEST_CASE("without a rise in the log there is no edge: an output that is always high, or none at all") {
    CHECK_FALSE(find_trigger_edges(recorded([](int) { return true; }), true).rose_at_s);
    const auto fell_only = find_trigger_edges(recorded([](int ms) { return ms < 0; }), true);
    CHECK_FALSE(fell_only.rose_at_s);
    CHECK_FALSE(fell_only.fell_at_s);
    const auto none = find_trigger_edges(recorded([](int) { return std::optional<bool>{}; }), false);
    CHECK_FALSE(none.asked);
    CHECK_FALSE(none.rose_at_s);
}

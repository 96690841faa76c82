// What a record says of the outcome if it ends while the block still moves.
#include <cstdint>
#include <numbers>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/conclusion.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using namespace topple::hil::run_log;

TEST_CASE("A record that ends before it is known whether the block falls has no outcome") {
    tests::SyntheticRun run{.experiment = tests::b6l_sine()};
    const double fall_amplitude_m_s2 = 6.0;
    run.experiment.excitation.motion = solver::sine_acceleration(fall_amplitude_m_s2, 8.0 * std::numbers::pi);
    run.experiment.excitation.table_motion = run.experiment.excitation.motion;
    const RunData whole = tests::record(run);
    REQUIRE(conclude(run.experiment, whole, {}).specimens.front().measured.outcome == solver::Outcome::overturning);
    const auto fall_s = *conclude(run.experiment, whole, {}).specimens.front().measured.overturn_time_s;
    RunData cut = whole;
    const auto end_us = motion_origin_us(whole) + static_cast<std::uint64_t>(1e6 * (fall_s - 0.1));
    std::erase_if(cut.feedback, [&](const auto& f) { return f.device_time_us > end_us; });
    for (EventRecord& event : cut.events)
        if (event.kind == EventKind::recording_end) event.device_time_us = end_us;
    const Conclusion c = conclude(run.experiment, cut, {});
    const SpecimenMeasurement& measured = c.specimens.front().measured;
    CHECK(c.status == RunStatus::completed);
    CHECK_FALSE(measured.outcome.has_value());
    CHECK(measured.undecided.find("whether it falls later is not known") != std::string::npos);
    CHECK_FALSE(overall_verdict(c).has_value());
    const OperatorMark fell{.specimen = 0, .outcome = solver::Outcome::overturning, .side = {}, .discard_reason = {}};
    CHECK(conclude(run.experiment, cut, {fell}).specimens.front().measured.outcome == solver::Outcome::overturning);
}

TEST_CASE("A record that ends in free rocking shows that the block will not fall") {
    const tests::SyntheticRun run{.experiment = tests::b6l_sine()};
    RunData cut = tests::record(run);
    const auto end_us = motion_origin_us(cut) + 2'000'000;  // at rest after 7 s
    std::erase_if(cut.feedback, [&](const auto& f) { return f.device_time_us > end_us; });
    for (EventRecord& event : cut.events)
        if (event.kind == EventKind::recording_end) event.device_time_us = end_us;
    CHECK(conclude(run.experiment, cut, {}).specimens.front().measured.outcome == solver::Outcome::rocking);
}

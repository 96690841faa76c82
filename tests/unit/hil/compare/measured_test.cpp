#include <numbers>

#include "hil/compare/conclusion.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using namespace topple::hil::run_log;
using tests::SyntheticRun;

namespace {

SpecimenMeasurement measured(const SyntheticRun& run, const RunData& data,
                             const std::vector<OperatorMark>& marks = {}) {
    const AchievedMotion motion = identify_achieved_motion(data, run.experiment.table.description);
    return measure_specimens(data, run.experiment.specimens, motion.grid, find_motion_window(data), marks).front();
}

void set_amplitude(SyntheticRun& run, double amplitude_m_s2, double frequency_hz) {
    run.experiment.excitation.motion = solver::sine_acceleration(amplitude_m_s2, 2.0 * std::numbers::pi * frequency_hz);
    run.experiment.excitation.table_motion.reset();
    run.experiment.excitation.amplitude_m_s2 = amplitude_m_s2;
    run.experiment.excitation.angular_frequency_rad_s = 2.0 * std::numbers::pi * frequency_hz;
}

}  // namespace

TEST_CASE("A block that lifts is measured as rocking, with peak, first side and the sensor's zero removed") {
    const SyntheticRun run{.experiment = tests::b6l_sine()};
    const SpecimenMeasurement result = measured(run, tests::record(run));
    CHECK(result.source == MeasurementSource::simulated);
    CHECK(result.outcome == solver::Outcome::rocking);
    CHECK(result.side == solver::Side::left);  // a positive acceleration makes it lean back
    CHECK(result.blocks[0].sensor_zero_rad == Approx(1e-3).margin(1e-4));
    CHECK(result.blocks[0].peak_rotation_rad > 0.02);
}

TEST_CASE("Sensor noise of a block that stays put is never called rocking") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        SyntheticRun run{.experiment = tests::b6l_sine()};
        set_amplitude(run, 1.0, 4.0);
        run.rotation_noise_rad = 2e-3;
        run.seed = seed;
        INFO("seed " << seed);
        CHECK(measured(run, tests::record(run)).outcome == solver::Outcome::translation);
    }
}

TEST_CASE("A block at a right angle has overturned, to the side on which it lies") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    set_amplitude(run, 8.0, 2.0);
    run.rotation_zero_rad = 0.0;
    const SpecimenMeasurement result = measured(run, tests::record(run));
    REQUIRE(result.outcome == solver::Outcome::overturning);
    CHECK(result.side.has_value());
    CHECK(result.overturn_time_s.has_value());
    CHECK(result.blocks_overturned == std::vector<std::size_t>{0});
}

TEST_CASE("A sensor that ends at its range beyond alpha counts as overturned") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    set_amplitude(run, 8.0, 2.0);
    RunData data = tests::record(run);
    for (auto& feedback : data.feedback) feedback.rotation_rad[0] = std::clamp(feedback.rotation_rad[0], -0.6, 0.6);
    CHECK(measured(run, data).outcome == solver::Outcome::overturning);
}

TEST_CASE("Without a sensor and without a mark nothing was measured") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.rotation_sensor = false;
    const SpecimenMeasurement result = measured(run, tests::record(run));
    CHECK(result.source == MeasurementSource::none);
    CHECK_FALSE(result.outcome.has_value());
    CHECK_FALSE(result.side.has_value());
    CHECK_FALSE(result.has_rotation());
}

TEST_CASE("The operator's mark decides, and says where the sensor saw something else") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    const OperatorMark mark{
        .specimen = 0, .outcome = solver::Outcome::overturning, .side = solver::Side::right, .discard_reason = {}};
    const SpecimenMeasurement result = measured(run, tests::record(run), {mark});
    CHECK(result.source == MeasurementSource::operator_mark);
    CHECK(result.outcome == solver::Outcome::overturning);
    CHECK(result.side == solver::Side::right);
    CHECK(result.remarks.size() == 1);
}

TEST_CASE("A mark without a side does not take over the side of another outcome that the sensor saw") {
    const SyntheticRun run{.experiment = tests::b6l_sine()};
    OperatorMark mark{.specimen = 0, .outcome = solver::Outcome::overturning, .side = {}, .discard_reason = {}};
    CHECK_FALSE(measured(run, tests::record(run), {mark}).side.has_value());
    mark.outcome = solver::Outcome::rocking;
    CHECK(measured(run, tests::record(run), {mark}).side == solver::Side::left);
}

TEST_CASE("A sensor that goes silent while the block may still move decides nothing") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    RunData data = tests::record(run);
    for (auto& feedback : data.feedback)
        if (feedback.device_time_us > 6'000'000) feedback.rotation_rad[0] = std::nan("");
    const SpecimenMeasurement result = measured(run, data);
    CHECK_FALSE(result.outcome.has_value());
    CHECK(result.source == MeasurementSource::none);
}

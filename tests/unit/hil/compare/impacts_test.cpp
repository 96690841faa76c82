#include <cmath>

#include "hil/compare/impact_evidence.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using solver::Outcome;
using tests::SyntheticRun;

namespace {

SyntheticRun quiet_run(std::uint32_t seed) {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.accelerometer_delay_s = 0.0;
    run.seed = seed;
    return run;
}

PlatenImpacts found(const SyntheticRun& run, const hil::run_log::RunData& data) {
    const auto& machine = run.experiment.table.description;
    return find_platen_impacts(data, machine, identify_achieved_motion(data, machine), find_motion_window(data));
}

void add_spike(hil::run_log::RunData& data, double time_s, double height_m_s2) {
    const std::uint64_t origin_us = motion_origin_us(data);
    for (auto& feedback : data.feedback)
        if (std::abs(seconds_from(origin_us, feedback.device_time_us) - time_s) < 1e-6)
            *feedback.acceleration_x_m_s2 += height_m_s2;
}

PlatenImpacts series(const std::vector<PlatenSpike>& spikes, double threshold_m_s2 = 0.2) {
    PlatenImpacts platen;
    platen.why_not.clear();
    platen.threshold_m_s2 = platen.driven_threshold_m_s2 = threshold_m_s2;
    platen.sample_s = 0.002;
    platen.spikes = spikes;
    return platen;
}

const PlatenImpacts kDying = series({{1.0, 0.9}, {1.3, -0.8}, {1.55, 0.6}, {1.75, -0.4}, {1.9, 0.3}, {2.0, -0.25}});
const PlatenImpacts kFalling = series({{1.0, 0.4}, {1.5, -0.6}, {2.2, 1.5}});
const std::vector<ExpectedSpike> kVisible = {{1.0, 0.9}};

SpecimenMeasurement measured(MeasurementSource source, std::optional<Outcome> outcome) {
    SpecimenMeasurement m;
    m.source = source;
    m.outcome = outcome;
    m.grid = {0.0, 0.002, 4001};
    if (source != MeasurementSource::none && source != MeasurementSource::operator_mark) m.blocks.resize(1);
    return m;
}

}  // namespace

TEST_CASE("Noise alone has no spikes") {
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        const SyntheticRun run = quiet_run(seed);
        const PlatenImpacts impacts = found(run, tests::record(run));
        INFO("seed " << seed << ": " << impacts.why_not);
        REQUIRE(impacts.evaluated());
        CHECK(impacts.threshold_m_s2 > 4.0 * run.accelerometer_noise_m_s2);
        CHECK(impacts.spikes.empty());
    }
}

TEST_CASE("Spikes in noise are found at their times, ringing counts once, and what the noise hides is not found") {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const SyntheticRun run = quiet_run(seed);
        auto data = tests::record(run);
        const std::vector<double> times_s = {0.8, 1.2, 1.5, 1.75, 2.0};
        for (const double time_s : times_s) {
            add_spike(data, time_s, 0.7);
            add_spike(data, time_s + 0.004, -0.5);
        }
        add_spike(data, 3.0, 0.06);  // one sigma
        const PlatenImpacts impacts = found(run, data);
        INFO("seed " << seed);
        REQUIRE(impacts.spikes.size() == times_s.size());
        for (std::size_t i = 0; i < times_s.size(); ++i) {
            CHECK(impacts.spikes[i].time_s == Approx(times_s[i]).margin(0.0021));
            CHECK(impacts.spikes[i].height_m_s2 == Approx(0.7).margin(0.3));
        }
    }
}

TEST_CASE("While the platen is driven a spike must stand out from the motion too") {
    const SyntheticRun run = quiet_run(1);
    auto data = tests::record(run);
    add_spike(data, 0.06, 0.35);
    add_spike(data, 0.09, 1.5);
    const PlatenImpacts impacts = found(run, data);
    REQUIRE(impacts.spikes.size() == 1);
    CHECK(impacts.spikes.front().time_s == Approx(0.09).margin(0.0021));
    CHECK(impacts.driven_threshold_m_s2 > impacts.threshold_m_s2);
}

TEST_CASE("Steps of the commanded acceleration are not taken for impacts") {
    SyntheticRun run = quiet_run(2);
    run.experiment = tests::example("b6l_cosine.toml");
    run.delay_s = 0.002;
    const PlatenImpacts impacts = found(run, tests::record(run));
    INFO(impacts.why_not);
    REQUIRE(impacts.evaluated());
    CHECK(impacts.spikes.empty());
}

TEST_CASE("Without an accelerometer the reason is given") {
    SyntheticRun run = quiet_run(1);
    run.accelerometer = false;
    CHECK(found(run, tests::record(run)).why_not == "no accelerometer");
}

TEST_CASE("The expected spike is the momentum lost at an impact over the platen's mass and one sample") {
    const auto experiment = tests::b6l_sine();
    const solver::Specimen& specimen = experiment.specimens.front();
    solver::Prediction prediction;
    prediction.impacts.push_back({0.5, 0, {1.0}, {0.96}});
    const auto spikes = expected_spikes(specimen, prediction, 20.0, 0.002);
    REQUIRE(spikes.size() == 1);
    CHECK(spikes[0].height_m_s2 == Approx(2.5692 * 0.135 * 0.04 / 20.0 / 0.002));
    CHECK(typical_spike_m_s2(specimen, 9.81, 20.0, 0.002) > 0.1);
}

TEST_CASE("Outcomes are inferred from spikes: none, a series that dies away, a last one without return") {
    CHECK(infer_outcome(series({}), 8.0).outcome == Outcome::translation);
    CHECK(infer_outcome(kDying, 8.0).outcome == Outcome::rocking);
    CHECK(infer_outcome(kFalling, 8.0).outcome == Outcome::overturning);
    CHECK_FALSE(infer_outcome(kFalling, 2.4).outcome);  // the record ends before it is known whether one follows
    CHECK_FALSE(infer_outcome(series({{1.0, 0.3}}), 8.0).outcome);
    CHECK_FALSE(infer_outcome(series({{1.0, 0.3}, {1.2, 0.3}, {1.4, 0.3}, {1.6, 0.35}, {1.8, 0.4}}), 8.0).outcome);
}

TEST_CASE("Contradictions between spikes, operator and rotation sensor are shown") {
    const auto gather = [](const PlatenImpacts& platen, const SpecimenMeasurement& m,
                           std::vector<double> crossings = {}) {
        return gather_impacts(platen, kVisible, 0.0, m, crossings, 1);
    };
    const auto marked = [](Outcome outcome) { return measured(MeasurementSource::operator_mark, outcome); };
    CHECK(gather(kDying, marked(Outcome::rocking)).contradictions.empty());
    REQUIRE(gather(kDying, marked(Outcome::overturning)).contradictions.size() == 1);
    CHECK(gather(kDying, marked(Outcome::overturning)).contradictions.front().find("the operator says overturning") !=
          std::string::npos);
    CHECK(gather(series({}), marked(Outcome::rocking)).contradictions.size() == 1);
    CHECK(gather(series({}), marked(Outcome::overturning)).contradictions.empty());  // caught, without an impact
    const auto sensor = measured(MeasurementSource::sensor, Outcome::rocking);
    const ImpactEvidence matched = gather(kDying, sensor, {1.001, 1.301, 1.549, 1.751, 1.903, 2.001});
    CHECK(matched.matched == 6);
    CHECK(matched.contradictions.empty());
    CHECK(gather(kDying, sensor, {5.0, 5.3}).contradictions.size() == 1);
    CHECK(gather(kFalling, sensor, {1.0, 1.5, 2.2}).contradictions.size() == 1);
    auto fell = measured(MeasurementSource::sensor, Outcome::overturning);
    fell.overturn_time_s = 2.25;
    CHECK(gather(kFalling, fell, {1.0, 1.5}).contradictions.empty());  // the last spike is the block on the platen
}

TEST_CASE("An accelerometer that cannot see the impacts says not visible, and suggests nothing") {
    const ImpactEvidence blind = gather_impacts(series({}, 1.0), {{1.0, 0.3}}, 0.0,
                                                measured(MeasurementSource::sensor, Outcome::rocking), {1.0}, 1);
    CHECK(blind.not_visible.find("cannot see") != std::string::npos);
    CHECK_FALSE(blind.inferred);
    CHECK(blind.platen_s.empty());
    CHECK(blind.contradictions.empty());
    CHECK(blind.rotation_s.size() == 1);
    const ImpactEvidence two =
        gather_impacts(kDying, kVisible, 0.0, measured(MeasurementSource::none, std::nullopt), {}, 2);
    CHECK_FALSE(two.inferred);
    CHECK(two.platen_s.size() == 6);
    CHECK(gather_impacts(kDying, kVisible, 0.0, measured(MeasurementSource::sensor, Outcome::translation), {}, 2)
              .contradictions.empty());  // the impacts are the other one's
}

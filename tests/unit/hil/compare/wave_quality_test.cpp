// Plateaus of constant pulses, response spectra of records, standard errors of the fitted wave.
#include <cmath>
#include <numbers>
#include <vector>

#include "hil/compare/identify.hpp"
#include "hil/compare/plateau.hpp"
#include "hil/compare/spectrum_match.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using tests::SyntheticRun;

namespace {

AchievedMotion motion_of(const SyntheticRun& run) {
    return identify_achieved_motion(tests::record(run), run.experiment.table.description);
}

/// A test whose plan is `planned`.
SyntheticRun run_of(const solver::BaseMotion& planned) {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.experiment.excitation = {};
    run.experiment.excitation.type = "constant";
    run.experiment.excitation.motion = planned;
    run.experiment.excitation.table_motion = planned;
    run.delay_s = 0.0;
    run.recorded_s = planned.end_s() + 2.0;
    return run;
}

/// Band-limited noise between 0.5 and 15 Hz that begins and ends gently; `gain_at_5hz` multiplies what is near 5 Hz.
solver::BaseMotion record(double gain_at_5hz) {
    std::vector<double> time_s, acceleration;
    for (int i = 0; i <= 2000; ++i) {
        const double t = 0.005 * i, envelope = std::pow(std::sin(std::numbers::pi * t / 10.0), 2);
        double a = 0.0;
        for (int k = 0; k < 30; ++k) {
            const double f = 0.5 + 0.5 * k;
            const double gain = std::abs(f - 5.0) < 0.8 ? gain_at_5hz : 1.0;
            a += gain * 0.2 * std::sin(2.0 * std::numbers::pi * f * t + 1.7 * k * k);
        }
        time_s.push_back(t);
        acceleration.push_back(envelope * a);
    }
    return solver::sampled_acceleration(time_s, acceleration);
}

}  // namespace

TEST_CASE("A plateau is measured: its level, its slope, its area") {
    const solver::BaseMotion planned = solver::constant_acceleration_and_stop(3.0, 0.3, 2.0);
    SyntheticRun run = run_of(planned);
    run.scale = 0.96;
    const auto plateaus = find_plateaus(motion_of(run), planned);
    REQUIRE(plateaus.size() == 2);
    CHECK(plateaus[0].planned_m_s2 == 3.0);
    CHECK(plateaus[0].mean_m_s2 == Approx(2.88).margin(0.02));
    CHECK(std::abs(plateaus[0].mean_m_s2 - 2.88) < 4.0 * plateaus[0].mean_error_m_s2 + 0.005);
    CHECK(std::abs(plateaus[0].slope_m_s3) < 0.3);
    CHECK(plateaus[0].ripple_m_s2 < 0.05);
    CHECK(plateaus[0].gain_m_s / plateaus[0].planned_gain_m_s == Approx(0.96).margin(0.002));
    CHECK(plateaus[1].planned_m_s2 == -2.0);
    CHECK(plateaus[1].mean_m_s2 == Approx(-1.92).margin(0.02));
}

TEST_CASE("A drive that tires has a slope, one that hums a ripple") {
    const solver::BaseMotion planned = solver::constant_acceleration_and_stop(3.0, 0.3, 2.0);
    SyntheticRun run = run_of(planned);
    std::vector<double> time_s, acceleration;
    for (int i = 0; i <= 300; ++i) {
        const double t = 0.001 * i;
        time_s.push_back(t);
        acceleration.push_back(3.0 - 1.0 * t + 0.3 * std::sin(2.0 * std::numbers::pi * 20.0 * t));
    }
    run.achieved = solver::sampled_acceleration(time_s, acceleration);
    const auto plateaus = find_plateaus(motion_of(run), planned);
    REQUIRE(!plateaus.empty());
    CHECK(plateaus[0].slope_m_s3 == Approx(-1.0).margin(0.6));
    CHECK(plateaus[0].ripple_m_s2 == Approx(0.3 / std::sqrt(2.0)).epsilon(0.1));
}

TEST_CASE("A sine has no plateau") {
    const SyntheticRun run{.experiment = tests::b6l_sine()};
    CHECK(find_plateaus(motion_of(run), run.experiment.excitation.planned_motion()).empty());
}

TEST_CASE("The response spectrum of a record that came out as planned is the planned one") {
    const solver::BaseMotion planned = record(1.0);
    const SyntheticRun run = run_of(planned);
    const SpectrumMatch match = match_spectra(motion_of(run), planned);
    REQUIRE(match.evaluated);
    CHECK(std::abs(match.worst_error_ratio) < 0.03);
    CHECK(match.compared > 60);
}

TEST_CASE("A table that shakes too much at 5 Hz is reported") {
    const solver::BaseMotion planned = record(1.0);
    SyntheticRun run = run_of(planned);
    run.achieved = record(1.3);
    const SpectrumMatch match = match_spectra(motion_of(run), planned);
    REQUIRE(match.evaluated);
    CHECK(match.worst_error_ratio > 0.15);  // 0.3 if nothing else moved the oscillator
    CHECK(match.worst_error_ratio < 0.31);
    CHECK(match.worst_frequency_hz == Approx(5.0).margin(0.8));
}

TEST_CASE("A recording that ends too early has no spectrum, and says why") {
    const solver::BaseMotion planned = record(1.0);
    SyntheticRun run = run_of(planned);
    run.recorded_s = 5.0;
    const SpectrumMatch match = match_spectra(motion_of(run), planned);
    CHECK_FALSE(match.evaluated);
    CHECK(match.why_not == "the recording ends before the planned motion does");
}

TEST_CASE("The standard errors of a fitted sine cover the truth, and are no wider than they must be") {
    int covered_amplitude = 0, covered_frequency = 0, covered_delay = 0;
    constexpr int kRuns = 60;
    double widest = 0.0;
    for (int i = 0; i < kRuns; ++i) {
        SyntheticRun run{.experiment = tests::b6l_sine()};
        run.achieved = solver::sine_acceleration(2.9, 2.0 * std::numbers::pi * 4.05).shifted(0.005);
        run.seed = 100u + static_cast<unsigned>(i);
        const IdentifiedExcitation fit = identify_excitation(motion_of(run), run.experiment.excitation);
        REQUIRE(fit.evaluated);
        covered_amplitude += std::abs(fit.amplitude_ratio - 2.9 / 3.0) < 2.0 * fit.amplitude_ratio_error;
        covered_frequency += std::abs(fit.frequency_ratio - 4.05 / 4.0) < 2.0 * fit.frequency_ratio_error;
        covered_delay += std::abs(fit.delay_s - 0.005) < 2.0 * fit.delay_error_s;
        widest = std::max(widest, fit.amplitude_ratio_error);
    }
    CHECK(covered_amplitude >= 50);  // 95 % of 60 are 57
    CHECK(covered_frequency >= 50);
    CHECK(covered_delay >= 50);
    CHECK(widest < 0.005);
}

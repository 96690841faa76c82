// How long a fit of outcomes takes, and how often its intervals hold: 200 made-up tests of waves, 200 of recorded
// motions; with "coverage", 40 tables of 40 tests; with "example",
// the table of docs/examples. Printed, never asserted.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/bench/earthquake.hpp"
#include "tests/support/made_up_outcomes.hpp"

using namespace topple;
using namespace topple::tests;
using hil::outcome_fit::TableFit;

namespace {

constexpr std::size_t kTests = 200;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TableFit timed_fit(const TemporaryFolder& folder, const std::string& csv, const std::string& experiment,
                   unsigned threads, const char* what) {
    const auto alone = hil::cluster::alone();
    hil::outcome_fit::FitRequest request;
    request.likelihood.shares = alone.get();
    request.likelihood.threads = threads;
    const auto start = std::chrono::steady_clock::now();
    TableFit fit = fit_table(tests_in(folder, csv, experiment), request);
    const auto& of = fit.specimens.front().convergence;
    fmt::print("{} {} on {} threads: {:.1f} s; {} sampled parameter sets x {} draws of each test, {:.0f} effective\n",
               fit.tests.count(), what, threads, seconds_since(start), of.draws, request.likelihood.draws_per_test,
               of.effective);
    return fit;
}

/// The record of earthquake.hpp with another speed and strength.
void write_records(const TemporaryFolder& folder) {
    const solver::BaseMotion motion = bench::earthquake();
    for (std::size_t index = 0; index < kTests; ++index) {
        const double step_s = 0.005 * (0.8 + 0.4 * static_cast<double>(index % 37) / 37.0);
        const double scale = 0.4 + 1.2 * static_cast<double>(index) / static_cast<double>(kTests);
        std::string text = "time_s,acceleration_m_s2\n";
        for (std::size_t i = 0; 0.005 * static_cast<double>(i) < motion.end_s(); ++i)
            text += fmt::format("{:.4f},{:.5f}\n", step_s * static_cast<double>(i),
                                scale * motion.at(0.005 * static_cast<double>(i)).acceleration_m_s2);
        folder.write(fmt::format("record_{}.csv", index), text);
    }
}

void time_records(unsigned threads) {
    const TemporaryFolder folder;
    write_records(folder);
    std::string experiment = outcome_template(kWidePrior);
    const std::string sine = "type = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";
    experiment.replace(experiment.find(sine), sine.size(),
                       "type = \"record\"\nfile = \"record_0.csv\"\nend_correction = \"none\"\n");
    std::vector<std::string> outcomes(kTests, "T"), rows;
    const auto csv_of = [&] {
        std::string csv = "test,motion,outcome\n";
        for (std::size_t i = 0; i < kTests; ++i) csv += fmt::format("{0},record_{0}.csv,{1}\n", i, outcomes[i]);
        return csv;
    };
    const auto tests = tests_in(folder, csv_of(), experiment);
    for (std::size_t i = 0; i < kTests; ++i) {
        const auto& one = *tests.specimens.front().tests[i].experiment;
        const auto outcome = solver::predict_outcomes({&one.specimen, 1}, one.motion, one.options).front().outcome;
        outcomes[i] = solver::is_overturning(outcome) ? "O" : outcome == solver::Outcome::rocking ? "R" : "T";
    }
    timed_fit(folder, csv_of(), experiment, threads, "recorded motions");
}

/// Truths drawn from the prior, as in the coverage test of the suite.
void count_coverage(unsigned threads) {
    constexpr int kTables = 40;
    const std::string experiment = outcome_template(kWidePrior);
    int held[3] = {};
    double brier = 0.0, prior_brier = 0.0;
    for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
        const TemporaryFolder folder;
        solver::SplitMix64 random(1000 + seed);
        const auto [width, restitution] = solver::normal_pair(random);
        const double truths[] = {0.05 * width, 0.02 * restitution, 0.01 * solver::normal_pair(random)[0]};
        const std::string csv = made_up_table(folder, 40, experiment, {truths[0], truths[1], truths[2]}, seed);
        const TableFit fit = timed_fit(folder, csv, experiment, threads, "tests");
        const char* keys[] = {"width", "restitution", "tilt_rad"};
        for (int i = 0; i < 3; ++i) {
            const auto& of = fitted(fit.specimens.front(), keys[i]).marginal;
            held[i] += of.low <= truths[i] && truths[i] <= of.high;
        }
        brier += fit.by_others.overturning.brier.value / kTables;
        prior_brier += fit.by_prior.overturning.brier.value / kTables;
    }
    fmt::print(
        "intervals of 90 % that hold the truth, of {}: width {}, restitution {}, tilt {}; held-out Brier score {:.4f}, "
        "of the prior {:.4f}\n",
        kTables, held[0], held[1], held[2], brier, prior_brier);
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : std::thread::hardware_concurrency();
    const std::string what = argc > 2 ? argv[2] : "";
    const TemporaryFolder folder;
    if (what == "coverage") count_coverage(threads);
    if (what == "example")
        fmt::print("{}", made_up_table(folder, 80, outcome_template(kWidePrior), {0.04, -0.01, 0.006}, 7));
    if (!what.empty()) return 0;
    const std::string experiment = outcome_template(kWidePrior);
    timed_fit(folder, made_up_table(folder, kTests, experiment, {0.05, 0.0, 0.0}, 1), experiment, threads, "waves");
    time_records(threads);
    return 0;
}

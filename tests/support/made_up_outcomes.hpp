// Tables of outcomes made by the solver for a block whose departures are known.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "hil/outcome_fit/table_fit.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "solver/study/perturbation.hpp"
#include "tests/support/temporary_folder.hpp"

namespace topple::tests {

/// A block 60 mm wide and 270 mm tall that lifts at 2.18 m/s2.
inline std::string outcome_template(const std::string& uncertainty) {
    return "name = \"made up\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
           "restitution = { model = \"fixed\", value = 0.92 }\n"
           "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n[uncertainty]\n" +
           uncertainty;
}

inline const char* const kWidePrior =
    "width = { normal = 0.05 }\nrestitution = { normal = 0.02 }\ntilt_rad = { normal = 0.01 }\n"
    "amplitude = { normal = 0.03 }\n";

/// Of the block that stood there.
struct OutcomeTruth {
    double width = 0.0, restitution = 0.0, tilt_rad = 0.0;
};

/// Sines around the thresholds of uplift (2.18 m/s2) and of overturning, of two frequencies. "?" for outcomes.
inline std::vector<std::string> shaken_rows(std::size_t tests, solver::SplitMix64& random) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < tests; ++i) {
        const bool slow = i % 2 == 0;
        const double amplitude = slow ? 1.9 + 0.8 * random.uniform() : 1.9 + 3.0 * random.uniform();
        rows.push_back(fmt::format("{},{:.4f},{}", i, amplitude, slow ? 2.0 : 3.5));
    }
    return rows;
}

inline std::string outcome_csv(const std::vector<std::string>& rows, const std::vector<std::string>& outcomes) {
    std::string text = "test,amplitude_m_s2,frequency_hz,outcome\n";
    for (std::size_t i = 0; i < rows.size(); ++i) text += rows[i] + "," + outcomes[i] + "\n";
    return text;
}

/// The same tests as the table reads them, from files in `folder`.
inline hil::outcome_fit::TableTests tests_in(const TemporaryFolder& folder, const std::string& csv,
                                             const std::string& experiment) {
    return hil::outcome_fit::tests_of(hil::outcome_tables::read_outcome_table(folder.write("tests.csv", csv),
                                                                              folder.write("study.toml", experiment)));
}

/// How those rows would end: the block of `truth`, the amplitude of each test off by `amplitude` (1 sigma).
inline std::vector<std::string> made_up_outcomes(const TemporaryFolder& folder, const std::vector<std::string>& rows,
                                                 const std::string& experiment, const OutcomeTruth& truth,
                                                 double amplitude, solver::SplitMix64& random) {
    const auto tests = tests_in(folder, outcome_csv(rows, std::vector<std::string>(rows.size(), "T")), experiment);
    solver::Perturbation departure;
    departure.width_factors = {1.0 + truth.width};
    departure.restitution_factor = 1.0 + truth.restitution;
    departure.tilt_rad = truth.tilt_rad;
    std::vector<std::string> outcomes;
    for (const auto& test : tests.specimens.front().tests) {
        const auto specimen = solver::perturbed(test.experiment->specimen, departure);
        const solver::MotionScale scale{1.0 + amplitude * solver::normal_pair(random)[0], 1.0};
        const auto outcome =
            solver::predict_outcomes({&specimen, 1}, test.experiment->motion, test.experiment->options, {&scale, 1})
                .front()
                .outcome;
        outcomes.push_back(outcome == solver::Outcome::translation ? "T"
                           : outcome == solver::Outcome::rocking   ? "R"
                                                                   : "O");
    }
    return outcomes;
}

inline std::string made_up_table(const TemporaryFolder& folder, std::size_t tests, const std::string& experiment,
                                 const OutcomeTruth& truth, std::uint64_t seed) {
    solver::SplitMix64 random(seed);
    const auto rows = shaken_rows(tests, random);
    return outcome_csv(rows, made_up_outcomes(folder, rows, experiment, truth, 0.03, random));
}

/// As few draws as a test needs; `alone` must outlive it.
inline hil::outcome_fit::FitRequest outcome_request(hil::cluster::WorkShares& alone, std::uint64_t seed = 1) {
    hil::outcome_fit::FitRequest request;
    request.likelihood.shares = &alone;
    request.likelihood.threads = 2;
    request.likelihood.seed = request.sampling.seed = seed;
    request.likelihood.draws_per_test = 8;
    request.sampling.draws_per_stage = 200;
    request.sampling.enough = 300.0;
    return request;
}

inline const hil::outcome_fit::FittedParameter& fitted(const hil::outcome_fit::SpecimenFit& fit,
                                                       const std::string& key) {
    for (const auto& one : fit.learned)
        if (one.parameter.key == key) return one;
    throw std::logic_error(key + " is no parameter of this fit");
}

}  // namespace topple::tests

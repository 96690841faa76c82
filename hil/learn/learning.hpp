// What runs teach of their specimen: prior, posterior, and how well each run is foretold by the others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/experiment/learned_prior.hpp"
#include "hil/learn/adaptive_sampling.hpp"
#include "hil/learn/marginals.hpp"
#include "hil/learn/run_evidence.hpp"

namespace topple::hil::learn {

inline constexpr double kEffectiveMin = 100.0;        ///< draws; with fewer there is no answer
inline constexpr double kHeldOutEffectiveMin = 30.0;  ///< draws that must remain without one run

struct LearningRequest {
    std::vector<RunEvidence> runs;
    solver::Uncertainty prior;
    std::string prior_source;             ///< in words
    std::vector<std::string> prior_runs;  ///< SHA-256 of the logs that went into it
    SamplingSettings sampling{};
    unsigned threads = 0;  ///< 0: one per processor
};

struct LearnedParameter : Marginal {
    solver::SpecimenParameter parameter{};
    solver::Distribution prior, posterior;
};

/// One run foretold from the others.
struct HeldOut {
    std::size_t run = 0;
    std::string not_possible;     ///< why not; empty: it was
    double effective = 0.0;       ///< draws of the posterior of the other runs
    double log_score_gain = 0.0;  ///< ln of predictive density of what was measured: posterior of the others - prior
    std::size_t features = 0, covered = 0;  ///< how many lie between 5 and 95 % of what the others foretell
    std::size_t covered_by_prior = 0;
};

struct Learning {
    std::vector<RunEvidence> runs;      ///< `left_out` completed by what the fit has found
    std::vector<double> power, misfit;  ///< per run
    std::vector<LearnedParameter> parameters;
    Eigen::MatrixXd correlation;  ///< of the parameters
    bool is_informative = false;
    std::size_t draws = 0;
    double effective = 0.0;
    int stages = 0;
    std::vector<HeldOut> held_out;
    std::string held_out_not_possible;
    std::vector<std::string> remarks;
    std::string prior_source;
    std::vector<std::string> prior_runs;

    /// Of the specimen's numbers; everything else fixed.
    solver::Uncertainty posterior() const;
};

/// Throws InputError if the runs are of different specimens, one of them is in the prior already or given twice, no run
/// can be used, no parameter is uncertain, or too few draws stay effective. A result without information is the prior.
Learning learn(LearningRequest request);

}  // namespace topple::hil::learn

// Predictions of one experiment with some of its numbers replaced, as many as are asked for, on all processors.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::python {

inline constexpr std::int8_t kNoOutcome = -1;  ///< the solution failed, or the point is no experiment

struct ManyRequest {
    std::vector<std::string> keys;                ///< as of an axis of a map: "excitation.amplitude_m_s2"
    std::vector<std::span<const double>> values;  ///< one for each key, all of the same length
    std::size_t count = 0;                        ///< that length
    std::string model;                            ///< empty: the experiment's
    std::size_t specimen = 0;
    bool outcome_only = false;  ///< peaks and times are not followed: several times faster
    unsigned threads = 0;       ///< 0: one per processor
};

struct ManyPredictions {
    std::vector<std::int8_t> outcome;    ///< solver::outcome_code() or kNoOutcome
    std::vector<std::int8_t> direction;  ///< -1 left, +1 right, 0 none
    std::size_t block_count = 1;
    std::vector<double> peak_rotation_rad;                ///< [point * block_count + block]; NaN: not followed
    std::vector<double> overturn_time_s, settled_time_s;  ///< NaN: it does not
    std::vector<char> is_refused;                         ///< the reader of the file refuses these numbers
    std::string first_refusal;                            ///< of the first such point: "point 3: ..."; empty: none
};

/// Every point is the experiment's text with these numbers, read by the file's own reader. Points that were not begun
/// because of `stop` have no outcome. Throws InputError for a key that is not there, for two that set the same number,
/// and for a specimen that is not there.
ManyPredictions predict_many(const experiment::Experiment& experiment, const ManyRequest& request,
                             const std::atomic<bool>& stop);

}  // namespace topple::hil::python

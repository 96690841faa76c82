// Predictions for the rows of a table, and their scores.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hil/cluster/work_shares.hpp"
#include "hil/outcome_tables/outcome_table.hpp"
#include "hil/scores/repeats.hpp"
#include "hil/scores/scores.hpp"

namespace topple::hil::outcome_tables {

struct PredictionWork {
    std::size_t members = 200;
    unsigned threads = 0;  ///< 0: one per processor
    /// Distinct experiments done and in all, a few times a second and at the end; may be empty.
    std::function<void(std::size_t, std::size_t)> on_progress;
    cluster::WorkShares* shares = nullptr;  ///< all of its ranks call predict_table() alike; null: this process alone
};

/// Of one row; rows with the same experiment have the same one.
struct RowPrediction {
    std::string model;
    std::optional<solver::Outcome> outcome;  ///< of the specimen as described
    std::vector<double> members;             ///< what they count, by solver::outcome_code
    std::size_t failed_members = 0;
    std::size_t member_count = 0;
    double weight = 0.0, sound_weight = 0.0;  ///< of all members; of those that have not failed
    double peak_velocity_m_s = 0.0;           ///< of the base, planned
    bool is_stack = false;
    std::optional<Refusal> refused;  ///< by the file's reader or the model
};

enum class RowState { scored, predicted, unusable };
std::string_view name(RowState state) noexcept;

struct PredictedRow {
    RowState state = RowState::unusable;
    std::string group;                        ///< its settings: shared by rows with the same experiment
    std::optional<RowPrediction> prediction;  ///< empty: unusable
    std::optional<double> peak_velocity_m_s;  ///< measured, or planned; empty: the base rests
    std::string why;                          ///< it is not scored
    std::string column;                       ///< that makes it unusable
    std::optional<scores::ScoredTest> test;   ///< what was scored
};

struct PredictedTable {
    OutcomeTable table;
    std::size_t members = 0, different = 0;  ///< of each ensemble; experiments that were predicted
    std::vector<PredictedRow> rows;          ///< as those of the table
    scores::Scores scores;
    std::vector<scores::RepeatGroup> repeats;

    std::size_t count(RowState state) const noexcept;
};

/// Predicts every distinct experiment once, on several threads, and scores the rows whose outcome is known. The result
/// does not depend on the number of threads. Throws InputError if no row is usable.
PredictedTable predict_table(OutcomeTable table, const PredictionWork& work);

}  // namespace topple::hil::outcome_tables

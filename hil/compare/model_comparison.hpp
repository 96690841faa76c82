// What other models say of the same specimen on the same motion: is a miss the model's?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::compare {

inline constexpr double kTypicalImpulsePosition =
    0.73;  ///< k of an aluminium block on aluminium; assumed where not given
inline constexpr solver::Friction kTypicalFriction{.static_ratio = 0.5, .kinetic_ratio = 0.45};  ///< assumed, dry metal

/// A model applied to a specimen: its equations and what it changes of the specimen.
struct ModelVariant {
    solver::Specimen specimen;
    solver::Model equations = solver::Model::automatic;
    std::string note;  ///< what was assumed; empty: nothing
};

/// One row of the list of models.
struct ModelEntry {
    std::string_view name;  ///< as in summary.json
    std::string_view what;  ///< for the reader of a report
    /// Empty: the same as "as described", or the model does not cover this specimen.
    std::optional<ModelVariant> (*apply)(const solver::Specimen& specimen);
};

/// Every model there is, "as described" first. A new family of models is one more row (model_comparison.cpp).
const std::vector<ModelEntry>& model_list();

struct ModelPrediction {
    std::string name, what, note;
    std::optional<solver::Outcome> outcome;  ///< empty: the solution failed
    std::optional<solver::Side> direction;
    std::vector<double> peak_rotation_rad;  ///< per block
    std::vector<double> impacts_s;          ///< the first three
    std::optional<double> overturn_time_s, settled_time_s;
};

struct ModelComparison {
    bool along_achieved = false;  ///< else along the planned motion
    std::vector<ModelPrediction> models;

    bool disagree() const noexcept;  ///< on the outcome; failed ones say nothing
    /// "overturning (housner), rocking (as described, slide_rock)"; the first model's outcome first.
    std::string outcomes_text() const;
    /// Names of the models with this outcome.
    std::vector<std::string> with(solver::Outcome outcome) const;
};

/// Each model of the list that covers the specimen, along the achieved motion where there is one.
ModelComparison compare_models(const solver::Specimen& specimen, const AchievedMotion& motion,
                               const solver::BaseMotion& planned, double gravity_m_s2);

}  // namespace topple::hil::compare

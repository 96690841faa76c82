// Does the outcome stand within what is known of a measured motion?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hil/fused_motion/calibration.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::plan {

/// What one specimen does along one motion that the measurement allows.
struct MotionOutcome {
    std::string motion;                      ///< "fused", else as fused_motion::Variant
    std::optional<solver::Outcome> outcome;  ///< empty: the solution failed
    double peak_rotation_rad = 0.0;          ///< largest of all blocks
};

struct OutcomeSensitivity {
    std::vector<MotionOutcome> motions;  ///< "fused" first

    bool stands() const noexcept;          ///< nothing but the acceleration as it was given changes it
    bool holds_as_given() const noexcept;  ///< the acceleration as it was given leads to the same outcome
};

/// "the outcome stands: rocking also with gain, ... at ±2 standard errors, ...; the acceleration as it was given: ...".
std::string describe(const OutcomeSensitivity& sensitivity);
nlohmann::ordered_json sensitivity_json(const OutcomeSensitivity& sensitivity);

/// The object `motion_fusion`, without `outcome_sensitivity`.
nlohmann::ordered_json fusion_json(const fused_motion::Calibration& calibration, double residual_m);

}  // namespace topple::hil::plan

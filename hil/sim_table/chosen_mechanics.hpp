// Which simulated mechanics an experiment asks for.
#pragma once

#include <optional>

#include "hil/experiment/experiment.hpp"
#include "hil/sim_table/table_preset.hpp"

namespace topple::hil::sim_table {

/// Empty for the ideal table.
inline std::optional<TablePreset> preset_of(experiment::SimulatedMechanics mechanics) noexcept {
    switch (mechanics) {
        case experiment::SimulatedMechanics::ideal: break;
        case experiment::SimulatedMechanics::stage: return stage_preset();
        case experiment::SimulatedMechanics::worn: return worn_preset();
    }
    return std::nullopt;
}

}  // namespace topple::hil::sim_table

// Everything that is found out about a table from its answers to an identification plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/identification/drive_response.hpp"
#include "hil/identification/excitation.hpp"
#include "hil/identification/frequency_response.hpp"
#include "hil/identification/friction.hpp"
#include "hil/identification/line_spectra.hpp"
#include "hil/identification/platen_response.hpp"
#include "hil/identification/servo_proposal.hpp"
#include "hil/identification/table_model.hpp"

namespace topple::hil::identification {

struct Identification {
    std::vector<double> frequency_hz;  ///< lines of the multisine
    // Coherent lines only.
    std::vector<LineResponse> position;      ///< setpoint to encoder
    std::vector<LineResponse> acceleration;  ///< setpoint's acceleration to accelerometer; empty: there is none
    std::vector<LineResponse> force;         ///< encoder to force, N/m; empty: no force channel
    std::optional<PlatenResponse> platen;
    bool has_force = false;
    std::optional<TableEstimate> table;
    std::optional<FrictionEstimate> friction;
    std::vector<StrokeForce> strokes;
    std::optional<DriveEstimate> drive;
    ServoProposal proposal;
    std::size_t stretches = 0;         ///< of the multisine that were evaluated
    std::vector<std::string> missing;  ///< stretches that were not, and why
};

/// One recording per motion of the plan, in its order. `machine`: as the device has it; `force`: empty without such a
/// channel: then there is neither mass nor friction nor proposal.
Identification identify_table(const IdentificationPlan& plan, std::span<const Recording> multisine,
                              std::span<const Recording> strokes, const firmware_iface::MachineDescription& machine,
                              const std::optional<ForceChannel>& force);

}  // namespace topple::hil::identification

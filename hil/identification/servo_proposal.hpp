// Gains of the position servo for a table that has been identified, with the margins that they leave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/identification/drive_response.hpp"
#include "hil/identification/friction.hpp"
#include "hil/identification/table_model.hpp"

namespace topple::hil::identification {

/// Of the proposed gains with every payload that is looked at. Usual in servo drives.
inline constexpr double kPhaseMarginMin_deg = 30.0, kGainMarginMin = 2.0;
/// Above these a model does not explain the measurement, and nothing is proposed.
inline constexpr double kModelResidualMax_ratio = 0.1, kDriveGainDeviationMax_ratio = 0.1;
/// Of the friction found, fed forward: more than there is would push by itself.
inline constexpr double kFrictionShare = 0.9;

struct PayloadMargins {
    double payload_kg = 0.0;  ///< told to the servo, on the platen
    LoopMargins present, proposed;
};

struct ServoProposal {
    std::string why_not;                         ///< nothing is proposed, and why; empty: the rest is filled
    firmware_iface::MachineDescription machine;  ///< the present one with what was identified and the proposed gains
    std::vector<PayloadMargins> margins;         ///< without payload and with the largest
};

/// Keeps damping_ratio, integral_ratio, observer, notch, friction_speed and filter; takes mass, motor_mass_ratio,
/// stiffness, friction and drive_lag from the estimates; and sets motor_loop_rad_s to the largest whole ten up to half
/// of observer_rad_s that keeps both margins with every payload.
ServoProposal propose_servo(const firmware_iface::MachineDescription& machine,
                            const std::optional<TableEstimate>& table, const std::optional<FrictionEstimate>& friction,
                            const std::optional<DriveEstimate>& drive);

}  // namespace topple::hil::identification

// The drive: what becomes of the force that the servo commands, from what the servo must have commanded.
#pragma once

#include <optional>
#include <span>

#include "hil/identification/line_spectra.hpp"
#include "hil/identification/loop_margins.hpp"

namespace topple::hil::identification {

struct DriveEstimate {
    DriveModel model;
    Estimate gain;                ///< 1: force channel, drive and servo mean the same newton
    Estimate total_s;             ///< delay and lag together
    double residual_ratio = 0.0;  ///< misfit_ratio() of the lines
    /// The same of the closed loop, setpoint to position: what servo, drive and table predict against what was
    /// measured.
    double closed_loop_ratio = 0.0;
    std::size_t line_count = 0;
};

/// `servo`: as the device has it; `records`: of the multisine. The command is servo.setpoint R - servo.position X:
/// nothing of it is measured, so that all is wrong on a device with another servo, which residual and gain show. Empty
/// if fewer than 8 lines are coherent or the fit does not converge.
std::optional<DriveEstimate> fit_drive(std::span<const double> frequency_hz, std::span<const LineSpectra> records,
                                       const firmware_iface::ServoParameters& servo, const TableModel& table);

}  // namespace topple::hil::identification

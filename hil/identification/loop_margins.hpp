// How far the position loop is from ringing: gain and phase margin of servo, drive and table together.
#pragma once

#include <complex>

#include "hil/identification/servo_response.hpp"
#include "hil/identification/table_model.hpp"

namespace topple::hil::identification {

/// What is between the commanded force and the force on the table: gain exp(-s delay) / (1 + s lag).
struct DriveModel {
    double gain = 1.0;  ///< force per commanded force
    double delay_s = 0.0, lag_s = 0.0;

    std::complex<double> response(double angular_frequency_rad_s) const;
    double total_s() const noexcept { return delay_s + lag_s; }
};

/// The loop that is opened at the measured position.
struct LoopMargins {
    bool stable = false;            ///< by Nyquist's count; the margins mean nothing without
    double phase_margin_deg = 0.0;  ///< the smallest at any crossover of the gain 1
    double gain_margin = 0.0;       ///< factor that makes it ring; the smallest, above 1
    double crossover_hz = 0.0;      ///< highest frequency of gain 1
    double distance = 0.0;          ///< least |1 + L|: 1 over the largest sensitivity
};

/// Looked at from 0.3 Hz to a quarter of the control rate.
LoopMargins loop_margins(const firmware_iface::ServoParameters& servo, const DriveModel& drive,
                         const TableModel& table);

}  // namespace topple::hil::identification

// Moving mass and screw of a table, fitted to the force that its motion takes at every line.
#pragma once

#include <complex>
#include <optional>
#include <span>

#include "hil/identification/frequency_response.hpp"
#include "hil/identification/friction.hpp"

namespace topple::hil::identification {

/// Motor side with the encoder, screw, platen: docs/identification.md#the-table. Rigid: motor_mass_ratio 1, no
/// stiffness.
struct TableModel {
    double mass_kg = 0.0;           ///< moving mass, all of it
    double motor_mass_ratio = 1.0;  ///< of the moving mass, on the encoder's side of the screw
    double stiffness_n_m = 0.0;     ///< of the screw; 0: rigid
    double damping_n_s_m = 0.0;     ///< of the screw
    double viscous_n_s_m = 0.0;     ///< friction on the motor's side

    /// Force per displacement of the encoder, N/m; `payload_kg` rides on the platen.
    std::complex<double> dynamic_stiffness_n_m(double angular_frequency_rad_s, double payload_kg = 0.0) const;
    double resonance_hz() const noexcept;         ///< both masses against each other; 0: rigid
    double platen_resonance_hz() const noexcept;  ///< the platen with the motor held; 0: rigid
};

struct TableEstimate {
    TableModel model;
    Estimate mass_kg, motor_mass_ratio, stiffness_n_m, damping_n_s_m;  ///< the last three: 0 +- 0 if rigid
    Estimate platen_resonance_hz;
    Estimate force_delay_s;       ///< of the force channel behind the encoder
    double residual_ratio = 0.0;  ///< misfit_ratio() of the lines
    std::size_t line_count = 0;
    bool whole = true;  ///< enough of the lines (kLinesMinShare): screw and share of the motor may be believed
};

/// `force_per_m`: coherent lines of the response from position (input) to force, of `lines_in_all`. With a screw if its
/// resonance with the motor held is below 0.8 of the highest line and known to 10 %, else rigid. Empty for fewer than 8
/// lines, or if no fit converges.
std::optional<TableEstimate> fit_table(std::span<const LineResponse> force_per_m, std::size_t lines_in_all);

}  // namespace topple::hil::identification

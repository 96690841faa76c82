// The standard normal distribution far into its tails: arithmetic.
#pragma once

namespace topple::hil::fragility {

double phi(double z) noexcept;           ///< Phi(z)
double log_phi(double z) noexcept;       ///< ln Phi(z), also where Phi(z) vanishes
double hazard_below(double z) noexcept;  ///< Phi'(z) / Phi(z), also where both vanish

}  // namespace topple::hil::fragility

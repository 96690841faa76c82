// Where the impulse of an impact acts and what the material takes: thesis chapter 4, from measured
// restitution.
#pragma once

namespace topple::solver {

/// A measured number and its standard error (1 sigma).
struct Estimate {
    double value = 0.0;
    double standard_error = 0.0;
};

/// Rate ratio with pivot and impulse at k b/2 (thesis 4.5); k = 1 is Housner's.
double improved_ratio(double slenderness_rad, double impulse_position_k) noexcept;

/// Edge contact, a base that touches only strips of this width along the block's edges: k of the inner edge
/// of the strips, 1 - 2 strip/b (thesis Table 4.4). Throws std::invalid_argument unless 0 <= strip < b/2.
double edge_contact_k(double block_width_m, double strip_width_m);

/// Material factor eta_e / eta_M(k) of a test whose impulse position is known (thesis 4.6).
/// Throws std::invalid_argument if eta_M(k) is not positive: such a block does not rock on.
Estimate material_factor(double slenderness_rad, const Estimate& measured_ratio, double impulse_position_k);

/// k from the measured ratio and the material factor (thesis 4.7, 4.8, which invert 4.5).
/// The ratio of a rigid body is measured / material; above 1 no k exists: value and error are NaN.
/// k > 1 is returned as it is: something else than impulse position and material takes energy.
Estimate impulse_position(double slenderness_rad, const Estimate& measured_ratio, const Estimate& material) noexcept;

}  // namespace topple::solver

// Free rocking of a block between two impacts on a still, level base, in closed form.
#pragma once

#include <span>

#include "solver/specimen.hpp"

namespace topple::solver {

/// What free rocking depends on besides its restitution.
struct RockingShape {
    double slenderness_rad = 0.0;            ///< alpha
    double frequency_parameter_rad_s = 0.0;  ///< p
};
RockingShape rocking_shape(const Block& block, double gravity_m_s2 = kStandardGravity_m_s2);
/// The same block on a seat of slope `tilt_rad` (positive clockwise), leaning to `side` (+1 positive
/// rotation, -1 negative): it stands nearer to falling on the lower side, alpha - side tilt.
RockingShape shape_on_seat(const RockingShape& shape, double tilt_rad, int side) noexcept;

/// Energy over m g R that an excursion of this apex has above rest: cos(alpha - apex) - cos(alpha).
/// 0 <= apex <= alpha. The ratio of rotation rates at the impact between two excursions is the root of the
/// ratio of their energies.
double lobe_energy(const RockingShape& shape, double apex_rad) noexcept;
/// Inverse of lobe_energy; alpha for an energy that reaches the barrier 1 - cos(alpha).
double apex_of_energy(const RockingShape& shape, double energy) noexcept;

/// One excursion to either side, symmetrical in time about its apex, where the block stands still for an
/// instant. With psi = alpha - |theta| the motion psi'' = p^2 sin(psi) from rest at psi0 is
///   sin(psi/2) = sin(psi0/2) / dn(p t),   modulus k = cos(psi0/2) (docs/physics.md#free-rocking-tests)
class FreeLobe {
  public:
    /// 0 < apex_rad < alpha. Outside of that nothing is defined.
    FreeLobe(const RockingShape& shape, double apex_rad) noexcept;

    double apex_rad() const noexcept { return apex_rad_; }
    double half_duration_s() const noexcept { return half_duration_s_; }  ///< from the apex to the impact
    /// |theta| at this time after (or before) the apex; 0 beyond the impacts.
    double rotation_rad(double time_from_apex_s) const noexcept;
    /// The same for many increasing times, written to `rotation_rad` (as many). Dense samples are interpolated
    /// between exact angles, rates and accelerations: within 1e-10 of the apex.
    void rotations(std::span<const double> time_s, double apex_s, std::span<double> rotation_rad) const noexcept;

  private:
    double rate_rad_s(double time_from_apex_s, double rotation_rad) const noexcept;
    static constexpr int kLevels = 8;  // of the arithmetic-geometric mean; 6 reach rounding even at k = 1 - 1e-12
    double descended_phase(double argument) const noexcept;

    RockingShape shape_;
    double apex_rad_, complement_, half_duration_s_ = 0.0;  // k' = sin(psi0/2)
    double mean_[kLevels + 1], ratio_[kLevels + 1];         // a_n and c_n / a_n
};

}  // namespace topple::solver

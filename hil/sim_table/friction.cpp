#include "hil/sim_table/friction.hpp"

#include <cmath>
#include <numbers>

namespace topple::hil::sim_table {

// Symbols as in Canudas de Wit et al. 1995, eqs. 3 to 5; the damping of the bristles fades with speed as there in
// section IV, so that the pair stays passive.
double Friction::force_n(double velocity_m_s, double position_m, double dt_s) noexcept {
    const auto& p = parameters_;
    const double v = velocity_m_s, ratio = v / p.stribeck_m_s, fade = std::exp(-ratio * ratio);
    const double place =
        1.0 + p.unevenness_ratio * std::sin(2.0 * std::numbers::pi * position_m / p.unevenness_period_m);
    const double g_n = place * (p.coulomb_n + (p.static_n - p.coulomb_n) * fade);
    const double z = (deflection_m_ + v * dt_s) / (1.0 + p.presliding_n_m * std::abs(v) * dt_s / g_n);
    const double rate_m_s = (z - deflection_m_) / dt_s;
    deflection_m_ = z;
    return -(p.presliding_n_m * z + p.presliding_damping_n_s_m * fade * rate_m_s + p.viscous_n_s_m * v);
}

}  // namespace topple::hil::sim_table

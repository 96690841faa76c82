// Friction of a sliding pair, one state: the LuGre model.
#pragma once

#include "hil/sim_table/table_preset.hpp"

namespace topple::hil::sim_table {

class Friction {
  public:
    explicit Friction(const FrictionParameters& parameters) noexcept : parameters_(parameters) {}

    /// Force on the moving part over the next `dt_s`, at this velocity and place. Stable for any step: the bristles'
    /// deflection is solved implicitly.
    double force_n(double velocity_m_s, double position_m, double dt_s) noexcept;

  private:
    FrictionParameters parameters_;
    double deflection_m_ = 0.0;  // mean, of the bristles
};

}  // namespace topple::hil::sim_table

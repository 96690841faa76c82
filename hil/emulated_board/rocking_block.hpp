// One rigid block on a platen, rocking about its two corners: small enough for the emulated board. No heap, no OS.
#pragma once

#include "hil/emulated_board/parameter_page.hpp"
#include "hil/sim_table/carriage.hpp"

namespace topple::hil::emulated_board {

/// The same equations as the solver's single block (docs/physics.md), without slip: Runge-Kutta of fourth order in the
/// steps of the board, impacts found within a step.
class RockingBlock {
  public:
    explicit RockingBlock(const PageBlock& block) noexcept;

    /// Horizontal force on the platen, affine in the platen's acceleration.
    sim_table::SpecimenLoad load() const noexcept;
    struct Exchange {
        double mass_kg = 0.0;      ///< that goes with the platen
        double impulse_n_s = 0.0;  ///< on the platen, from the motion relative to it, impacts included
    };
    /// The platen accelerates at `acceleration_m_s2` for `duration_s`.
    Exchange advance(double acceleration_m_s2, double duration_s) noexcept;

    double rotation_rad() const noexcept { return rotation_rad_; }
    bool exists() const noexcept { return block_.mass_kg > 0.0; }
    void release() noexcept { held_ = false; }
    void stand_up() noexcept;  ///< as at the beginning

  private:
    enum class Stand { full, rocking, fallen };
    struct State {
        double rotation_rad, rate_rad_s;
    };
    bool rides() const noexcept { return held_ || stand_ == Stand::full; }
    double inclination_rad(double rotation_rad) const noexcept { return slenderness_rad_ - side_ * rotation_rad; }
    double acceleration_rad_s2(double rotation_rad, double base_m_s2) const noexcept;
    State after(const State& from, double base_m_s2, double duration_s) const noexcept;
    double momentum_kg_m_s() const noexcept;
    void rock(double base_m_s2, double duration_s) noexcept;
    double hit_after_s(const State& from, double base_m_s2, double duration_s) const noexcept;

    PageBlock block_;
    double slenderness_rad_, radius_m_, along_m_s2_, across_m_s2_;  // of gravity: along and across the seat
    double stiffness_1_s2_m_;                                       // 3 / (4 R)
    Stand stand_ = Stand::full;
    bool held_ = false;
    double side_ = 1.0;  // +1: on its right corner
    double rotation_rad_ = 0.0, rate_rad_s_ = 0.0;
};

}  // namespace topple::hil::emulated_board

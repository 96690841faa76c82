// One specimen on the simulated platen: how it moves with it and what it does to it.
#pragma once

#include <array>
#include <cstddef>

#include "solver/run.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::sim_table {

class CarriedSpecimen {
  public:
    /// Throws std::invalid_argument for a specimen the solver refuses. An empty one (kind "none") weighs nothing.
    /// It rocks in the vertical plane at plane_angle_rad about z from +x and is rigid across it.
    CarriedSpecimen(const solver::Specimen& specimen, double gravity_m_s2, double plane_angle_rad = 0.0);

    /// What is along x and along y of its plane.
    const std::array<double, 2>& plane() const noexcept { return plane_; }

    /// Horizontal force on the platen in the plane, force_n + slope_kg x base acceleration (slope <= 0: it resists).
    struct Load {
        double force_n = 0.0;
        double slope_kg = 0.0;
    };
    Load load() const noexcept;

    /// What one advance gave to the platen: the specimen's velocity follows the platen's with attached_mass_kg, and
    /// impulse_n_s came from its motion relative to the platen, impacts included.
    struct Exchange {
        double attached_mass_kg = 0.0;
        double impulse_n_s = 0.0;
    };
    Exchange advance(double base_acceleration_m_s2, double duration_s) noexcept;

    /// Held at its initial rotation until released (specimens that start rotated); others are free from the start.
    bool held() const noexcept { return held_; }
    void release() noexcept { held_ = false; }
    void stand_up();  ///< as at the beginning

    double standing_mass_kg() const noexcept;  ///< of the blocks that have not fallen
    std::size_t block_count() const noexcept { return specimen_.blocks.size(); }
    double rotation_rad(std::size_t block) const noexcept { return run_.rotation_rad(block); }
    /// Momentum in the plane of the standing blocks relative to the platen, slip included.
    double relative_momentum_kg_m_s() const noexcept;
    bool at_rest() const noexcept { return held_ || empty() || run_.at_rest(); }
    const solver::RockingRun& run() const noexcept { return run_; }

  private:
    bool empty() const noexcept { return specimen_.blocks.empty(); }

    solver::Specimen specimen_;
    solver::SolverOptions options_;
    std::array<double, 2> plane_;
    double mass_kg_ = 0.0;
    double gravity_along_seat_m_s2_ = 0.0;  // of a tilted seat: this share of the weight is carried by the rails
    bool held_ = false;
    solver::RockingRun run_;
    solver::MotionPiece piece_;  // reused
};

}  // namespace topple::hil::sim_table

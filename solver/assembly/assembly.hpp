// Blocks that slide in a row on the floor of a basin, hit each other and its walls.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

inline constexpr std::size_t kAssemblyBlocksMax = 64;
inline constexpr double kTouching_m = 1e-9;  ///< a gap this small at the start is none; an overlap above it is refused

struct AssemblyBlock {
    double length_m = 0.0;      ///< along x, > 0
    double mass_kg = 0.0;       ///< > 0
    double position_m = 0.0;    ///< of its centre at t = 0, from the left wall
    double velocity_m_s = 0.0;  ///< at t = 0, absolute
};

/// Blocks from left to right; the walls are the basin's ends. The basin moves along x, and its floor with it.
struct Assembly {
    double basin_length_m = 0.0;      ///< between the walls, > 0
    double friction = 0.0;            ///< of block on floor, static and kinetic, >= 0; against the floor's velocity
    double restitution_walls = 1.0;   ///< Newton, 0..1
    double restitution_blocks = 1.0;  ///< Newton, 0..1
    std::vector<AssemblyBlock> blocks;
};

/// Throws std::invalid_argument naming field, value and what is allowed.
void validate(const Assembly& assembly);

/// One impact. Pair 0: left wall and first block; k: blocks k-1 and k; N: last block and right wall.
struct AssemblyImpact {
    double time_s = 0.0;
    std::size_t pair = 0;
    /// Of the pair's left and right body, absolute; the wall's where one of them is the wall.
    double left_before_m_s = 0.0, right_before_m_s = 0.0, left_after_m_s = 0.0, right_after_m_s = 0.0;
};

/// One instant; positions and velocities absolute (the left wall is at basin_displacement_m).
struct AssemblySample {
    double time_s = 0.0, basin_displacement_m = 0.0;
    std::vector<double> position_m, velocity_m_s;
    double centroid_m = 0.0;
    double inertia_index = 0.0;  ///< NaN for a single block
};

/// What became of the blocks.
struct AssemblyPrediction {
    SolverStatus status = SolverStatus::ok;
    double status_time_s = 0.0;
    double end_time_s = 0.0;               ///< until when it was followed
    std::optional<double> settled_time_s;  ///< since when nothing moves in the basin, if it came to rest
    std::vector<AssemblyImpact> impacts;   ///< at most AssemblyOptions::impacts_max
    std::size_t impacts_count = 0;         ///< all of them
    double centroid_m = 0.0;               ///< at the end, absolute (thesis 9.1)
    std::optional<double> inertia_index_max, inertia_index_end;  ///< thesis (9.3), initial = 1; not of a single block
    /// Largest kinetic energy, of absolute velocities, over that after the events at t = 0. Empty if nothing moves
    /// then.
    std::optional<double> kinetic_energy_index_max;
    std::vector<AssemblySample> history;  ///< if asked for: on its grid and after every event
};

struct AssemblyOptions {
    double gravity_m_s2 = kStandardGravity_m_s2;
    double settle_limit_s = 60.0;  ///< followed at most this long after the excitation's end
    double history_step_s = 0.0;   ///< > 0: keep a history
    std::size_t impacts_max = 10000;
    std::size_t events_max = 5000000;
};

}  // namespace topple::solver

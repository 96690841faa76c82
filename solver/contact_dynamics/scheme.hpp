// Moreau-Jean time stepping of a stack of rigid rectangles, or of a body on a foot, on a moving base, in its axes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/contact_dynamics/beam.hpp"
#include "solver/contact_dynamics/contact_search.hpp"
#include "solver/contact_dynamics/direct_solve.hpp"
#include "solver/options.hpp"

namespace topple::solver::contact {

/// Speeds below this many times g dt are those of a contact that only just holds.
inline constexpr double kResolvedSpeeds = 4.0;

/// How the iterations over the contacts went.
struct SweepCount {
    std::uint64_t steps = 0, sweeps = 0;  ///< steps with more than one contact, and their sweeps
    std::uint64_t unfinished = 0;         ///< steps that ended at the limit of sweeps
};

/// Kinetic energy that Newton's restitution together with friction has added, J.
struct EnergyGain {
    double total_j = 0.0, largest_j = 0.0;
    std::uint64_t steps = 0;
};

/// The scheme of docs/physics/contact_dynamics.md. Copyable; a step takes no memory.
class Scheme {
  public:
    /// `friction_ratio`: per interface, infinite where nothing slips. `assembly`: as the blocks stand and move. `beam`:
    /// the base, if it is flexible.
    Scheme(Assembly assembly, const ContactDynamics& parameters, std::vector<double> friction_ratio,
           double gravity_m_s2, std::optional<Beam> beam = std::nullopt);

    /// Takes the memory that the steps of a copy will need; the constructor has taken its own.
    void make_room();

    /// What the base and gravity add to the velocities relative to the base in one step is minus this: the increase of
    /// the base's velocity along the seat, and across it with g dt.
    /// Of a foot, a step in which a corner comes down is taken in two parts: until there, and on from there.
    void step(Vec2 drive_m_s) noexcept;

    const Assembly& assembly() const noexcept { return assembly_; }
    const std::vector<Contact>& contacts() const noexcept { return contacts_; }  ///< of the last step
    /// Velocities with which the last step began.
    const std::vector<Body>& before() const noexcept { return before_; }
    double time_step_s() const noexcept { return parameters_.time_step_s; }
    double resolved_speed_m_s() const noexcept { return kResolvedSpeeds * weight_step_m_s_; }
    double resolved_gap_m() const noexcept;  ///< gaps and penetrations up to this are those of the scheme itself
    const SweepCount& sweeps() const noexcept { return sweeps_; }
    const EnergyGain& energy_gain() const noexcept { return energy_gain_; }
    double kinetic_energy_j() const noexcept;  ///< relative to the base
    const std::optional<Beam>& beam() const noexcept { return beam_; }
    bool is_finite() const noexcept;

    void remove_from(int block) noexcept;  ///< this block and those above it take part no longer
    void lower(int block, double by_m) noexcept {
        assembly_.bodies[static_cast<std::size_t>(block) + 1].centre_m.z -= by_m;
    }

  private:
    double share_until_impact() const noexcept;
    void advance(Vec2 drive_m_s, double step_s) noexcept;
    void seek(double ahead_s) noexcept;
    void begin_base(Vec2 drive_m_s) noexcept;
    void end_base() noexcept;
    void solve() noexcept;
    void solve_several() noexcept;
    void start_from(bool impulses_of_last_step) noexcept;
    /// What the iteration still changes, and the sum of the normal impulses.
    struct Change {
        double by_n_s = 0.0, of_n_s = 0.0;
    };
    Change sweep(bool upwards) noexcept;

    Assembly assembly_;
    std::vector<Body> before_;
    std::vector<Contact> contacts_;
    DirectSolve direct_;
    std::optional<Beam> beam_;
    GivingBase base_, free_base_, kept_base_;
    std::vector<Body> free_bodies_, kept_bodies_;
    std::vector<Contact> kept_contacts_;
    ContactDynamics parameters_;
    std::vector<double> friction_ratio_;
    double weight_step_m_s_;                // g dt
    double depth_m_ = kLateralTolerance_m;  // a corner at an edge, less deep than this, is on the level face
    SweepCount sweeps_;
    EnergyGain energy_gain_;
};

}  // namespace topple::solver::contact

// Blocks in a basin, followed exactly from event to event.
//
// In the basin's frame a block is held (u = 0, the friction limit or a wall's push suffices) or slides with
//     u' = -s mu g - xb'',  s = sgn u,
// so that every distance is a parabola plus the base's way in closed form: nothing is integrated, and the next event is
// a bracketed root. Touching blocks that slide exert no force on each other, since both are slowed down alike; what
// touches a wall that accelerates towards it is held by it.
#pragma once

#include <limits>
#include <vector>

#include "solver/assembly/assembly.hpp"
#include "solver/assembly/slide_path.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// Slower approaches than this end a sequence of impacts: the two stay together.
inline constexpr double kPlasticApproach_m_s = 1e-7;

/// The blocks advancing in time. Copyable; every copy is a future of its own. A failure is latched in status().
class AssemblyRun {
  public:
    /// `base_velocity_m_s`: of the basin from t = 0 on, from which the blocks' own velocities may differ. Throws
    /// std::invalid_argument for an assembly that validate() refuses.
    AssemblyRun(const Assembly& assembly, const AssemblyOptions& options, double base_velocity_m_s = 0.0);

    /// Along `piece` from time_s() to min(until_s, piece.end_s); a gap before its start is coasted through.
    void advance(const MotionPiece& piece, double until_s);
    /// With the basin at constant velocity.
    void coast(double until_s);
    /// Coasts until nothing moves in the basin, at most until `until_s`.
    void settle(double until_s);

    double time_s() const noexcept { return now_.time_s; }
    SolverStatus status() const noexcept { return result_.status; }
    bool at_rest() const noexcept;                                       ///< in the basin
    double base_displacement_m() const noexcept { return now_.base_m; }  ///< since t = 0
    double base_velocity_m_s() const noexcept { return now_.base_m_s; }
    double position_m(std::size_t block) const noexcept { return now_.position_m[block]; }      ///< from the left wall
    double velocity_m_s(std::size_t block) const noexcept { return now_.velocity_m_s[block]; }  ///< against the basin
    AssemblyPrediction result() const;

  private:
    enum class Mode : signed char { held, left, right, free };  ///< free: slides without friction
    /// How a body moves during a step: u T + c T^2 / 2 - base_share way(T).
    struct Path {
        double velocity_m_s = 0.0, acceleration_m_s2 = 0.0, base_share = 0.0;
    };
    /// In the basin's frame, with the basin itself.
    struct State {
        double time_s = 0.0, base_m = 0.0, base_m_s = 0.0;
        std::vector<double> position_m, velocity_m_s;
    };
    struct Step;  // the base ahead, and what all guards of one step share
    struct Next;  // the earliest event found
    /// Accelerations of the basin within which a held block stays.
    struct Bands {
        double low_m_s2, high_m_s2;
        bool holds(double acceleration_m_s2) const noexcept {
            return acceleration_m_s2 >= low_m_s2 && acceleration_m_s2 <= high_m_s2;
        }
    };
    static constexpr double kFrictionTolerance = 1e-12;  ///< of g, against rounding of the base's acceleration

    void run(const MotionPiece* piece, double until_s, bool until_rest);
    void step(const MotionPiece* piece, double until_s);
    void find_contacts(const Step& step, Next& next) const;
    void find_stops(const Step& step, Next& next) const;
    void find_exit(const MotionPiece* piece, double until_s, Next& next) const;
    void state_after(const Step& step, double elapsed_s, State& state) const;
    void record(const Step& step, double elapsed_s, const State& end);
    void happen(const Next& next, double acceleration_m_s2);
    void stop(std::size_t block);

    Path path_of(std::size_t block) const noexcept;
    Path path_beside(std::size_t contact, bool right) const noexcept;
    Bands bands(std::size_t block, double tolerance_m_s2) const noexcept;
    Mode sliding(double velocity_m_s) const noexcept;
    void set_modes(double acceleration_m_s2);
    void release(double acceleration_m_s2);
    void open_contacts();

    void cascade();
    void collide(std::size_t contact);
    void join(std::size_t contact);
    double approach_m_s(std::size_t contact) const noexcept;
    double gap_m(std::size_t contact) const noexcept;

    double centroid_m(const State& state) const noexcept;
    double inertia_kg_m2(const State& state) const noexcept;
    double inertia_growth(const State& state) const noexcept;  ///< half of its derivative
    double kinetic_energy_j() const noexcept;
    void note_inertia(const State& state);
    void keep_sample(const State& state);

    Assembly assembly_;
    AssemblyOptions options_;
    std::size_t count_;
    double limit_m_s2_;  ///< mu g
    double total_kg_ = 0.0, inertia_start_kg_m2_ = 0.0, inertia_max_kg_m2_ = 0.0;
    double energy_start_j_ = 0.0, energy_max_j_ = 0.0;
    State now_, ahead_;
    std::vector<Mode> mode_;
    std::vector<char> closed_;  ///< per contact, walls included: the two touch and move alike
    std::size_t event_count_ = 0;
    double samples_ = 0.0;  ///< of the history's grid, kept
    double rests_since_s_ = 0.0;
    AssemblyPrediction result_;
};

/// The whole motion, then until everything rests, but at most AssemblyOptions::settle_limit_s longer. If the base
/// still moves when the excitation ends, as after a sine of displacement, the run ends there. The blocks' velocities
/// are absolute; the basin starts with that of the motion.
AssemblyPrediction follow(const Assembly& assembly, const BaseMotion& motion, const AssemblyOptions& options = {});

}  // namespace topple::solver

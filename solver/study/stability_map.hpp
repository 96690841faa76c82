// Outcome of one rocking body for many waves at once: the points of an outcome map, solved in lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/lanes/outcomes_in_lanes.hpp"
#include "solver/motion/base_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// How the amplitude axis of a map is made dimensionless.
enum class AmplitudeAxis {
    tangent,  ///< a0 / (g tan alpha): 1 is the uplift threshold (default)
    angle,    ///< a0 / (g alpha)
};

/// One wave of a map: the motion of the experiment, faster or slower and stronger or weaker.
struct MapPoint {
    double frequency_ratio = 0.0;  ///< omega / p, > 0
    double amplitude_ratio = 0.0;  ///< a0 / (g tan alpha) or a0 / (g alpha), >= 0
};

/// The motion that the points of a map scale, with its reference frequency and amplitude.
struct MapWave {
    BaseMotion motion;
    double angular_frequency_rad_s = 0.0;  ///< omega at which `motion` is given, > 0
    double amplitude_m_s2 = 0.0;           ///< a0 at which `motion` is given, > 0
};

/// Solver of map points for one specimen and one shape of wave. Single bodies without friction are solved in
/// lanes by Taylor series of order 16 (docs/physics.md); stacks, sliding bodies and other equations than the full
/// nonlinear ones one by one by the scalar solver. The base moves at constant velocity after the wave: there the
/// outcome follows from the energy alone.
class StabilityMap {
  public:
    /// Throws std::invalid_argument for an invalid specimen, an empty specimen, or a wave without frequency
    /// or amplitude.
    StabilityMap(const Specimen& specimen, const MapWave& wave, AmplitudeAxis axis = AmplitudeAxis::tangent,
                 double gravity_m_s2 = kStandardGravity_m_s2);
    /// Of the options gravity, model and integrator count. Throws too for a model that does not cover the specimen.
    StabilityMap(const Specimen& specimen, const MapWave& wave, AmplitudeAxis axis, const SolverOptions& options);
    ~StabilityMap();
    StabilityMap(StabilityMap&&) noexcept;
    StabilityMap& operator=(StabilityMap&&) noexcept;

    /// Solves points[i] into outcomes[i]. Sizes must agree. Any number of threads may call it on different
    /// spans.
    void solve(std::span<const MapPoint> points, std::span<MapOutcome> outcomes) const;
    /// The same point by the scalar solver of rocking_run.hpp; slow, for checks.
    MapOutcome solve_by_run(const MapPoint& point) const;

    /// The base motion that a point stands for, in SI units.
    BaseMotion motion_at(const MapPoint& point) const;
    bool in_lanes() const noexcept;                     ///< false: every point goes through the scalar solver
    double frequency_parameter_rad_s() const noexcept;  ///< p of the axes (stack: of one block of its height)
    double slenderness_rad() const noexcept;            ///< alpha of the axes (asymmetric body: the smaller one)
    double amplitude_unit_m_s2() const noexcept;        ///< g tan alpha or g alpha

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Outcome of one motion by the scalar solver, as a cell of a map; gravity, model and integrator as in the options.
/// Throws as predict().
MapOutcome map_outcome(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options);

/// What becomes of one specimen along one motion, by whatever covers it: the lanes or the scalar solver.
MapOutcome outcome_along(const Specimen& specimen, const BaseMotion& motion,
                         double gravity_m_s2 = kStandardGravity_m_s2);

}  // namespace topple::solver

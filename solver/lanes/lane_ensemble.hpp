// Many single bodies, each a little different, on one base: carried along with the base's motion as it becomes known,
// and run ahead from any instant along any motion.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/lanes/rocking_lanes.hpp"
#include "solver/lanes/wave_shape.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// How one body ends.
struct BodyEnd {
    std::optional<Outcome> outcome;  ///< empty: its solution failed
    std::optional<Side> direction;   ///< of a fall
    double time_s = 0.0;  ///< of the fall to |theta| = pi/2, or since when it rests; infinite: it never comes to rest
};

class LaneEnsemble {
  public:
    /// All must be covered by the lanes of waves (wave_lanes_cover). Throws std::invalid_argument for an invalid
    /// specimen.
    LaneEnsemble(std::span<const Specimen> specimens, const SolverOptions& options);

    std::size_t size() const noexcept { return bodies_.size(); }
    double time_s() const noexcept { return time_s_; }

    /// On to `to_s` while the base acceleration goes in a straight line between two values, m/s2. Jumps between calls
    /// are seen as such. Bodies at rest that this acceleration cannot lift cost nothing. Nothing if `to_s` is past.
    void follow(double to_s, double from_m_s2, double to_m_s2);

    /// From the present state along the rest of a motion (its time is that of the ensemble; before its start and after
    /// its end the base keeps its velocity) to the end. `which`: bodies, in any order; `amplitude_factors`, one for
    /// each of them or none: multiply the motion. `delay_s`: it comes so much later. The ensemble stays where it is.
    std::vector<BodyEnd> ends_along(const WaveShape& motion, std::span<const std::size_t> which,
                                    std::span<const double> amplitude_factors = {}, double delay_s = 0.0) const;

    double rotation_rad(std::size_t i) const noexcept;  ///< clockwise positive; +-pi/2 once fallen
    double rotation_rate_rad_s(std::size_t i) const noexcept;
    bool at_rest(std::size_t i) const noexcept { return moments_[i].stand == LaneStand::rests; }
    bool has_fallen(std::size_t i) const noexcept { return moments_[i].stand == LaneStand::fallen; }
    bool failed(std::size_t i) const noexcept { return moments_[i].stand == LaneStand::unsolved; }

    /// Body i becomes one like `bodies[i]`, where its parent is now.
    const LaneBody& body(std::size_t i) const noexcept { return bodies_[i]; }
    void replace(std::span<const std::size_t> parents, std::vector<LaneBody> bodies);

  private:
    void note_thresholds();

    double gravity_m_s2_;
    double axes_rad_s_ = 1.0;  // p, the time scale
    double time_s_ = 0.0;
    std::vector<LaneBody> bodies_;
    std::vector<LaneMoment> moments_;
    double least_lifting_ratio_ = 0.0;  // least base acceleration over g that can lift a body from rest
    std::vector<LanePoint> points_;     // scratch of follow()
    std::vector<LaneOutcome> outcomes_;
};

}  // namespace topple::solver

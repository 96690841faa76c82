// What becomes of single bodies, by the lanes: which specimens they cover, and in their units.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/lanes/rocking_lanes.hpp"
#include "solver/motion/base_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

struct RecordRunEnd;

/// What became of the specimen at one point, small because maps have millions of them.
struct MapOutcome {
    std::optional<Outcome> outcome;  ///< empty if status is not ok
    std::optional<Side> direction;   ///< of the (first) overturning block
    /// Impacts between the last uplift from rest and overturning. Counted from there because a body that
    /// comes to rest has had infinitely many. 0 if nothing overturns.
    std::uint32_t impacts_before_overturning = 0;
    std::uint32_t blocks_overturned = 0;
    std::uint32_t steps = 0;  ///< integration steps spent (0: by closed form, by the record lanes or the scalar solver)
    std::optional<std::uint16_t> resting_face{};  ///< of a foot that does not fall: on which face it comes to rest
    SolverStatus status = SolverStatus::ok;

    /// Same cell of the map (steps may differ).
    bool same_class(const MapOutcome& other) const noexcept;
};

/// alpha and p by which the axes of a map are made dimensionless: of one block of the specimen's whole height; of an
/// asymmetric or irregular body those of its more slender side (of the face on which it stands).
struct SpecimenScale {
    double slenderness_rad = 0.0, frequency_parameter_rad_s = 0.0;
};
SpecimenScale scale_of(const Specimen& specimen, double gravity_m_s2);

/// Single bodies without friction, on a base without vertical motion, by the full nonlinear equations.
bool lanes_cover(const Specimen& specimen, const SolverOptions& options);
/// Those of them that the lanes of waves and of carried ensembles cover: a foot goes through the record lanes.
bool wave_lanes_cover(const Specimen& specimen, const SolverOptions& options);
MapOutcome map_outcome_of(const LaneOutcome& from);
MapOutcome map_outcome_of(const RecordRunEnd& from, bool is_foot);

/// What becomes of one specimen along one motion, by the lanes; nothing if they do not cover it (stacks, friction,
/// random restitution, other models, a base that never moves). Throws std::invalid_argument for an invalid specimen.
std::optional<MapOutcome> outcome_in_lanes(const Specimen& specimen, const BaseMotion& motion,
                                           const SolverOptions& options);
/// The same for many specimens along one motion, a specimen per lane: much faster than one after the other. `scales`
/// says for each specimen how much stronger and faster its motion is; empty: as it is. Fewer than four feet under a
/// wave are left out, because step by step is quicker.
std::vector<std::optional<MapOutcome>> outcomes_in_lanes(std::span<const Specimen> specimens, const BaseMotion& motion,
                                                         const SolverOptions& options,
                                                         std::span<const MotionScale> scales = {});

}  // namespace topple::solver

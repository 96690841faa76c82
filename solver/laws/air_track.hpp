// A block on the slider of an air track, pulled by a falling mass: slider and block move each other.
#pragma once

#include "solver/options.hpp"
#include "solver/outcome.hpp"

namespace topple::solver {

/// The rig of thesis 5.1.2: the slider runs without friction along +x; a string pulls it until the hanging mass lands.
struct AirTrack {
    double slider_kg = 0.0;
    double hanging_kg = 0.0;
    double drop_m = 0.0;  ///< way of the hanging mass (and of the slider) until it lands

    /// Of everything together while the block stands: ma g / (ms + m + ma).
    double acceleration_m_s2(double block_kg, double gravity_m_s2) const noexcept;
    /// Until the landing if the block did not react on the slider: sqrt(2 ha / a0).
    double pull_duration_s(double block_kg, double gravity_m_s2) const noexcept;
};

/// Throws std::invalid_argument for what predict_coupled() does not cover.
void require_coupled(const Specimen& specimen, const AirTrack& track, const SolverOptions& options);

/// The coupled problem, slider and block, from rest until settled or overturned. One block without friction, tilt or
/// initial rotation: require_coupled(). Derived in docs/physics.md#coupled-air-track. Base
/// accelerations of the history are the slider's.
Prediction predict_coupled(const Specimen& specimen, const AirTrack& track, const SolverOptions& options = {});

}  // namespace topple::solver

// The baseline of suite_bench: a rocking block under a record as one writes it with Boost.Odeint.
#pragma once

#include <vector>

namespace topple::bench {

/// A block from rest under samples of base acceleration that are joined by straight lines; SI units.
struct RecordCase {
    double slenderness_rad = 0.0, frequency_parameter_rad_s = 0.0, restitution = 1.0;
    double gravity_m_s2 = 9.81;
    const std::vector<double>* acceleration_m_s2 = nullptr;
    double step_s = 0.0;  ///< between samples
    double scale = 1.0;
};

struct RecordAnswer {
    bool uplifted = false, overturned = false;
    int side = 0;  ///< of overturning: -1 left, +1 right
    double peak_ratio = 0.0;
    unsigned steps = 0;
};

enum class SampleSteps {
    free,   ///< steps as long as the error control allows, over the corners of the record
    ended,  ///< a step ends at every sample at the latest, and the stepper starts afresh there
};

/// runge_kutta_dopri5 with dense output, absolute and relative tolerance 1e-9, restarted at impacts. Impacts and peaks
/// are bisected on the dense output; uplift is solved on the straight lines; a block at rest goes to the next sample
/// that can lift it. Slower than 1e-6 p after an impact while the base cannot lift it: at rest. After the record the
/// energy decides.
RecordAnswer solve_record_by_odeint(const RecordCase& of, SampleSteps steps);

}  // namespace topple::bench

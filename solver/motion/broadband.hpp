// Motions that excite a range of frequencies: the sine sweep and the noise. Both rest where they began at both ends.
#pragma once

#include <cstdint>

#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// Displacement -r(t) a0/w(t)^2 sin(phase(t)), w the rate of the phase: an acceleration of about a0 r sin(phase), off
/// by shares of w'/w^2. r rises as 10 s^3 - 15 s^4 + 6 s^5 over the ramp and falls so at the end.
struct Sweep {
    double amplitude_m_s2 = 0.0;      ///< a0
    double start_frequency_hz = 0.0;  ///< > 0
    double end_frequency_hz = 0.0;    ///< > 0; below the start: downwards
    double duration_s = 0.0;          ///< both ramps included
    double ramp_cycles = 1.0;         ///< > 0: of the start frequency at the start, of the end frequency at the end
    bool logarithmic = false;         ///< equal times per octave; else equal times per Hz
};
/// Knots at least 64 a cycle: the acceleration is off by less than 1e-6 of its peak. Throws std::invalid_argument for
/// values out of range, ramps longer than the motion, or more than kBroadbandKnotsMax knots.
BaseMotion sweep(const Sweep& sweep);

/// A sum of sines of acceleration, equal amplitudes and random phases, at all multiples of 1/duration within the band:
/// nearly Gaussian for many of them. Made as a displacement times r(t) as of a sweep, with ramps in seconds.
struct BandLimitedNoise {
    double rms_m_s2 = 0.0;  ///< of the acceleration without ramps, over the whole duration: exact
    double low_hz = 0.0, high_hz = 0.0;
    double duration_s = 0.0;
    double ramp_s = 0.0;     ///< > 0, at each end
    std::uint64_t seed = 1;  ///< of the phases
};
/// As sweep(). Throws also where no multiple of 1/duration is within the band.
BaseMotion band_limited_noise(const BandLimitedNoise& noise);

inline constexpr std::size_t kBroadbandKnotsMax = 2'000'000;

}  // namespace topple::solver

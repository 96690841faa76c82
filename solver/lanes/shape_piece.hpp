// One piece of a base motion without units: acceleration over its reference amplitude, against phase x = omega t.
// Plain arrays: read by code that is compiled for several instruction sets and must not instantiate templates.
#pragma once

namespace topple::solver {

/// One harmonic of a piece: (sine[0] + sine[1] x) sin(frequency x) + (cosine[0] + cosine[1] x) cos(frequency x).
struct ShapeHarmonic {
    double frequency;  ///< multiple of omega
    double sine[2], cosine[2];
};

/// One piece of a wave. Most pieces obey w'' = -frequency^2 w (constants, lines, pure harmonics): then `value` and
/// `slope` at the start say everything; the others are summed up from `polynomial` and `harmonics`.
struct ShapePiece {
    double length = 0.0;  ///< phase
    bool oscillator = true;
    double value = 0.0, slope = 0.0, frequency_squared = 0.0;  ///< if oscillator
    double polynomial[4] = {0.0, 0.0, 0.0, 0.0};
    const ShapeHarmonic* harmonics = nullptr;
    int harmonic_count = 0;
    double peak_from_here = 0.0;  ///< bound of |w| from the start of this piece to the end of the wave
    double slope_peak = 0.0;      ///< bound of |w'| inside this piece
};

}  // namespace topple::solver

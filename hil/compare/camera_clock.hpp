// A camera's clock laid onto the table's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/signal/even_grid.hpp"

namespace topple::hil::compare {

/// Time of the test from the camera's.
struct ClockLine {
    double offset_s = 0.0;  ///< time of the test at the camera's zero
    double rate = 1.0;      ///< seconds of the test per second of the camera
    double of(double camera_s) const noexcept { return offset_s + rate * camera_s; }
};

/// What the operator knows of the camera's clock; at most one of the three.
struct RotationSetup {
    std::optional<double> start_s;              ///< camera time of the first setpoint, or of a flash at it
    std::optional<std::vector<double>> sync_s;  ///< camera times at which the table's trigger output rose and fell
    bool correlate = false;                     ///< by what the blocks did
    bool sign_is_known = false;                 ///< the operator gave it: a reversed one is no mistake
};

/// Rotations of the blocks on one grid, by which a camera's clock can be found or examined.
struct ClockReference {
    signal::EvenGrid grid;
    std::vector<std::vector<double>> rotation_rad;  ///< [block][grid]
    bool is_prediction = false;                     ///< and no sensor
    double until_s = 0.0;                           ///< later the reference is not believed
};

/// How well two histories lie upon each other in time. The lag of a part is that of least squares,
/// sum r' (c - r) / sum r'^2 with the reference r and the camera c.
struct LagFit {
    ClockLine line;
    bool found = false;           ///< enough motion in common
    double offset_error_s = 0.0;  ///< standard errors, from how the lags of the parts scatter
    double rate_error = 0.0;
    double residual_s = 0.0;   ///< rms of those lags about the line
    double correlation = 0.0;  ///< at the line, -1 to 1
    double gain = 1.0;         ///< camera per reference
};

/// Frames of the camera in its own time; NaN where a block was not seen.
struct CameraFrames {
    std::vector<double> time_s;
    std::vector<std::vector<double>> rotation_rad;  ///< [block][frame]
};

inline constexpr std::size_t kLagParts = 8;  ///< of equal energy of the reference's rate
/// Clearer than the other sign by so much of what is explained: "sign reversed".
inline constexpr double kReversedBy_ratio = 0.1;

/// Offsets at which the camera explains most of the reference: 1 - sum (c - r)^2 / sum r^2 over its believed part, with
/// c = 0 where the camera saw nothing. Not a correlation: later cycles of a decaying motion have the same shape.
struct ClockSearch {
    double same_offset_s = 0.0, same = 0.0;          ///< with the camera's sign
    double reversed_offset_s = 0.0, reversed = 0.0;  ///< with the other
    bool is_reversed() const noexcept { return reversed > same + kReversedBy_ratio; }
};
/// Over every offset at which they overlap (`around_s` empty), or within 0.1 s of one.
ClockSearch search_clock(const CameraFrames& frames, const ClockReference& reference, std::optional<double> around_s);

/// Least squares of offset and, with `fit_rate`, rate, from `line` on. A rate that differs from 1 by less than three of
/// its standard errors is not taken: it becomes 1.
LagFit fit_clock(const CameraFrames& frames, const ClockReference& reference, const ClockLine& line, bool fit_rate);
/// How well a given line fits: nothing is changed.
LagFit examine_clock(const CameraFrames& frames, const ClockReference& reference, const ClockLine& line);

}  // namespace topple::hil::compare

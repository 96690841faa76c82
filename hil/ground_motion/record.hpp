// What is read from a file of ground motion, whatever its format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace topple::hil::ground_motion {

/// Largest file and longest channel that are read.
inline constexpr std::size_t kBytesMax = 256u * 1024 * 1024;
inline constexpr std::size_t kSamplesMax = 2'000'000;
inline constexpr std::size_t kNumbersMax = 8 * kSamplesMax;  ///< of all columns or variables of a file together

/// The unit g of a file: standard gravity, whatever the experiment's gravity is.
inline constexpr double kUnitG_m_s2 = 9.80665;

/// A peak that a header states, as far as its digits go.
struct PrintedPeak {
    double value = 0.0;       ///< in the unit of the channel's samples; some formats print its magnitude only
    double half_digit = 0.0;  ///< half of the last printed digit, same unit
    std::optional<double> time_s;
    std::string text;  ///< as printed, with its unit
};

/// One component of a record: accelerations at even or stated times.
struct Channel {
    std::string name;            ///< that selects it: a number from 1, a column's or variable's name
    std::string component;       ///< as the file words it, e.g. "90 DEG", "E-W"; may be empty
    std::string unit;            ///< of the file; empty: not stated
    bool is_si = false;          ///< samples are in m/s2; else as they stand in the file
    double step_s = 0.0;         ///< > 0 at even times; 0: times are uneven (time_s) or not stated
    std::vector<double> time_s;  ///< of uneven samples, from 0 on; else empty
    std::vector<double> samples;
    std::optional<PrintedPeak> printed_peak;
    std::vector<std::string> notes;  ///< what was mended, what contradicts

    bool has_times() const noexcept { return step_s > 0.0 || !time_s.empty(); }
    double duration_s() const noexcept;  ///< from the first to the last sample; 0 without times
};

/// Index and value of the largest magnitude; 0 of an empty span.
struct Peak {
    std::size_t index = 0;
    double value = 0.0;
};
Peak peak_of(const std::vector<double>& samples) noexcept;

struct Record {
    std::string file;    ///< for messages
    std::string format;  ///< e.g. "PEER AT2"
    std::string station, event;
    std::vector<Channel> channels;  ///< at least one, none empty
    std::vector<std::string> notes;
};

/// What the user states where a file does not.
struct Stated {
    std::optional<double> step_s;  ///< time between two samples
    std::string unit;              ///< "m/s2", "g", "cm/s2"; empty: not stated
};

}  // namespace topple::hil::ground_motion

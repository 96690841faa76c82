// The same test made several times: how far its numbers spread, and from which impact on the runs part.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::compare {

inline constexpr double kPartsAbove = 5.0;           ///< times the scatter of before: the runs have parted
inline constexpr std::size_t kRepeatedImpacts = 20;  ///< looked at
inline constexpr double kImpactReading_s = 0.002;    ///< standard deviation of one impact's time, as of the comparison

/// One run's numbers of one specimen.
struct RepeatedSpecimen {
    std::optional<solver::Outcome> outcome;
    std::optional<solver::Side> side;
    MeasurementSource source = MeasurementSource::none;
    std::vector<double> peak_rad;                   ///< per block; empty without rotations
    std::vector<double> impact_s;                   ///< single blocks
    std::vector<int> impact_from;                   ///< side that each of these impacts ends: -1 left, 1 right
    double reading_s = kImpactReading_s;            ///< of an impact's time: a frame's quantisation, if that is more
    std::vector<std::vector<double>> rotation_rad;  ///< [block][grid], filtered: for the figure
    signal::EvenGrid grid;
    double until_s = 0.0;  ///< last reading
};

struct RepeatedRun {
    std::string name;
    std::vector<RepeatedSpecimen> specimens;
};
RepeatedRun repeated_run(const std::string& name, const Conclusion& conclusion);

/// Of one number over the runs that have it.
struct Spread {
    std::size_t count = 0;
    double mean = 0.0, standard_deviation = 0.0;  ///< n - 1
    double low = 0.0, high = 0.0;
};
Spread spread_over(const std::vector<double>& values);  ///< of at least one value

struct SpecimenRepeatability {
    std::map<std::string, std::size_t> outcomes;  ///< how many runs had each; "not measured"
    std::vector<Spread> peak;                     ///< per block
    std::vector<Spread> impact;                   ///< by index, counted from 0
    double early_s = 0.0;                 ///< scatter that counts as none: of the first impact, at least a reading
    std::optional<std::size_t> parts_at;  ///< index of the first impact after which the runs are no more alike
    std::string why;                      ///< they part there, or do not, in words
};

struct Repeatability {
    std::vector<RepeatedRun> runs;
    std::vector<SpecimenRepeatability> specimens;
};

/// At least two runs with the same specimens. Rule of `parts_at`: docs/camera.md#repeatability.
Repeatability repeatability(std::vector<RepeatedRun> runs);

}  // namespace topple::hil::compare

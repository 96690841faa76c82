// [fragility]: how likely the specimens overturn at which intensity of many ground motions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::experiment {

/// Type of the [excitation] of a file that has [fragility] instead of one: nothing by itself moves the base.
inline constexpr const char* kMotionsOfFragility = "fragility";

/// By what the strength of a motion is counted; every motion is scaled to the same values of it.
enum class IntensityMeasure {
    pga,                    ///< largest |acceleration|
    pgv,                    ///< largest |velocity|
    spectral_acceleration,  ///< pseudo-acceleration of an oscillator with 5 % of critical damping
    spectral_velocity,      ///< the same over its angular frequency
    amplitude,              ///< of a waveform, as its keys give it
};
/// As in files: "pga", "pgv", "sa", "sv", "amplitude".
std::string_view name(IntensityMeasure measure) noexcept;
/// "m/s2" or "m/s"
std::string_view unit(IntensityMeasure measure) noexcept;

/// A wave or noise that stands in the file.
struct WrittenMotion {
    std::string keys;        ///< those of an [excitation], as TOML
    std::string type;        ///< of these
    std::size_t count = 1;   ///< of noise: so many with seeds from `seed` on
    std::uint64_t seed = 1;  ///< of the first
};

struct FragilitySection {
    /// As written, relative to the file: files; a name whose last part has a * stands for those in its folder, a
    /// folder for all of its files.
    std::vector<std::string> records;
    std::string record_keys;             ///< [fragility.record]: keys of type "record" that all of them get, as TOML
    std::vector<WrittenMotion> motions;  ///< [[fragility.motions]]
    IntensityMeasure measure = IntensityMeasure::pga;
    double period_s = 0.0;       ///< of the spectral measures, > 0
    std::vector<double> values;  ///< rising, > 0, in unit(measure)
    std::size_t members = 100;   ///< of the ensemble of [uncertainty]; 0: the specimens as described
    bool has_peaks = true;       ///< peak rotations are wanted, not the outcomes alone
    double scale_limit = 5.0;    ///< a motion that is scaled by more is warned of
    std::vector<double> compared_periods_s{0.2, 0.5, 1.0, 2.0};  ///< of the spectra whose efficiency is compared
    std::size_t bootstrap = 500;                                 ///< resamplings of the motions
};

/// [fragility] of the experiment's text; empty: it has none. Neither records nor motions: the one motion is that of
/// [excitation]. Throws InputError.
std::optional<FragilitySection> read_fragility(const Experiment& experiment);

/// One motion of a study.
struct ListedMotion {
    std::string name;  ///< the record's file as listed, or the type of the wave, of noise with its seed
    std::string file;  ///< of a record: where it is; else empty
    std::string keys;  ///< those of its [excitation]; empty: it is that of the experiment
};

/// Records first, each folder and each pattern in the order of its names, then the written ones. Throws InputError for
/// names and patterns that stand for nothing, and for two that are the same.
std::vector<ListedMotion> list_motions(const Experiment& experiment, const FragilitySection& fragility);

/// Reads it. Throws InputError, beginning with its name.
Excitation read_motion(const ListedMotion& motion, const Experiment& experiment);

}  // namespace topple::hil::experiment

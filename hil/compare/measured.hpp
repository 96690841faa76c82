// What the specimens really did, by their rotation sensors or by the operator's eye; never by a prediction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/compare/filmed_rotation.hpp"
#include "hil/compare/motion_window.hpp"
#include "hil/compare/operator_mark.hpp"
#include "hil/run_log/records.hpp"
#include "hil/signal/even_grid.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::compare {

inline constexpr double kRotationFloor_rad = 1e-3;  ///< a rotation below this is never called rocking
inline constexpr double kRotationSigmas = 3.0;      ///< of the sensor's noise at rest
inline constexpr int kRotationPersistence = 3;      ///< samples in a row, same side: 3 sigma alone is crossed by chance
inline constexpr double kFallenMargin_rad =
    0.02;                                      ///< |theta| within this of pi/2, of a foot of overturned_rad, has fallen
inline constexpr double kBeyondAlpha_s = 0.5;  ///< at least this long beyond alpha, up to the end: has fallen
/// A camera that loses a block beyond so many times its slenderness, still turning outwards, and never sees it again,
/// saw it fall.
inline constexpr double kLostBeyond_ratio = 1.5;
inline constexpr double kOutwards_s = 0.02;   ///< between the readings that say so
inline constexpr double kSensorLost_s = 0.1;  ///< no reading for this long at the end: said in the remarks

enum class MeasurementSource { simulated, sensor, camera, operator_mark, none };
std::string_view name(MeasurementSource source) noexcept;  ///< as in summary.json: "simulated", ..., "operator", "none"

/// The platen is still so long after its motion; from then on free rocking can be judged.
inline constexpr double kStillAfter_s = 0.1;
/// A body that is still within this of the rotation of a face rests on it: a profile is measured to a degree or so.
inline constexpr double kFaceSeen_rad = 0.05;
inline constexpr double kRestSeen_s = 0.1;  ///< below the threshold for so long at the end: at rest

struct BlockMeasurement {
    std::vector<double> rotation_rad;  ///< on the grid, zero of the rest window removed, otherwise as measured
    std::vector<double> filtered_rad;  ///< the same through the 60 Hz zero-phase filter
    double sensor_zero_rad = 0.0;      ///< removed
    double sensor_noise_rad = 0.0;     ///< standard deviation at rest
    double threshold_rad = kRotationFloor_rad;
    double peak_rotation_rad = 0.0;  ///< largest |filtered| from t = 0 on
    double peak_time_s = 0.0;
    std::optional<double> first_uplift_s;    ///< first of the samples in a row above the threshold
    std::optional<solver::Side> first_side;  ///< of that uplift
    std::optional<double> fallen_s;          ///< first time overturned, or beyond alpha for good
    std::optional<solver::Side> fallen_side;
    bool was_lost_falling =
        false;  ///< by a camera, beyond kLostBeyond_ratio: `fallen_s` is its last reading, not the fall
    signal::SampleGaps gaps;
    double last_reading_s = 0.0;
};

struct SpecimenMeasurement {
    MeasurementSource source = MeasurementSource::none;
    std::optional<solver::Outcome> outcome;  ///< empty without a sensor or a mark, and where `undecided` says why
    std::string undecided;                   ///< why the record of the sensors does not show the outcome; else empty
    std::optional<solver::Side> side;        ///< of the first block that fell; rocking: first uplift of any block
    std::optional<double> overturn_time_s;
    std::vector<std::size_t> blocks_overturned;  ///< in order of falling
    std::optional<std::size_t> resting_face;     ///< of a foot at rest at the end of the record: on which face
    signal::EvenGrid grid;
    std::vector<BlockMeasurement> blocks;  ///< empty without a sensor
    std::optional<std::string> discarded;  ///< the operator's reason
    std::vector<std::string> remarks;

    bool has_rotation() const noexcept { return !blocks.empty(); }
};

/// One entry per specimen. `marks` override what a sensor says (source = operator). With `filmed` the camera's
/// rotations take the place of the sensors': as long as it saw the blocks, between its frames along straight lines.
std::vector<SpecimenMeasurement> measure_specimens(const run_log::RunData& run,
                                                   const std::vector<solver::Specimen>& specimens,
                                                   const signal::EvenGrid& grid, const MotionWindow& window,
                                                   const std::vector<OperatorMark>& marks,
                                                   const FilmedRotation* filmed = nullptr);

}  // namespace topple::hil::compare

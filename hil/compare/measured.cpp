#include "hil/compare/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hil/compare/achieved_motion.hpp"
#include "hil/signal/statistics.hpp"
#include "hil/signal/zero_phase.hpp"
#include "solver/laws/resting_places.hpp"

namespace topple::hil::compare {
namespace {

using firmware_iface::Feedback;
using signal::EvenGrid;
using signal::Samples;
using solver::Side;

struct BlockContext {
    const EvenGrid& grid;
    const MotionWindow& window;
    double initial_rotation_rad;
    std::array<double, 2> no_return_rad;  ///< sizes of the rotations to the left, right beyond which it falls
    double overturned_rad;                ///< pi/2, or what the specimen says
    double step_s;                        ///< between two readings
    bool is_camera;                       ///< it may lose a block that falls out of its view
};

Side side_of(double rotation_rad) { return rotation_rad > 0.0 ? Side::right : Side::left; }
std::size_t index_of_side(double rotation_rad) { return rotation_rad > 0.0 ? 1 : 0; }

void remove_sensor_zero(Samples& samples, const BlockContext& context, BlockMeasurement& block) {
    const std::vector<double> resting =
        within(samples.time_s, samples.value, context.window.rest_start_s, context.window.rest_end_s);
    if (!context.window.has_rest() || resting.size() < 10) return;
    block.sensor_zero_rad = signal::mean(resting) - context.initial_rotation_rad;
    block.sensor_noise_rad = signal::standard_deviation(resting);
    block.threshold_rad = std::max(kRotationFloor_rad, kRotationSigmas * block.sensor_noise_rad);
    for (double& value : samples.value) value -= block.sensor_zero_rad;
}

void find_uplift(const Samples& samples, BlockMeasurement& block) {
    int in_a_row = 0;
    for (std::size_t i = 0; i < samples.value.size(); ++i) {
        const bool above = samples.time_s[i] >= 0.0 && std::abs(samples.value[i]) > block.threshold_rad;
        const bool same_side = in_a_row == 0 || side_of(samples.value[i]) == side_of(samples.value[i - 1]);
        in_a_row = !above ? 0 : same_side ? in_a_row + 1 : 1;
        if (in_a_row < kRotationPersistence) continue;
        block.first_uplift_s = samples.time_s[i + 1 - kRotationPersistence];
        block.first_side = side_of(samples.value[i]);
        return;
    }
}

/// Lost for good beyond the point of no return, and turning outwards until then.
bool is_lost_falling(const Samples& samples, const BlockContext& context) {
    if (samples.time_s.empty() || !context.is_camera) return false;
    const double last_s = samples.time_s.back(), last_rad = samples.value.back();
    if (last_s < 0.0 || context.window.end_s - last_s <= kSensorLost_s) return false;
    std::size_t before = samples.time_s.size() - 1;
    while (before > 0 && samples.time_s[before] > last_s - kOutwards_s) --before;
    const bool is_outwards =
        side_of(samples.value[before]) == side_of(last_rad) && std::abs(last_rad) > std::abs(samples.value[before]);
    return is_outwards && std::abs(last_rad) > kLostBeyond_ratio * context.no_return_rad[index_of_side(last_rad)];
}

void find_fall(const Samples& samples, const BlockContext& context, BlockMeasurement& block) {
    const double fallen_rad =
        context.overturned_rad - std::max(kFallenMargin_rad, kRotationSigmas * block.sensor_noise_rad);
    for (std::size_t i = 0; i < samples.value.size() && !block.fallen_s; ++i)
        if (samples.time_s[i] >= 0.0 && std::abs(samples.value[i]) >= fallen_rad) block.fallen_s = samples.time_s[i];
    const auto is_beyond = [&](double rotation_rad) {
        return std::abs(rotation_rad) > context.no_return_rad[index_of_side(rotation_rad)];
    };
    std::size_t beyond = samples.value.size();
    while (beyond > 0 && samples.time_s[beyond - 1] >= 0.0 && is_beyond(samples.value[beyond - 1])) --beyond;
    if (!block.fallen_s && beyond < samples.value.size() &&
        samples.time_s.back() - samples.time_s[beyond] >= kBeyondAlpha_s)
        block.fallen_s = samples.time_s[beyond];
    if (!block.fallen_s && is_lost_falling(samples, context)) {
        block.fallen_s = samples.time_s.back();
        block.was_lost_falling = true;
    }
    if (block.fallen_s && !samples.value.empty()) block.fallen_side = side_of(samples.value.back());
}

BlockMeasurement measure_block(const std::vector<double>& time_s, const std::vector<double>& rotation_rad,
                               const BlockContext& context) {
    BlockMeasurement block;
    Samples samples = signal::clean_samples(time_s, rotation_rad, context.step_s, block.gaps);
    if (samples.time_s.empty()) return block;
    block.last_reading_s = samples.time_s.back();
    remove_sensor_zero(samples, context, block);
    find_uplift(samples, block);
    find_fall(samples, context, block);
    block.rotation_rad = signal::resample_linear(samples, context.grid);
    block.filtered_rad =
        signal::zero_phase_low_pass(block.rotation_rad, 1.0 / context.grid.step_s, kMotionBandwidth_hz);
    for (std::size_t i = 0; i < context.grid.count; ++i) {
        if (context.grid.time_s(i) < 0.0 || std::abs(block.filtered_rad[i]) <= block.peak_rotation_rad) continue;
        block.peak_rotation_rad = std::min(std::abs(block.filtered_rad[i]), std::numbers::pi / 2.0);
        block.peak_time_s = context.grid.time_s(i);
    }
    return block;
}

/// What the end of the record says of a block that has not fallen.
struct RecordEnd {
    bool is_at_rest = true;
    bool has_turned =
        false;  ///< rose and came back on one side, over a base at rest: its energy is below that of a fall
    std::array<double, 2> largest_rad{};  ///< to the left, right in the last kBeyondAlpha_s
    double last_rad = 0.0;
};

/// Of a foot that is still at the end: the place of rest that is nearest to its mean rotation there.
struct SeenRest {
    double level_rad = 0.0;
    std::optional<std::size_t> face{};
};

SeenRest seen_rest(const BlockMeasurement& block, const solver::Specimen& described, const EvenGrid& grid,
                   const MotionWindow& window) {
    std::vector<double> last;
    for (std::size_t i = 0; described.foot && i < grid.count && grid.time_s(i) <= window.end_s; ++i)
        if (grid.time_s(i) >= window.end_s - kRestSeen_s) last.push_back(block.filtered_rad[i]);
    if (last.empty()) return {};
    const double mean_rad = signal::mean(last);
    const auto [low, high] = std::minmax_element(last.begin(), last.end());
    if (*high - *low > 2.0 * block.threshold_rad) return {};
    SeenRest rest;
    double nearest_rad = kFaceSeen_rad;
    for (const solver::RestingPlace& place : solver::resting_places(described)) {
        const double distance_rad = std::abs(mean_rad - place.rotation_rad);
        if (distance_rad > nearest_rad) continue;
        nearest_rad = distance_rad;
        rest = {mean_rad, place.face};
    }
    return rest;
}

/// `rest_rad`: rotation at which it would be at rest.
RecordEnd end_of(const BlockMeasurement& block, const EvenGrid& grid, const MotionWindow& window, double rest_rad) {
    RecordEnd end;
    double low_rad = 0.0, high_rad = 0.0;  // of the present excursion: least before its largest, and its largest
    for (std::size_t i = 0; i < grid.count && grid.time_s(i) <= window.end_s; ++i) {
        const double t = grid.time_s(i), size_rad = std::abs(block.filtered_rad[i]);
        end.last_rad = block.filtered_rad[i];
        if (t >= window.end_s - kRestSeen_s && std::abs(end.last_rad - rest_rad) > block.threshold_rad)
            end.is_at_rest = false;
        double& largest_rad = end.largest_rad[index_of_side(end.last_rad)];
        if (t >= window.end_s - kBeyondAlpha_s) largest_rad = std::max(largest_rad, size_rad);
        const bool is_still = t >= window.motion_end_s + kStillAfter_s;
        const bool is_other_side = i > 0 && side_of(block.filtered_rad[i]) != side_of(block.filtered_rad[i - 1]);
        if (!is_still || is_other_side) low_rad = high_rad = is_still ? 0.0 : size_rad;
        if (size_rad > high_rad) high_rad = size_rad;
        const bool has_risen = high_rad > low_rad + block.threshold_rad;
        if (has_risen && size_rad < high_rad - block.threshold_rad) end.has_turned = true;
        if (!has_risen) low_rad = high_rad = std::min(low_rad, size_rad);
    }
    return end;
}

/// A fall may come after the end of the record. A stack can lose its upper block in free rocking too.
bool may_still_fall(const RecordEnd& end, const std::array<double, 2>& no_return_rad, bool is_stack) {
    if (end.is_at_rest) return false;
    const double share = is_stack ? 0.5 : 1.0;
    const auto is_beyond = [&](std::size_t side) { return end.largest_rad[side] > share * no_return_rad[side]; };
    return !end.has_turned || is_beyond(0) || is_beyond(1);
}

void conclude_falls(SpecimenMeasurement& specimen) {
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i)
        if (specimen.blocks[i].fallen_s) specimen.blocks_overturned.push_back(i);
    std::stable_sort(specimen.blocks_overturned.begin(), specimen.blocks_overturned.end(),
                     [&](auto a, auto b) { return *specimen.blocks[a].fallen_s < *specimen.blocks[b].fallen_s; });
    if (specimen.blocks_overturned.empty()) return;
    const BlockMeasurement& first = specimen.blocks[specimen.blocks_overturned.front()];
    specimen.side = first.fallen_side;
    if (!first.was_lost_falling) specimen.overturn_time_s = first.fallen_s;
    for (const std::size_t i : specimen.blocks_overturned)
        if (specimen.blocks[i].was_lost_falling)
            specimen.remarks.push_back(
                fmt::format("the camera lost block {} at t = {:.3f} s, at {:.2f} rad and turning outwards: counted as "
                            "fallen, at a time that is not known",
                            i, *specimen.blocks[i].fallen_s, specimen.blocks[i].peak_rotation_rad));
    const bool all = specimen.blocks_overturned.size() == specimen.blocks.size();
    specimen.outcome = specimen.blocks.size() == 1 ? solver::Outcome::overturning
                       : all                       ? solver::Outcome::total_overturning
                                                   : solver::Outcome::partial_overturning;
}

/// Sizes of the rotations to the left and right beyond which a block does not come back.
std::array<double, 2> no_return_rad(const solver::Specimen& specimen, std::size_t block) {
    if (specimen.blocks.size() > 1) {
        const double slenderness_rad = specimen.blocks[block].slenderness_rad();
        return {slenderness_rad, slenderness_rad};
    }
    const auto [left_rad, right_rad] = solver::no_return_rad(specimen);
    return {-left_rad, right_rad};
}

/// Why the record does not show whether a block falls; empty if it does.
std::string what_is_open(const SpecimenMeasurement& specimen, const solver::Specimen& described,
                         const MotionWindow& window) {
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) {
        const double rest_rad = seen_rest(specimen.blocks[i], described, specimen.grid, window).level_rad;
        const RecordEnd end = end_of(specimen.blocks[i], specimen.grid, window, rest_rad);
        if (specimen.blocks[i].fallen_s ||
            !may_still_fall(end, no_return_rad(described, i), specimen.blocks.size() > 1))
            continue;
        return fmt::format(
            "the record ends at t = {:.2f} s while {} still moves, at {:+.3f} rad: whether it falls later is not known",
            window.end_s, specimen.blocks.size() == 1 ? "the block" : fmt::format("block {}", i), end.last_rad);
    }
    return {};
}

void conclude_outcome(SpecimenMeasurement& specimen, const solver::Specimen& described, const MotionWindow& window) {
    specimen.undecided = what_is_open(specimen, described, window);
    if (!specimen.undecided.empty()) return;
    conclude_falls(specimen);
    if (specimen.outcome) return;
    const BlockMeasurement* first = nullptr;
    for (const BlockMeasurement& block : specimen.blocks)
        if (block.first_uplift_s && (!first || *block.first_uplift_s < *first->first_uplift_s)) first = &block;
    specimen.outcome = first ? solver::Outcome::rocking : solver::Outcome::translation;
    specimen.resting_face = seen_rest(specimen.blocks.front(), described, specimen.grid, window).face;
    if (first) specimen.side = first->first_side;
    if (!first && described.friction)
        specimen.remarks.push_back("no uplift; a rotation sensor cannot distinguish sliding from translation");
}

bool readings_are_complete(SpecimenMeasurement& specimen, const MotionWindow& window) {
    bool complete = true;
    const bool is_camera = specimen.source == MeasurementSource::camera;
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) {
        const BlockMeasurement& block = specimen.blocks[i];
        if (block.gaps.dropped > 0 || block.gaps.gap_count > 0)
            specimen.remarks.push_back(
                fmt::format("rotation of block {}: {} unusable samples, {} gaps, longest {:.1f} ms", i,
                            block.gaps.dropped, block.gaps.gap_count, 1e3 * block.gaps.longest_gap_s));
        if (block.rotation_rad.empty()) complete = false;
        if (block.fallen_s || window.end_s - block.last_reading_s <= kSensorLost_s) continue;
        specimen.remarks.push_back(
            is_camera ? fmt::format("the camera lost block {} at t = {:.3f} s", i, block.last_reading_s)
                      : fmt::format("rotation sensor of block {} lost at t = {:.3f} s", i, block.last_reading_s));
        complete = false;
    }
    return complete;
}

void apply_mark(SpecimenMeasurement& specimen, const OperatorMark& mark) {
    specimen.discarded = mark.discard_reason;
    if (!mark.outcome) return;
    if (specimen.outcome && *specimen.outcome != *mark.outcome)
        specimen.remarks.push_back(fmt::format("the rotation sensor says {}, the operator says {}",
                                               name(*specimen.outcome), name(*mark.outcome)));
    // Side and fall that a sensor saw belong to its outcome: a first uplift to the left is no fall to the
    // left.
    if (specimen.outcome != mark.outcome) {
        specimen.side.reset();
        specimen.overturn_time_s.reset();
        specimen.blocks_overturned.clear();
        specimen.resting_face.reset();
    }
    if (mark.side) specimen.side = mark.side;
    if (!mark.blocks_overturned.empty()) specimen.blocks_overturned = mark.blocks_overturned;
    specimen.source = MeasurementSource::operator_mark;
    specimen.outcome = mark.outcome;
}

// Simulated specimens say so in the metadata; a sensor of a real one is a sensor, or a camera if the file
// says that.
MeasurementSource sensor_source(const run_log::RunData& run) {
    const auto value = [&](const char* key) {
        const auto found = run.metadata.find(key);
        return found == run.metadata.end() ? std::string() : found->second;
    };
    if (value("rotation_source") == "camera") return MeasurementSource::camera;
    return value("simulated") == "true" ? MeasurementSource::simulated : MeasurementSource::sensor;
}

/// What a sensor or the camera read of one block within the window.
struct Readings {
    std::vector<double> time_s, rotation_rad;
    double step_s = 0.0;
};

Readings sensor_readings(const run_log::RunData& run, std::size_t sensor, const MotionWindow& window, double step_s) {
    const std::uint64_t origin_us = motion_origin_us(run);
    Readings readings{{}, {}, step_s};
    for (const Feedback& feedback : run.feedback) {
        const double t = seconds_from(origin_us, feedback.device_time_us);
        if (sensor >= feedback.rotation_count || t < window.start_s || t > window.end_s) continue;
        readings.time_s.push_back(t);
        readings.rotation_rad.push_back(feedback.rotation_rad[sensor]);
    }
    return readings;
}

Readings filmed_readings(const FilmedRotation& filmed, std::size_t block, const MotionWindow& window) {
    Readings readings{{}, {}, filmed.frame_s};
    for (std::size_t i = 0; i < filmed.time_s.size(); ++i) {
        if (filmed.time_s[i] < window.start_s || filmed.time_s[i] > window.end_s) continue;
        readings.time_s.push_back(filmed.time_s[i]);
        readings.rotation_rad.push_back(filmed.rotation_rad[block][i]);
    }
    return readings;
}

void conclude_measurement(SpecimenMeasurement& measurement, const solver::Specimen& described,
                          const MotionWindow& window, MeasurementSource source) {
    if (measurement.blocks.size() != described.blocks.size()) {
        if (!measurement.blocks.empty())
            measurement.remarks.push_back("not every block of the stack has a rotation sensor: not judged by sensors");
        measurement.blocks.clear();
    }
    if (!measurement.has_rotation()) return;
    measurement.source = source;
    if (!readings_are_complete(measurement, window)) {
        measurement.source = MeasurementSource::none;
        return;
    }
    if (source == MeasurementSource::camera && window.end_s < window.motion_end_s)
        measurement.undecided =
            fmt::format("the camera saw the blocks until t = {:.2f} s, the motion ended at {:.2f} s", window.end_s,
                        window.motion_end_s);
    else
        conclude_outcome(measurement, described, window);
}

}  // namespace

std::string_view name(MeasurementSource source) noexcept {
    switch (source) {
        case MeasurementSource::simulated: return "simulated";
        case MeasurementSource::sensor: return "sensor";
        case MeasurementSource::camera: return "camera";
        case MeasurementSource::operator_mark: return "operator";
        case MeasurementSource::none: return "none";
    }
    return "none";
}

std::vector<SpecimenMeasurement> measure_specimens(const run_log::RunData& run,
                                                   const std::vector<solver::Specimen>& specimens, const EvenGrid& grid,
                                                   const MotionWindow& whole, const std::vector<OperatorMark>& marks,
                                                   const FilmedRotation* filmed) {
    MotionWindow window = whole;
    if (filmed) window.end_s = std::min(window.end_s, filmed->time_s.back());
    std::vector<SpecimenMeasurement> result;
    std::size_t sensor = 0;
    for (std::size_t s = 0; s < specimens.size(); ++s) {
        SpecimenMeasurement measurement;
        measurement.grid = grid;
        for (std::size_t b = 0; b < specimens[s].blocks.size(); ++b, ++sensor) {
            const Readings readings =
                filmed ? filmed_readings(*filmed, sensor, window) : sensor_readings(run, sensor, window, grid.step_s);
            if (readings.time_s.empty() || grid.count == 0) continue;
            const auto& initial = specimens[s].initial_rotation_rad;
            measurement.blocks.push_back(
                measure_block(readings.time_s, readings.rotation_rad,
                              {grid, window, b < initial.size() ? initial[b] : 0.0, no_return_rad(specimens[s], b),
                               specimens[s].foot ? specimens[s].foot->overturned_rad : std::numbers::pi / 2.0,
                               readings.step_s, filmed != nullptr}));
        }
        conclude_measurement(measurement, specimens[s], window,
                             filmed ? MeasurementSource::camera : sensor_source(run));
        for (const OperatorMark& mark : marks)
            if (mark.specimen == s) apply_mark(measurement, mark);
        result.push_back(std::move(measurement));
    }
    return result;
}

}  // namespace topple::hil::compare

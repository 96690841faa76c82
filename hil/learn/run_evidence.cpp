#include "hil/learn/run_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hil/compare/plane_motion.hpp"
#include "hil/compare/reading.hpp"
#include "hil/conclude/conclude_run.hpp"
#include "hil/conclude/mark_file.hpp"
#include "hil/conclude/rotation_file.hpp"
#include "hil/conclude/test_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::learn {
namespace {

using compare::RockingLobe;
using run_log::EventKind;
using run_log::RunData;
using Kind = Feature::Kind;

constexpr double kMissing_errors = 25.0;
constexpr double kLinear_errors = 5.0;

double noticeable_rad(const compare::SpecimenMeasurement& measured) {
    double threshold_rad = compare::kRotationFloor_rad;
    for (const auto& block : measured.blocks) threshold_rad = std::max(threshold_rad, block.threshold_rad);
    return 2.0 * threshold_rad;  // as of every comparison of impacts
}

/// Why a run that ended like this is not one test of its specimen; empty if it is.
std::string why_not_whole(const RunData& run) {
    if (!run.data_whole) return "its log is damaged";
    const auto end_us = run.event_time_us(EventKind::recording_end);
    for (const auto& [kind, words] : {std::pair{EventKind::fault, "a fault ended it"},
                                      std::pair{EventKind::link_lost, "the link to the table was lost"},
                                      std::pair{EventKind::stop_requested, "it was stopped"}})
        if (const auto at_us = run.event_time_us(kind); at_us && (!end_us || *at_us < *end_us)) return words;
    if (!end_us) return "its log ends before the test did";
    if (!run.event_time_us(EventKind::motion_start)) return "its motion never began";
    return {};
}

std::vector<RockingLobe> complete_excursions(const signal::EvenGrid& grid, const std::vector<double>& rotation_rad,
                                             double least_rad) {
    std::vector<RockingLobe> lobes = compare::find_lobes(grid, rotation_rad, least_rad, 0.0);
    std::erase_if(lobes, [](const RockingLobe& lobe) { return !lobe.complete; });
    return lobes;
}

void add_block_features(RunEvidence& run) {
    const auto& measured = run.measured;
    const auto& block = measured.blocks.front();
    const bool is_free = run.experiment.excitation.type == "none";
    const auto lobes = complete_excursions(measured.grid, block.filtered_rad, noticeable_rad(measured));
    for (std::size_t i = 0; i < std::min(lobes.size(), is_free ? kExcursionsFree : kExcursions); ++i) {
        const double grown = std::sqrt(static_cast<double>(i + 1));
        run.features.push_back({Kind::excursion_peak, i, lobes[i].peak_rad,
                                grown * std::hypot(block.sensor_noise_rad, kPeakError_ratio * lobes[i].peak_rad)});
        run.features.push_back(
            {Kind::impact_time, i, lobes[i].end_s, std::hypot(grown * kTimeError_s, run.clock_error_s)});
    }
}

bool has_fallen(const std::vector<std::size_t>& fallen, std::size_t block) {
    return std::find(fallen.begin(), fallen.end(), block) != fallen.end();
}

void add_features(RunEvidence& run) {
    const auto& measured = run.measured;
    if (measured.blocks.size() == 1)
        add_block_features(run);
    else if (measured.outcome != solver::Outcome::translation)
        for (std::size_t i = 0; i < measured.blocks.size(); ++i)
            if (!has_fallen(measured.blocks_overturned, i))
                run.features.push_back({Kind::block_peak, i, measured.blocks[i].peak_rotation_rad,
                                        std::hypot(measured.blocks[i].sensor_noise_rad,
                                                   kStackPeakError_ratio * measured.blocks[i].peak_rotation_rad)});
    if (measured.overturn_time_s)
        run.features.push_back(
            {Kind::overturning_time, 0, *measured.overturn_time_s, std::hypot(kFallError_s, run.clock_error_s)});
}

/// A clock that was fitted to what the blocks were predicted to do tells no times.
double clock_error_s(const compare::FilmedRotation& filmed) {
    constexpr double kFittedToPrediction_s = 0.01;  // as in every comparison (docs/camera.md)
    const bool is_circular = filmed.is_fitted && filmed.compared_with == "prediction";
    return is_circular ? std::max(filmed.offset_error_s, kFittedToPrediction_s) : filmed.offset_error_s;
}

void measure(RunEvidence& run, const RunData& data) {
    const auto& machine = run.experiment.table.description;
    const compare::MotionWindow window = compare::find_motion_window(data);
    std::vector<compare::AchievedMotion> axes(machine.axis_count());
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = compare::identify_achieved_motion(data, machine, i);
    run.motion = compare::motion_along(axes, experiment::plane_angle_rad(run.experiment, 0));
    if (run.motion.empty()) {
        run.left_out = "what the platen did is not known";
        return;
    }
    run.free_from_s = window.motion_end_s + machine.settling_time_s;
    const auto marks = compare::effective_marks(conclude::read_marks(run.folder));
    // A camera's rotations, laid into the time of the test, go before the table's own sensor, as in every comparison.
    if (conclude::has_camera(run.folder)) {
        const compare::Conclusion conclusion = conclude::read_conclusion(run.folder);
        run.measured = conclusion.specimens.front().measured;
        run.clock_error_s = clock_error_s(conclusion.camera.value().filmed);
    } else {
        run.measured =
            compare::measure_specimens(data, run.experiment.specimens, run.motion.grid, window, marks).front();
    }
    if (run.measured.discarded) {
        run.left_out = "discarded by the operator: " + *run.measured.discarded;
        return;
    }
    if (compare::rotation_is_complete(run.measured)) {
        run.kind = EvidenceKind::rotation;
        add_features(run);
    } else if (run.measured.outcome) {
        run.kind = EvidenceKind::mark;
    }
    if (run.features.empty() && !run.measured.outcome) run.left_out = "nothing was measured of its specimen";
}

/// Filtered as the measurement is.
std::vector<std::optional<double>> features_of(const RunEvidence& run, const compare::PredictedRotation& predicted) {
    std::vector<std::optional<double>> values;
    std::vector<RockingLobe> lobes;
    if (run.measured.blocks.size() == 1)
        lobes = complete_excursions(run.motion.grid, predicted.filtered_rad.front(), noticeable_rad(run.measured));
    const compare::ComparisonContext context{run.specimen(), run.measured, run.free_from_s};
    const auto peaks = compare::statistics_of(predicted, context).peak_rad;
    for (const Feature& feature : run.features) {
        const std::size_t i = feature.index;
        std::optional<double> value;
        if (feature.kind == Kind::excursion_peak && i < lobes.size()) value = lobes[i].peak_rad;
        if (feature.kind == Kind::impact_time && i < lobes.size()) value = lobes[i].end_s;
        if (feature.kind == Kind::overturning_time) value = predicted.prediction.overturn_time_s;
        if (feature.kind == Kind::block_peak && i < peaks.size() &&
            !has_fallen(predicted.prediction.blocks_overturned, i))
            value = peaks[i];
        values.push_back(value);
    }
    return values;
}

double penalty(double errors) {
    const double away = std::abs(errors);
    return away <= kLinear_errors ? away * away : kLinear_errors * (2.0 * away - kLinear_errors);
}

}  // namespace

std::string_view name(EvidenceKind kind) noexcept {
    switch (kind) {
        case EvidenceKind::rotation: return "rotation";
        case EvidenceKind::mark: return "mark";
        case EvidenceKind::none: return "none";
    }
    return "none";
}

std::string name(const Feature& feature) {
    switch (feature.kind) {
        case Kind::excursion_peak: return fmt::format("peak of excursion {}", feature.index + 1);
        case Kind::impact_time: return fmt::format("time of impact {}", feature.index + 1);
        case Kind::block_peak: return fmt::format("peak of block {}", feature.index);
        case Kind::overturning_time: return "time of overturning";
    }
    return {};
}

std::string_view unit(const Feature& feature) noexcept {
    return feature.kind == Kind::excursion_peak || feature.kind == Kind::block_peak ? "rad" : "s";
}

RunEvidence read_evidence(const std::filesystem::path& folder) {
    RunEvidence run;
    run.folder = folder;
    const RunData data = run_log::read_run_log(folder);
    run.sha256 = files::sha256_hex(files::read_text_file(run_log::run_log_path(folder)));
    run.notes = conclude::check_files_of_test(folder, data);
    run.experiment = conclude::read_experiment_as_run(folder);
    if (run.experiment.assembly || run.experiment.specimens.size() != 1)
        throw files::InputError(
            fmt::format("{}: {} on the platen; fit learns from runs with exactly one block or stack", folder.string(),
                        run.experiment.assembly ? "an assembly stood"
                                                : fmt::format("{} specimens stood", run.experiment.specimens.size())));
    run.left_out = why_not_whole(data);
    if (run.left_out.empty()) measure(run, data);
    return run;
}

Explanation explain(const RunEvidence& run, const solver::Specimen& possible, double motion_factor) {
    Explanation result;
    compare::AchievedMotion motion = run.motion;
    for (double& acceleration_m_s2 : motion.achieved.acceleration_m_s2) acceleration_m_s2 *= motion_factor;
    try {
        const compare::PredictedRotation predicted =
            compare::predict_achieved(possible, motion, run.experiment.gravity_m_s2);
        if (!predicted.prediction.outcome) return result;
        result.is_possible = true;
        const compare::ComparisonContext context{possible, run.measured, run.free_from_s};
        const compare::Reading read = compare::ReadingRule(context, predicted, {}).nominal();
        const auto& measured = run.measured;
        result.is_outcome_right =
            !measured.outcome ||
            (read.outcome == measured.outcome &&
             !(is_overturning(*measured.outcome) && measured.side && read.side && measured.side != read.side));
        result.features = features_of(run, predicted);
    } catch (const std::invalid_argument&) {  // a tilt or width beyond what a specimen can have
    }
    return result;
}

double log_likelihood(const RunEvidence& run, const Explanation& explanation) {
    if (!explanation.is_possible) return -std::numeric_limits<double>::infinity();
    double sum =
        run.measured.outcome ? std::log(explanation.is_outcome_right ? 1.0 - kWrongOutcome : kWrongOutcome) : 0.0;
    for (std::size_t i = 0; i < run.features.size(); ++i) {
        const auto& value = explanation.features[i];
        sum -= 0.5 * penalty(value ? (*value - run.features[i].value) / run.features[i].error : kMissing_errors);
    }
    return sum;
}

double misfit_of(const RunEvidence& run, double best_log_likelihood) {
    if (run.features.empty()) return 0.0;
    return std::sqrt(std::max(0.0, -2.0 * best_log_likelihood) / static_cast<double>(run.features.size()));
}

double power_of(const RunEvidence& run, double best_log_likelihood) {
    if (run.features.empty()) return 1.0;
    const double misfit = misfit_of(run, best_log_likelihood);
    if (!(misfit <= kMisfitMax)) return 0.0;
    const double shared = std::min(1.0, kFeaturesCounted / static_cast<double>(run.features.size()));
    return shared / std::max(1.0, misfit * misfit);
}

}  // namespace topple::hil::learn

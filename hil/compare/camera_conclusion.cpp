#include "hil/compare/camera_conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hil/compare/camera_errors.hpp"
#include "hil/compare/conclusion.hpp"

namespace topple::hil::compare {
namespace {

/// The believed part of a prediction: later ones of its impacts are not to be relied on.
double believed_until_s(const solver::Prediction& prediction, double motion_end_s) {
    const std::size_t last = std::min(prediction.impacts.size(), kImpactsCompared);
    return std::max(motion_end_s, last == 0 ? 0.0 : prediction.impacts[last - 1].time_s);
}

std::optional<ClockReference> sensor_reference(const std::vector<SpecimenMeasurement>& by_sensor,
                                               const signal::EvenGrid& grid, double until_s) {
    ClockReference reference{grid, {}, false, until_s};
    for (const SpecimenMeasurement& specimen : by_sensor) {
        if (!rotation_is_complete(specimen)) return std::nullopt;
        for (const BlockMeasurement& block : specimen.blocks) {
            reference.rotation_rad.push_back(block.filtered_rad);
            reference.until_s = std::min(reference.until_s, block.last_reading_s);
        }
    }
    return reference;
}

/// Empty where the specimens do not rock in the plane of the whole motion, and where a solution failed.
std::optional<ClockReference> predicted_reference(const Conclusion& c) {
    if (experiment::shows_planes(c.experiment)) return std::nullopt;
    ClockReference reference{c.motion.grid, {}, true, 0.0};
    for (const solver::Specimen& specimen : c.experiment.specimens) {
        PredictedRotation predicted = predict_achieved(specimen, c.motion, c.experiment.gravity_m_s2);
        if (!predicted.prediction.outcome) return std::nullopt;
        reference.until_s = std::max(reference.until_s, believed_until_s(predicted.prediction, c.window.motion_end_s));
        for (auto& block : predicted.filtered_rad) reference.rotation_rad.push_back(std::move(block));
    }
    return reference;
}

/// The other curves are compared as long as the camera saw the blocks and none has fallen.
double compared_until_s(const FilmedRotation& filmed, const SpecimenMeasurement& seen,
                        const std::optional<double>& other_fall_s) {
    double until_s = filmed.time_s.back();
    for (const BlockMeasurement& block : seen.blocks) until_s = std::min(until_s, block.last_reading_s);
    if (seen.overturn_time_s) until_s = std::min(until_s, *seen.overturn_time_s);
    if (other_fall_s) until_s = std::min(until_s, *other_fall_s);
    return until_s;
}

std::vector<HistoryLikeness> likenesses(const SpecimenConclusion& specimen,
                                        const std::vector<std::vector<double>>& expected_rad, const PhaseScale& scale,
                                        double until_s) {
    std::vector<HistoryLikeness> list;
    const SpecimenMeasurement& seen = specimen.measured;
    for (std::size_t block = 0; block < std::min(seen.blocks.size(), expected_rad.size()); ++block) {
        list.push_back(likeness(seen.grid, seen.blocks[block].filtered_rad, expected_rad[block], scale, until_s));
        if (seen.blocks.size() == 1)
            add_impacts(list.back(), seen.grid, seen.blocks[block].filtered_rad, expected_rad[block],
                        2.0 * seen.blocks[block].threshold_rad);
    }
    return list;
}

}  // namespace

CameraConclusion film_test(const Conclusion& c, const run_log::RunData& run, const CameraInput& input) {
    if (c.motion.empty())
        throw std::invalid_argument(
            fmt::format("{}: the run has no recorded motion onto which a camera could be laid", input.history.file));
    CameraConclusion result;
    result.by_sensor = measure_specimens(run, c.experiment.specimens, c.motion.grid, c.window, {});
    FilmedTest test;
    test.trigger = c.trigger;
    test.motion_end_s = c.window.motion_end_s;
    for (const solver::Specimen& specimen : c.experiment.specimens)
        for (std::size_t block = 0; block < specimen.blocks.size(); ++block)
            test.initial_rotation_rad.push_back(
                block < specimen.initial_rotation_rad.size() ? specimen.initial_rotation_rad[block] : 0.0);
    test.sensor = sensor_reference(result.by_sensor, c.motion.grid, c.window.end_s);
    if (!test.sensor) test.prediction = predicted_reference(c);
    result.filmed = film(input.history, input.setup, test);
    return result;
}

ReadingErrors reading_errors(const FilmedRotation& filmed) {
    ReadingErrors errors;
    if (filmed.is_fitted && filmed.compared_with == "prediction") {
        errors = kBlindErrors;
        errors.time_s = std::max(errors.time_s, filmed.residual_s.value_or(0.0));
        return errors;
    }
    // From edges and frames the error is a bound: uniform within it.
    const double clock_s = filmed.is_fitted ? filmed.offset_error_s : filmed.offset_error_s / std::sqrt(3.0);
    const double more = std::hypot(errors.time_s, clock_s) / errors.time_s;
    errors.time_s *= more;
    errors.history_ratio *= more;  // as a shift in time changes a history
    return errors;
}

void compare_with_camera(Conclusion& c) {
    CameraConclusion& camera = *c.camera;
    for (std::size_t s = 0; s < c.specimens.size(); ++s) {
        const SpecimenConclusion& specimen = c.specimens[s];
        const PhaseScale scale = phase_scale(specimen.specimen, c.experiment.gravity_m_s2);
        CameraSpecimen one;
        one.with_prediction = likenesses(
            specimen, specimen.achieved.filtered_rad, scale,
            compared_until_s(camera.filmed, specimen.measured, specimen.achieved.prediction.overturn_time_s));
        std::vector<std::vector<double>> sensor_rad;
        for (const BlockMeasurement& block : camera.by_sensor[s].blocks) sensor_rad.push_back(block.filtered_rad);
        one.with_sensor =
            likenesses(specimen, sensor_rad, scale,
                       compared_until_s(camera.filmed, specimen.measured, camera.by_sensor[s].overturn_time_s));
        camera.specimens.push_back(std::move(one));
    }
    for (const std::string& remark : camera.filmed.remarks) c.remarks.push_back("camera: " + remark);
}

}  // namespace topple::hil::compare

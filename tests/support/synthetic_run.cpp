#include "tests/support/synthetic_run.hpp"

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "hil/files/run_folder.hpp"
#include "hil/run_log/run_log_writer.hpp"
#include "hil/sim_table/truth.hpp"
#include "solver/predict.hpp"

namespace topple::tests {
namespace {

using firmware_iface::Feedback;
using solver::BaseMotion;

constexpr std::uint64_t kOrigin_us = 5'000'000;
constexpr double kStep_s = 0.002;
constexpr double kStartPosition_m = -0.015;

class Noise {
  public:
    explicit Noise(std::uint32_t seed) : engine_(seed) {}
    // Box-Muller on mt19937, the same on every platform.
    double operator()(double sigma) {
        const double u = uniform(), v = uniform();
        return sigma * std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
    }

  private:
    double uniform() { return (static_cast<double>(engine_()) + 0.5) / 4294967296.0; }

    std::mt19937 engine_;
};

BaseMotion achieved_motion(const SyntheticRun& run) {
    if (run.achieved) return *run.achieved;
    const BaseMotion& planned = run.experiment.excitation.planned_motion();
    return planned.empty() ? planned : planned.scaled(run.scale).shifted(run.delay_s);
}

double positioning_velocity(double time_s, double rest_s) { return time_s < -rest_s ? 0.02 : 0.0; }

solver::Prediction truth_of(const SyntheticRun& run, const BaseMotion& motion, std::size_t specimen) {
    solver::SolverOptions options;
    options.gravity_m_s2 = run.experiment.gravity_m_s2;
    options.history_step_s = kStep_s;
    const solver::Perturbation truth{run.restitution_factor, {run.width_factor}, run.tilt_rad};
    return solver::predict(solver::perturbed(run.experiment.specimens[specimen], truth), motion, options);
}

double rotation_at(const solver::Prediction& truth, std::size_t block, double time_s, double initial_rad,
                   std::size_t& cursor) {
    if (time_s < 0.0 || truth.history.empty()) return initial_rad;
    while (cursor + 1 < truth.history.size() && truth.history[cursor + 1].time_s <= time_s) ++cursor;
    if (cursor + 1 == truth.history.size()) return truth.history[cursor].rotation_rad[block];
    const auto& a = truth.history[cursor];
    const auto& b = truth.history[cursor + 1];
    const double share = b.time_s > a.time_s ? (time_s - a.time_s) / (b.time_s - a.time_s) : 0.0;
    return a.rotation_rad[block] + share * (b.rotation_rad[block] - a.rotation_rad[block]);
}

void add_rotations(const SyntheticRun& run, const BaseMotion& motion, hil::run_log::RunData& data, Noise& noise) {
    for (std::size_t s = 0; s < run.experiment.specimens.size(); ++s) {
        const solver::Specimen& specimen = run.experiment.specimens[s];
        const solver::Prediction truth = truth_of(run, motion, s);
        for (std::size_t block = 0; block < specimen.blocks.size(); ++block) {
            std::size_t cursor = 0;
            const double initial =
                block < specimen.initial_rotation_rad.size() ? specimen.initial_rotation_rad[block] : 0.0;
            for (Feedback& feedback : data.feedback) {
                const double t =
                    1e-6 * static_cast<double>(static_cast<std::int64_t>(feedback.device_time_us - kOrigin_us));
                feedback.rotation_rad[feedback.rotation_count++] = rotation_at(truth, block, t, initial, cursor) +
                                                                   run.rotation_zero_rad +
                                                                   noise(run.rotation_noise_rad);
            }
        }
    }
}

Feedback feedback_at(double t, const SyntheticRun& run, const BaseMotion& achieved, Noise& noise) {
    const BaseMotion& planned = run.experiment.excitation.planned_motion();
    const auto& machine = run.experiment.table.description;
    const double positioning_m = positioning_velocity(t, run.rest_s) == 0.0 ? 0.0 : 0.02 * (t + run.rest_s);
    Feedback feedback;
    feedback.device_time_us = kOrigin_us + static_cast<std::uint64_t>(static_cast<std::int64_t>(std::llround(1e6 * t)));
    const solver::BaseState command = planned.at(t);
    feedback.axes[0].setpoint_position_m = kStartPosition_m + positioning_m + command.displacement_m;
    feedback.axes[0].setpoint_velocity_m_s = positioning_velocity(t, run.rest_s) + command.velocity_m_s;
    feedback.axes[0].setpoint_acceleration_m_s2 = command.acceleration_m_s2;
    const double position_m = kStartPosition_m + positioning_m + achieved.at(t).displacement_m;
    feedback.axes[0].encoder_count = std::llround(machine.encoder_sign * position_m * machine.counts_per_m);
    if (run.accelerometer)
        feedback.acceleration_x_m_s2 =
            machine.accelerometer_sign *
            (run.accelerometer_gain * achieved.at(t - run.accelerometer_delay_s).acceleration_m_s2 +
             run.accelerometer_bias_m_s2 + noise(run.accelerometer_noise_m_s2)) /
            machine.accelerometer_scale;
    feedback.state = firmware_iface::DeviceState::running;
    feedback.queue_level = 20;
    return feedback;
}

}  // namespace

hil::experiment::Experiment example(const std::string& file) {
    return hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples" / file);
}

hil::experiment::Experiment b6l_sine() { return example("b6l_sine.toml"); }

hil::run_log::RunData record(const SyntheticRun& run) {
    hil::run_log::RunData data;
    Noise noise(run.seed);
    const BaseMotion achieved = achieved_motion(run);
    const double end_s = run.stop_s ? *run.stop_s + 0.5 : run.recorded_s;
    const auto first = static_cast<std::int64_t>(std::llround((-run.rest_s - 0.5) / kStep_s));
    const auto last = static_cast<std::int64_t>(std::llround(end_s / kStep_s));
    for (std::int64_t i = first; i <= last; ++i) {
        data.feedback.push_back(feedback_at(static_cast<double>(i) * kStep_s, run, achieved, noise));
        hil::run_log::TimingRecord timing;
        timing.device_time_us = data.feedback.back().device_time_us;
        timing.cycle = static_cast<std::uint64_t>(i - first);
        timing.wake_late_ns = 20'000 + static_cast<std::int64_t>(std::abs(noise(15'000.0)));
        timing.busy_ns = 60'000 + static_cast<std::int64_t>(std::abs(noise(10'000.0)));
        data.timing.push_back(timing);
    }
    if (run.rotation_sensor) add_rotations(run, achieved, data, noise);
    const auto at = [](double t) {
        return kOrigin_us + static_cast<std::uint64_t>(static_cast<std::int64_t>(std::llround(1e6 * t)));
    };
    data.events.push_back({at(-run.rest_s - 0.5), hil::run_log::EventKind::recording_start, ""});
    data.events.push_back({at(-run.rest_s - 0.5), hil::run_log::EventKind::positioning_start, ""});
    data.events.push_back({at(0.0), hil::run_log::EventKind::motion_start, ""});
    if (run.stop_s)
        data.events.push_back({at(*run.stop_s), hil::run_log::EventKind::stop_requested, "operator pressed Ctrl-C"});
    else
        data.events.push_back(
            {at(run.experiment.excitation.planned_motion().end_s()), hil::run_log::EventKind::motion_done, ""});
    data.events.push_back({at(end_s), hil::run_log::EventKind::recording_end, ""});
    data.metadata = {{"simulated", "true"}, {"topple_version", "test"}};
    return data;
}

std::filesystem::path write_run_folder(const SyntheticRun& run, const std::string& name) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("topple_compare_" + name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    hil::files::write_durably(folder / "experiment.toml", run.experiment.text);
    hil::files::write_durably(folder / "machine.toml", run.experiment.table.machine_text);
    const hil::run_log::RunData data = record(run);
    hil::run_log::RunLogOptions options;
    options.synchronous = true;
    options.metadata = data.metadata;
    hil::run_log::RunLog log(folder / "run.mcap", options);
    for (const auto& event : data.events) log.push(event);
    for (const auto& feedback : data.feedback) log.push(feedback);
    for (const auto& timing : data.timing) log.push(timing);
    log.close();
    return folder;
}

}  // namespace topple::tests

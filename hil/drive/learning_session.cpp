#include "hil/drive/learning_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "controller/iteration/axes_iteration.hpp"
#include "hil/drive/drive_script.hpp"
#include "hil/drive/flight_file.hpp"
#include "hil/drive/log_setup.hpp"
#include "hil/drive/wall_clock_anchor.hpp"
#include "hil/drive/while_speaking.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/host/host_identity.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::drive {
namespace {

using controller::IterationEnd;
using experiment::Experiment;
using experiment::IteratePayload;
using files::InputError;
using iteration::LearnedAxis;
using iteration::LearnedDrive;

constexpr const char* kDriveFile = "learned_drive.json";

// With "bare" and "dummy" the specimens are not there; without specimens nothing is, whatever was asked for.
bool without_specimens(const Experiment& experiment) {
    return !experiment.specimens.empty() && experiment.table.iterate_payload != IteratePayload::specimen;
}

double learning_payload_kg(const Experiment& experiment) {
    return experiment.table.iterate_payload == IteratePayload::bare ? 0.0 : experiment::payload_kg(experiment);
}

solver::Specimen dead_mass(double mass_kg) {
    constexpr double kWidth_m = 1.0, kHeight_m = 0.1;  // lies flat up to ten times gravity
    solver::Specimen specimen;
    specimen.blocks = {solver::Block{kWidth_m, kHeight_m, mass_kg}};
    return specimen;
}

// What stands on the simulated table in the passes.
Experiment with_learning_payload(Experiment experiment) {
    const double mass_kg = learning_payload_kg(experiment);
    experiment.specimens.clear();
    experiment.plane_angle_rad.clear();
    experiment.drawn_feet.clear();
    if (mass_kg > 0.0) experiment.specimens.push_back(dead_mass(mass_kg));
    experiment.simulation.truth = {};
    experiment.simulation.truth.exact = true;
    return experiment;
}

std::string seen(const controller::PassResult& pass) {
    return fmt::format("largest error {:.3f} mm, acceleration {:.2f} % (rms, 60 Hz band)", 1e3 * pass.peak_error_m,
                       100.0 * pass.nrmse);
}

// "axis x: ", where there are two.
std::string axis_label(std::size_t axis, std::size_t count) {
    return count > 1 ? fmt::format("axis {}: ", firmware_iface::kAxisNames.at(axis)) : "";
}

// What the last pass showed of each axis that was learned.
std::string last_pass_text(const LearnedDrive& drive) {
    std::string text;
    for (std::size_t i = 0; i < drive.axes.size(); ++i)
        if (const auto& passes = drive.axes[i].passes; !passes.empty())
            text += (text.empty() ? "" : "; ") + axis_label(i, drive.axes.size()) + seen(passes.back());
    return text;
}

std::vector<LearnedAxis> learned_axes(const controller::AxesIteration& learning) {
    std::vector<LearnedAxis> axes;
    for (std::size_t i = 0; i < learning.axis_count(); ++i) {
        const controller::DriveIteration* axis = learning.axis(i);
        axes.push_back(axis == nullptr
                           ? LearnedAxis{{}, {}, iteration::kAtRest, "the axis rests: nothing is learned", true}
                           : LearnedAxis{axis->correction(), axis->passes(), std::string(name(axis->end())),
                                         axis->text(), axis->drive_was_passed()});
    }
    return axes;
}

class LearningSession {
  public:
    LearningSession(const LearningRequest& request, bool& moved)
        : request_(request), experiment_(request.experiment), moved_(moved) {}

    LearnedDrive learn(const iteration::DriveIdentity& identity) {
        require_harmless();
        require_payload();
        open();
        controller::IterationSettings settings;
        settings.passes_max = experiment_.table.iterate;
        const std::vector<controller::Profile> targets = request_.plan.axes();
        controller::AxesIteration learning(targets, experiment_.table.description, learning_payload_kg(experiment_),
                                           settings);
        request_.options.note(fmt::format(
            "the drive is learned in at most {} passes of the whole motion, with {} on the platen, until the largest "
            "error is at most {:g} mm and that of acceleration {:g} % (rms, 60 Hz band){}",
            settings.passes_max, identity.payload, 1e3 * settings.goal_peak_m, 100.0 * settings.goal_nrmse,
            targets.size() > 1 ? ", each axis by itself" : ""));
        while (!learning.ended()) make_pass(learning);
        LearnedDrive drive;
        drive.identity = identity;
        if (!clock().is_virtual()) drive.learned_utc = host::utc_time_now();
        drive.axes = learned_axes(learning);
        drive.goal_peak_m = settings.goal_peak_m;
        drive.goal_nrmse = settings.goal_nrmse;
        for (std::size_t i = 0; i < drive.axes.size(); ++i) {
            const bool cannot = drive.axes[i].end == name(IterationEnd::cannot);
            request_.options.note(axis_label(i, drive.axes.size()) + (cannot ? "cannot: " : "") + drive.axes[i].text);
        }
        return drive;
    }

  private:
    firmware_iface::TableLink& link() { return own_ ? *own_->link : *request_.table.link; }
    firmware_iface::Clock& clock() { return own_ ? *own_->clock : *request_.table.clock; }

    // The specimens themselves are used only if the blind prediction sees them stand.
    void require_harmless() const {
        if (experiment_.table.iterate_payload != IteratePayload::specimen) return;
        const auto& specimens = request_.plan.prediction.specimens;
        for (std::size_t i = 0; i < specimens.size(); ++i) {
            const auto& members = specimens[i].members;
            const auto fallen = std::count_if(members.begin(), members.end(), [](const plan::EnsembleMember& member) {
                return solver::is_overturning(member.outcome);
            });
            const double share =
                members.empty() ? 0.0 : static_cast<double>(fallen) / static_cast<double>(members.size());
            if (!solver::is_overturning(specimens[i].prediction.outcome) && share <= kLearningTopples_ratio) continue;
            throw InputError(fmt::format(
                "specimen {} topples in this motion with a probability of {:.0f} % by the blind prediction, and each "
                "learning pass makes the whole motion: at most {:.0f} % are allowed; set [table] iterate_payload = "
                "\"dummy\" or \"bare\"; nothing has moved",
                i, 100.0 * share, 100.0 * kLearningTopples_ratio));
        }
    }

    // On an emulated table they cannot be taken off.
    void require_payload() const {
        if (!without_specimens(experiment_) || request_.table.simulated || !request_.table.link->device().simulated)
            return;
        throw InputError(
            "the specimens of an emulated table cannot be taken off: set [table] iterate_payload = \"specimen\", or "
            "use "
            "the device sim:; nothing has moved");
    }

    void open() {
        if (!request_.table.simulated || !without_specimens(experiment_)) return;
        experiment_ = with_learning_payload(std::move(experiment_));
        experiment_.table.iterate_payload = IteratePayload::specimen;  // of this table it is now
        own_ = open_table(request_.options.device, experiment_, {request_.session_id, "topple run"},
                          {{}, request_.options.pace});
        link().connect();
        link().wait_feedback();
    }

    RunPlan plan_of(const controller::AxesIteration& learning) const {
        RunPlan plan = request_.plan;
        plan.learned = learning.drives();
        plan.trigger = false;
        if (!without_specimens(request_.experiment)) return plan;
        plan.prediction.specimens.clear();
        plan.predicted_settling_s = 0.0;
        return plan;
    }

    std::string question(const RunPlan& plan, std::size_t pass, int which) const {
        const std::string of = fmt::format("learning pass {} of at most {}", pass, request_.experiment.table.iterate);
        const std::string payload =
            !without_specimens(request_.experiment) ? ""
            : request_.experiment.table.iterate_payload == IteratePayload::bare
                ? "the SPECIMENS must be OFF the platen"
                : fmt::format("the SPECIMENS must be OFF the platen, a dummy mass of {:.3g} kg fixed on it",
                              experiment::payload_kg(request_.experiment));
        const std::string standing = without_specimens(request_.experiment) || request_.experiment.specimens.empty()
                                         ? "whatever stands loose on the platen may topple"
                                         : "the specimens stand on the platen: each pass may topple them";
        if (which == ConsentGate::back) return of + ": a gentle move back to mid stroke";
        const std::string to = which == ConsentGate::test ? describe_motion(plan.drive_axes())
                                                          : fmt::format("a gentle move to {}", place_text(plan, true));
        const std::string more = request_.consent.asks_once ? "; all that follows is done without asking again" : "";
        return fmt::format("{}: {}{}{} ({}{})", of, payload, payload.empty() ? "" : "; ", to, standing, more);
    }

    void make_pass(controller::AxesIteration& learning) {
        const std::size_t pass = learning.pass_count() + 1;
        const std::string file = fmt::format("pass_{}.mcap", pass);
        if (!own_ && request_.table.simulated) request_.table.simulated->stand_specimens_up();
        drive_pass(plan_of(learning), pass, file);
        while_speaking(link(), clock(), [&] {
            const run_log::RunData run = run_log::read_run_log(request_.folder / file);
            const auto start_us = run.event_time_us(run_log::EventKind::motion_start);
            try {
                learning.learn(run.feedback, start_us.value_or(0));
            } catch (const std::invalid_argument& error) {
                throw firmware_iface::DeviceError(fmt::format(
                    "learning pass {} cannot be learned from: {}; the test was not made", pass, error.what()));
            }
        });
        std::string text;
        for (std::size_t i = 0; i < learning.axis_count(); ++i)
            if (const auto* axis = learning.axis(i))
                text += (text.empty() ? "" : "; ") + axis_label(i, learning.axis_count()) + seen(axis->passes().back());
        request_.options.note(fmt::format("pass {}: {}", pass, text));
    }

    void drive_pass(const RunPlan& plan, std::size_t pass, const std::string& file) {
        const std::vector<solver::Specimen> specimens =
            without_specimens(request_.experiment) ? std::vector<solver::Specimen>{} : experiment_.specimens;
        run_log::RunLogOptions setup = log_options(experiment_, plan, clock(), wall_clock_anchor_ns(link()));
        setup.metadata = log_metadata(experiment_, "", link(), request_.options.device);
        setup.metadata.erase("prediction_sha256");
        setup.metadata["learning_pass"] = std::to_string(pass);
        std::unique_ptr<run_log::RunLog> log;
        try {
            log = std::make_unique<run_log::RunLog>(request_.folder / file, setup);
        } catch (const files::OutputError& error) {
            if (!moved_) throw InputError(fmt::format("not started: {}; nothing has moved", error.what()));
            throw;
        }
        std::vector<PlaneMotion> planned = plane_motions(experiment_, plan.axes());
        planned.resize(specimens.size());
        Predictor predictor(specimens, experiment_.gravity_m_s2, planned);
        controller::MotionEstimator estimator(experiment_.table.description);
        std::optional<controller::MotionEstimator> estimator_y;
        if (experiment_.table.description.y) estimator_y.emplace(experiment_.table.description, 1);
        const DriveParts parts{link(),
                               clock(),
                               *log,
                               predictor,
                               estimator,
                               request_.stop_requested,
                               estimator_y ? &*estimator_y : nullptr};
        ConsentGate gate;
        MotionDriver driver(parts, experiment_.table.description, plan, request_.must_ask ? &gate : nullptr);
        const ScriptSurroundings around{request_.consent, [&](int which) { return question(plan, pass, which); },
                                        request_.progress, request_.options.processor};
        const DriveResult result = drive_script(driver, parts, gate, around);
        moved_ = moved_ || result.moved;
        write_flight_files(request_.folder, driver.flight().incidents(), experiment_.table.description);
        log->close();
        require_made(result, *log, pass);
    }

    void require_made(const DriveResult& result, const run_log::RunLog& log, std::size_t pass) {
        std::string why;
        if (log.failed())
            why = log.failure();
        else if (!result.complete || result.reason != controller::StopReason::none || result.shortened)
            why = result.text;
        else if (!result.text.empty() && result.text.starts_with("a specimen fell"))
            why = result.text;
        if (why.empty()) return;
        if (!moved_) throw InputError(why);
        throw firmware_iface::DeviceError(
            fmt::format("learning pass {}: {}; the test was not made; the logs of the passes are in {}", pass, why,
                        request_.folder.string()));
    }

    const LearningRequest& request_;
    Experiment experiment_;  // with what really stands on the platen
    std::optional<OpenedTable> own_;
    bool& moved_;
};

// Why axis `i` may not be driven so on this machine and with this payload; else empty.
std::string obstacle(const LearningRequest& request, const LearnedDrive& drive, std::size_t i) {
    try {
        const controller::Profile sent = corrected_axes(request.plan, drive).at(i);
        const auto report = controller::check_feasibility(sent, axis_of(request.experiment.table.description, i),
                                                          experiment::payload_kg(request.experiment));
        return report.feasible() ? std::string()
                                 : axis_label(i, drive.axes.size()) + "it is not feasible: " + report.text();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

// The kept drive, if it may be used here; else the reason is told.
std::optional<LearnedDrive> kept_drive(const LearningRequest& request, const iteration::DriveIdentity& identity) {
    const std::filesystem::path store = iteration::drive_store(request.experiment);
    std::error_code ignored;
    if (!std::filesystem::exists(store, ignored)) return std::nullopt;
    std::string why;
    try {
        LearnedDrive drive = iteration::read_learned_drive(files::read_text_file(store), store.string());
        why = iteration::difference(identity, drive.identity);
        if (!why.empty()) why += " differs";
        for (std::size_t i = 0; i < drive.axes.size() && why.empty(); ++i) why = obstacle(request, drive, i);
        if (why.empty()) {
            drive.reused_from = store.string();
            const std::string last_pass = last_pass_text(drive);
            request.options.note(fmt::format(
                "the drive learned before is used again, from {}: machine, waveform and payload are the same{}",
                store.string(), last_pass.empty() ? "" : "; its last pass: " + last_pass));
            return drive;
        }
    } catch (const std::runtime_error& error) {
        why = error.what();
    }
    request.options.note(
        fmt::format("the drive learned before ({}) is not used: {}; it is learned anew", store.string(), why));
    return std::nullopt;
}

}  // namespace

std::vector<controller::Profile> corrected_axes(const RunPlan& plan, const LearnedDrive& drive) {
    std::vector<controller::Profile> axes = plan.axes();
    if (drive.axes.size() != axes.size())
        throw std::invalid_argument(
            fmt::format("a drive of {} for a table of {} axes", drive.axes.size(), axes.size()));
    for (std::size_t i = 0; i < axes.size(); ++i)
        axes[i].motion = controller::corrected(axes[i].motion, drive.axes[i].correction);
    return axes;
}

LearnedDrive learned_drive_for(const LearningRequest& request, bool& moved) {
    const auto identity = iteration::identity_of(request.experiment, request.plan.axes(), request.table.link->device());
    if (auto kept = kept_drive(request, identity)) {
        files::write_durably(request.folder / kDriveFile, iteration::learned_drive_json(*kept));
        return *kept;
    }
    LearnedDrive drive = LearningSession(request, moved).learn(identity);
    for (std::size_t i = 0; i < drive.axes.size(); ++i) {
        const std::string why = obstacle(request, drive, i);
        if (why.empty()) continue;  // the specimens' mass comes on top
        request.options.warn("the learned drive is not used: " + why);
        drive.axes[i].correction = {};
    }
    const std::string text = iteration::learned_drive_json(drive);
    files::write_durably(request.folder / kDriveFile, text);
    try {
        files::write_file(iteration::drive_store(request.experiment), text, files::Overwrite::allow);
    } catch (const std::runtime_error& error) {
        request.options.warn(fmt::format("the learned drive is kept in the run folder only: {}", error.what()));
    }
    return drive;
}

bool must_put_specimens_on(const LearningRequest& request, const LearnedDrive& drive) {
    return drive.reused_from.empty() && !request.table.simulated && without_specimens(request.experiment);
}

}  // namespace topple::hil::drive

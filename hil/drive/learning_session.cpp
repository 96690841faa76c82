#include "hil/drive/learning_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

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
    if (mass_kg > 0.0) experiment.specimens.push_back(dead_mass(mass_kg));
    experiment.simulation.truth = {};
    experiment.simulation.truth.exact = true;
    return experiment;
}

std::string seen(const controller::PassResult& pass) {
    return fmt::format("largest error {:.3f} mm, acceleration {:.2f} % (rms, 60 Hz band)", 1e3 * pass.peak_error_m,
                       100.0 * pass.nrmse);
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
        controller::DriveIteration learning(request_.plan.profile, experiment_.table.description,
                                            learning_payload_kg(experiment_), settings);
        request_.options.note(
            fmt::format("the drive is learned in at most {} passes of the whole motion, with {} on the platen",
                        settings.passes_max, identity.payload));
        while (learning.end() == IterationEnd::none) make_pass(learning);
        LearnedDrive drive;
        drive.identity = identity;
        if (!clock().is_virtual()) drive.learned_utc = host::utc_time_now();
        drive.correction = learning.correction();
        drive.passes = learning.passes();
        drive.end = name(learning.end());
        drive.text = learning.text();
        drive.drive_was_passed = learning.drive_was_passed();
        if (!drive.text.empty())
            request_.options.note(learning.end() == IterationEnd::cannot ? "cannot: " + drive.text : drive.text);
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
        own_ = open_table(request_.options.device, experiment_, {request_.session_id, "topple run"});
        link().connect();
        link().wait_feedback();
    }

    RunPlan plan_of(const controller::DriveIteration& learning) const {
        RunPlan plan = request_.plan;
        plan.learned = learning.drive();
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
        const std::string to = which == ConsentGate::test
                                   ? describe_motion(plan.drive_axes())
                                   : fmt::format("a gentle move to {:+.4f} m", plan.profile.start_position_m);
        const std::string more = request_.consent.asks_once ? "; all that follows is done without asking again" : "";
        return fmt::format("{}: {}{}{} ({}{})", of, payload, payload.empty() ? "" : "; ", to, standing, more);
    }

    void make_pass(controller::DriveIteration& learning) {
        const std::size_t pass = learning.passes().size() + 1;
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
        request_.options.note(fmt::format("pass {}: {}", pass, seen(learning.passes().back())));
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
        Predictor predictor(specimens, plan.profile.motion, experiment_.gravity_m_s2);
        controller::MotionEstimator estimator(experiment_.table.description);
        const DriveParts parts{link(), clock(), *log, predictor, estimator, request_.stop_requested};
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
        if (why.empty()) why = obstacle(request, drive.correction);
        if (why.empty()) {
            drive.reused_from = store.string();
            request.options.note(fmt::format(
                "the drive learned before is used again, from {}: machine, waveform and payload are the same{}",
                store.string(), drive.passes.empty() ? "" : "; its last pass: " + seen(drive.passes.back())));
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

std::string obstacle(const LearningRequest& request, const controller::Correction& correction) {
    try {
        const controller::Profile drive{controller::corrected(request.plan.profile.motion, correction),
                                        request.plan.profile.start_position_m};
        const auto report = controller::check_feasibility(drive, request.experiment.table.description,
                                                          experiment::payload_kg(request.experiment));
        return report.feasible() ? std::string() : "it is not feasible: " + report.text();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

LearnedDrive learned_drive_for(const LearningRequest& request, bool& moved) {
    const auto identity =
        iteration::identity_of(request.experiment, request.plan.profile, request.table.link->device());
    if (auto kept = kept_drive(request, identity)) {
        files::write_durably(request.folder / kDriveFile, iteration::learned_drive_json(*kept));
        return *kept;
    }
    LearnedDrive drive = LearningSession(request, moved).learn(identity);
    if (const std::string why = obstacle(request, drive.correction);
        !why.empty()) {  // the specimens' mass comes on top
        request.options.warn("the learned drive is not used: " + why);
        drive.correction = {};
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

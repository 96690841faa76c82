#include "hil/drive/drive_experiment.hpp"

#include <fmt/format.h>

#include <memory>
#include <random>
#include <utility>

#include "firmware_iface/transport/latency.hpp"
#include "hil/drive/clock_rate.hpp"
#include "hil/drive/device_extras.hpp"
#include "hil/drive/drive_script.hpp"
#include "hil/drive/learning_session.hpp"
#include "hil/drive/log_setup.hpp"
#include "hil/drive/open_table.hpp"
#include "hil/drive/wall_clock_anchor.hpp"
#include "hil/drive/while_speaking.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/host_identity.hpp"
#include "hil/plan/prediction_json.hpp"
#include "hil/plan/prediction_text.hpp"

namespace topple::hil::drive {
namespace {

using experiment::Experiment;
using files::InputError;
using files::write_durably;
using firmware_iface::DeviceState;
using firmware_iface::TableLink;
using run_log::RunLog;

constexpr std::size_t kRunMembersInRealTime = 200;  // of which as many are kept as the time allows

std::uint32_t new_session_id() {
    std::random_device source;
    return source() | 1u;  // never 0
}

// Refuses a table on which a motion could not begin.
void require_ready(const firmware_iface::Feedback& feedback, const std::string& where, const std::string& uri) {
    switch (feedback.state) {
        case DeviceState::idle:
        case DeviceState::homing:
            throw firmware_iface::DeviceError(fmt::format(
                "{}: the table is not homed; take the specimens off and run `topple table home --device {}`", where,
                uri));
        case DeviceState::faulted:
        case DeviceState::estop: {
            const auto code = static_cast<firmware_iface::FaultCode>(feedback.fault_code);
            throw firmware_iface::DeviceError(fmt::format(
                "{}: the table has a latched fault, {}: {} When the cause is removed: `topple table clear --device {}`",
                where, name(code), explanation(code), uri));
        }
        case DeviceState::running:
        case DeviceState::stopping:
            throw firmware_iface::DeviceError(fmt::format("{}: the table is already moving", where));
        case DeviceState::ready:
        case DeviceState::armed: return;
    }
}

// What the operator consents to: with `covers_all` there is one question for the whole run.
std::string question_text(const RunPlan& plan, int which, bool covers_all) {
    const std::string test = "the test: " + describe_motion(plan.drive_axes());
    if (covers_all)
        return fmt::format("everything without asking again: a gentle move to {}; {}; a gentle move back to mid stroke",
                           place_text(plan, true), test);
    if (which == ConsentGate::test) return test;
    return fmt::format("a gentle move to {}", place_text(plan, which == ConsentGate::positioning));
}

// Everything of a test that is alive while it runs.
class Session {
  public:
    Session(const Experiment& experiment, const DriveOptions& options, const std::atomic<bool>& stop_requested)
        : experiment_(experiment), options_(options), stop_requested_(stop_requested) {}

    DrivenExperiment run(const ProgressSink& progress) {
        DrivenExperiment result;
        result.plan = plan_run(experiment_);  // before a table is looked for: most mistakes are in the file
        portable_ = experiment::make_portable(experiment_);
        open();
        experiment_.table.description = effective_machine(experiment_.table.description, link().device());
        result.plan = while_speaking(link(), *table_.clock, [&] { return with_limits_of(experiment_, result.plan); });
        if (!table_.clock->is_virtual()) predicted_utc_ = host::utc_time_now();
        const auto feedback = link().wait_feedback();
        require_ready(feedback, link().description(), options_.device);
        warn_of_latency();
        if (const std::string warning = calibration_warning(experiment_, link().device()); !warning.empty())
            options_.warn(warning);
        if (!table_.clock->is_virtual())
            require_true_clock(link(), *table_.clock, stop_requested_);  // else it is the host's
        const std::int64_t anchor_ns = wall_clock_anchor_ns(link());
        const OperatorConsent consent = operator_of_table();
        before_anything_moves([&] { write_folder(result.plan); });
        options_.planned(result.plan);
        result.folder = folder_;
        bool moved = false;
        try {
            learn(result, consent, progress, moved);
            if (result.learned_only.empty()) drive(result, anchor_ns, consent, progress);
        } catch (const InputError& error) {  // no consent to the first motion
            if (moved)
                throw firmware_iface::DeviceError(
                    fmt::format("after learning passes, whose logs are in {}: the test was not made ({})",
                                folder_.string(), error.what()));
            remove_folder();
            throw;
        }
        result.truth = table_.truth;
        warn_of_lost_specimens();
        return result;
    }

  private:
    TableLink& link() { return *table_.link; }

    void open() {
        table_ = open_table(options_.device, experiment_, {new_session_id(), "topple run"},
                            {options_.faults, options_.pace});
        link().connect();
        require_extras(experiment_, link().device());
    }

    bool must_ask() { return !link().device().simulated && !options_.yes; }

    OperatorConsent operator_of_table() {
        if (!must_ask()) return {};
        if (!options_.consent)
            throw InputError(
                fmt::format("{} is a real table and nobody can consent to its motion here", link().description()));
        OperatorConsent consent = options_.consent(link().device(), link().description());
        consent.require_somebody();
        return consent;
    }

    void warn_of_latency() {
        const std::string warning =
            firmware_iface::latency_warning(link().description(), link().statistics().round_trip,
                                            std::chrono::microseconds(link().device().feedback_period_us));
        if (!warning.empty()) options_.warn(warning);
    }

    void warn_of_lost_specimens() const {
        if (!table_.simulated) return;
        const auto& carried = table_.simulated->plant().specimens();
        for (std::size_t i = 0; i < carried.size(); ++i)
            if (carried[i].run().status() != solver::SolverStatus::ok)
                options_.warn(
                    fmt::format("simulated specimen {}: its own solution failed ({}); after that its sensors show "
                                "no valid measurement",
                                i, solver::name(carried[i].run().status())));
    }

    // A test that cannot be kept is not begun.
    template <typename Step>
    void before_anything_moves(Step&& step) {
        try {
            step();
        } catch (const files::OutputError& error) {
            remove_folder();
            throw InputError(fmt::format("not started: {}; nothing has moved", error.what()));
        }
    }

    void write_folder(const RunPlan& plan) {
        for (const std::string& failure : plan::failure_remarks(plan.prediction)) options_.warn(failure);
        if (options_.folder.empty()) {
            folder_ = files::create_default_run_folder(experiment_.name);
        } else {
            files::create_run_folder(options_.folder);
            folder_ = options_.folder;
        }
        experiment::write_portable(portable_, folder_);
        if (options_.faults) write_durably(folder_ / "faults.toml", options_.faults->text);
        write_durably(folder_ / "machine.toml", experiment_.table.machine_text);
        prediction_text_ = plan::prediction_json(experiment_, plan.prediction, plan::kImpactsListed, predicted_utc_);
        write_durably(folder_ / "prediction.json", prediction_text_);
    }

    // Nothing has moved yet: a folder without a log would be no run. Only one that was made here is removed.
    void remove_folder() const noexcept {
        std::error_code ignored;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }

    // With [table] iterate: what is sent so that the platen makes the planned motion.
    void learn(DrivenExperiment& result, const OperatorConsent& consent, const ProgressSink& progress, bool& moved) {
        if (experiment_.table.iterate == 0) return;
        const LearningRequest request{experiment_,     result.plan, table_,  options_,         consent,
                                      stop_requested_, progress,    folder_, new_session_id(), must_ask()};
        const iteration::LearnedDrive learned = learned_drive_for(request, moved);
        if (must_put_specimens_on(request, learned)) result.learned_only = iteration::drive_store(experiment_).string();
        if (table_.simulated) table_.simulated->stand_specimens_up();
        if (learned.is_corrected()) result.plan.learned = corrected_axes(result.plan, learned);
    }

    void drive(DrivenExperiment& result, std::int64_t anchor_ns, const OperatorConsent& consent,
               const ProgressSink& progress) {
        run_log::RunLogOptions log_setup = log_options(experiment_, result.plan, *table_.clock, anchor_ns);
        log_setup.prediction_sha256 = files::sha256_hex(prediction_text_);
        log_setup.metadata = log_metadata(experiment_, prediction_text_, link(), options_.device);
        log_setup.metadata["experiment_sha256"] = files::sha256_hex(portable_.text);
        log_setup.metadata.merge(portable_.hashes());
        log_setup.metadata.merge(host::host_metadata());
        if (!result.plan.learned.empty()) log_setup.metadata[run_log::kLearnedDriveKey] = "true";
        if (options_.watch)
            log_setup.observer =
                options_.watch({experiment_, result.plan, link().device(), prediction_text_, options_.device,
                                log_setup.synchronous ? 0 : log_setup.wall_clock_anchor_ns});
        std::unique_ptr<RunLog> opened;
        before_anything_moves([&] { opened = std::make_unique<RunLog>(folder_ / "run.mcap", log_setup); });
        RunLog& log = *opened;
        ForecastMembers members;
        members.uncertainty = experiment_.uncertainty;
        if (!table_.clock->is_virtual())
            members.in_runs = kRunMembersInRealTime;
        else if (options_.forecast_members)
            members.in_lanes = members.in_lanes_ahead = members.in_lanes_ahead_of_record = *options_.forecast_members;
        Predictor predictor(experiment_.specimens, experiment_.gravity_m_s2,
                            plane_motions(experiment_, result.plan.axes()), members);
        if (experiment_.table.protect)
            predictor.protect({.planned = result.plan.drive_axes().front(),
                               .machine = experiment_.table.description,
                               .payload_kg = experiment::payload_kg(experiment_),
                               .period_us = supervisor_settings(link().device()).feedback_period_us,
                               .overturning_above = *experiment_.table.protect});
        controller::MotionEstimator estimator(experiment_.table.description);
        std::optional<controller::MotionEstimator> estimator_y;
        if (experiment_.table.description.y) estimator_y.emplace(experiment_.table.description, 1);
        const DriveParts parts{
            link(), *table_.clock, log, predictor, estimator, stop_requested_, estimator_y ? &*estimator_y : nullptr};
        ConsentGate gate;
        MotionDriver driver(parts, experiment_.table.description, result.plan, must_ask() ? &gate : nullptr);
        const auto question = [&](int which) { return question_text(result.plan, which, consent.asks_once); };
        result.drive = drive_script(driver, parts, gate, {consent, question, progress, options_.processor});
        result.flight = write_flight_files(folder_, driver.flight().incidents(), experiment_.table.description);
        tell_of_lost_estimates(predictor, log);
        log.close();
        if (log.failed()) result.log_failure = log.failure();
        link().close();
    }

    void tell_of_lost_estimates(const Predictor& predictor, RunLog& log) {
        const std::uint64_t dropped = predictor.dropped();
        if (dropped == 0) return;
        const std::string text = fmt::format(
            "this computer was too slow for the forecast, which lost {} measurements: the forecast "
            "shown during the test cannot be trusted",
            dropped);
        options_.warn(text);
        log.push(run_log::EventRecord{predictor.latest().device_time_us, run_log::EventKind::remark, text});
    }

    Experiment experiment_;
    const DriveOptions& options_;
    const std::atomic<bool>& stop_requested_;
    OpenedTable table_;
    experiment::PortableExperiment portable_;
    std::filesystem::path folder_;  // empty until it is made
    std::string predicted_utc_;     // empty on a virtual clock, which has no dates: equal runs leave equal files
    std::string prediction_text_;
};

}  // namespace

DrivenExperiment drive_experiment(const Experiment& experiment, const DriveOptions& options,
                                  const std::atomic<bool>& stop_requested, const ProgressSink& progress) {
    return Session(experiment, options, stop_requested).run(progress);
}

}  // namespace topple::hil::drive

#include "hil/session/run_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <random>
#include <thread>

#include "controller/rt/thread_setup.hpp"
#include "firmware_iface/transport/latency.hpp"
#include "hil/errors.hpp"
#include "hil/experiment_file/referenced_files.hpp"
#include "hil/host_identity.hpp"
#include "hil/prediction_json.hpp"
#include "hil/prediction_text.hpp"
#include "hil/session/clock_rate.hpp"
#include "hil/session/consent.hpp"
#include "hil/session/log_setup.hpp"
#include "hil/session/run_folder.hpp"
#include "hil/session/while_speaking.hpp"
#include "hil/sha256.hpp"
#include "hil/sim_table/open_table.hpp"

namespace topple::hil {
namespace {

using firmware_iface::DeviceState;
using firmware_iface::TableLink;

constexpr auto kProgressPeriod = std::chrono::milliseconds(200);

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
                "{}: the table has a latched fault, {}: {} When the cause is gone: `topple table clear --device {}`",
                where, name(code), explanation(code), uri));
        }
        case DeviceState::running:
        case DeviceState::stopping:
            throw firmware_iface::DeviceError(fmt::format("{}: the table is moving already", where));
        case DeviceState::ready:
        case DeviceState::armed: return;
    }
}

// Unix time at device time 0: from the least delayed of some samples, and half of the way that the fastest answer took.
std::int64_t wall_clock_anchor_ns(TableLink& link) {
    constexpr int kSamples = 20;
    std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kSamples; ++i) {
        const std::uint64_t device_time_us = link.wait_feedback().device_time_us;
        const auto wall_clock = std::chrono::system_clock::now().time_since_epoch();
        least_ns = std::min(least_ns, std::chrono::duration_cast<std::chrono::nanoseconds>(wall_clock).count() -
                                          static_cast<std::int64_t>(device_time_us) * 1000);
    }
    return least_ns - link.statistics().round_trip.count() / 2;
}

// What the operator consents to: with `covers_all` there is one question for the whole run.
std::string question_text(const TestPlan& plan, int which, bool covers_all) {
    const double start_m = plan.profile.start_position_m;
    const std::string test = "the test: " + describe_motion(plan.profile);
    if (covers_all)
        return fmt::format(
            "everything without asking again: a gentle move to {:+.4f} m; {}; a gentle move back to mid stroke",
            start_m, test);
    if (which == ConsentGate::test) return test;
    return fmt::format("a gentle move to {:+.4f} m", which == ConsentGate::positioning ? start_m : 0.0);
}

// Everything of a test that is alive while it runs.
class Session {
  public:
    Session(const Experiment& experiment, const RunTestOptions& options, const std::atomic<bool>& stop_requested)
        : experiment_(experiment), options_(options), stop_requested_(stop_requested) {}

    RunTestResult run(const ProgressSink& progress) {
        RunTestResult result;
        result.plan = plan_test(experiment_);  // before a table is looked for: most mistakes are in the file
        portable_ = make_portable(experiment_);
        open();
        experiment_.table.description = effective_machine(experiment_.table.description, link().device());
        result.plan = while_speaking(link(), *table_.clock, [this] { return plan_test(experiment_); });
        const auto feedback = link().wait_feedback();
        require_ready(feedback, link().description(), options_.device);
        warn_of_latency();
        if (!table_.clock->is_virtual())
            require_true_clock(link(), *table_.clock, stop_requested_);  // else it is the host's
        const std::int64_t anchor_ns = wall_clock_anchor_ns(link());
        Consent consent(link().device(), link().description(), {options_.yes, experiment_.table.prompt});
        consent.require_somebody();
        before_anything_moves([&] { write_folder(result.plan); });
        options_.planned(result.plan);
        result.folder = folder_;
        try {
            drive(result, anchor_ns, consent, progress);
        } catch (const InputError&) {  // no consent to the first motion
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
        table_ = open_table(options_.device, experiment_, {new_session_id(), "topple run"}, options_.faults);
        link().connect();
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
                    fmt::format("simulated specimen {}: its own solution failed ({}); what its sensors show from there "
                                "on is no measurement",
                                i, solver::name(carried[i].run().status())));
    }

    // A test that cannot be kept is not begun.
    template <typename Step>
    void before_anything_moves(Step&& step) {
        try {
            step();
        } catch (const OutputError& error) {
            remove_folder();
            throw InputError(fmt::format("not started: {}; nothing has moved", error.what()));
        }
    }

    void write_folder(const TestPlan& plan) {
        for (const std::string& failure : failure_remarks(plan.prediction)) options_.warn(failure);
        if (options_.folder.empty()) {
            folder_ = create_default_run_folder(experiment_.name);
        } else {
            create_run_folder(options_.folder);
            folder_ = options_.folder;
        }
        write_portable(portable_, folder_);
        if (options_.faults) write_durably(folder_ / "faults.toml", options_.faults->text);
        write_durably(folder_ / "machine.toml", experiment_.table.machine_text);
        prediction_text_ = prediction_json(experiment_, plan.prediction);
        write_durably(folder_ / "prediction.json", prediction_text_);
    }

    // Nothing has moved yet: a folder without a log would be no run. Only one that was made here is removed.
    void remove_folder() const noexcept {
        std::error_code ignored;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }

    void drive(RunTestResult& result, std::int64_t anchor_ns, Consent& consent, const ProgressSink& progress) {
        RunLogOptions log_setup = log_options(experiment_, result.plan, *table_.clock, anchor_ns);
        log_setup.prediction_sha256 = sha256_hex(prediction_text_);
        log_setup.metadata = log_metadata(experiment_, prediction_text_, link(), options_.device);
        log_setup.metadata["experiment_sha256"] = sha256_hex(portable_.text);
        log_setup.metadata.merge(portable_.hashes());
        log_setup.metadata.merge(host_metadata());
        std::unique_ptr<RunLog> opened;
        before_anything_moves([&] { opened = std::make_unique<RunLog>(folder_ / "run.mcap", log_setup); });
        RunLog& log = *opened;
        Predictor predictor(experiment_.specimens, result.plan.profile.motion, experiment_.gravity_m_s2);
        controller::MotionEstimator estimator(experiment_.table.description);
        const TestParts parts{link(), *table_.clock, log, predictor, estimator, stop_requested_};
        ConsentGate gate;
        const bool ask = !link().device().simulated && !options_.yes;
        TestDriver driver(parts, experiment_.table.description, result.plan, ask ? &gate : nullptr);
        if (table_.clock->is_virtual()) {
            driver.run();
            result.drive = driver.result();
        } else {
            result.drive = drive_in_real_time(driver, predictor, gate, consent, result.plan, progress);
        }
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
            "the forecast was too slow for this computer and lost {} measurements: what it said "
            "during the test is not to be trusted",
            dropped);
        options_.warn(text);
        log.push(EventRecord{predictor.latest().device_time_us, EventKind::remark, text});
    }

    // The tick has a thread of its own; this one asks the operator and shows the progress.
    DriveResult drive_in_real_time(TestDriver& driver, Predictor& predictor, ConsentGate& gate, Consent& consent,
                                   const TestPlan& plan, ProgressSink progress) {
        std::string refusal;
        std::atomic<bool> ended{false};
        predictor.start_thread();
        std::thread ticking([&] {
            const controller::RealTime real_time(*table_.clock);
            driver.run(real_time.setup().text());
            ended.store(true);
        });
        while (!ended.load()) {
            if (gate.question() != ConsentGate::kNoQuestion)
                answer(
                    gate, consent, plan, [&ended] { return ended.load(); }, refusal);
            show(progress, driver.status());
            std::this_thread::sleep_for(kProgressPeriod);
        }
        ticking.join();
        predictor.stop_thread();
        DriveResult result = driver.result();
        // A fault that came while the question was open is the reason then, not the missing answer.
        if (!refusal.empty() && !result.moved && result.reason == controller::StopReason::operator_stop)
            throw InputError(refusal);
        return result;
    }

    // A terminal that goes away must not take the tick with it: the test goes on unseen.
    static void show(ProgressSink& progress, const TestStatus& status) noexcept {
        try {
            if (progress) progress(status);
        } catch (const std::exception&) {
            progress = nullptr;
        }
    }

    static void answer(ConsentGate& gate, Consent& consent, const TestPlan& plan,
                       const std::function<bool()>& abandoned, std::string& refusal) {
        try {
            consent.ask(question_text(plan, gate.question(), consent.asks_once()), abandoned);
            gate.reply(true);
        } catch (const std::exception& error) {  // no consent, or nobody could be asked
            refusal = error.what();
            gate.reply(false);
        }
    }

    Experiment experiment_;
    const RunTestOptions& options_;
    const std::atomic<bool>& stop_requested_;
    OpenedTable table_;
    PortableExperiment portable_;
    std::filesystem::path folder_;  // empty until it is made
    std::string prediction_text_;
};

}  // namespace

RunTestResult run_test(const Experiment& experiment, const RunTestOptions& options,
                       const std::atomic<bool>& stop_requested, const ProgressSink& progress) {
    return Session(experiment, options, stop_requested).run(progress);
}

}  // namespace topple::hil

#include "hil/drive/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "hil/drive/pacer.hpp"
#include "hil/drive/predictor.hpp"
#include "hil/drive/replayed_rest.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"
#include "hil/run_log/log_codec.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::drive {
namespace {

using experiment::Experiment;
using files::InputError;
using run_log::EventKind;
using run_log::PredictionRecord;
using run_log::RunData;
using run_log::Topic;

std::string entry(const std::map<std::string, std::string>& entries, const char* key) {
    const auto found = entries.find(key);
    return found == entries.end() ? std::string() : found->second;
}

std::uint64_t log_anchor_ns(const RunData& run) {
    const std::string text = entry(run.clock, "log_time_anchor_ns");
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Of the measured period: what the table really fed back.
double feedback_rate_hz(const RunData& run) {
    std::vector<std::uint64_t> steps;
    for (std::size_t i = 1; i < run.feedback.size(); ++i)
        steps.push_back(run.feedback[i].device_time_us - run.feedback[i - 1].device_time_us);
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
    const double period_us = static_cast<double>(steps[steps.size() / 2]);
    if (!(period_us > 0.0 && period_us < 1e6)) throw InputError("the log's feedback has no steady rate");
    return 1e6 / period_us;
}

/// As many members as the run began with.
ForecastMembers members_of(const RunData& run, const Experiment& experiment) {
    ForecastMembers members;
    members.uncertainty = experiment.uncertainty;
    if (run.predictions.empty()) return members;
    const run_log::Forecast& first = run.predictions.front().forecast;
    if (first.members == 0 || first.members > 100'000) return members;
    members.in_lanes = members.in_runs = first.members;
    members.in_lanes_ahead = members.in_lanes_ahead_of_record = first.members_run_ahead;
    return members;
}

/// The first quantity that differs, with both values. Empty for none. In real time only rotations are compared.
std::string difference(const PredictionRecord& made, const PredictionRecord& logged, bool is_lockstep) {
    const run_log::Forecast &f = made.forecast, &g = logged.forecast;
    std::string found;
    const auto note = [&](std::string_view what, auto a, auto b) {
        const auto is_nan = [](auto value) { return value != value; };
        if (found.empty() && a != b && !(is_nan(a) && is_nan(b))) found = fmt::format("{} {}, logged {}", what, a, b);
    };
    if (is_lockstep) note("device_time_us", made.device_time_us, logged.device_time_us);
    note("specimen", made.specimen, logged.specimen);
    note("number of rotations", made.rotation_rad.size(), logged.rotation_rad.size());
    for (std::size_t i = 0; i < std::min(made.rotation_rad.size(), logged.rotation_rad.size()); ++i)
        note(fmt::format("rotation_{}_rad", i), made.rotation_rad[i], logged.rotation_rad[i]);
    if (!is_lockstep) return found;
    note("age_us", made.age_us, logged.age_us);
    note("outcome", solver::name(solver::outcome_of_code(made.outcome)),
         solver::name(solver::outcome_of_code(logged.outcome)));
    for (unsigned i = 0; i < f.probability.size(); ++i)
        note(fmt::format("{}_probability", solver::name(solver::outcome_of_code(i))), f.probability[i],
             g.probability[i]);
    note("overturning_left_probability", f.overturning_left_probability, g.overturning_left_probability);
    note("expected_time_s", f.expected_time_s, g.expected_time_s);
    note("members", f.members, g.members);
    note("members_run_ahead", f.members_run_ahead, g.members_run_ahead);
    note("effective_members", f.effective_members, g.effective_members);
    return found;
}

class Replay {
  public:
    Replay(Experiment experiment, const ReplayOptions& options)
        : options_(options),
          log_(run_log::read_run_log_in_order(options.run)),
          experiment_(fitted(std::move(experiment))),
          plan_(plan_run(experiment_)),
          rest_(log_.run, experiment_.table.description.settling_time_s),
          estimator_(experiment_.table.description),
          predictor_(experiment_.specimens, experiment_.gravity_m_s2, plane_motions(experiment_, plan_.axes()),
                     members_of(log_.run, experiment_)),
          codec_(run_log::sensor_scales(experiment_.table.description)),
          pacer_(options.pace) {
        if (experiment_.table.description.y) estimator_y_.emplace(experiment_.table.description, 1);
        result_.is_lockstep = log_anchor_ns(log_.run) == 0;
        ends_of_planned_us_ = log_.run.event_time_us(EventKind::protective_ending).value_or(UINT64_MAX);
        warn_of_limits();
    }

    Replayed play(const std::atomic<bool>& stop_requested) {
        begin_watch();
        for (const run_log::LogPlace& place : log_.order) {
            if (stop_requested.load()) {
                result_.stopped = true;
                break;
            }
            stop_ = &stop_requested;
            switch (place.topic) {
                case Topic::feedback: take(log_.run.feedback[place.index]); break;
                case Topic::event: take(log_.run.events[place.index]); break;
                case Topic::timing: end_tick(log_.run.timing[place.index]); break;
                case Topic::setpoint:
                case Topic::prediction: break;  // at their times
            }
        }
        const std::size_t logged = log_.run.predictions.size();
        // Of a log that is not whole the topics end at different times.
        const bool is_whole = log_.run.data_whole && !log_.run.torn && !result_.stopped;
        if (result_.is_lockstep && is_whole && ends_of_planned_us_ == UINT64_MAX && next_logged_ < logged)
            result_.predictions += logged - next_logged_;  // logged, and not made now
        return result_;
    }

  private:
    Experiment fitted(Experiment experiment) const {
        const RunData& run = log_.run;
        if (entry(run.metadata, "topple_version").empty() || run.feedback.size() < 100)
            throw InputError(
                fmt::format("replay:{}: not the log of a test that topple has driven", options_.run.string()));
        if (run.timing.empty())
            throw InputError(
                fmt::format("replay:{}: the log has no /timing, so its ticks are not known (an imported "
                            "motion?)",
                            options_.run.string()));
        if (run.feedback.back().axis_count != experiment.table.description.axis_count())
            throw InputError(fmt::format("replay:{}: of {} axes, the experiment's machine has {}",
                                         options_.run.string(), run.feedback.back().axis_count,
                                         experiment.table.description.axis_count()));
        experiment.table.description.feedback_rate_hz = feedback_rate_hz(run);
        return experiment;
    }

    void warn_of_limits() const {
        const RunData& run = log_.run;
        if (run.torn) options_.warn("the log is torn (its writer was killed): it is played as far as it goes");
        for (const std::string& damage : run.damage) options_.warn("the log is damaged: " + damage);
        const std::string logged = entry(run.metadata, "experiment_sha256");
        if (logged != files::sha256_hex(experiment_.text) &&
            logged != files::sha256_hex(experiment::make_portable(experiment_).text))
            options_.warn(
                "the experiment is not the one of this run, so predictions will differ; that one is in the "
                "run's folder: experiment.toml");
        if (ends_of_planned_us_ != UINT64_MAX)
            options_.warn("a protective ending was taken: from there on predictions are not compared");
    }

    void begin_watch() {
        if (!options_.watch) return;
        firmware_iface::DeviceInfo device;
        device.device = entry(log_.run.metadata, "device");
        device.simulated = entry(log_.run.metadata, "simulated") == "true";
        std::string prediction;
        const auto file = (std::filesystem::is_directory(options_.run) ? options_.run : options_.run.parent_path()) /
                          "prediction.json";
        if (std::filesystem::exists(file)) prediction = files::read_text_file(file);
        observer_ = options_.watch({experiment_, plan_, device, prediction, "replay:" + options_.run.string(),
                                    static_cast<std::int64_t>(log_anchor_ns(log_.run))});
    }

    void show(const run_log::LogSlot& slot) {
        if (!observer_) return;
        const run_log::EncodedMessage message = codec_.encode(slot);
        const auto channel = static_cast<std::uint16_t>(message.topic);
        const std::uint64_t anchor_ns = log_anchor_ns(log_.run);
        observer_({channel, sequence_[channel]++, anchor_ns + 1000 * message.device_time_us,
                   anchor_ns + 1000 * message.known_time_us, message.data});
    }

    void take(const firmware_iface::Feedback& feedback) {
        newest_us_ = feedback.device_time_us;
        fresh_ = true;
        ++result_.feedback;
        show(feedback);
        if (rest_.is_on()) estimator_.observe_rest(feedback);
        if (rest_.is_on() && estimator_y_) estimator_y_->observe_rest(feedback);
        rest_.take(feedback);
        const auto y = estimator_y_ ? estimator_y_->update(feedback) : std::nullopt;
        if (const auto estimate = estimator_.update(feedback))
            predictor_.push(*estimate, feedback, y.value_or(controller::MotionEstimate{}));
    }

    void take(const run_log::EventRecord& event) {
        rest_.take(event);
        if (event.kind == EventKind::motion_start) predictor_.set_motion_start(event.device_time_us);
        show(run_log::EventSlot(event));
    }

    void end_tick(const run_log::TimingRecord& timing) {
        if (first_us_ == 0) first_us_ = newest_us_;
        result_.duration_s = 1e-6 * static_cast<double>(static_cast<std::int64_t>(newest_us_ - first_us_));
        pacer_.wait_until(std::chrono::microseconds(newest_us_ - first_us_), stop_);
        const auto& setpoints = log_.run.setpoints;
        while (next_setpoint_ < setpoints.size() && setpoints[next_setpoint_].device_time_us <= newest_us_)
            show(setpoints[next_setpoint_++]);
        if (fresh_) predict();
        show(timing);
        fresh_ = false;
        rest_.end_tick();
        predictor_.work_off();
    }

    void predict() {
        if (!result_.is_lockstep) predictor_.work_off();
        const PredictorSnapshot snapshot = predictor_.latest();
        if (snapshot.forecast_time_us == 0) return;
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < snapshot.specimen_count; ++i) {
            PredictionRecord record;
            record.device_time_us = snapshot.device_time_us;
            record.age_us = newest_us_ - snapshot.forecast_time_us;
            record.specimen = i;
            record.outcome = snapshot.outcome[i];
            record.forecast = snapshot.forecast[i];
            for (std::uint32_t k = 0; k < snapshot.block_count[i]; ++k)
                record.rotation_rad.push_back(snapshot.rotation_rad[next++]);
            show(run_log::PredictionSlot(record));
            if (newest_us_ < ends_of_planned_us_) compare(record);
        }
    }

    void compare(const PredictionRecord& record) {
        const auto& logged = log_.run.predictions;
        if (!result_.is_lockstep)  // the tick saw some of the states, of some of them twice
            while (next_logged_ < logged.size() && logged[next_logged_].device_time_us < record.device_time_us)
                ++next_logged_;
        if (next_logged_ >= logged.size()) return;
        const PredictionRecord& was = logged[next_logged_];
        if (!result_.is_lockstep && was.device_time_us != record.device_time_us) return;
        ++next_logged_;
        ++result_.predictions;
        const std::string differs = difference(record, was, result_.is_lockstep);
        result_.predictions_equal += differs.empty() ? 1 : 0;
        if (!result_.is_lockstep)
            for (std::size_t i = 0; i < was.forecast.probability.size(); ++i)
                result_.probability_difference =
                    std::max(result_.probability_difference,
                             std::abs(was.forecast.probability[i] - record.forecast.probability[i]));
        if (!differs.empty() && result_.first_difference.empty())
            result_.first_difference =
                fmt::format("device time {} us, specimen {}: {}", record.device_time_us, record.specimen, differs);
    }

    const ReplayOptions& options_;
    run_log::OrderedRun log_;
    Experiment experiment_;
    RunPlan plan_;
    ReplayedRest rest_;
    controller::MotionEstimator estimator_;
    std::optional<controller::MotionEstimator> estimator_y_;
    Predictor predictor_;
    run_log::LogCodec codec_;
    const std::atomic<bool>* stop_ = nullptr;  // from outside
    Pacer pacer_;
    run_log::RecordObserver observer_;
    std::array<std::uint32_t, run_log::kTopicCount + 1> sequence_{};
    std::uint64_t newest_us_ = 0, first_us_ = 0, ends_of_planned_us_ = 0;
    bool fresh_ = false;
    std::size_t next_setpoint_ = 0, next_logged_ = 0;
    Replayed result_;
};

}  // namespace

Replayed replay(const Experiment& experiment, const ReplayOptions& options, const std::atomic<bool>& stop_requested) {
    return Replay(experiment, options).play(stop_requested);
}

}  // namespace topple::hil::drive

#include "hil/exports/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "hil/exports/aux_columns.hpp"
#include "hil/exports/sensor_scales.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::exports {
namespace {

using run_log::RunData;
constexpr std::array<char, firmware_iface::kAxesMax> kAxisNames{'x', 'y'};
constexpr std::size_t kStates = static_cast<std::size_t>(firmware_iface::DeviceState::estop) + 1;
constexpr double kMicroseconds = 1e6;  // of a second
constexpr int kTimeDecimals = 6;       // a device time is a whole number of microseconds

double absent() { return std::nan(""); }

/// t = 0: the start of the motion; without one the first feedback.
std::uint64_t zero_time_us(const RunData& run) {
    if (const auto start = run.event_time_us(run_log::EventKind::motion_start)) return *start;
    return run.feedback.empty() ? 0 : run.feedback.front().device_time_us;
}

double seconds_since(std::uint64_t zero_us, std::uint64_t time_us) {
    const double distance_s =
        static_cast<double>(time_us < zero_us ? zero_us - time_us : time_us - zero_us) / kMicroseconds;
    return time_us < zero_us ? -distance_s : distance_s;
}

/// A table of these records with its two columns of time. `records` must outlive it.
template <typename Record>
class TableOf {
  public:
    TableOf(std::string name, std::string description, const std::vector<Record>& records, std::uint64_t zero_us)
        : records_(records) {
        table_ = {std::move(name), std::move(description), records.size(), {}};
        whole("device_time_us", "us", "Time of the device's clock", [](const Record& r) { return r.device_time_us; });
        real(
            "time_s", "s", "Time since the start of the motion; without a motion, since the first feedback",
            [zero_us](const Record& r) { return seconds_since(zero_us, r.device_time_us); }, kTimeDecimals);
    }
    template <typename Value>
    void real(std::string name, const char* unit, std::string description, Value value, int decimals = -1) {
        add(std::move(name), unit, std::move(description),
            Reals{[&all = records_, value](std::size_t row) -> double { return value(all[row]); }, decimals});
    }
    template <typename Value>
    void whole(std::string name, const char* unit, std::string description, Value value) {
        add(std::move(name), unit, std::move(description),
            Wholes{[&all = records_, value](std::size_t row) { return static_cast<std::int64_t>(value(all[row])); }});
    }
    template <typename Value>
    void word(std::string name, std::string description, std::vector<std::string> words, Value value) {
        add(std::move(name), "", std::move(description),
            Words{[&all = records_, value](std::size_t row) -> std::size_t { return value(all[row]); },
                  std::move(words)});
    }
    template <typename Value>
    void text(std::string name, std::string description, Value value) {
        add(std::move(name), "", std::move(description),
            Texts{[&all = records_, value](std::size_t row) { return std::string(value(all[row])); }});
    }
    RunTable take() { return std::move(table_); }

  private:
    template <typename Values>
    void add(std::string name, std::string unit, std::string description, Values values) {
        table_.columns.push_back({std::move(name), std::move(unit), std::move(description), std::move(values)});
    }
    const std::vector<Record>& records_;
    RunTable table_;
};

RunTable setpoint_table(const RunData& run, std::uint64_t zero_us) {
    using firmware_iface::Setpoint;
    std::size_t axes = 1;
    for (const Setpoint& setpoint : run.setpoints) axes = std::max(axes, setpoint.axis_count);
    TableOf<Setpoint> table("setpoint", "What the host sent to the table, ahead of time", run.setpoints, zero_us);
    for (std::size_t i = 0; i < axes; ++i) {
        const auto of_axis = [i](double firmware_iface::AxisSetpoint::*value) {
            return [i, value](const Setpoint& s) { return i < s.axis_count ? s.axes[i].*value : absent(); };
        };
        const char axis = kAxisNames[i];
        table.real(fmt::format("position_{}_m", axis), "m",
                   fmt::format("Commanded position along {}, 0 at mid stroke", axis),
                   of_axis(&firmware_iface::AxisSetpoint::position_m));
        table.real(fmt::format("velocity_{}_m_s", axis), "m/s", fmt::format("Commanded velocity along {}", axis),
                   of_axis(&firmware_iface::AxisSetpoint::velocity_m_s));
        table.real(fmt::format("acceleration_{}_m_s2", axis), "m/s2",
                   fmt::format("Commanded acceleration along {}", axis),
                   of_axis(&firmware_iface::AxisSetpoint::acceleration_m_s2));
    }
    table.whole("final", "1", "1: the table holds here; else 0", [](const Setpoint& s) { return s.final; });
    return table.take();
}

using firmware_iface::Feedback;

/// `is_everywhere`: every feedback has this axis.
void add_axis(TableOf<Feedback>& table, std::size_t i, const AxisScales& scales, bool is_everywhere) {
    const auto of_axis = [i](auto value) {
        return [i, value](const Feedback& f) -> double { return i < f.axis_count ? value(f.axes[i]) : absent(); };
    };
    using firmware_iface::AxisFeedback;
    const char axis = kAxisNames[i];
    const std::string encoder = fmt::format("encoder_{}_count", axis);
    const std::string counted = fmt::format("Encoder along {}, as counted", axis);
    if (is_everywhere)
        table.whole(encoder, "1", counted, [i](const Feedback& f) { return f.axes[i].encoder_count; });
    else
        table.real(encoder, "1", counted,
                   of_axis([](const AxisFeedback& a) { return static_cast<double>(a.encoder_count); }));
    table.real(fmt::format("position_{}_m", axis), "m",
               fmt::format("Measured position along {}: the counts by the machine file's sign and scale", axis),
               of_axis([scale = scales.counts_per_m](const AxisFeedback& a) {
                   return static_cast<double>(a.encoder_count) / scale;
               }));
    table.real(fmt::format("setpoint_position_{}_m", axis), "m",
               fmt::format("Position along {} that the device was interpolating", axis),
               of_axis([](const AxisFeedback& a) { return a.setpoint_position_m; }));
    table.real(fmt::format("setpoint_velocity_{}_m_s", axis), "m/s",
               fmt::format("Velocity along {} that the device was interpolating", axis),
               of_axis([](const AxisFeedback& a) { return a.setpoint_velocity_m_s; }));
    table.real(fmt::format("setpoint_acceleration_{}_m_s2", axis), "m/s2",
               fmt::format("Acceleration along {} that the device was interpolating", axis),
               of_axis([](const AxisFeedback& a) { return a.setpoint_acceleration_m_s2; }));
}

void add_accelerometer(TableOf<Feedback>& table, char axis, std::optional<double> Feedback::*reported,
                       const AxisScales& scales) {
    table.real(fmt::format("accelerometer_{}_m_s2", axis), "m/s2",
               fmt::format("Accelerometer on the platen along {}, as reported", axis),
               [reported](const Feedback& f) { return (f.*reported).value_or(absent()); });
    table.real(fmt::format("acceleration_{}_m_s2", axis), "m/s2",
               fmt::format("The same with the machine file's sign and scale; its bias is not removed", axis),
               [reported, scale = scales.true_per_reported](const Feedback& f) {
                   return (f.*reported).value_or(absent()) * scale;
               });
}

void add_state(TableOf<Feedback>& table) {
    std::vector<std::string> states;
    for (std::size_t i = 0; i <= kStates; ++i)
        states.emplace_back(name(static_cast<firmware_iface::DeviceState>(i)));  // the last one: of a newer program
    table.word("state", "State of the device", std::move(states),
               [](const Feedback& f) { return std::min(static_cast<std::size_t>(f.state), kStates); });
    table.whole("fault_code", "1", "Fault of the device, 0: none", [](const Feedback& f) { return f.fault_code; });
    table.whole("queue_level", "1", "Setpoints waiting in the device", [](const Feedback& f) { return f.queue_level; });
    table.whole("motion_done", "1", "1: the final setpoint is held; else 0",
                [](const Feedback& f) { return f.motion_done; });
    table.real("trigger", "1", "Level of the trigger output, 0 or 1; absent: there is no such output",
               [](const Feedback& f) { return f.trigger ? static_cast<double>(*f.trigger) : absent(); });
}

RunTable feedback_table(const RunData& run, std::uint64_t zero_us, const SensorScales& scales) {
    std::size_t axes = 1, axes_least = firmware_iface::kAxesMax, rotations = 0;
    for (const Feedback& feedback : run.feedback) {
        axes = std::max(axes, feedback.axis_count);
        axes_least = std::min(axes_least, feedback.axis_count);
        rotations = std::max(rotations, feedback.rotation_count);
    }
    TableOf<Feedback> table("feedback", "What the table reported, once every device period", run.feedback, zero_us);
    for (std::size_t i = 0; i < axes; ++i) add_axis(table, i, scales[i], i < axes_least);
    add_accelerometer(table, 'x', &Feedback::acceleration_x_m_s2, scales[0]);
    add_accelerometer(table, 'y', &Feedback::acceleration_y_m_s2, scales[1]);
    for (std::size_t i = 0; i < rotations; ++i)
        table.real(fmt::format("rotation_{}_rad", i), "rad",
                   fmt::format("Measured rotation of block {}, positive towards +x (blocks of all specimens, bottom "
                               "up, in the order of the file)",
                               i),
                   [i](const Feedback& f) { return i < f.rotation_count ? f.rotation_rad[i] : absent(); });
    add_state(table);
    const AuxColumns aux(run);
    for (std::size_t i = 0; i < aux.names().size(); ++i)
        table.real(aux.names()[i], aux.unit(i).c_str(), aux.description(i),
                   [aux, i](const Feedback& f) { return aux.value(f, i); });
    return table.take();
}

using run_log::PredictionRecord;

/// Absent where the log is of a program without an ensemble.
void add_forecast(TableOf<PredictionRecord>& table) {
    const auto of = [](auto value) {
        return [value](const PredictionRecord& p) -> double {
            return p.forecast.members == 0 ? absent() : static_cast<double>(value(p.forecast));
        };
    };
    using run_log::Forecast;
    table.real("any_overturning_probability", "1", "Probability that any block overturns",
               of([](const Forecast& f) { return run_log::overturning_probability(f); }));
    table.real("overturning_left_probability", "1", "Part of it that falls towards -x first",
               of([](const Forecast& f) { return f.overturning_left_probability; }));
    for (unsigned code = 0; code < Forecast::kOutcomes; ++code) {
        const std::string outcome(solver::name(solver::outcome_of_code(code)));
        table.real(outcome + "_probability", "1", fmt::format("Probability of the outcome {}", outcome),
                   of([code](const Forecast& f) { return f.probability[code]; }));
    }
    table.real("expected_time_s", "s",
               "Of the likeliest outcome: expected time of the fall, or since when it rests, since the motion's start",
               of([](const Forecast& f) { return f.expected_time_s; }));
    table.real("members", "1", "Members of the ensemble", of([](const Forecast& f) { return f.members; }));
    table.real("members_run_ahead", "1", "Members that were run ahead to the end of the motion",
               of([](const Forecast& f) { return f.members_run_ahead; }));
    table.real("effective_members", "1", "Members of equal weight that would be worth as much",
               of([](const Forecast& f) { return f.effective_members; }));
}

RunTable prediction_table(const RunData& run, std::uint64_t zero_us) {
    std::size_t rotations = 0;
    for (const PredictionRecord& prediction : run.predictions)
        rotations = std::max(rotations, prediction.rotation_rad.size());
    TableOf<PredictionRecord> table("prediction", "Live forecast of every specimen", run.predictions, zero_us);
    table.whole("age_us", "us", "Age of the measurement that the outcome was forecast from",
                [](const PredictionRecord& p) { return p.age_us; });
    table.whole("specimen", "1", "Number of the specimen, from 0",
                [](const PredictionRecord& p) { return p.specimen; });
    std::vector<std::string> outcomes;
    for (unsigned code = 0; code < run_log::Forecast::kOutcomes; ++code)
        outcomes.emplace_back(solver::name(solver::outcome_of_code(code)));
    const std::size_t failed = outcomes.size();
    outcomes.insert(outcomes.end(), {std::string(solver::name(std::optional<solver::Outcome>())), ""});
    table.word("outcome", "Likeliest end of the test; failed: most solutions have failed", std::move(outcomes),
               [failed](const PredictionRecord& p) -> std::size_t {
                   if (solver::outcome_of_code(p.outcome)) return p.outcome;
                   return p.outcome == solver::kFailedCode ? failed : failed + 1;
               });
    for (std::size_t i = 0; i < rotations; ++i)
        table.real(fmt::format("rotation_{}_rad", i), "rad",
                   fmt::format("Rotation now of block {} of the specimen as described", i),
                   [i](const PredictionRecord& p) { return i < p.rotation_rad.size() ? p.rotation_rad[i] : absent(); });
    add_forecast(table);
    return table.take();
}

RunTable event_table(const RunData& run, std::uint64_t zero_us) {
    using run_log::EventRecord;
    TableOf<EventRecord> table("events", "Marks that give the log its meaning", run.events, zero_us);
    table.text("kind", "Kind of the mark", [](const EventRecord& e) { return name(e.kind); });
    table.text("text", "What is to be said of it", [](const EventRecord& e) { return e.text; });
    return table.take();
}

RunTable timing_table(const RunData& run, std::uint64_t zero_us) {
    using run_log::TimingRecord;
    TableOf<TimingRecord> table("timing", "Every cycle of the host", run.timing, zero_us);
    table.whole("cycle", "1", "Number of the cycle", [](const TimingRecord& t) { return t.cycle; });
    table.whole("deadline_ns", "ns", "Scheduled start, on the host's monotonic clock",
                [](const TimingRecord& t) { return t.deadline_ns; });
    table.whole("wake_late_ns", "ns", "Actual start after the scheduled one",
                [](const TimingRecord& t) { return t.wake_late_ns; });
    table.whole("busy_ns", "ns", "Duration of the cycle's work", [](const TimingRecord& t) { return t.busy_ns; });
    table.whole("cycles_missed", "1", "Deadlines skipped before this one",
                [](const TimingRecord& t) { return t.cycles_missed; });
    table.whole("queue_level", "1", "Setpoints waiting in the device",
                [](const TimingRecord& t) { return t.queue_level; });
    return table.take();
}

}  // namespace

std::vector<RunTable> run_tables(const RunData& run, const std::filesystem::path& log) {
    const std::uint64_t zero_us = zero_time_us(run);
    std::vector<RunTable> tables;
    tables.push_back(setpoint_table(run, zero_us));
    tables.push_back(feedback_table(run, zero_us, sensor_scales(run, log)));
    tables.push_back(prediction_table(run, zero_us));
    tables.push_back(event_table(run, zero_us));
    tables.push_back(timing_table(run, zero_us));
    return tables;
}

}  // namespace topple::hil::exports

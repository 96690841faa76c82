#include "hil/conclude/export_csv.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <system_error>

#include "firmware_iface/fault.hpp"
#include "hil/conclude/aux_columns.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::conclude {

namespace {

using files::OutputError;
using run_log::RunData;
using std::filesystem::path;
constexpr std::array<char, firmware_iface::kAxesMax> kAxisNames{'x', 'y'};

/// Signed scales of encoder and accelerometer; not known: the columns that need them stay empty.
struct Scales {
    double counts_per_m = std::nan("");
    double true_per_reported = std::nan("");
};

double number_of(const std::map<std::string, std::string>& metadata, const std::string& key) {
    double value = std::nan("");
    const auto found = metadata.find(key);
    if (found != metadata.end()) {
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    }
    return value;
}

using AxisScales = std::array<Scales, firmware_iface::kAxesMax>;

AxisScales scales_of(const RunData& run, const path& log) {
    const auto logged = [&](const std::string& suffix) {
        const auto number = [&](const char* key) { return number_of(run.metadata, key + suffix); };
        return Scales{number("encoder_sign") * number("counts_per_m"),
                      number("accelerometer_sign") * number("accelerometer_scale")};
    };
    // Of one axis: the accelerometer's second direction has the scale of the first.
    if (const Scales x = logged(""); std::isfinite(x.counts_per_m))
        return {x, run.metadata.contains("counts_per_m_y") ? logged("_y") : x};
    const path machine_file = log.parent_path() / "machine.toml";
    if (!std::filesystem::exists(machine_file)) return {};
    const auto machine = experiment::read_machine(machine_file.string(), {}).description;
    const auto of = [](const firmware_iface::AxisDescription& axis) {
        return Scales{axis.encoder_sign * axis.counts_per_m, axis.accelerometer_sign * axis.accelerometer_scale};
    };
    return {of(machine), machine.y ? of(*machine.y) : of(machine)};
}

/// One CSV file, cell by cell.
class Table {
  public:
    explicit Table(const path& file) : file_(file), out_(file, std::ios::binary) {}
    Table& cell(std::string_view text) {
        if (!row_.empty() || started_) row_ += ',';
        started_ = true;
        if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
            row_ += text;
            return *this;
        }
        row_ += '"';
        for (const char c : text) row_.append(c == '"' ? 2 : 1, c);
        row_ += '"';
        return *this;
    }
    Table& cell(const char* text) { return cell(std::string_view(text)); }
    Table& cell(double value) { return cell(std::string_view(std::isfinite(value) ? fmt::format("{}", value) : "")); }
    Table& cell(std::optional<double> value) { return cell(value.value_or(std::nan(""))); }
    template <typename Integer>
    requires std::is_integral_v<Integer> Table& cell(Integer value) {
        return cell(std::string_view(fmt::format("{}", +value)));
    }
    Table& cell(bool value) { return cell(std::string_view(value ? "1" : "0")); }
    void end_row() {
        row_ += '\n';
        out_ << row_;
        row_.clear();
        started_ = false;
    }
    void close() {
        out_.close();
        if (!out_) throw OutputError(fmt::format("{}: cannot be written", file_.string()));
    }

  private:
    path file_;
    std::ofstream out_;
    std::string row_;
    bool started_ = false;
};

/// Device time and time since the motion's start, in every file the first two columns.
class Times {
  public:
    explicit Times(const RunData& run) {
        const auto start = run.event_time_us(run_log::EventKind::motion_start);
        if (start)
            zero_us_ = *start;
        else if (!run.feedback.empty())
            zero_us_ = run.feedback.front().device_time_us;
    }
    static void head(Table& table) { table.cell("device_time_us").cell("time_s"); }
    void cells(Table& table, std::uint64_t device_time_us) const {
        const bool before = device_time_us < zero_us_;
        const std::uint64_t distance = before ? zero_us_ - device_time_us : device_time_us - zero_us_;
        table.cell(device_time_us);
        table.cell(
            std::string_view(fmt::format("{}{}.{:06}", before ? "-" : "", distance / 1'000'000, distance % 1'000'000)));
    }

  private:
    std::uint64_t zero_us_ = 0;
};

void write_setpoints(const RunData& run, const Times& times, const path& file) {
    std::size_t axes = 1;
    for (const auto& setpoint : run.setpoints) axes = std::max(axes, setpoint.axis_count);
    Table table(file);
    Times::head(table);
    for (std::size_t i = 0; i < axes; ++i) {
        const char axis = kAxisNames[i];
        table.cell(fmt::format("position_{}_m", axis)).cell(fmt::format("velocity_{}_m_s", axis));
        table.cell(fmt::format("acceleration_{}_m_s2", axis));
    }
    table.cell("final").end_row();
    for (const auto& setpoint : run.setpoints) {
        times.cells(table, setpoint.device_time_us);
        for (std::size_t i = 0; i < axes; ++i) {
            if (i < setpoint.axis_count) {
                const auto& axis = setpoint.axes[i];
                table.cell(axis.position_m).cell(axis.velocity_m_s).cell(axis.acceleration_m_s2);
            } else {
                table.cell("").cell("").cell("");
            }
        }
        table.cell(setpoint.final).end_row();
    }
    table.close();
}

void feedback_head(Table& table, std::size_t axes, std::size_t rotations, const AuxColumns& aux) {
    Times::head(table);
    for (std::size_t i = 0; i < axes; ++i) {
        for (const char* column : {"encoder_{}_count", "position_{}_m", "setpoint_position_{}_m",
                                   "setpoint_velocity_{}_m_s", "setpoint_acceleration_{}_m_s2"}) {
            table.cell(fmt::format(fmt::runtime(column), kAxisNames[i]));
        }
    }
    for (const char axis : kAxisNames) {
        table.cell(fmt::format("accelerometer_{}_m_s2", axis)).cell(fmt::format("acceleration_{}_m_s2", axis));
    }
    for (std::size_t i = 0; i < rotations; ++i) table.cell(fmt::format("rotation_{}_rad", i));
    table.cell("state").cell("fault_code").cell("queue_level").cell("motion_done").cell("trigger");
    for (const std::string& name : aux.names()) table.cell(std::string_view(name));
    table.end_row();
}

void write_feedback(const RunData& run, const Times& times, const AxisScales& scales, const path& file) {
    std::size_t axes = 1, rotations = 0;
    for (const auto& feedback : run.feedback) {
        axes = std::max(axes, feedback.axis_count);
        rotations = std::max(rotations, feedback.rotation_count);
    }
    Table table(file);
    const AuxColumns aux(run);
    feedback_head(table, axes, rotations, aux);
    for (const auto& feedback : run.feedback) {
        times.cells(table, feedback.device_time_us);
        for (std::size_t i = 0; i < axes; ++i) {
            if (i >= feedback.axis_count) {
                for (int column = 0; column < 5; ++column) table.cell("");
                continue;
            }
            const auto& axis = feedback.axes[i];
            table.cell(axis.encoder_count).cell(static_cast<double>(axis.encoder_count) / scales[i].counts_per_m);
            table.cell(axis.setpoint_position_m).cell(axis.setpoint_velocity_m_s);
            table.cell(axis.setpoint_acceleration_m_s2);
        }
        const auto acceleration = [&](const std::optional<double>& reported, const Scales& scale) {
            table.cell(reported).cell(reported.value_or(std::nan("")) * scale.true_per_reported);
        };
        acceleration(feedback.acceleration_x_m_s2, scales[0]);
        acceleration(feedback.acceleration_y_m_s2, scales[1]);
        for (std::size_t i = 0; i < rotations; ++i) {
            table.cell(i < feedback.rotation_count ? feedback.rotation_rad[i] : std::nan(""));
        }
        table.cell(name(feedback.state)).cell(feedback.fault_code).cell(feedback.queue_level);
        table.cell(feedback.motion_done).cell(feedback.trigger ? (*feedback.trigger ? "1" : "0") : "");
        for (std::size_t i = 0; i < aux.names().size(); ++i) table.cell(aux.value(feedback, i));
        table.end_row();
    }
    table.close();
}

void forecast_head(Table& table) {
    table.cell("any_overturning_probability").cell("overturning_left_probability");
    for (unsigned code = 0; code < run_log::Forecast::kOutcomes; ++code)
        table.cell(fmt::format("{}_probability", solver::name(solver::outcome_of_code(code))));
    table.cell("expected_time_s").cell("members").cell("members_run_ahead").cell("effective_members");
}

/// Empty where the log is of a program without an ensemble.
void forecast_cells(Table& table, const run_log::Forecast& forecast) {
    if (forecast.members == 0) {
        for (std::size_t i = 0; i < 2 + forecast.probability.size() + 4; ++i) table.cell(std::nan(""));
        return;
    }
    table.cell(run_log::overturning_probability(forecast)).cell(forecast.overturning_left_probability);
    for (const double probability : forecast.probability) table.cell(probability);
    table.cell(forecast.expected_time_s).cell(forecast.members).cell(forecast.members_run_ahead);
    table.cell(forecast.effective_members);
}

void write_predictions(const RunData& run, const Times& times, const path& file) {
    std::size_t rotations = 0;
    for (const auto& prediction : run.predictions) rotations = std::max(rotations, prediction.rotation_rad.size());
    Table table(file);
    Times::head(table);
    table.cell("age_us").cell("specimen").cell("outcome");
    for (std::size_t i = 0; i < rotations; ++i) table.cell(fmt::format("rotation_{}_rad", i));
    forecast_head(table);
    table.end_row();
    for (const auto& prediction : run.predictions) {
        times.cells(table, prediction.device_time_us);
        table.cell(prediction.age_us).cell(prediction.specimen);
        const auto outcome = solver::outcome_of_code(prediction.outcome);
        const bool known = outcome || prediction.outcome == solver::kFailedCode;
        table.cell(known ? solver::name(outcome) : std::string_view());
        for (std::size_t i = 0; i < rotations; ++i) {
            table.cell(i < prediction.rotation_rad.size() ? prediction.rotation_rad[i] : std::nan(""));
        }
        forecast_cells(table, prediction.forecast);
        table.end_row();
    }
    table.close();
}

void write_events(const RunData& run, const Times& times, const path& file) {
    Table table(file);
    Times::head(table);
    table.cell("kind").cell("text").end_row();
    for (const auto& event : run.events) {
        times.cells(table, event.device_time_us);
        table.cell(name(event.kind)).cell(std::string_view(event.text)).end_row();
    }
    table.close();
}

void write_timing(const RunData& run, const Times& times, const path& file) {
    Table table(file);
    Times::head(table);
    table.cell("cycle").cell("deadline_ns").cell("wake_late_ns").cell("busy_ns").cell("cycles_missed");
    table.cell("queue_level").end_row();
    for (const auto& timing : run.timing) {
        times.cells(table, timing.device_time_us);
        table.cell(timing.cycle).cell(timing.deadline_ns).cell(timing.wake_late_ns).cell(timing.busy_ns);
        table.cell(timing.cycles_missed).cell(timing.queue_level).end_row();
    }
    table.close();
}

void write_all(const RunData& run, const AxisScales& scales, const path& folder) {
    const Times times(run);
    write_setpoints(run, times, folder / "setpoint.csv");
    write_feedback(run, times, scales, folder / "feedback.csv");
    write_predictions(run, times, folder / "prediction.csv");
    write_events(run, times, folder / "events.csv");
    write_timing(run, times, folder / "timing.csv");
}

}  // namespace

CsvExport export_csv(const path& run_folder, path folder) {
    const path log = run_log::run_log_path(run_folder);
    const RunData run = run_log::read_run_log(log);
    const AxisScales scales = scales_of(run, log);
    if (folder.empty()) folder = log.parent_path() / "csv";
    if (!folder.has_filename()) folder = folder.parent_path();  // "dir/"
    if (std::filesystem::exists(folder)) throw files::InputError(fmt::format("{} exists already", folder.string()));
    // Written under a new name first: a folder of the final name is always complete, and nothing that is there is
    // followed.
    std::string pattern = path(folder) += ".unfinished.XXXXXX";
    std::error_code error;
    if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
    if (error || ::mkdtemp(pattern.data()) == nullptr)
        throw OutputError(
            fmt::format("{}: cannot be made: {}", folder.string(), error ? error.message() : std::strerror(errno)));
    const path unfinished = pattern;
    try {
        ::chmod(unfinished.c_str(), 0755);
        write_all(run, scales, unfinished);
        std::filesystem::rename(unfinished, folder);
    } catch (const std::filesystem::filesystem_error& failure) {
        std::filesystem::remove_all(unfinished, error);
        throw OutputError(failure.what());
    } catch (...) {
        std::filesystem::remove_all(unfinished, error);
        throw;
    }
    return {folder, run.damage};
}

}  // namespace topple::hil::conclude

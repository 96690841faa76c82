#include "hil/ground_motion/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

bool increases_evenly(const std::vector<double>& values) {
    constexpr std::size_t kFewest = 3;
    constexpr double kEven_ratio = 1.5;  // of the longest to the mean step: rounded times of a fast record
    if (values.size() < kFewest) return false;
    const double mean = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
    for (std::size_t i = 1; i < values.size(); ++i)
        if (!(values[i] > values[i - 1]) || values[i] - values[i - 1] > kEven_ratio * mean) return false;
    return true;
}

bool is_other_quantity(std::string_view name) {
    const std::string small = lower(trimmed(name));
    for (const std::string_view word : {"vel", "disp", "pos", "index", "sample", "no.", "step"})
        if (small.starts_with(word)) return true;
    return false;
}

/// Column and factor of the time.
struct TimeColumn {
    std::size_t index = 0;
    double factor_s = 1.0;
};

std::optional<TimeColumn> time_column(const Columns& columns, Record& record) {
    if (columns.has_names)
        for (std::size_t i = 0; i < columns.names.size(); ++i)
            if (const auto factor = seconds_per_unit_of_time(columns.names[i])) return TimeColumn{i, *factor};
    if (columns.values.size() < 2 || !increases_evenly(columns.values.front())) return std::nullopt;
    record.notes.push_back("the first column increases evenly: it was read as time in s");
    return TimeColumn{};
}

void require_agreeing_step(const TextLines& lines, std::size_t line, const Channel& channel, double step_s) {
    constexpr double kShare = 1e-3;
    if (!channel.time_s.empty())
        lines.fail(line, fmt::format("contradictory sampling: its times are uneven, {} s is stated", step_s));
    if (channel.step_s > 0.0 && std::abs(channel.step_s - step_s) > kShare * step_s)
        lines.fail(line, fmt::format("contradictory sampling: its times are {:.6g} s apart, {:.6g} s is stated",
                                     channel.step_s, step_s));
}

Channel channel_of(Columns& columns, std::size_t index, const Stated& stated) {
    Channel channel;
    channel.name = columns.names[index];
    channel.samples = std::move(columns.values[index]);
    auto unit = columns.has_names ? unit_of_name(channel.name) : std::nullopt;
    if (!unit) unit = columns.unit;
    if (!unit && !stated.unit.empty()) unit = unit_of(stated.unit);
    convert(channel, unit);
    return channel;
}

}  // namespace

std::optional<double> seconds_per_unit_of_time(std::string_view name) {
    const std::string small = lower(trimmed(name));
    const bool is_time = small.starts_with("time") || small.starts_with("zeit") || small.starts_with("temps") ||
                         small.starts_with("tiempo") || small == "t" || small.starts_with("t (") ||
                         small.starts_with("t(") || small.starts_with("t [") || small.starts_with("t[") ||
                         small == "t_s" || small == "sec" || small == "seconds";
    if (!is_time) return std::nullopt;
    for (const std::string_view ms : {"_ms", "(ms)", "[ms]"})
        if (small.ends_with(ms)) return 1e-3;
    for (const std::string_view us : {"_us", "(us)", "[us]"})
        if (small.ends_with(us)) return 1e-6;
    return 1.0;
}

void choose_columns(const TextLines& lines, std::size_t first_line, Columns columns, const Stated& stated,
                    Record& record) {
    if (columns.values.empty() || columns.values.front().size() < 2)
        lines.fail(first_line, "a record needs at least 2 samples");
    const auto time = time_column(columns, record);
    Channel timed;
    if (time) {
        std::vector<double> time_s = std::move(columns.values[time->index]);
        for (double& value : time_s) value *= time->factor_s;
        set_times(lines, first_line, std::move(time_s), timed);
    }
    for (const auto& step : {columns.step_s, stated.step_s}) {
        if (!step) continue;
        require_agreeing_step(lines, first_line, timed, *step);
        if (timed.step_s == 0.0) timed.step_s = *step;
    }
    for (std::size_t i = 0; i < columns.names.size(); ++i) {
        if (time && i == time->index) continue;
        if (columns.has_names && is_other_quantity(columns.names[i])) {
            record.notes.push_back(fmt::format("column {}: no acceleration, passed over", columns.names[i]));
            continue;
        }
        Channel channel = channel_of(columns, i, stated);
        channel.step_s = timed.step_s;
        channel.time_s = timed.time_s;
        channel.notes = timed.notes;
        record.channels.push_back(std::move(channel));
    }
    if (record.channels.empty())
        lines.fail(first_line, fmt::format("no column of acceleration; there are: {}", fmt::join(columns.names, ", ")));
}

}  // namespace topple::hil::ground_motion

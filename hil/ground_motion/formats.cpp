#include "hil/ground_motion/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/signal/printed_times.hpp"

namespace topple::hil::ground_motion {

double Channel::duration_s() const noexcept {
    if (!time_s.empty()) return time_s.back() - time_s.front();
    return samples.empty() ? 0.0 : step_s * static_cast<double>(samples.size() - 1);
}

Peak peak_of(const std::vector<double>& samples) noexcept {
    Peak peak;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (std::abs(samples[i]) > std::abs(peak.value)) peak = {i, samples[i]};
    return peak;
}

void require_count(const TextLines& lines, std::size_t index, std::size_t stated, Numbers& read, Channel& channel) {
    std::vector<double>& values = read.values;
    if (values.size() > stated && read.last_line_first < stated &&
        std::all_of(values.begin() + static_cast<std::ptrdiff_t>(stated), values.end(),
                    [](double value) { return value == 0.0; })) {
        channel.notes.push_back(
            fmt::format("{} zeros that fill up the last line were taken off", values.size() - stated));
        values.resize(stated);
    }
    if (values.size() != stated)
        lines.fail(index, fmt::format("states {} values, but {} follow (to line {}): the file is damaged or cut",
                                      stated, values.size(), read.next_line));
    if (stated < 2) lines.fail(index, fmt::format("{} values; a record needs at least 2", stated));
    if (stated > kSamplesMax) lines.fail(index, fmt::format("{} samples; at most {} are read", stated, kSamplesMax));
    if (read.by_width) channel.notes.push_back("columns that touch were cut by their width");
    if (read.has_decimal_commas) channel.notes.push_back("commas were read as decimal signs");
}

void convert(Channel& channel, const std::optional<Unit>& unit) {
    if (!unit) return;
    channel.unit = unit->name;
    channel.is_si = true;
    for (double& value : channel.samples) value *= unit->factor_m_s2;
    if (!channel.printed_peak) return;
    channel.printed_peak->value *= unit->factor_m_s2;
    channel.printed_peak->half_digit *= unit->factor_m_s2;
}

void compare_peak(Channel& channel) {
    if (!channel.printed_peak) return;
    constexpr double kOwnRounding = 1e-9;
    const double read = peak_of(channel.samples).value;
    const double printed = channel.printed_peak->value;
    const double allowed = channel.printed_peak->half_digit * (1.0 + 1e-6) + kOwnRounding * std::abs(printed);
    if (std::abs(std::abs(read) - std::abs(printed)) <= allowed) return;
    channel.notes.push_back(fmt::format("CONFLICT: the header prints a peak of {}, the samples reach {:.6g} {}",
                                        channel.printed_peak->text, read, channel.is_si ? "m/s2" : channel.unit));
}

void set_times(const TextLines& lines, std::size_t index, std::vector<double> time_s, Channel& channel) {
    for (std::size_t i = 1; i < time_s.size(); ++i)
        if (!(time_s[i] > time_s[i - 1]))
            lines.fail(index, fmt::format("time does not increase: {} s after {} s (sample {})", time_s[i],
                                          time_s[i - 1], i + 1));
    if (!signal::first_uneven(time_s)) {
        channel.step_s = (time_s.back() - time_s.front()) / static_cast<double>(time_s.size() - 1);
        return;
    }
    const double start_s = time_s.front();
    for (double& time : time_s) time -= start_s;
    channel.time_s = std::move(time_s);
    channel.notes.push_back("its times are uneven");
}

void refuse_quantity(const TextLines& lines, std::size_t index, std::string_view what) {
    lines.fail(index, fmt::format("{}: not an acceleration, which is what a record of the base must be", what));
}

void require_duration(const TextLines& lines, std::size_t index, const PrintedNumber& duration,
                      const Channel& channel) {
    if (!(channel.step_s > 0.0)) return;
    constexpr double kShare = 0.01;
    const auto count = static_cast<double>(channel.samples.size());
    const double allowed_s =
        std::max({1.5 * channel.step_s, kShare * duration.value, 2.0 * duration.half_digit + channel.step_s});
    if (std::abs(count * channel.step_s - duration.value) <= allowed_s) return;
    lines.fail(index, fmt::format("contradictory sampling: {} samples at {:.6g} s last {:.6g} s, but the header states "
                                  "a duration of {} s",
                                  channel.samples.size(), channel.step_s, count * channel.step_s, duration.text));
}

}  // namespace topple::hil::ground_motion

// ESM, ITACA and AFAD: "KEY: value" lines of the DYNA header, then one value a line.
#include <fmt/format.h>

#include <cmath>

#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

constexpr std::size_t kHeaderLinesMax = 120;

/// The lines before the first that has no key.
class DynaHeader {
  public:
    explicit DynaHeader(const TextLines& lines) : lines_(lines) {
        while (end_ < lines.size() && end_ < kHeaderLinesMax && is_header(lines[end_])) ++end_;
    }
    std::size_t end() const noexcept { return end_; }
    std::size_t line(std::string_view key) const {
        for (std::size_t i = 0; i < end_; ++i)
            if (lines_[i].starts_with(key) && lines_[i].substr(key.size()).starts_with(':')) return i;
        return end_;
    }
    std::string_view value(std::string_view key) const {
        const std::size_t at = line(key);
        return at == end_ ? std::string_view() : trimmed(lines_[at].substr(key.size() + 1));
    }
    std::optional<PrintedNumber> number(std::string_view key) const { return leading_number(value(key)); }
    PrintedNumber required(std::string_view key) const {
        const auto found = number(key);
        if (!found) lines_.fail(std::min(line(key), lines_.size()), fmt::format("no number after {}", key));
        return *found;
    }

  private:
    static bool is_header(std::string_view line) {
        return trimmed(line).empty() || (line.find(':') != std::string_view::npos && !begins_with_number(line));
    }
    const TextLines& lines_;
    std::size_t end_ = 0;
};

}  // namespace

Record read_esm(const TextLines& lines) {
    const DynaHeader header(lines);
    Record record{
        lines.file(), "ESM", std::string(header.value("STATION_CODE")), std::string(header.value("EVENT_NAME")),
        {},           {}};
    if (const std::string_view network = header.value("NETWORK"); !network.empty())
        record.station = fmt::format("{}.{}", network, record.station);
    const std::string_view type = header.value("DATA_TYPE");
    if (!type.empty() && !holds(type, "acceleration")) refuse_quantity(lines, header.line("DATA_TYPE"), type);
    if (holds(type, "spectr")) refuse_quantity(lines, header.line("DATA_TYPE"), type);
    const PrintedNumber stated = header.required("NDATA"), step_s = header.required("SAMPLING_INTERVAL_S");
    const auto count = as_count(stated.value);
    if (!count) lines.fail(header.line("NDATA"), fmt::format("NDATA = {} is no number of samples", stated.text));
    if (!(step_s.value > 0.0) || step_s.value > 10.0)
        lines.fail(header.line("SAMPLING_INTERVAL_S"), fmt::format("{} s; allowed: above 0, up to 10", step_s.text));
    Channel channel;
    channel.name = "1";
    channel.component = header.value("STREAM");
    channel.step_s = step_s.value;
    Numbers read = read_numbers(lines, header.end());
    require_count(lines, header.line("NDATA"), *count, read, channel);
    channel.samples = std::move(read.values);
    if (const auto duration = header.number("DURATION_S"))
        require_duration(lines, header.line("DURATION_S"), *duration, channel);
    if (const auto peak = header.number("PGA_CM/S^2")) {
        channel.printed_peak =
            PrintedPeak{peak->value, peak->half_digit, std::nullopt, fmt::format("{} cm/s2", peak->text)};
        if (const auto time = header.number("TIME_PGA_S")) channel.printed_peak->time_s = time->value;
    }
    const std::string_view unit = header.value("UNITS");
    const auto known = unit_of(unit);
    if (!unit.empty() && !known) lines.fail(header.line("UNITS"), fmt::format("unknown unit \"{}\"", unit));
    if (known && channel.printed_peak && known->name != "cm/s2") {  // the peak is in cm/s2 whatever the samples are in
        channel.printed_peak->value *= 0.01 / known->factor_m_s2;
        channel.printed_peak->half_digit *= 0.01 / known->factor_m_s2;
    }
    convert(channel, known);
    compare_peak(channel);
    record.channels.push_back(std::move(channel));
    return record;
}

}  // namespace topple::hil::ground_motion

// USGS SMC: 11 lines of text, 48 integers, 50 reals, comments, values of ten characters that touch.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

constexpr std::size_t kTextLines = 11, kIntegerLines = 6, kRealLines = 10;
constexpr FixedColumns kIntegers{8, 10}, kReals{5, 15}, kSamples{8, 10};

// Places in the headers, from 0: USGS Open-File Report 90-238 and its successors.
enum IntegerPlace { kMissingInteger = 0, kCommentLines = 15, kValueCount = 16, kProblem = 17 };
enum RealPlace { kMissingReal = 0, kRate_hz = 1, kMaxTime_s = 28, kMax = 29, kMinTime_s = 30, kMin = 31 };

struct Header {
    std::vector<double> integers, reals;
    std::size_t first_data_line = 0;
    bool has(RealPlace place) const {
        const double missing = reals[kMissingReal], value = reals[static_cast<std::size_t>(place)];
        return !(std::abs(value - missing) <= 1e-3 * std::abs(missing)) && std::abs(value) < 1e38;
    }
};

std::vector<double> block(const TextLines& lines, std::size_t first, std::size_t count, FixedColumns columns) {
    Numbers read = read_numbers(lines, first, columns, count);
    if (read.values.size() < count)
        lines.fail(first, fmt::format("SMC header: {} numbers expected, {} found", count, read.values.size()));
    return std::move(read.values);
}

Header read_header(const TextLines& lines) {
    Header header;
    header.integers = block(lines, kTextLines, kIntegerLines * kIntegers.per_line, kIntegers);
    header.reals = block(lines, kTextLines + kIntegerLines, kRealLines * kReals.per_line, kReals);
    header.first_data_line = kTextLines + kIntegerLines + kRealLines;
    while (header.first_data_line < lines.size() && trimmed(lines[header.first_data_line]).starts_with('|'))
        ++header.first_data_line;
    return header;
}

/// The larger of the printed maximum and minimum.
std::optional<PrintedPeak> printed_peak(const Header& header) {
    std::optional<PrintedPeak> peak;
    for (const auto& [value, time] : {std::pair(kMax, kMaxTime_s), std::pair(kMin, kMinTime_s)}) {
        if (!header.has(value)) continue;
        const double printed = header.reals[value];
        if (peak && std::abs(printed) <= std::abs(peak->value)) continue;
        const double digit = std::pow(10.0, std::floor(std::log10(std::max(std::abs(printed), 1e-30))) - 4.0);
        peak = PrintedPeak{printed, 0.5 * digit, std::nullopt, fmt::format("{:.7g} cm/s2", printed)};
        if (header.has(time)) peak->time_s = header.reals[time];
    }
    return peak;
}

}  // namespace

Record read_smc(const TextLines& lines) {
    const std::string_view kind = trimmed(lines[0]);
    for (const std::string_view other : {"velocity", "displacement", "spectr"})
        if (holds(kind, other)) refuse_quantity(lines, 0, kind);
    Record record{lines.file(),
                  "USGS SMC",
                  std::string(trimmed(after(lines[5].substr(0, 40), "station ="))),
                  std::string(trimmed(lines[3])),
                  {},
                  {}};
    const Header header = read_header(lines);
    const auto count = as_count(header.integers[kValueCount]);
    if (!count) lines.fail(kTextLines + 2, fmt::format("{} is no number of values", header.integers[kValueCount]));
    if (header.integers[kProblem] == 1.0) record.notes.push_back("CONFLICT: the header flags a problem of this record");
    Channel channel;
    channel.name = "1";
    channel.component = after(lines[5], "component=");
    Numbers read = read_numbers(lines, header.first_data_line, kSamples);
    require_count(lines, kTextLines + 2, *count, read, channel);
    if (header.has(kRate_hz) && header.reals[kRate_hz] > 0.0) {
        channel.step_s = 1.0 / header.reals[kRate_hz];
        channel.samples = std::move(read.values);
    } else {  // no rate: times and values in turns
        std::vector<double> times;
        if (*count % 2 != 0) lines.fail(kTextLines + 2, "states no rate, and an odd number of times and values");
        for (std::size_t i = 0; i + 1 < read.values.size(); i += 2) {
            times.push_back(read.values[i]);
            channel.samples.push_back(read.values[i + 1]);
        }
        set_times(lines, header.first_data_line, std::move(times), channel);
    }
    channel.printed_peak = printed_peak(header);
    convert(channel, unit_of("cm/s2"));
    compare_peak(channel);
    record.channels.push_back(std::move(channel));
    return record;
}

}  // namespace topple::hil::ground_motion

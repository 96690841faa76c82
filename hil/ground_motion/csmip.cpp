// CSMIP (CDMG) and USC files, volume 1 (uncorrected) and 2 (corrected): text, integers, reals, data; again for every
// channel.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

constexpr std::size_t kHeaderLinesMax = 60;
constexpr std::size_t kIntegerLines = 7;  // 100 integers, 16I5
constexpr std::size_t kRealLines_v1 = 7;  // 50 reals, 8F10.3
constexpr std::size_t kRealsPerLine = 8;
constexpr FixedColumns kPairs{10, 7}, kEven_v1{8, 9}, kEven_v2{8, 10};

bool is_volume_2(std::string_view line) {
    return holds(line, "corrected accelerogram") && !holds(line, "uncorrected accelerogram");
}
bool starts_channel(std::string_view line) { return holds(line, "corrected accelerogram"); }

/// "2000 POINTS OF ACCEL DATA EQUALLY SPACED AT ...", "13200 Accelerogram points at 200 pts/sec ..."
bool is_data_line(std::string_view line) {
    return begins_with_number(line) && holds(line, "points") && (holds(line, "spaced at") || holds(line, "pts/sec"));
}

/// Sixteen integers of five characters.
bool is_integer_header(std::string_view line) {
    constexpr std::size_t kShortest = 60;
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    return line.size() >= kShortest && line.find_first_not_of(" \t+-0123456789") == std::string_view::npos;
}

/// Where a channel's parts begin.
struct Layout {
    std::size_t first = 0, end = 0;  ///< header lines: [first, end)
    std::size_t data = 0;            ///< line of the data's own words, or of the first pair
    bool has_data_line = false, is_corrected = false;
};

Layout layout_of(const TextLines& lines, std::size_t first) {
    Layout layout;
    layout.first = first;
    layout.is_corrected = is_volume_2(lines[first]);
    const std::size_t stop = std::min(first + kHeaderLinesMax, lines.size());
    std::size_t numbers = first;
    for (std::size_t i = first; i < stop; ++i)
        if (is_data_line(lines[i])) {
            layout.data = layout.end = i;
            layout.has_data_line = true;
            return layout;
        }
    while (numbers < stop && !is_integer_header(lines[numbers])) ++numbers;
    if (numbers >= stop) lines.fail(first, "a channel without a line of its points or a numeric header");
    layout.end = numbers;
    layout.data = numbers + kIntegerLines + kRealLines_v1;
    if (layout.is_corrected) lines.fail(first, "a corrected channel without \"POINTS OF ACCEL DATA\"");
    return layout;
}

/// A line of the channel's header that holds `words`; none: end.
std::size_t header_line(const TextLines& lines, const Layout& layout, std::string_view words) {
    return std::min(lines.find(words, layout.first, layout.end), layout.end);
}

std::string component_of(const TextLines& lines, const Layout& layout) {
    for (std::size_t i = layout.first + 1; i < layout.end; ++i) {
        const std::string_view line = trimmed(lines[i]);
        if (lower(line.substr(0, 4)) == "chan") return std::string(trimmed(line.substr(0, line.find('('))));
        if (lower(line.substr(0, 5)) == "comp ") {  // USC counts the characters at the end of the line
            const std::size_t end = line.find("  ", 5);
            return std::string(trimmed(end == std::string_view::npos || end < 7 ? line : line.substr(0, end)));
        }
    }
    return {};
}

/// "PEAK ACCELERATION = 219.267 CM/SEC/SEC AT 5.960 SEC.", "MAX = -.055 G, AT 15.992 SEC."
void set_peak(const TextLines& lines, const Layout& layout, Channel& channel) {
    const std::string_view words = layout.is_corrected ? "peak acceleration" : "max";
    std::size_t at = header_line(lines, layout, words);
    if (!layout.is_corrected)
        for (at = layout.first; at < layout.end; ++at)
            if (holds(lines[at], "max ") && (holds(lines[at], "units of uncor") || holds(lines[at], "uncor max")))
                break;
    if (at >= layout.end) return;
    const auto peak = number_after(lines[at], layout.is_corrected ? "peak acceleration" : "max ");
    if (!peak) return;
    const std::string_view rest =
        lines[at].substr(static_cast<std::size_t>(peak->text.data() - lines[at].data()) + peak->text.size());
    const std::size_t place = find_words(rest, "at");
    std::string_view unit_words = trimmed(rest.substr(0, place));
    while (!unit_words.empty() && (unit_words.back() == ',' || unit_words.back() == ' ')) unit_words.remove_suffix(1);
    const auto unit = unit_of(unit_words);
    if (!unit) return;
    PrintedPeak printed{peak->value * unit->factor_m_s2, peak->half_digit * unit->factor_m_s2, std::nullopt,
                        fmt::format("{} {}", peak->text, unit->name)};
    if (const auto time = number_after(rest, "at")) printed.time_s = time->value;
    channel.printed_peak = printed;
}

std::optional<Unit> unit_of_data(const TextLines& lines, const Layout& layout) {
    if (layout.has_data_line) {
        const std::string_view line = lines[layout.data];
        for (const std::string_view words : {"units:", "in units of", "sec, in "}) {
            std::string_view text = after(line, words);
            if (text.empty()) continue;
            text = text.substr(0, text.find_first_of(" )(,"));
            while (!text.empty() && text.back() == '.') text.remove_suffix(1);
            if (const auto unit = unit_of(text)) return unit;
        }
    }
    if (layout.is_corrected) {  // "units are sec and g/10" is then said of the record before it was corrected
        const std::size_t at = header_line(lines, layout, "peak acceleration");
        const bool is_cm = at < layout.end && (holds(lines[at], "cm/sec") || holds(lines[at], "cms/sec"));
        return is_cm ? unit_of("cm/s2") : std::nullopt;
    }
    if (header_line(lines, layout, "sec and g/10") < layout.end) return unit_of("g/10");
    if (header_line(lines, layout, "sec and g") < layout.end) return unit_of("g");
    return std::nullopt;
}

/// A number of the header that must be the data line's own.
void require_same(const TextLines& lines, std::size_t at, const PrintedNumber& value, const PrintedNumber& other,
                  std::string_view what) {
    if (std::abs(value.value - other.value) > value.half_digit + other.half_digit)
        lines.fail(at, fmt::format("contradictory {}: {} in the header, {} at the data", what, value.text, other.text));
}

void read_even(const TextLines& lines, const Layout& layout, Channel& channel, std::size_t& next) {
    const std::string_view line = lines[layout.data];
    const auto stated = leading_number(line);
    const auto count = as_count(stated->value);
    if (!count) lines.fail(layout.data, fmt::format("{} is no number of samples", stated->text));
    auto step = number_after(line, "spaced at");
    const auto rate_hz = number_after(line, "points at");
    if (!step && rate_hz && rate_hz->value > 0.0) step = PrintedNumber{1.0 / rate_hz->value, 0.0, rate_hz->text};
    if (!step || !(step->value > 0.0) || step->value > 10.0)
        lines.fail(layout.data, "no time between two samples, above 0, up to 10 s");
    channel.step_s = step->value;
    const auto columns = fixed_columns(line);
    Numbers read = read_numbers(lines, layout.data + 1, columns ? columns : layout.is_corrected ? kEven_v2 : kEven_v1);
    require_count(lines, layout.data, *count, read, channel);
    next = read.next_line;
    channel.samples = std::move(read.values);
    if (const std::size_t at = header_line(lines, layout, "spaced intervals of"); at < layout.end)
        if (const auto header = number_after(lines[at], "intervals of"))
            require_same(lines, at, *header, *step, "sampling (s)");
    const std::size_t at_points = header_line(lines, layout, "no. of points");  // of a corrected one: before it was
    if (const std::size_t at = at_points; at < layout.end && !layout.is_corrected)
        if (const auto header = number_after(lines[at], "no. of points"))
            require_same(lines, at, *header, *stated, "number of points");
    for (std::size_t i = layout.first; i < layout.end; ++i)
        if (begins_with_number(lines[i]) && holds(lines[i], "points of instrument"))
            require_same(lines, i, *leading_number(lines[i]), *stated, "number of points");
}

/// Times and values in turns, without words of their own.
void read_pairs(const TextLines& lines, const Layout& layout, Channel& channel, std::size_t& next) {
    const std::size_t at = header_line(lines, layout, "of points");
    const auto stated = at < layout.end ? number_after(lines[at], "of points") : std::nullopt;
    const auto count = stated ? as_count(stated->value, kSamplesMax) : std::nullopt;
    if (!count) lines.fail(layout.first, "no number of points in the header");
    Numbers read = read_numbers(lines, layout.data, kPairs);
    require_count(lines, at, 2 * *count, read, channel);
    next = read.next_line;
    std::vector<double> times;
    for (std::size_t i = 0; i + 1 < read.values.size(); i += 2) {
        times.push_back(read.values[i]);
        channel.samples.push_back(read.values[i + 1]);
    }
    set_times(lines, layout.data, std::move(times), channel);
}

Channel read_channel(const TextLines& lines, const Layout& layout, std::size_t number, std::size_t& next) {
    Channel channel;
    channel.name = std::to_string(number);
    channel.component = component_of(lines, layout);
    layout.has_data_line ? read_even(lines, layout, channel, next) : read_pairs(lines, layout, channel, next);
    for (const std::string_view words : {"record length", "duration"})
        if (layout.is_corrected && words == "duration")
            continue;  // of the uncorrected record
        else if (const std::size_t at = header_line(lines, layout, words); at < layout.end)
            if (const auto length = number_after(lines[at], words)) require_duration(lines, at, *length, channel);
    convert(channel, unit_of_data(lines, layout));
    if (channel.is_si) set_peak(lines, layout, channel);
    compare_peak(channel);
    if (const std::size_t at = header_line(lines, layout, "initial velocity"); at < layout.end)
        channel.notes.push_back(
            fmt::format("the file's own integration starts at other than rest: {}", trimmed(lines[at])));
    return channel;
}

}  // namespace

Record read_csmip(const TextLines& lines) {
    Record record{lines.file(), "CSMIP", {}, {}, {}, {}};
    constexpr std::size_t kTitleLines = 3;
    for (std::size_t i = 0; i < kTitleLines; ++i)
        if (holds(lines[i], "spectra")) refuse_quantity(lines, i, "response spectra (volume 3), no history of time");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!starts_channel(lines[i])) continue;
        const Layout layout = layout_of(lines, i);
        if (record.channels.empty()) {
            record.format = layout.is_corrected ? "CSMIP volume 2" : "CSMIP volume 1";
            const std::size_t station = header_line(lines, layout, "station ");
            if (station < layout.end) {
                record.station = trimmed(lines[station + 1].substr(0, 40));
                record.event = trimmed(lines[layout.is_corrected ? i + 2 : i + 1]);
            }
        }
        std::size_t next = i + 1;
        record.channels.push_back(read_channel(lines, layout, record.channels.size() + 1, next));
        for (i = next; i < lines.size() && !trimmed(lines[i]).starts_with("/&") && !starts_channel(lines[i]);) ++i;
        if (starts_channel(lines[i])) --i;
    }
    if (record.channels.empty()) lines.fail("no channel of acceleration");
    if (record.format.ends_with('2'))
        record.notes.push_back(
            "the file's own velocities and displacements are not used: the base moves as the "
            "accelerations say");
    return record;
}

}  // namespace topple::hil::ground_motion

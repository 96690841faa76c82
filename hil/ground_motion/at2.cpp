// PEER AT2: some lines of text, one with NPTS and DT in any order and style, then numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

constexpr std::size_t kHeaderLinesMax = 200;

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Place of a word that stands alone.
std::size_t find_word(std::string_view line, std::string_view word) {
    for (std::size_t at = find_words(line, word); at != std::string_view::npos; at = find_words(line, word, at + 1)) {
        const bool starts = at == 0 || !is_letter(line[at - 1]);
        const std::size_t end = at + word.size();
        if (starts && (end == line.size() || !is_letter(line[end]))) return at;
    }
    return std::string_view::npos;
}

/// The numbers of a line that are no part of a word.
std::vector<PrintedNumber> numbers_in(std::string_view line) {
    std::vector<PrintedNumber> found;
    for (std::size_t at = 0; at < line.size();) {
        const bool begins = std::string_view("+-.0123456789").find(line[at]) != std::string_view::npos;
        const bool in_word = at > 0 && (is_letter(line[at - 1]) || line[at - 1] == '_');
        if (begins && !in_word)
            if (const auto number = leading_number(line.substr(at))) {
                found.push_back(*number);
                at += number->text.size();
                continue;
            }
        ++at;
    }
    return found;
}

struct Sampling {
    std::size_t line = 0, next = 0;  // where it is stated, first line of the data
    PrintedNumber count, step_s;
};

/// The number directly behind a word, unless the other word or "," comes first.
std::optional<PrintedNumber> own_number(std::string_view line, std::size_t at, std::size_t size) {
    std::string_view rest = line.substr(at + size);
    const std::size_t bracket = trimmed(rest).starts_with('(') ? rest.find(')') : std::string_view::npos;
    if (bracket != std::string_view::npos) rest.remove_prefix(bracket + 1);  // DT(SEC)=
    return leading_number(rest);
}

std::optional<Sampling> sampling_of(const TextLines& lines, std::size_t index) {
    const std::string_view line = lines[index];
    const std::size_t points = find_word(line, "npts");
    if (points == std::string_view::npos) return std::nullopt;
    Sampling sampling;
    sampling.line = index;
    std::size_t dt_index = index;
    while (dt_index < index + 3 && find_word(lines[dt_index], "dt") == std::string_view::npos) ++dt_index;
    const std::size_t dt = find_word(lines[dt_index], "dt");
    if (dt == std::string_view::npos) lines.fail(index, "states NPTS without DT: the time between two samples");
    sampling.next = dt_index + 1;
    const auto own_points = own_number(line, points, 4), own_dt = own_number(lines[dt_index], dt, 2);
    if (own_points && (own_dt || dt_index != index)) {
        if (!own_dt) lines.fail(dt_index, "no number after DT");
        sampling.count = *own_points;
        sampling.step_s = *own_dt;
        return sampling;
    }
    const std::vector<PrintedNumber> numbers = numbers_in(line);  // "1642 0.02 NPTS, DT", "NPTS, DT = 1642, 0.02"
    if (dt_index != index || numbers.size() < 2) lines.fail(index, "NPTS and DT without their two numbers");
    const bool points_first = points < dt;
    sampling.count = numbers[points_first ? 0 : 1];
    sampling.step_s = numbers[points_first ? 1 : 0];
    return sampling;
}

/// Text between header and data, e.g. "*** Begin data ***".
std::size_t first_data_line(const TextLines& lines, std::size_t from) {
    constexpr std::size_t kTextMax = 5;
    std::size_t text = 0;
    for (std::size_t i = from; i < lines.size(); ++i) {
        if (begins_with_number(lines[i])) return i;
        if (!trimmed(lines[i]).empty() && ++text > kTextMax) break;
    }
    return from;
}

void read_words(const TextLines& lines, std::size_t end, Record& record, std::optional<Unit>& unit) {
    for (std::size_t i = 0; i < end; ++i) {
        const std::string_view line = trimmed(lines[i]);
        const bool of_motion = holds(line, "history") || holds(line, "series") || holds(line, "units");
        if (of_motion && !holds(line, "accel"))
            for (const std::string_view other : {"velocity", "displacement"})
                if (holds(line, other)) refuse_quantity(lines, i, line);
        const auto stated = unit_in(line);
        if (stated && unit && unit->name != stated->name)
            lines.fail(i, fmt::format("states the unit {}, a line before it {}", stated->name, unit->name));
        if (stated) unit = stated;
        const std::size_t event_line = end == 4 ? 1 : 0;  // PEER's own four lines; before others, text of any kind
        if (i == event_line) record.event = line;
    }
}

/// "1559 points at equal spacing of 0.02 sec": what the text says must be what NPTS and DT say.
void require_agreeing_text(const TextLines& lines, const Sampling& sampling) {
    const auto differ = [&](std::size_t i, const PrintedNumber& text, const PrintedNumber& header, const char* what) {
        if (std::abs(text.value - header.value) > text.half_digit + header.half_digit)
            lines.fail(sampling.line, fmt::format("contradictory sampling: {} = {}, but line {} says {}", what,
                                                  header.text, i + 1, text.text));
    };
    for (std::size_t i = 0; i < sampling.line; ++i) {
        if (const auto step_s = number_after(lines[i], "equal spacing of")) differ(i, *step_s, sampling.step_s, "DT");
        if (begins_with_number(lines[i]) && holds(lines[i], "points at equal spacing"))
            if (const auto count = leading_number(lines[i])) differ(i, *count, sampling.count, "NPTS");
    }
}

}  // namespace

Record read_at2(const TextLines& lines) {
    Record record{lines.file(), "PEER AT2", {}, {}, {}, {}};
    std::optional<Sampling> sampling;
    for (std::size_t i = 0; i < std::min(lines.size(), kHeaderLinesMax) && !sampling; ++i)
        sampling = sampling_of(lines, i);
    if (!sampling) lines.fail("no line with NPTS and DT");
    std::optional<Unit> unit;
    read_words(lines, sampling->next, record, unit);
    const auto count = as_count(sampling->count.value);
    if (!count) lines.fail(sampling->line, fmt::format("NPTS = {} is no number of samples", sampling->count.text));
    if (!(sampling->step_s.value > 0.0) || sampling->step_s.value > 10.0)
        lines.fail(sampling->line, fmt::format("DT = {} s; allowed: above 0, up to 10", sampling->step_s.text));
    require_agreeing_text(lines, *sampling);
    std::optional<FixedColumns> columns;
    for (std::size_t i = 0; i < sampling->next && !columns; ++i) columns = fixed_columns(lines[i]);
    Channel channel;
    channel.name = "1";
    const std::size_t first = first_data_line(lines, sampling->next);
    Numbers read = read_numbers(lines, first, columns);
    require_count(lines, sampling->line, *count, read, channel);
    channel.samples = std::move(read.values);
    channel.step_s = sampling->step_s.value;
    convert(channel, unit);
    if (sampling->line > 3) record.notes.push_back(fmt::format("{} lines before NPTS, DT", sampling->line));
    record.channels.push_back(std::move(channel));
    return record;
}

}  // namespace topple::hil::ground_motion

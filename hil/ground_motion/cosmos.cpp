// COSMOS strong-motion format: text, 100 integers, 100 reals, comments, data; again for every channel.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

// Places of the real header, from 0 (COSMOS 1.20, table 3): of the raw record, and of this one.
enum RealPlace { kRawStep_s = 33, kStep_ms = 61, kLength_s = 62, kPeak = 63, kPeakTime_s = 64 };

/// Codes of physical units that are accelerations (COSMOS 1.20, table 2).
std::optional<Unit> unit_of_code(int code) {
    switch (code) {
        case 2: return unit_of("g");
        case 4: return unit_of("cm/s2");
        case 7: return unit_of("in/s2");
        case 10: return unit_of("gal");
        case 11: return unit_of("mg");
        case 12: return Unit{"micro g", 1e-6 * kUnitG_m_s2};
        default: return std::nullopt;
    }
}

/// One channel's header, from its first line.
struct Header {
    std::size_t first = 0, data_line = 0;
    std::vector<double> reals;
    double missing = -999.0;
    std::string channel_words, scnl;

    std::optional<double> real(RealPlace place) const {
        const auto at = static_cast<std::size_t>(place);
        if (at >= reals.size() || reals[at] == missing) return std::nullopt;
        return reals[at];
    }
};

bool starts_channel(std::string_view line) { return holds(line, "(format v"); }

/// "100 Real-header values follow on 17 lines, Format= (6F13.6)"
std::vector<double> header_block(const TextLines& lines, std::size_t index) {
    const auto count = leading_number(lines[index]);
    const auto whole = count ? as_count(count->value, 10'000) : std::nullopt;
    if (!whole) lines.fail(index, "no number of header values");
    Numbers read = read_numbers(lines, index + 1, fixed_columns(lines[index]), *whole);
    if (read.values.size() < *whole)
        lines.fail(index, fmt::format("states {} header values, {} follow", *whole, read.values.size()));
    return std::move(read.values);
}

bool is_data_line(std::string_view line) { return holds(line, "pts,") || (holds(line, "pts") && holds(line, "units")); }

Header read_header(const TextLines& lines, std::size_t first) {
    constexpr std::size_t kHeaderLinesMax = 400;
    Header header;
    header.first = first;
    const std::size_t end = first + kHeaderLinesMax;
    const auto required = [&](std::string_view words) {
        const std::size_t found = lines.find(words, first, end);
        if (found >= std::min(end, lines.size())) lines.fail(first, fmt::format("COSMOS header without \"{}\"", words));
        return found;
    };
    header.reals = header_block(lines, required("real-header"));
    header_block(lines, required("integer-header"));
    if (const auto missing = number_after(lines[lines.find("unspecified", first, end)], "unspecified:"))
        header.missing = missing->value;
    for (std::size_t i = first; i < std::min(end, lines.size()); ++i) {
        if (holds(lines[i], "<scnl>")) header.scnl = after(lines[i].substr(0, lines[i].find("<AUTH>")), "<scnl>");
        if (header.channel_words.empty() && (holds(lines[i], "sta chan") || holds(lines[i], "sta cha:")))
            header.channel_words = trimmed(lines[i].substr(0, lines[i].find('(')));
        if (!is_data_line(lines[i])) continue;
        header.data_line = i;
        return header;
    }
    lines.fail(first, "COSMOS channel without a line \"N acceleration pts, approx S secs, units=...\"");
}

/// The step of the data; fields of the header that say otherwise are noted, or refused if the data's own line does.
void set_step(const TextLines& lines, const Header& header, Channel& channel) {
    const auto count = static_cast<double>(channel.samples.size());
    const auto approx_s = number_after(lines[header.data_line], "approx");
    const auto step_ms = header.real(kStep_ms), length_s = header.real(kLength_s), raw_s = header.real(kRawStep_s);
    if (step_ms && *step_ms > 0.0)
        channel.step_s = 1e-3 * *step_ms;
    else if (length_s && *length_s > 0.0)
        channel.step_s = *length_s / count;
    else if (raw_s && *raw_s > 0.0)
        channel.step_s = *raw_s;
    else
        return;
    if (approx_s &&
        std::abs(count * channel.step_s - approx_s->value) > std::max(1.0, 0.02 * approx_s->value) + channel.step_s)
        lines.fail(header.data_line,
                   fmt::format("contradictory sampling: {} samples in about {} s are {:.6g} s apart, "
                               "the header says {:.6g} s",
                               channel.samples.size(), approx_s->text, approx_s->value / count, channel.step_s));
    const double share = 0.01;
    if (length_s && std::abs(*length_s - count * channel.step_s) > share * *length_s + 1.5 * channel.step_s)
        channel.notes.push_back(
            fmt::format("CONFLICT: real-header value 63 says {:.6g} s, the {} samples of {:.6g} s "
                        "last {:.6g} s",
                        *length_s, channel.samples.size(), channel.step_s, count * channel.step_s));
    if (raw_s && *raw_s > 0.0 && std::abs(*raw_s - channel.step_s) > share * channel.step_s)
        channel.notes.push_back(
            fmt::format("CONFLICT: real-header value 34 (raw record) says {:.6g} s between samples; "
                        "{:.6g} s was taken, which agrees with points and duration",
                        *raw_s, channel.step_s));
}

void set_unit(const TextLines& lines, const Header& header, Channel& channel) {
    const std::string_view words = after(lines[header.data_line], "units=");
    const std::size_t open = words.find('(');
    const auto code = open == std::string_view::npos ? std::nullopt : leading_number(words.substr(open + 1));
    const std::string_view name = trimmed(words.substr(0, words.find_first_of("(,")));
    const std::string_view plain = name.ends_with('.') ? name.substr(0, name.size() - 1) : name;
    const auto by_name = unit_of(plain);
    const auto by_code =
        code && std::abs(code->value) < 1000.0 ? unit_of_code(static_cast<int>(code->value)) : std::nullopt;
    if (by_name && by_code && std::abs(by_name->factor_m_s2 / by_code->factor_m_s2 - 1.0) > 1e-6)
        lines.fail(header.data_line, fmt::format("states the unit {} by name and {} by its code {}", by_name->name,
                                                 by_code->name, code->text));
    channel.unit = plain;
    convert(channel, by_name ? by_name : by_code);
}

/// "Corrected acceleration": of its first line; and the data's own line.
void require_acceleration(const TextLines& lines, const Header& header) {
    const std::string_view data = lines[header.data_line];
    for (const std::string_view other : {"velocity", "veloc", "displacement", "displ", "spectr"})
        if (holds(data, other)) refuse_quantity(lines, header.data_line, trimmed(data));
}

Channel read_channel(const TextLines& lines, const Header& header, std::size_t number, std::size_t& next) {
    require_acceleration(lines, header);
    const std::string_view data = lines[header.data_line];
    const auto stated = leading_number(data);
    const auto count = stated ? as_count(stated->value) : std::nullopt;
    if (!count) lines.fail(header.data_line, "no number of samples");
    Channel channel;
    channel.name = std::to_string(number);
    channel.component = header.scnl.empty() ? header.channel_words : header.scnl;
    Numbers read = read_numbers(lines, header.data_line + 1, fixed_columns(data));
    require_count(lines, header.data_line, *count, read, channel);
    next = read.next_line;
    channel.samples = std::move(read.values);
    set_step(lines, header, channel);
    if (const auto peak = header.real(kPeak)) {
        const double digits = std::abs(*peak) >= 1e4 ? 0.5 : 0.5e-3;  // as the text lines print it
        channel.printed_peak = PrintedPeak{*peak, digits, header.real(kPeakTime_s), fmt::format("{}", *peak)};
    }
    set_unit(lines, header, channel);
    if (channel.printed_peak) channel.printed_peak->text += " " + channel.unit;
    compare_peak(channel);
    return channel;
}

bool is_acceleration(const TextLines& lines, std::size_t data_line) { return holds(lines[data_line], "acc"); }

}  // namespace

Record read_cosmos(const TextLines& lines) {
    Record record{lines.file(), "COSMOS", {}, {}, {}, {}};
    std::size_t skipped = 0, number = 0, last = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!starts_channel(lines[i])) continue;
        const Header header = read_header(lines, i);
        if (number++ == 0) {
            record.event = trimmed(lines[i + 1]);
            record.station = trimmed(lines[i + 4]);
        }
        last = header.data_line;
        if (is_acceleration(lines, last)) {
            std::size_t next = i + 1;
            record.channels.push_back(read_channel(lines, header, number, next));
            i = std::max(i, next - 1);
        } else {
            ++skipped;
            i = last;
        }
    }
    if (record.channels.empty()) refuse_quantity(lines, last, trimmed(lines[last]));
    if (skipped > 0) record.notes.push_back(fmt::format("{} channels of other quantities were passed over", skipped));
    return record;
}

}  // namespace topple::hil::ground_motion

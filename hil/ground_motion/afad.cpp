// Turkish strong-motion records of three columns, as AFAD gave them out before 2019.
#include <fmt/format.h>

#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {

Record read_afad(const TextLines& lines) {
    constexpr std::size_t kHeaderLinesMax = 40, kComponents = 3;
    const char* const names[kComponents] = {"N-S", "E-W", "U-D"};
    const auto line_of = [&](std::string_view key) {
        const std::size_t found = lines.find(key, 0, kHeaderLinesMax);
        if (found >= kHeaderLinesMax || found >= lines.size()) lines.fail(fmt::format("header without \"{}\"", key));
        return found;
    };
    const auto number = [&](std::string_view key) {
        const auto colon = number_after(lines[line_of(key)], ":");
        if (!colon) lines.fail(line_of(key), fmt::format("no number after \"{}\"", key));
        return *colon;
    };
    Record record{lines.file(),
                  "AFAD",
                  std::string(after(lines[line_of("station id")], ":")),
                  std::string(after(lines[line_of("earthquake date")], ":")),
                  {},
                  {}};
    const PrintedNumber stated = number("number of data"), step_s = number("sampling interval");
    const auto count = as_count(stated.value, kSamplesMax);
    if (!count) lines.fail(line_of("number of data"), fmt::format("{} is no number of samples", stated.text));
    if (!(step_s.value > 0.0) || step_s.value > 10.0)
        lines.fail(line_of("sampling interval"), fmt::format("{} s; allowed: above 0, up to 10", step_s.text));
    const std::size_t peaks = line_of("pga values"), heads = line_of("n-s          ");
    Channel first;
    Numbers read = read_numbers(lines, heads + 1);
    require_count(lines, line_of("number of data"), *count * kComponents, read, first);
    for (std::size_t c = 0; c < kComponents; ++c) {
        Channel channel = first;
        channel.name = std::to_string(c + 1);
        channel.component = names[c];
        channel.step_s = step_s.value;
        for (std::size_t i = c; i < read.values.size(); i += kComponents) channel.samples.push_back(read.values[i]);
        if (const auto peak = number_after(lines[peaks], fmt::format("({})", lower(names[c]))))
            channel.printed_peak =
                PrintedPeak{peak->value, peak->half_digit, std::nullopt, fmt::format("{} gal", peak->text)};
        convert(channel, holds(lines[peaks], "(gal)") ? unit_of("gal") : std::nullopt);
        compare_peak(channel);
        record.channels.push_back(std::move(channel));
    }
    return record;
}

}  // namespace topple::hil::ground_motion

// K-NET and KiK-net (NIED, Japan): 17 lines of header, counts with a scale, a constant offset.
#include <fmt/format.h>

#include "hil/ground_motion/formats.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::ground_motion {
namespace {

constexpr std::size_t kHeaderLinesMax = 40;

struct Header {
    const TextLines& lines;
    std::size_t line(std::string_view key) const {
        const std::size_t found = lines.find(key, 0, kHeaderLinesMax);
        if (found >= kHeaderLinesMax || found >= lines.size())
            lines.fail(fmt::format("K-NET header without \"{}\"", key));
        return found;
    }
    std::string_view value(std::string_view key) const { return after(lines[line(key)], key); }
    PrintedNumber number(std::string_view key) const {
        const auto found = leading_number(value(key));
        if (!found) lines.fail(line(key), fmt::format("no number after \"{}\"", key));
        return *found;
    }
};

/// "7845(gal)/8223790": gal of one count.
double gal_per_count(const Header& header) {
    constexpr std::string_view kKey = "scale factor";
    const std::string_view text = header.value(kKey);
    const auto full_scale = leading_number(text);
    const auto counts = number_after(text, "/");
    if (!full_scale || !counts || !holds(text, "(gal)") || full_scale->value == 0.0 || counts->value == 0.0)
        header.lines.fail(header.line(kKey), fmt::format("scale \"{}\"; expected: gal(gal)/counts", text));
    return full_scale->value / counts->value;
}

}  // namespace

Record read_knet(const TextLines& lines) {
    const Header header{lines};
    Record record{
        lines.file(), "K-NET", std::string(header.value("station code")), std::string(header.value("origin time")),
        {},           {}};
    const PrintedNumber rate_hz = header.number("sampling freq(hz)");
    const PrintedNumber duration_s = header.number("duration time(s)");
    if (!(rate_hz.value > 0.0) || rate_hz.value > 1e5)
        lines.fail(header.line("sampling freq(hz)"), fmt::format("{} Hz; allowed: above 0, up to 1e5", rate_hz.text));
    const auto count = as_count(rate_hz.value * duration_s.value);
    if (!count)
        lines.fail(header.line("duration time(s)"),
                   fmt::format("{} s at {} Hz are no whole number of samples", duration_s.text, rate_hz.text));
    Channel channel;
    channel.name = "1";
    channel.component = header.value("dir.");
    channel.step_s = 1.0 / rate_hz.value;
    Numbers read = read_numbers(lines, header.line("memo") + 1);
    require_count(lines, header.line("duration time(s)"), *count, read, channel);
    const double scale_gal = gal_per_count(header), offset = signal::mean(read.values);
    for (double& value : read.values) value = (value - offset) * scale_gal;
    channel.samples = std::move(read.values);
    const PrintedNumber peak = header.number("max. acc. (gal)");
    channel.printed_peak = PrintedPeak{peak.value, peak.half_digit, std::nullopt, fmt::format("{} gal", peak.text)};
    convert(channel, unit_of("gal"));
    channel.notes.push_back(
        fmt::format("counts of {:.6g} gal; their mean of {:.1f} counts ({:.4g} m/s2) was taken off, "
                    "as the printed peak supposes",
                    scale_gal, offset, 0.01 * offset * scale_gal));
    compare_peak(channel);
    record.channels.push_back(std::move(channel));
    return record;
}

}  // namespace topple::hil::ground_motion

#include "hil/ground_motion/read_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

/// Files that are known by their first bytes and are not read.
struct Foreign {
    std::string_view starts, says;
};
constexpr Foreign kForeign[] = {
    {"MATLAB 7.3", "a MATLAB file of level 7.3 (HDF5): save it with -v7"},
    {"\x89HDF", "an HDF5 file: export its columns as text"},
    {"PK\x03\x04", "a spreadsheet or another ZIP archive: unpack it, or export the sheet as CSV"},
    {"\xD0\xCF\x11\xE0", "an old spreadsheet (.xls): export the sheet as CSV"},
    {"\x1F\x8B", "a gzip archive: unpack it"},
    {"%PDF", "a PDF document"},
    {"\x89PNG", "a picture"},
};

std::size_t first_filled(const TextLines& lines) {
    std::size_t i = 0;
    while (i < lines.size() && trimmed(lines[i]).empty()) ++i;
    return i;
}

bool is_smc(const TextLines& lines) {
    const std::string_view first = trimmed(lines[0]);
    return first.size() > 2 && first[0] >= '0' && first[0] <= '9' && trimmed(lines[1]).starts_with('*') &&
           (holds(first, "accelerogram") || holds(first, "velocity") || holds(first, "displacement") ||
            holds(first, "spectra"));
}

bool is_at2(const TextLines& lines) {
    constexpr std::size_t kLookedAt = 200;
    for (std::size_t i = 0; i < std::min(lines.size(), kLookedAt); ++i)
        if (holds(lines[i], "npts")) return true;
    return false;
}

Format detect_text(const TextLines& lines) {
    constexpr std::size_t kHead = 80;
    const std::size_t first = first_filled(lines);
    const std::string_view line = lines[first];
    if (lines.find("gns science", first, first + 3) < std::min(first + 3, lines.size()))
        lines.fail(first, "a GeoNet file (V1A, V2A): not read; get the record in another format");
    if (holds(line, "vol1ds")) lines.fail(first, "a BHRC file (volume 1): not read; get the record in another format");
    if (holds(line, "origin time") && lines.find("scale factor", 0, kHead) < std::min(kHead, lines.size()))
        return Format::knet;
    if (lines.find("sampling_interval_s:", 0, kHead) < std::min(kHead, lines.size())) return Format::esm;
    if (holds(line, "strong ground motion records of t")) return Format::afad;
    if (holds(line, "(format v")) return Format::cosmos;
    if (is_smc(lines)) return Format::smc;
    for (std::size_t i = first; i < first + 3; ++i)
        if (holds(lines[i], "corrected accelerogram")) return Format::csmip;
    if (is_at2(lines)) return Format::at2;
    return Format::columns;
}

Record read_text(const TextLines& lines, Format format, const Stated& stated) {
    switch (format) {
        case Format::at2: return read_at2(lines);
        case Format::cosmos: return read_cosmos(lines);
        case Format::csmip: return read_csmip(lines);
        case Format::knet: return read_knet(lines);
        case Format::esm: return read_esm(lines);
        case Format::afad: return read_afad(lines);
        case Format::smc: return read_smc(lines);
        case Format::matlab:
        case Format::columns: break;
    }
    return read_columns(lines, stated);
}

/// What the user states where the file does not; a contradiction is refused.
void apply_stated(Record& record, const Stated& stated) {
    constexpr double kShare = 1e-3;
    for (Channel& channel : record.channels) {
        if (!stated.unit.empty()) {
            const auto unit = unit_of(stated.unit);
            if (channel.is_si && unit && unit->name != unit_of(channel.unit).value_or(*unit).name)
                throw files::InputError(fmt::format("{}: the file states the unit {}, {} is given", record.file,
                                                    channel.unit, stated.unit));
            if (!channel.is_si) convert(channel, unit);
        }
        if (!stated.step_s) continue;
        if (channel.step_s == 0.0 && channel.time_s.empty()) channel.step_s = *stated.step_s;
        if (!(std::abs(channel.step_s - *stated.step_s) <= kShare * *stated.step_s))
            throw files::InputError(
                fmt::format("{}: contradictory sampling: the file says {:.6g} s between samples, "
                            "{:.6g} s is given",
                            record.file, channel.step_s, *stated.step_s));
    }
}

void require_sound(const Record& record) {
    for (const Channel& channel : record.channels) {
        if (channel.samples.size() < 2 || channel.samples.size() > kSamplesMax)
            throw files::InputError(
                fmt::format("{}: {} samples; allowed: 2 to {}", record.file, channel.samples.size(), kSamplesMax));
        for (const double value : channel.samples)
            if (!std::isfinite(value))
                throw files::InputError(fmt::format("{}: a value that is not finite", record.file));
    }
}

}  // namespace

const std::vector<std::string_view>& format_names() {
    static const std::vector<std::string_view> names{"at2",  "cosmos", "csmip",  "knet",   "esm",
                                                     "afad", "smc",    "matlab", "columns"};
    return names;
}

std::string_view format_name(Format format) noexcept { return format_names()[static_cast<std::size_t>(format)]; }

Format detect(const std::string& file, std::string_view bytes) {
    for (const Foreign& foreign : kForeign)
        if (bytes.starts_with(foreign.starts)) throw files::InputError(fmt::format("{}: {}", file, foreign.says));
    if (bytes.starts_with("MATLAB 5.0 MAT-file")) return Format::matlab;
    return detect_text(TextLines(file, std::string(bytes)));
}

Record read_record(const std::filesystem::path& file, std::string_view format, const Stated& stated) {
    std::string bytes = files::read_text_file(file, kBytesMax);
    const std::string name = file.string();
    if (trimmed(bytes).empty()) throw files::InputError(name + ": is empty");
    for (const Foreign& foreign : kForeign)
        if (bytes.starts_with(foreign.starts)) throw files::InputError(fmt::format("{}: {}", name, foreign.says));
    const auto named = std::find(format_names().begin(), format_names().end(), format);
    std::optional<Format> kind;
    if (named != format_names().end()) kind = static_cast<Format>(named - format_names().begin());
    if (!kind && bytes.starts_with("MATLAB 5.0 MAT-file")) kind = Format::matlab;
    Record record;
    if (kind == Format::matlab) {
        record = read_matlab(file, stated);
    } else {
        const TextLines lines(name, std::move(bytes));
        record = read_text(lines, kind ? *kind : detect_text(lines), stated);
        if (lines.was_utf16() && record.format != "columns") record.notes.push_back("UTF-16");
    }
    apply_stated(record, stated);
    require_sound(record);
    return record;
}

bool looks_like_experiment(std::string_view bytes) {
    constexpr std::size_t kLookedAt = 65536;
    bytes = bytes.substr(0, kLookedAt);
    for (std::size_t start = 0; start < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
        std::string_view line = trimmed(bytes.substr(start, end - start));
        line = trimmed(line.substr(0, line.find('#')));
        start = end + 1;
        if (line.size() < 3 || line.front() != '[' || line.back() != ']') continue;
        while (line.starts_with('[') && line.ends_with(']')) line = line.substr(1, line.size() - 2);
        const auto is_of_key = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                   c == '.';
        };
        if (!line.empty() && std::all_of(line.begin(), line.end(), is_of_key) && !begins_with_number(line)) return true;
    }
    return false;
}

void require_usable(const Record& record, const Channel& channel) {
    std::string missing;
    if (!channel.has_times()) missing = "the time between two samples (step_s, or --step)";
    if (!channel.is_si) {
        if (!missing.empty()) missing += " and ";
        missing += channel.unit.empty()
                       ? "the unit (units = \"m/s2\", \"g\" or \"cm/s2\", or --units)"
                       : fmt::format("the acceleration of one of its \"{}\" (units and scale)", channel.unit);
    }
    if (!missing.empty())
        throw files::InputError(fmt::format("{}: channel {}: the file does not state {}: it must be given", record.file,
                                            channel.name, missing));
}

}  // namespace topple::hil::ground_motion

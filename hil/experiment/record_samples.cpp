// Reading the samples of a record: a CSV with a header of ours, or any file of ground motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "hil/experiment/record_parts.hpp"
#include "hil/files/csv.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/ground_motion/read_record.hpp"
#include "hil/signal/printed_times.hpp"

namespace topple::hil::experiment {
namespace {

using files::CsvTable;

constexpr std::size_t kSamplesMax = ground_motion::kSamplesMax;
constexpr std::string_view kTimeColumn = "time_s";

/// Acceleration units by the ending of a column's name.
std::string unit_of_name(std::string_view name) {
    if (name.ends_with("_cm_s2")) return "cm/s2";
    if (name.ends_with("_m_s2")) return "m/s2";
    if (name.ends_with("_g")) return "g";
    return {};
}

std::size_t time_index(TomlTable& section, const CsvTable& csv) {
    if (!csv.has_header) return 0;
    if (const auto index = csv.find(kTimeColumn)) return *index;
    section.fail("file",
                 fmt::format("the CSV has no column {}; there are: {}", kTimeColumn, fmt::join(csv.names, ", ")));
}

std::size_t channel_index(TomlTable& section, const CsvTable& csv, std::size_t time) {
    if (section.has("channel")) {
        const std::string channel = section.text("channel");
        const auto index = csv.find(channel);
        if (!index || *index == time)
            section.fail("channel", fmt::format("no such column; there are: {}", fmt::join(csv.names, ", ")));
        return *index;
    }
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < csv.names.size(); ++i)
        if (i != time && (!csv.has_header || csv.names[i].starts_with("acceleration"))) candidates.push_back(i);
    if (candidates.size() == 1) return candidates.front();
    section.fail("file", fmt::format("{} columns of acceleration: name one by channel; there are: {}",
                                     candidates.size(), fmt::join(csv.names, ", ")));
}

std::string read_units(TomlTable& section) {
    return section.one_of_or("units", {"m/s2", "g", "cm/s2", "any", "auto"}, "auto");
}

std::string csv_unit(TomlTable& section, const std::string& column) {
    const std::string stated = unit_of_name(column), units = read_units(section);
    if (units != "auto" && !stated.empty() && units != stated)
        section.fail("units", fmt::format("the column {} states {}", column, stated));
    if (units == "auto" && stated.empty()) {
        const std::string message = fmt::format(
            "the column \"{}\" states no unit (endings _m_s2, _g, _cm_s2): units must be \"m/s2\", \"g\" or \"cm/s2\"",
            column);
        section.fail(section.has("units") ? "units" : "file", message);
    }
    return units == "auto" ? stated : units;
}

void require_duration(TomlTable& section, double duration_s) {
    if (duration_s > kDurationMax_s)
        section.fail("file", fmt::format("lasts {} s; at most {} s are allowed", duration_s, kDurationMax_s));
}

/// Sets even_step_s if the samples are even.
void check_times(TomlTable& section, const CsvTable& csv, std::size_t time_column, std::optional<double>& even_step_s) {
    files::require_increasing(csv, csv.names[time_column]);
    const std::vector<double>& time_s = csv.columns[time_column];
    if (time_s.size() < 2) section.fail("file", "a record needs at least 2 samples");
    if (time_s.size() > kSamplesMax)
        section.fail("file", fmt::format("{} samples; at most {} are allowed", time_s.size(), kSamplesMax));
    const double duration_s = time_s.back() - time_s.front();
    require_duration(section, duration_s);
    if (section.boolean_or("uneven_time", false)) return;
    const double step_s = duration_s / static_cast<double>(time_s.size() - 1);
    if (const auto uneven = signal::first_uneven(time_s))
        section.fail("file", fmt::format("uneven time at line {}: samples are not every {} s; uneven_time = true "
                                         "joins them by straight lines",
                                         csv.line_numbers[*uneven], step_s));
    even_step_s = step_s;
}

RecordSamples read_csv_samples(TomlTable& section, const ExcitationContext& context, const CsvTable& csv,
                               RecordAccount& account) {
    if (csv.names.size() < 2) section.fail("file", "two columns are needed: time and acceleration");
    if (section.has("step_s")) section.fail("step_s", "not allowed: the CSV has a column of times");
    const std::size_t time_column = time_index(section, csv);
    const std::size_t channel = channel_index(section, csv, time_column);
    std::optional<double> even_step_s;
    check_times(section, csv, time_column, even_step_s);
    account.unit = csv_unit(section, csv.names[channel]);
    account.format = "CSV";
    account.channel = csv.names[channel];
    account.step_s = even_step_s.value_or(0.0);
    const double factor = account.unit == "g" ? context.gravity_m_s2 : account.unit == "cm/s2" ? 0.01 : 1.0;
    RecordSamples samples{csv.columns[time_column], csv.columns[channel], csv.columns[time_column].front(), {}};
    for (std::size_t i = 0; i < samples.time_s.size(); ++i)  // what rounding moved goes back onto the grid
        samples.time_s[i] =
            even_step_s ? static_cast<double>(i) * *even_step_s : samples.time_s[i] - csv.columns[time_column].front();
    for (std::size_t i = 0; i < samples.acceleration_m_s2.size(); ++i) {
        samples.acceleration_m_s2[i] *= factor;
        const double scaled_m_s2 = samples.acceleration_m_s2[i] * account.scale;
        if (std::abs(scaled_m_s2) > kAccelerationMax_m_s2 && !has_displacement(section))
            section.fail("file", fmt::format("line {}: {} m/s2; at most {} m/s2 are allowed: wrong units or scale?",
                                             csv.line_numbers[i], scaled_m_s2, kAccelerationMax_m_s2));
    }
    if (section.has("displacement_channel")) samples.displacement = displacement_column(section, csv, samples.time_s);
    return samples;
}

std::string listed(const ground_motion::Channel& channel) {
    return channel.component.empty() ? channel.name : fmt::format("{} ({})", channel.name, channel.component);
}

/// By number, name or the file's own words.
const ground_motion::Channel& chosen_channel(TomlTable& section, const ground_motion::Record& record,
                                             const std::vector<std::string>& list) {
    if (!section.has("channel")) {
        if (record.channels.size() == 1) return record.channels.front();
        section.fail("file", fmt::format("{} accelerations: choose one by channel; there are: {}",
                                         record.channels.size(), fmt::join(list, ", ")));
    }
    const std::string wanted = section.is_text("channel") ? section.text("channel")
                                                          : std::to_string(section.integer_or("channel", 1, 10'000, 1));
    for (const ground_motion::Channel& channel : record.channels)
        if (channel.name == wanted || channel.component == wanted) return channel;
    if (!section.is_text("channel")) {
        const auto number = static_cast<std::size_t>(section.integer_or("channel", 1, 10'000, 1));
        if (number <= record.channels.size()) return record.channels[number - 1];
    }
    section.fail("channel", fmt::format("no such channel; there are: {}", fmt::join(list, ", ")));
}

RecordSamples read_ground_motion(TomlTable& section, const std::filesystem::path& file, const std::string& format,
                                 RecordAccount& account) {
    ground_motion::Stated stated;
    stated.step_s = section.optional_number("step_s", above(0.0, 10.0));
    const std::string units = read_units(section);
    if (units != "auto") stated.unit = units == "any" ? "m/s2" : units;
    const ground_motion::Record record = ground_motion::read_record(file, format, stated);
    for (const ground_motion::Channel& channel : record.channels) account.channels.push_back(listed(channel));
    const ground_motion::Channel& channel = chosen_channel(section, record, account.channels);
    ground_motion::require_usable(record, channel);
    require_duration(section, channel.duration_s());
    if (!channel.time_s.empty() && !section.boolean_or("uneven_time", false))
        section.fail("file", "its times are uneven; uneven_time = true joins the samples by straight lines");
    account.format = record.format;
    account.station = record.station;
    account.event = record.event;
    account.channel = channel.name;
    account.component = channel.component;
    account.unit = units == "any" ? units : channel.unit;
    account.step_s = channel.step_s;
    account.printed_peak = channel.printed_peak;
    account.notes = record.notes;
    account.notes.insert(account.notes.end(), channel.notes.begin(), channel.notes.end());
    RecordSamples samples{channel.time_s, channel.samples, 0.0, {}};
    if (channel.time_s.empty())
        for (std::size_t i = 0; i < channel.samples.size(); ++i)
            samples.time_s.push_back(static_cast<double>(i) * channel.step_s);
    for (std::size_t i = 0; i < samples.acceleration_m_s2.size(); ++i)
        if (std::abs(samples.acceleration_m_s2[i] * account.scale) > kAccelerationMax_m_s2 &&
            !has_displacement(section))
            section.fail("file",
                         fmt::format("sample {}: {} m/s2; at most {} m/s2 are allowed: wrong units or scale?", i + 1,
                                     samples.acceleration_m_s2[i] * account.scale, kAccelerationMax_m_s2));
    return samples;
}

/// Columns that name their time with a unit in brackets are no CSV of ours.
bool has_bracketed_time(const CsvTable& csv) {
    return std::any_of(csv.names.begin(), csv.names.end(), [](const std::string& name) {
        return name.find_first_of("([") != std::string::npos && (name.starts_with('T') || name.starts_with('t'));
    });
}

/// The file as a CSV of ours; none if it must be something else. Throws what is wrong with the CSV where that says
/// more.
std::optional<CsvTable> as_csv(const std::filesystem::path& file, const std::string& bytes) {
    try {
        CsvTable csv = files::read_csv(file);
        const bool is_ours =
            csv.names.size() >= 2 && !(csv.has_header && !csv.find(kTimeColumn) && has_bracketed_time(csv));
        return is_ours ? std::optional(std::move(csv)) : std::nullopt;
    } catch (const files::InputError&) {
        if (bytes.find(kTimeColumn) != std::string::npos) throw;
        return std::nullopt;
    }
}

}  // namespace

RecordSamples read_record_samples(TomlTable& section, const ExcitationContext& context, RecordAccount& account) {
    std::vector<std::string_view> formats{"auto", "csv"};
    formats.insert(formats.end(), ground_motion::format_names().begin(), ground_motion::format_names().end());
    const std::string format = section.one_of_or("format", formats, "auto");
    account.file = section.text("file");
    const std::filesystem::path file = context.directory / account.file;
    std::error_code error;
    if (!std::filesystem::exists(file, error)) section.fail("file", "no such file: " + file.string());
    section.boolean_or("uneven_time", false);
    account.scale = section.number_or("scale", between(-1e6, 1e6), 1.0);
    if (account.scale == 0.0) section.fail("scale", "must not be 0");
    RecordSamples samples;
    if (format == "csv") {
        samples = read_csv_samples(section, context, files::read_csv(file), account);
    } else {
        const std::string bytes = format == "auto" ? files::read_text_file(file, ground_motion::kBytesMax) : "";
        const bool may_be_csv =
            format == "auto" && ground_motion::detect(file.string(), bytes) == ground_motion::Format::columns;
        const auto csv = may_be_csv ? as_csv(file, bytes) : std::nullopt;
        samples = csv ? read_csv_samples(section, context, *csv, account)
                      : read_ground_motion(section, file, format, account);
    }
    account.read_m_s2 = samples.acceleration_m_s2;
    return samples;
}

}  // namespace topple::hil::experiment

// The section [fragility] of an experiment file.
#include <fmt/format.h>

#include <algorithm>

#include "hil/experiment/fragility.hpp"
#include "hil/experiment/fragility_keys.hpp"
#include "hil/experiment/sections.hpp"
#include "hil/experiment/toml_document.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kValuesMax = 1000, kRecordsMax = 10'000, kMembersMax = 10'000, kBootstrapMax = 10'000;
constexpr std::size_t kPeriodsMax = 16;
const NumberRange kPeriod = between(0.01, 100.0);

IntensityMeasure read_measure(TomlTable& section) {
    const std::string word = section.one_of("intensity_measure", {"pga", "pgv", "sa", "sv", "amplitude"});
    for (const auto measure : {IntensityMeasure::pga, IntensityMeasure::pgv, IntensityMeasure::spectral_acceleration,
                               IntensityMeasure::spectral_velocity})
        if (word == name(measure)) return measure;
    return IntensityMeasure::amplitude;
}

/// "LO:HI:N", evenly spaced with both ends.
std::vector<double> spaced(TomlTable& section, const std::string& key, const NumberRange& range) {
    const std::string text = section.text(key);
    const auto first = text.find(':'), second = text.find(':', first == std::string::npos ? first : first + 1);
    std::optional<double> low, high;
    std::optional<std::uint64_t> count;
    if (second != std::string::npos) {
        low = text::parse_number(std::string_view(text).substr(0, first));
        high = text::parse_number(std::string_view(text).substr(first + 1, second - first - 1));
        count = text::parse_whole_number(std::string_view(text).substr(second + 1));
    }
    if (!low || !high || !count || !range.contains(*low) || !range.contains(*high) || *low >= *high || *count < 2 ||
        *count > kValuesMax)
        section.fail(key,
                     fmt::format("allowed: rising numbers, or \"LO:HI:N\" with LO < HI, each {}, and N from 2 to {}",
                                 range.text(), kValuesMax));
    std::vector<double> values;
    for (std::size_t i = 0; i < *count; ++i)
        values.push_back(*low + (*high - *low) * static_cast<double>(i) / static_cast<double>(*count - 1));
    return values;
}

std::vector<double> read_values(TomlTable& section, IntensityMeasure measure, double gravity_m_s2) {
    const bool is_velocity = unit(measure) == "m/s";
    const std::string key = is_velocity ? "values_m_s" : section.has("values_g") ? "values_g" : "values_m_s2";
    for (const char* other : {"values_m_s", "values_m_s2", "values_g"})
        if (other != key)
            section.forbid(other, fmt::format("does not go with {}: intensity_measure = \"{}\" is in {}", key,
                                              name(measure), unit(measure)));
    const double factor = key == "values_g" ? gravity_m_s2 : 1.0;
    const NumberRange range = above(0.0, (is_velocity ? 100.0 : kAccelerationMax_m_s2) / factor);
    std::vector<double> values =
        section.is_text(key) ? spaced(section, key, range) : section.numbers(key, range, kValuesMax);
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] <= values[i - 1])
            section.fail(key, fmt::format("{:g} is not above {:g}: the values must rise", values[i], values[i - 1]));
    for (double& value : values) value *= factor;
    return values;
}

std::vector<std::string> read_records(TomlTable& section) {
    if (!section.has("records")) return {};
    std::vector<std::string> records = section.texts("records");
    if (records.empty()) section.fail("records", "allowed: a folder, a file, or a list of files");
    if (records.size() > kRecordsMax)
        section.fail("records", fmt::format("{} names; at most {} are allowed", records.size(), kRecordsMax));
    return records;
}

void read_responses(TomlTable& section, FragilitySection& fragility) {
    if (!section.has("responses")) return;
    const std::vector<std::string> wanted = section.texts("responses");
    fragility.has_peaks = false;
    for (const std::string& word : wanted) {
        if (word == "peak_rotation" || word == "uplift") fragility.has_peaks = true;
        if (word != "peak_rotation" && word != "uplift" && word != "overturning")
            section.fail("responses", fmt::format("\"{}\"; allowed: overturning, peak_rotation, uplift", word));
    }
    if (wanted.empty()) section.fail("responses", "allowed: a list of overturning, peak_rotation, uplift");
}

/// The keys of one [[fragility.motions]], checked as an [excitation] where they stand.
WrittenMotion read_written(TomlTable section, toml::table keys, const ExcitationContext& context) {
    WrittenMotion motion;
    motion.count = static_cast<std::size_t>(section.integer_or("count", 1, static_cast<std::int64_t>(kRecordsMax), 1));
    motion.type = section.text("type");
    if (motion.type == "none") section.fail("type", "a base that rests has no intensity: leave it out");
    if (section.has("count") && motion.type != "noise")
        section.fail("count", "only of type = \"noise\", for so many seeds: any other motion is the same each time");
    motion.seed = static_cast<std::uint64_t>(section.integer_or("seed", 0, kSeedMax, 1));
    if (section.has("seed") && motion.type != "noise") section.fail("seed", "only of type = \"noise\"");
    read_excitation(std::move(section), context);
    keys.erase("count");
    motion.keys = text_of_keys(std::move(keys));
    return motion;
}

void read_motions(TomlTable& section, const toml::table& root, const Experiment& experiment,
                  FragilitySection& fragility) {
    fragility.records = read_records(section);
    const toml::node* record = root["fragility"]["record"].node();
    if (section.has("record")) {
        if (fragility.records.empty()) section.fail("record", "corrects records, and there are none");
        TomlTable keys = section.table("record");
        for (const char* key : {"type", "file"}) keys.forbid(key, "the records are listed in [fragility] records");
        for (const char* key : {"scale", "scale_to_pga_m_s2", "scale_to_pga_g", "scale_to_pgv_m_s", "scale_to_sa_m_s2"})
            keys.forbid(key, "the records are scaled to the values of the intensity measure");
        fragility.record_keys = text_of_keys(*record->as_table());
    }
    std::vector<TomlTable> tables = section.tables("motions");
    const toml::node* written = root["fragility"]["motions"].node();
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const toml::array* list = written->as_array();
        const toml::table& keys = list ? *list->get(i)->as_table() : *written->as_table();
        fragility.motions.push_back(read_written(std::move(tables[i]), keys, fragility_context(experiment)));
    }
}

}  // namespace

std::string_view name(IntensityMeasure measure) noexcept {
    switch (measure) {
        case IntensityMeasure::pga: return "pga";
        case IntensityMeasure::pgv: return "pgv";
        case IntensityMeasure::spectral_acceleration: return "sa";
        case IntensityMeasure::spectral_velocity: return "sv";
        case IntensityMeasure::amplitude: return "amplitude";
    }
    return "";
}

std::string_view unit(IntensityMeasure measure) noexcept {
    return measure == IntensityMeasure::pgv || measure == IntensityMeasure::spectral_velocity ? "m/s" : "m/s2";
}

std::optional<FragilitySection> read_fragility(const Experiment& experiment) {
    const std::string file_name = experiment.source.string();
    TomlTable file = TomlTable::parse(experiment.text, file_name);
    if (!file.has("fragility")) return std::nullopt;
    const auto document = TomlDocument::parse(experiment.text, file_name);
    TomlTable section = file.table("fragility");
    FragilitySection fragility;
    fragility.measure = read_measure(section);
    const bool is_spectral = fragility.measure == IntensityMeasure::spectral_acceleration ||
                             fragility.measure == IntensityMeasure::spectral_velocity;
    if (is_spectral)
        fragility.period_s = section.number("period_s", kPeriod);
    else
        section.forbid("period_s", "only of intensity_measure = \"sa\" or \"sv\"");
    fragility.values = read_values(section, fragility.measure, experiment.gravity_m_s2);
    fragility.members =
        static_cast<std::size_t>(section.integer_or("members", 0, static_cast<std::int64_t>(kMembersMax), 100));
    read_responses(section, fragility);
    fragility.scale_limit = section.number_or("scale_limit", above(1.0, 1e6), fragility.scale_limit);
    if (section.has("compared_periods_s"))
        fragility.compared_periods_s = section.numbers("compared_periods_s", kPeriod, kPeriodsMax);
    fragility.bootstrap =
        static_cast<std::size_t>(section.integer_or("bootstrap", 0, static_cast<std::int64_t>(kBootstrapMax), 500));
    read_motions(section, document->root, experiment, fragility);
    section.finish();
    if (fragility.records.empty() && fragility.motions.empty() && experiment.excitation.motion.empty())
        section.fail_here(
            "nothing moves the base: write records (a folder or files), [[fragility.motions]] or an [excitation]");
    return fragility;
}

}  // namespace topple::hil::experiment

// The motions of a study: records that are found by name, and waves that are written in the file.
#include <fmt/format.h>

#include <algorithm>
#include <locale>
#include <map>
#include <set>
#include <sstream>

#include "hil/experiment/fragility.hpp"
#include "hil/experiment/fragility_keys.hpp"
#include "hil/experiment/record_account.hpp"
#include "hil/experiment/toml_document.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::experiment {
namespace {

namespace fs = std::filesystem;
using files::InputError;

constexpr std::size_t kMotionsMax = 10'000;

[[noreturn]] void refuse(const Experiment& experiment, const std::string& why) {
    throw InputError(fmt::format("{}: [fragility] {}", experiment.source.string(), why));
}

/// * stands for any characters.
bool matches(std::string_view name, std::string_view pattern) {
    const auto star = pattern.find('*');
    if (star == std::string_view::npos) return name == pattern;
    if (name.substr(0, star) != pattern.substr(0, star)) return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t at = star; at <= name.size(); ++at)
        if (matches(name.substr(at), rest)) return true;
    return false;
}

/// Files of a folder whose names fit, by name; hidden ones are not looked at.
std::vector<std::string> files_in(const fs::path& folder, const std::string& as_written, std::string_view pattern) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        std::error_code ignored;
        if (!name.starts_with('.') && entry.is_regular_file(ignored) && matches(name, pattern))
            names.push_back((fs::path(as_written) / name).string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> files_of(const Experiment& experiment, const std::string& record) {
    const fs::path beside = experiment.source.parent_path(), path = beside / record;
    std::error_code error;
    if (fs::is_regular_file(path, error)) return {record};
    const bool is_folder = fs::is_directory(path, error);
    const fs::path written = record;
    const std::string pattern = is_folder ? "*" : written.filename().string();
    if (!is_folder && pattern.find('*') == std::string::npos)
        refuse(experiment, fmt::format("records: \"{}\": no such file or folder", record));
    const std::string folder = is_folder ? record : written.parent_path().string();
    std::vector<std::string> found = files_in(beside / folder, folder, pattern);
    if (found.empty()) refuse(experiment, fmt::format("records: \"{}\": there is no file", record));
    return found;
}

std::string keys_of_record(const std::string& file, const FragilitySection& fragility) {
    toml::table keys = toml::parse(fragility.record_keys);
    keys.insert("type", "record");
    keys.insert("file", file);
    return text_of_keys(std::move(keys));
}

ListedMotion written_motion(const WrittenMotion& motion, std::size_t index, std::size_t place) {
    if (motion.type != "noise") return {fmt::format("{} {}", motion.type, place), "", motion.keys};
    const auto seed = static_cast<std::int64_t>(motion.seed + index);
    toml::table keys = toml::parse(motion.keys);
    keys.insert_or_assign("seed", seed);
    return {fmt::format("noise {} seed {}", place, seed), "", text_of_keys(std::move(keys))};
}

/// Its keys but for the strength, of which the sign stays: a mirrored motion is another one. With a deceleration the
/// strength decides on the shape.
std::string shape_of(const ListedMotion& motion) {
    toml::table keys = toml::parse(motion.keys);
    if (keys.contains("deceleration_m_s2")) return motion.keys;
    for (const char* strength : {"amplitude_m_s2", "amplitude_g", "displacement_m", "rms_m_s2", "rms_g"})
        if (const auto value = keys[strength].value<double>()) {
            keys.erase(strength);
            keys.insert_or_assign("sign", *value < 0.0 ? -1 : 1);
        }
    return text_of_keys(std::move(keys));
}

/// Every motion is scaled: of two that differ in strength only, each run would be made and counted twice.
void require_distinct(const Experiment& experiment, const std::vector<ListedMotion>& motions) {
    std::map<std::string, std::string> names;
    for (const ListedMotion& motion : motions) {
        if (!motion.file.empty()) continue;
        const auto [first, is_new] = names.emplace(shape_of(motion), motion.name);
        if (!is_new)
            refuse(experiment, fmt::format("motions: {} and {} differ at most in their strength, to which all are "
                                           "scaled: the same motion counts once; of noise choose another seed",
                                           first->second, motion.name));
    }
}

ListedMotion motion_of_excitation(const Experiment& experiment) {
    const auto& record = experiment.excitation.record;
    return {experiment.excitation.type, record ? (experiment.source.parent_path() / record->file).string() : "", ""};
}

}  // namespace

std::string text_of_keys(toml::table keys) {
    keys.is_inline(false);
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << keys << '\n';
    return out.str();
}

ExcitationContext fragility_context(const Experiment& experiment) {
    ExcitationContext context;
    context.gravity_m_s2 = experiment.gravity_m_s2;
    context.specimens_mass_kg = payload_kg(experiment);
    context.directory = experiment.source.parent_path();
    return context;
}

std::vector<ListedMotion> list_motions(const Experiment& experiment, const FragilitySection& fragility) {
    std::vector<ListedMotion> motions;
    std::set<std::string> names;
    for (const std::string& record : fragility.records)
        for (const std::string& file : files_of(experiment, record)) {
            if (!names.insert(file).second) refuse(experiment, fmt::format("records: {} is listed twice", file));
            motions.push_back(
                {file, (experiment.source.parent_path() / file).string(), keys_of_record(file, fragility)});
        }
    for (std::size_t i = 0; i < fragility.motions.size(); ++i)
        for (std::size_t k = 0; k < fragility.motions[i].count; ++k)
            motions.push_back(written_motion(fragility.motions[i], k, i + 1));
    require_distinct(experiment, motions);
    if (motions.empty()) motions.push_back(motion_of_excitation(experiment));
    if (motions.size() > kMotionsMax)
        refuse(experiment, fmt::format("{} motions; at most {} are allowed", motions.size(), kMotionsMax));
    return motions;
}

Excitation read_motion(const ListedMotion& motion, const Experiment& experiment) {
    if (motion.keys.empty()) return experiment.excitation;
    try {
        TomlTable section = TomlTable::parse("[excitation]\n" + motion.keys, motion.name);
        return read_excitation(section.table("excitation"), fragility_context(experiment));
    } catch (const InputError& error) {
        const std::string why = error.what();
        throw InputError(why.starts_with(motion.name) ? why : motion.name + ": " + why);
    }
}

}  // namespace topple::hil::experiment

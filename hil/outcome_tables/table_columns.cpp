#include "hil/outcome_tables/table_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "hil/files/errors.hpp"
#include "hil/study/key_axis.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::outcome_tables {
namespace {

constexpr const char* kSpecimenIndex = "specimen_index";
constexpr const char* kJournal[] = {"test", kSpecimenIndex, "run", "status"};

using files::InputError;

std::string lower(std::string_view heading) {
    std::string text;
    for (const char c : heading)
        text += c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

constexpr std::pair<std::string_view, Role> kRoles[] = {
    {"test", Role::test},
    {"name", Role::test},
    {"test_id", Role::test},
    {"id", Role::test},
    {"motion", Role::motion},
    {"motion_file", Role::motion},
    {"record", Role::motion},
    {"ground_motion", Role::motion},
    {"specimen", Role::specimen},
    {"block", Role::specimen},
    {"outcome", Role::outcome},
    {"result", Role::outcome},
    {"observed", Role::outcome},
    {"seen", Role::outcome},
    {"overturned", Role::fell},
    {"fell", Role::fell},
    {"toppled", Role::fell},
    {"overturning", Role::fell},
    {"stood", Role::stood},
    {"standing", Role::stood},
    {"discarded", Role::discarded},
    {"discard", Role::discarded},
    {"peak_velocity_m_s", Role::peak_velocity},
    {"pgv_m_s", Role::peak_velocity},
    {"peak_rotation_rad", Role::peak_rotation},
    {"date", Role::carried},
    {"time", Role::carried},
    {"note", Role::carried},
    {"notes", Role::carried},
    {"comment", Role::carried},
    {"remark", Role::carried},
    {"operator", Role::carried},
    {"run", Role::of_campaign},
    {"side", Role::of_campaign},
    {"direction", Role::of_campaign},
    {"predicted", Role::of_campaign},
    {"status", Role::of_campaign},
    {"source", Role::of_campaign},
    {"members", Role::of_campaign},
    {"verdict", Role::of_campaign},
    {"began_utc", Role::of_campaign},
    {"took_s", Role::of_campaign},
    {"why", Role::of_campaign},
    {kSpecimenIndex, Role::of_campaign},
};

/// Keys that people write without their section.
constexpr std::string_view kOfExcitation[] = {
    "type",        "amplitude_m_s2", "amplitude_g",    "frequency_hz",   "angular_frequency_rad_s",
    "cycles",      "duration_s",     "displacement_m", "file",           "format",
    "channel",     "units",          "scale",          "step_s",         "high_pass_hz",
    "low_pass_hz", "scale_to_pga_g", "uneven_time",    "end_correction", "deceleration_m_s2",
    "coast_s"};
constexpr std::string_view kOfSpecimen[] = {
    "kind", "width_m", "height_m", "mass_kg", "friction", "initial_rotation_rad", "initial_tilt_rad"};
constexpr std::string_view kSections[] = {"specimen.",    "excitation.", "excitation_y.",     "vertical_excitation.",
                                          "uncertainty.", "table.",      "contact_dynamics.", "multiple_impact."};

template <std::size_t N>
bool is_one(std::string_view word, const std::string_view (&of)[N]) {
    return std::find(std::begin(of), std::end(of), word) != std::end(of);
}

bool is_derived_axis(std::string_view heading) {
    const auto& axes = study::derived_axes();
    return std::any_of(axes.begin(), axes.end(), [&](const auto& axis) { return axis.name == heading; });
}

/// "section.key", or empty.
std::string key_of(const std::string& heading, const experiment::ComposedText& experiment) {
    for (const std::string_view section : kSections)
        if (heading.starts_with(section) && heading.size() > section.size()) return heading;
    if (heading == "gravity_m_s2" || heading == "model") return heading;
    if (heading.find('.') != std::string::npos) return {};
    if (is_one(heading, kOfExcitation) || experiment.has("excitation." + heading)) return "excitation." + heading;
    if (is_one(heading, kOfSpecimen) || experiment.has("specimen." + heading)) return "specimen." + heading;
    return {};
}

Column column_of(const std::string& heading, const experiment::ComposedText& experiment) {
    const std::string word = lower(heading);
    for (const auto& [name, role] : kRoles)
        if (word == name) return {heading, role, {}};
    if (word.starts_with("p_") && !is_derived_axis(word)) return {heading, Role::of_campaign, {}};
    if (is_derived_axis(word)) return {heading, Role::key, word, true};
    if (const std::string key = key_of(word, experiment); !key.empty()) return {heading, Role::key, key};
    return {heading, Role::ignored, {}};
}

/// Two keys that set the same number of the file.
std::string set_by(const std::string& key) {
    if (key.ends_with(".amplitude_g")) return key.substr(0, key.size() - 1) + "m_s2";
    if (key.ends_with(".angular_frequency_rad_s")) return key.substr(0, key.rfind('.')) + ".frequency_hz";
    return key;
}

void require_distinct(const TableText& table, const std::vector<Column>& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i)
        for (std::size_t j = i + 1; j < columns.size(); ++j) {
            const Column &a = columns[i], &b = columns[j];
            const bool single = a.role != Role::ignored && a.role != Role::of_campaign && a.role != Role::carried;
            if (single && a.role == b.role && set_by(a.key) == set_by(b.key))
                throw InputError(fmt::format("{}, line {}: the columns \"{}\" and \"{}\" say the same: keep one",
                                             table.file, table.header.line, text::one_line(a.heading),
                                             text::one_line(b.heading)));
        }
}

/// A setting whose name lacks the unit would be passed over, and every row predicted without it.
void require_units(const TableText& table, const std::vector<Column>& columns) {
    constexpr std::string_view kStems[] = {"ampl",     "freq",  "width", "height",   "mass",
                                           "duration", "cycle", "scale", "friction", "thick"};
    for (const Column& column : columns) {
        if (column.role != Role::ignored) continue;
        const std::string word = lower(column.heading);
        for (const std::string_view stem : kStems) {
            if (!word.starts_with(stem)) continue;
            std::vector<std::string_view> meant;
            for (const std::string_view key : kOfExcitation)
                if (key.find(stem) != std::string_view::npos) meant.push_back(key);
            for (const std::string_view key : kOfSpecimen)
                if (key.find(stem) != std::string_view::npos) meant.push_back(key);
            throw InputError(fmt::format(
                "{}, line {}: column \"{}\" is no key of an experiment file; name it by key and unit: {}; or, if it is "
                "no setting, rename it",
                table.file, table.header.line, text::one_line(column.heading), fmt::join(meant, ", ")));
        }
    }
}

/// Of the numbers of all columns that hold some.
DecimalSign decimal_of(const TableText& table, const std::vector<Column>& columns) {
    std::array<std::size_t, 3> line{};  // where each style was seen first
    for (const TableLine& row : table.rows)
        for (std::size_t i = 0; i < std::min(columns.size(), row.cells.size()); ++i) {
            const Role role = columns[i].role;
            if (role != Role::key && role != Role::peak_velocity && role != Role::peak_rotation) continue;
            const auto sign = static_cast<std::size_t>(decimal_sign_of(row.cells[i]));
            if (line[sign] == 0) line[sign] = row.line;
        }
    const std::size_t points = line[static_cast<std::size_t>(DecimalSign::point)];
    const std::size_t commas = line[static_cast<std::size_t>(DecimalSign::comma)];
    if (points > 0 && commas > 0)
        throw InputError(
            fmt::format("{}: numbers with a decimal point (line {}) and with a comma (line {}): write all "
                        "of them with the same sign",
                        table.file, points, commas));
    return commas > 0 ? DecimalSign::comma : DecimalSign::point;
}

}  // namespace

std::optional<std::size_t> TableColumns::find(Role role) const noexcept {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].role == role) return i;
    return std::nullopt;
}

std::vector<std::string> TableColumns::headings(Role role) const {
    std::vector<std::string> names;
    for (const Column& column : all)
        if (column.role == role) names.push_back(column.heading);
    return names;
}

TableColumns columns_of(const TableText& table, const experiment::ComposedText& experiment) {
    TableColumns columns;
    for (const std::string& heading : table.header.cells) columns.all.push_back(column_of(heading, experiment));
    require_units(table, columns.all);
    require_distinct(table, columns.all);
    const auto there = [&] { return text::one_line(fmt::format("{}", fmt::join(table.header.cells, ", "))); };
    if (!columns.find(Role::outcome) && !columns.find(Role::fell) && !columns.find(Role::stood))
        throw InputError(
            fmt::format("{}, line {}: no column says how a test ended: name one outcome, overturned, fell or stood; "
                        "there are: {}",
                        table.file, table.header.line, there()));
    const bool is_of_repeats = is_journal(table);  // of one test again and again, that of the template
    if (!columns.find(Role::key) && !columns.find(Role::motion) && !columns.find(Role::specimen) && !is_of_repeats)
        throw InputError(
            fmt::format("{}, line {}: no column says what was done: name one after a key of the experiment file such "
                        "as excitation.amplitude_m_s2, or motion, or specimen; there are: {}",
                        table.file, table.header.line, there()));
    columns.decimal = decimal_of(table, columns.all);
    return columns;
}

bool is_journal(const TableText& table) {
    const auto& heads = table.header.cells;
    return std::all_of(std::begin(kJournal), std::end(kJournal),
                       [&](const char* name) { return std::find(heads.begin(), heads.end(), name) != heads.end(); });
}

void keep_last_lines(TableText& table) {
    if (!is_journal(table)) return;
    const auto& heads = table.header.cells;
    const auto place = [&](const char* name) {
        return static_cast<std::size_t>(std::find(heads.begin(), heads.end(), name) - heads.begin());
    };
    const std::size_t test = place("test"), specimen = place(kSpecimenIndex);
    std::map<std::pair<std::string, std::string>, std::size_t> last;
    const auto name_of = [&](const TableLine& line) {
        const auto cell = [&](std::size_t i) { return i < line.cells.size() ? line.cells[i] : std::string(); };
        return std::pair(cell(test), cell(specimen));
    };
    for (std::size_t i = 0; i < table.rows.size(); ++i) last[name_of(table.rows[i])] = i;
    std::vector<TableLine> kept;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (last.at(name_of(table.rows[i])) == i) kept.push_back(std::move(table.rows[i]));
    table.rows = std::move(kept);
}

}  // namespace topple::hil::outcome_tables

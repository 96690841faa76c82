#include "hil/experiment/members_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "hil/files/csv.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"
#include "hil/text/number_text.hpp"
#include "solver/study/standing_pose.hpp"

namespace topple::hil::experiment {
namespace {

using files::InputError;
using solver::Perturbation;

constexpr std::size_t kBytesMax = std::size_t{64} << 20;
constexpr std::string_view kFace = "restitution_face_";

/// The values that a column may have.
struct Range {
    double low, high;
    bool low_is_out = false;

    bool has(double value) const noexcept { return (low_is_out ? value > low : value >= low) && value <= high; }
    std::string words() const { return fmt::format("{}{:g}, {:g}]", low_is_out ? '(' : '[', low, high); }
};
constexpr Range kFactor{0.0, 10.0, true}, kWeight{0.0, 1e300}, kTilt{-0.4, 0.4}, kYaw{-3.2, 3.2}, kSeat{-100.0, 100.0},
    kWear{0.0, 100.0};

/// What a column sets in a row.
struct Column {
    std::string_view key;
    Range range;
    std::function<void(WeightedMember&, double)> set;
};

/// Left and right side; what the other column does not say is 1.
void set_side(std::vector<double>& sides, std::size_t side, double factor) {
    sides.resize(2, 1.0);
    sides[side] = factor;
}

const std::vector<Column>& columns() {
    static const std::vector<Column> all = {
        {"weight", kWeight, [](WeightedMember& row, double x) { row.weight = x; }},
        {"restitution", kFactor, [](WeightedMember& row, double x) { row.perturbation.restitution_factor = x; }},
        {"k", kFactor, [](WeightedMember& row, double x) { row.perturbation.impulse_position_factor = x; }},
        {"width", kFactor, [](WeightedMember& row, double x) { row.perturbation.width_factors = {x}; }},
        {"width_left", kFactor, [](WeightedMember& row, double x) { set_side(row.perturbation.width_factors, 0, x); }},
        {"width_right", kFactor, [](WeightedMember& row, double x) { set_side(row.perturbation.width_factors, 1, x); }},
        {"height", kFactor, [](WeightedMember& row, double x) { row.perturbation.height_factors = {x}; }},
        {"height_left", kFactor,
         [](WeightedMember& row, double x) { set_side(row.perturbation.height_factors, 0, x); }},
        {"height_right", kFactor,
         [](WeightedMember& row, double x) { set_side(row.perturbation.height_factors, 1, x); }},
        {"tilt_rad", kTilt, [](WeightedMember& row, double x) { row.perturbation.tilt_rad = x; }},
        {"friction", kFactor, [](WeightedMember& row, double x) { row.perturbation.friction_factor = x; }},
        {"yaw_rad", kYaw, [](WeightedMember& row, double x) { row.perturbation.yaw_rad = x; }},
        {"seat_m", kSeat, [](WeightedMember& row, double x) { row.perturbation.seat_m = x; }},
        {"wear_m", kWear, [](WeightedMember& row, double x) { row.perturbation.wear_m = x; }},
        {"amplitude", kFactor, [](WeightedMember& row, double x) { row.motion.amplitude = x; }},
        {"frequency", kFactor, [](WeightedMember& row, double x) { row.motion.frequency = x; }}};
    return all;
}

/// Of "restitution_face_3": 3.
std::optional<std::size_t> face_of(std::string_view key) {
    if (!key.starts_with(kFace)) return std::nullopt;
    const auto face = text::parse_whole_number(key.substr(kFace.size()));
    if (!face || *face >= solver::kFootCornersMax) return std::nullopt;
    return static_cast<std::size_t>(*face);
}

std::optional<Column> column_of(std::string_view key) {
    for (const Column& column : columns())
        if (column.key == key) return column;
    const std::optional<std::size_t> face = face_of(key);
    if (!face) return std::nullopt;
    return Column{key, kFactor, [face = *face](WeightedMember& row, double x) {
                      auto& factors = row.perturbation.face_factors;
                      if (factors.size() <= face) factors.resize(face + 1, 1.0);
                      factors[face] = x;
                  }};
}

void require_header(const files::CsvTable& csv) {
    if (!csv.has_header)
        throw InputError(
            fmt::format("{}:{}: no header; allowed: a first line that names the columns, such as "
                        "weight,restitution,width",
                        csv.file, csv.line_numbers.front()));
    std::vector<std::string_view> allowed;
    for (const Column& column : columns()) allowed.push_back(column.key);
    std::set<std::string> seen;
    for (const std::string& key : csv.names) {
        if (!column_of(key))
            throw InputError(fmt::format("{}: column \"{}\": not known; allowed: {} and {}0, {}1, ...", csv.file, key,
                                         fmt::join(allowed, ", "), kFace, kFace));
        if (!seen.insert(key).second) throw InputError(fmt::format("{}: column \"{}\" is there twice", csv.file, key));
    }
    for (const char* key : {"width", "height"})
        for (const char* side : {"_left", "_right"})
            if (csv.find(key) && csv.find(std::string(key) + side))
                throw InputError(
                    fmt::format("{}: column \"{}\": not together with \"{}{}\"", csv.file, key, key, side));
}

/// So that all together count as many as members of equal weight that would be worth as much.
void set_weights(MembersTable& table) {
    double sum = 0.0, squares = 0.0;
    const double most = std::max_element(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
                            return a.weight < b.weight;
                        })->weight;
    if (!(most > 0.0))
        throw InputError(fmt::format("{}: column \"weight\": all are 0; allowed: at least one above 0", table.file));
    for (WeightedMember& row : table.rows) {
        table.is_weighted = table.is_weighted || row.weight != most;
        row.weight /= most;
        sum += row.weight;
        squares += row.weight * row.weight;
    }
    table.effective_members = sum * sum / squares;
    for (WeightedMember& row : table.rows) row.weight *= table.effective_members / sum;
}

}  // namespace

bool MembersTable::has(std::string_view key) const noexcept {
    return std::any_of(keys.begin(), keys.end(), [key](const std::string& one) { return one == key; });
}

MembersTable read_members_table(const std::filesystem::path& file) {
    const files::CsvTable csv = files::read_csv(file, {.bytes_max = kBytesMax});
    require_header(csv);
    MembersTable table;
    table.file = file.string();
    table.sha256 = files::sha256_hex(files::read_text_file(file, kBytesMax));
    const std::size_t count = csv.line_numbers.size();
    if (count > kMembersRowsMax)
        throw InputError(fmt::format("{}: {} members; at most {} are allowed", table.file, count, kMembersRowsMax));
    table.rows.resize(count);
    for (std::size_t i = 0; i < count; ++i) table.rows[i].line = csv.line_numbers[i];
    for (std::size_t k = 0; k < csv.names.size(); ++k) {
        const Column column = column_of(csv.names[k]).value();
        if (csv.names[k] != "weight") table.keys.push_back(csv.names[k]);
        for (std::size_t i = 0; i < count; ++i) {
            const double value = csv.columns[k][i];
            if (!column.range.has(value))
                throw InputError(fmt::format("{}:{}: column \"{}\" = {:g}; allowed: {}", table.file,
                                             csv.line_numbers[i], csv.names[k], value, column.range.words()));
            column.set(table.rows[i], value);
        }
    }
    set_weights(table);
    return table;
}

std::string_view parameter_of(std::string_view column) noexcept {
    if (column.starts_with(kFace)) return kFace.substr(0, kFace.size() - 1);
    for (const std::string_view side : {"_left", "_right"})
        if (column.ends_with(side)) return column.substr(0, column.size() - side.size());
    return column;
}

void require_members_of(const MembersTable& table, const solver::Specimen& specimen) {
    const bool has_sides = specimen.blocks.size() == 1 && solver::foot_count(specimen) == 2;
    for (const std::string& key : table.keys) {
        if (!has_sides && (key.ends_with("_left") || key.ends_with("_right")))
            throw InputError(fmt::format("{}: column \"{}\": only of a specimen with pivots or a foot; allowed: \"{}\"",
                                         table.file, key, parameter_of(key)));
        const std::optional<std::size_t> face = face_of(key);
        if (face && *face >= solver::face_count(specimen))
            throw InputError(
                fmt::format("{}: column \"{}\": the specimen has {} faces, counted from 0; allowed: "
                            "no more columns than faces",
                            table.file, key, solver::face_count(specimen)));
    }
    for (const WeightedMember& row : table.rows) {
        const auto& heights = row.perturbation.height_factors;
        if (specimen.foot && heights.size() == 2 && heights[0] != heights[1])
            throw InputError(
                fmt::format("{}:{}: columns \"height_left\" = {:g} and \"height_right\" = {:g}: a foot has "
                            "one height over the face on which it stands; allowed: both alike, or "
                            "\"height\"",
                            table.file, row.line, heights[0], heights[1]));
        try {
            solver::perturbed(specimen, combined({}, row.perturbation, specimen));
        } catch (const std::invalid_argument& error) {
            throw InputError(
                fmt::format("{}:{}: this member is no valid specimen: {}", table.file, row.line, error.what()));
        }
    }
}

solver::Distribution restitution_of(const MembersTable& table) {
    double mean = 0.0, squares = 0.0;
    for (const WeightedMember& row : table.rows)
        mean += row.weight / table.effective_members * row.perturbation.restitution_factor;
    for (const WeightedMember& row : table.rows) {
        const double away = row.perturbation.restitution_factor - mean;
        squares += row.weight / table.effective_members * away * away;
    }
    return {solver::DistributionKind::normal, std::sqrt(squares), mean - 1.0};
}

std::string members_words(const MembersTable& table) {
    return fmt::format(
        "{} (SHA-256 {}..., {} members{})", table.file, table.sha256.substr(0, 12), table.rows.size(),
        table.is_weighted ? fmt::format(" worth {:.1f} of equal weight", table.effective_members) : std::string());
}

Perturbation combined(Perturbation drawn, const Perturbation& of_row, const solver::Specimen& specimen) {
    drawn.restitution_factor *= of_row.restitution_factor;
    drawn.impulse_position_factor *= of_row.impulse_position_factor;
    drawn.friction_factor *= of_row.friction_factor;
    drawn.tilt_rad += of_row.tilt_rad;
    if (!of_row.width_factors.empty()) drawn.width_factors = of_row.width_factors;
    if (!of_row.height_factors.empty()) drawn.height_factors = of_row.height_factors;
    if (solver::face_count(specimen) == 0) return drawn;  // a stack has no pose
    drawn.yaw_rad += of_row.yaw_rad;
    drawn.seat_m += of_row.seat_m;
    drawn.wear_m += of_row.wear_m;
    if (!of_row.face_factors.empty()) {
        drawn.face_factors = of_row.face_factors;
        drawn.face_factors.resize(solver::face_count(specimen), 1.0);
    }
    return drawn;
}

}  // namespace topple::hil::experiment

#include "hil/conclude/positions_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "hil/files/csv.hpp"
#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::conclude {
namespace {

using compare::CameraPositions;
using compare::CameraSetup;
using files::InputError;
using Json = nlohmann::ordered_json;

constexpr std::string_view kTime = "time_", kPosition = "position_", kBasin = "basin_displacement_";
constexpr const char* kSchema = "topple.positions/1";

bool is_read(std::string_view name) {
    return name.starts_with(kTime) || name.starts_with(kPosition) || name.starts_with(kBasin);
}

void assign(std::vector<double>& target, const std::vector<double>& values, double factor, const std::string& where) {
    if (!target.empty()) throw InputError(where + ": a second column for the same quantity");
    for (const double value : values) target.push_back(factor * value);
}

/// Block and unit of "<i>_<unit>"; "<unit>" alone is block 0.
std::size_t split_block(std::string& rest, const std::string& where) {
    std::size_t block = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), block);
    if (error == std::errc::invalid_argument) return 0;
    if (error != std::errc() || *end != '_' || block >= solver::kAssemblyBlocksMax)
        throw InputError(fmt::format("{}: expected position_<block>_<unit> with block 0 to {}", where,
                                     solver::kAssemblyBlocksMax - 1));
    rest.erase(0, static_cast<std::size_t>(end + 1 - rest.data()));
    return block;
}

void add_column(CameraPositions& seen, const std::string& name, const std::vector<double>& values) {
    const std::string where = fmt::format("{}: column \"{}\"", seen.file, name);
    if (name.starts_with(kTime))
        return assign(seen.time_s, values, files::time_unit_s(name.substr(kTime.size()), where), where);
    if (name.starts_with(kBasin))
        return assign(seen.basin_m, values, files::length_unit_m(name.substr(kBasin.size()), where), where);
    std::string rest = name.substr(kPosition.size());
    const std::size_t block = split_block(rest, where);
    if (seen.position_m.size() <= block) seen.position_m.resize(block + 1);
    assign(seen.position_m[block], values, files::length_unit_m(rest, where), where);
}

void require_columns(const CameraPositions& seen, const files::CsvTable& table) {
    const auto missing = [&](const std::string& what) {
        throw InputError(
            fmt::format("{}: no column {}; there are: {}", seen.file, what, fmt::join(table.names_in_file, ", ")));
    };
    if (seen.position_m.empty()) missing("position_<block>_<unit>");
    for (std::size_t b = 0; b < seen.position_m.size(); ++b)
        if (seen.position_m[b].empty()) missing(fmt::format("position_{}_<unit>; blocks count from 0", b));
}

/// Of rows at one time, as at an event of a predicted history, the last.
void keep_last_of_equal_times(CameraPositions& seen) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < seen.time_s.size(); ++i) {
        if (kept > 0 && seen.time_s[kept - 1] == seen.time_s[i]) --kept;
        for (std::vector<double>& path : seen.position_m) path[kept] = path[i];
        if (!seen.basin_m.empty()) seen.basin_m[kept] = seen.basin_m[i];
        seen.line_numbers[kept] = seen.line_numbers[i];
        seen.time_s[kept++] = seen.time_s[i];
    }
    for (std::vector<double>& path : seen.position_m) path.resize(kept);
    if (!seen.basin_m.empty()) seen.basin_m.resize(kept);
    seen.line_numbers.resize(kept);
    seen.time_s.resize(kept);
}

double number_of(const Json& json, const char* key, const std::string& file) {
    if (!json.contains(key) || !json[key].is_number())
        throw InputError(fmt::format("{}: {} is missing or no number", file, key));
    return json[key].get<double>();
}

}  // namespace

CameraPositions read_camera_positions(const std::filesystem::path& file, std::optional<double> rate_hz) {
    const files::CsvTable table = files::read_csv(file, {.keeps = is_read});
    CameraPositions seen;
    seen.file = table.file;
    seen.line_numbers = table.line_numbers;
    for (std::size_t i = 0; i < table.names.size(); ++i) add_column(seen, table.names[i], table.columns[i]);
    if (!seen.time_s.empty() && rate_hz) throw InputError(table.file + ": has a time column; omit --positions-rate");
    if (seen.time_s.empty() && !rate_hz)
        throw InputError(
            fmt::format("{}: no column time_s, time_ms or time_us; there are: {}. For frames without a "
                        "time give --positions-rate",
                        table.file, fmt::join(table.names_in_file, ", ")));
    for (std::size_t i = 0; rate_hz && i < table.line_numbers.size(); ++i)
        seen.time_s.push_back(static_cast<double>(i) / *rate_hz);
    require_columns(seen, table);
    keep_last_of_equal_times(seen);
    return seen;
}

void require_assembly(const std::filesystem::path& file, const experiment::Experiment& experiment) {
    if (experiment.assembly) return;
    throw InputError(fmt::format("--positions {}: positions of blocks are for kind = \"assembly\"; {} has none{}",
                                 file.string(), experiment.source.string(),
                                 experiment.specimens.empty() ? "" : " (of rocking blocks --rotation is measured)"));
}

std::optional<KeptPositions> read_kept_positions(const std::filesystem::path& run_folder) {
    const std::filesystem::path file = run_folder / "positions.json";
    if (!std::filesystem::exists(file)) return std::nullopt;
    const Json json = Json::parse(files::read_text_file(file), nullptr, false);
    if (!json.is_object() || json.value("schema", "") != kSchema)
        throw InputError(fmt::format("{}: is not a document {}", file.string(), kSchema));
    KeptPositions kept;
    std::optional<double> rate_hz;
    if (json.contains("rate_hz") && !json["rate_hz"].is_null()) rate_hz = number_of(json, "rate_hz", file.string());
    kept.seen = read_camera_positions(run_folder / "positions.csv", rate_hz);
    kept.setup.start_s = number_of(json, "start_s", file.string());
    kept.setup.in_basin = json.contains("in_basin") && json["in_basin"] == true;
    if (json.contains("sync_rise_s") && !json["sync_rise_s"].is_null())
        kept.setup.sync_s = std::vector<double>{number_of(json, "sync_rise_s", file.string()),
                                                number_of(json, "sync_fall_s", file.string())};
    return kept;
}

void require_no_positions(const std::filesystem::path& run_folder, files::Overwrite overwrite) {
    for (const char* file : {"positions.csv", "positions.json"})
        files::require_writable_name(run_folder / file, overwrite);
}

void keep_positions(const std::filesystem::path& run_folder, const PositionsRequest& request) {
    const auto& sync_s = request.setup.sync_s;
    const Json json{{"schema", kSchema},
                    {"file", request.file.filename().string()},
                    {"start_s", request.setup.start_s},
                    {"sync_rise_s", sync_s ? Json(sync_s->at(0)) : Json(nullptr)},
                    {"sync_fall_s", sync_s ? Json(sync_s->at(1)) : Json(nullptr)},
                    {"in_basin", request.setup.in_basin},
                    {"rate_hz", request.rate_hz ? Json(*request.rate_hz) : Json(nullptr)}};
    files::write_file(run_folder / "positions.csv", files::read_text_file(request.file), files::Overwrite::allow);
    files::write_file(run_folder / "positions.json", json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                      files::Overwrite::allow);
}

}  // namespace topple::hil::conclude

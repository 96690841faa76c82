#include "hil/conclude/rotation_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"

namespace topple::hil::conclude {
namespace {

using files::InputError;
using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "topple.camera/1";
constexpr const char* kCopy = "camera.csv";
constexpr const char* kHow = "camera.json";

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// The value of a key, empty for null; InputError for another type.
template <typename T>
std::optional<T> optional_of(const Json& json, const char* key, const std::string& file) {
    if (!json.contains(key) || json[key].is_null()) return std::nullopt;
    try {
        return json[key].get<T>();
    } catch (const nlohmann::json::exception&) {
        throw InputError(fmt::format("{}: {} has another type than Topple writes", file, key));
    }
}

RotationRequest request_of(const Json& json, const std::filesystem::path& folder, const std::string& file) {
    RotationRequest request;
    request.file = folder / kCopy;
    request.how.rate_hz = optional_of<double>(json, "rate_hz", file);
    if (const auto decimal = optional_of<std::string>(json, "decimal", file); decimal && !decimal->empty())
        request.how.decimal = decimal->front();
    request.how.unit = optional_of<std::string>(json, "unit", file).value_or("");
    request.how.plane = optional_of<std::string>(json, "plane", file).value_or("");
    request.how.sign = optional_of<int>(json, "sign", file);
    request.how.bodies =
        optional_of<std::vector<std::vector<std::string>>>(json, "blocks", file).value_or(request.how.bodies);
    request.setup.start_s = optional_of<double>(json, "start_s", file);
    request.setup.sync_s = optional_of<std::vector<double>>(json, "sync_s", file);
    request.setup.correlate = optional_of<bool>(json, "correlate", file).value_or(false);
    request.setup.sign_is_known = request.how.sign.has_value();
    return request;
}

}  // namespace

std::size_t block_count(const experiment::Experiment& experiment) noexcept {
    std::size_t count = 0;
    for (const solver::Specimen& specimen : experiment.specimens) count += specimen.blocks.size();
    return count;
}

void require_rocking_blocks(const std::filesystem::path& file, const experiment::Experiment& experiment) {
    if (experiment.assembly)
        throw InputError(fmt::format(
            "--rotation {}: the blocks of an assembly do not rotate; {} has kind = \"assembly\": give their positions "
            "with --positions",
            file.string(), experiment.source.string()));
    if (block_count(experiment) == 0)
        throw InputError(fmt::format("--rotation {}: nothing that could rock stands on the table in {}", file.string(),
                                     experiment.source.string()));
}

compare::CameraInput read_camera(const RotationRequest& request, const experiment::Experiment& experiment) {
    require_rocking_blocks(request.file, experiment);
    return {camera::read_rotation(request.file, request.how, block_count(experiment)), request.setup};
}

bool has_camera(const std::filesystem::path& run_folder) { return std::filesystem::exists(run_folder / kHow); }

std::optional<compare::CameraInput> read_kept_camera(const std::filesystem::path& run_folder,
                                                     const experiment::Experiment& experiment) {
    const std::filesystem::path file = run_folder / kHow;
    if (!has_camera(run_folder)) return std::nullopt;
    const Json json = Json::parse(files::read_text_file(file), nullptr, false);
    if (!json.is_object() || json.value("schema", "") != kSchema)
        throw InputError(fmt::format("{}: is not a document {}", file.string(), kSchema));
    const auto hash = optional_of<std::string>(json, "sha256", file.string());
    if (!hash || files::sha256_hex(files::read_text_file(run_folder / kCopy)) != *hash)
        throw InputError(fmt::format(
            "{}: is not the file that was compared ({} contains its SHA-256): put the original back, or give it again "
            "with `topple compare RUN --rotation CSV --force`",
            (run_folder / kCopy).string(), kHow));
    return read_camera(request_of(json, run_folder, file.string()), experiment);
}

void require_no_camera(const std::filesystem::path& run_folder, files::Overwrite overwrite) {
    for (const char* file : {kCopy, kHow}) files::require_writable_name(run_folder / file, overwrite);
}

void keep_camera(const std::filesystem::path& run_folder, const RotationRequest& request) {
    const std::string bytes = files::read_text_file(request.file);
    const camera::ReadOptions& how = request.how;
    const Json json{{"schema", kSchema},
                    {"file", request.file.filename().string()},
                    {"sha256", files::sha256_hex(bytes)},
                    {"start_s", or_null(request.setup.start_s)},
                    {"sync_s", or_null(request.setup.sync_s)},
                    {"correlate", request.setup.correlate},
                    {"rate_hz", or_null(how.rate_hz)},
                    {"decimal", how.decimal ? Json(std::string(1, *how.decimal)) : Json(nullptr)},
                    {"unit", how.unit.empty() ? Json(nullptr) : Json(how.unit)},
                    {"plane", how.plane.empty() ? Json(nullptr) : Json(how.plane)},
                    {"sign", or_null(how.sign)},
                    {"blocks", how.bodies.empty() ? Json(nullptr) : Json(how.bodies)}};
    files::write_file(run_folder / kCopy, bytes, files::Overwrite::allow);
    files::write_file(run_folder / kHow, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                      files::Overwrite::allow);
}

}  // namespace topple::hil::conclude

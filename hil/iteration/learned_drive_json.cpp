#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "hil/iteration/learned_drive.hpp"

namespace topple::hil::iteration {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kSchema = "topple.learned_drive/1";  // of one axis, whose keys are at the top
constexpr const char* kSchemaOfAxes = "topple.learned_drive/2";

constexpr const char* kContentKey = "content_sha256";

/// Of everything but the hash itself.
std::string content_hash(Json json) {
    json.erase(kContentKey);
    return files::sha256_hex(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json pass_json(const controller::PassResult& pass) {
    return {{"peak_error_m", pass.peak_error_m},
            {"acceleration_nrmse", pass.nrmse},
            {"correction_peak_m", pass.correction_peak_m},
            {"correction_peak_m_s2", pass.correction_peak_m_s2},
            {"force_n", pass.force_n},
            {"accelerometer_used", pass.sensors.accelerometer_used},
            {"accelerometer_gain", pass.sensors.gain},
            {"accelerometer_delay_s", pass.sensors.delay_s},
            {"compliance_s2", pass.sensors.compliance_s2},
            {"cross_axis_ratio", pass.sensors.cross_ratio},
            {"remark", pass.sensors.remark}};
}

controller::PassResult pass_of(const Json& json) {
    controller::PassResult pass;
    pass.peak_error_m = json.at("peak_error_m").get<double>();
    pass.nrmse = json.at("acceleration_nrmse").get<double>();
    pass.correction_peak_m = json.at("correction_peak_m").get<double>();
    pass.correction_peak_m_s2 = json.at("correction_peak_m_s2").get<double>();
    pass.force_n = json.at("force_n").get<double>();
    pass.sensors.accelerometer_used = json.at("accelerometer_used").get<bool>();
    pass.sensors.gain = json.at("accelerometer_gain").get<double>();
    pass.sensors.delay_s = json.at("accelerometer_delay_s").get<double>();
    pass.sensors.compliance_s2 = json.at("compliance_s2").get<double>();
    pass.sensors.cross_ratio = json.value("cross_axis_ratio", 0.0);
    pass.sensors.remark = json.at("remark").get<std::string>();
    return pass;
}

void require_sound(const controller::Correction& correction) {
    for (const double value_m : correction.displacement_m)
        if (!std::isfinite(value_m)) throw files::InputError("a displacement is not finite");
    if (!correction.empty() && !(correction.step_s > 0.0 && std::isfinite(correction.step_s)))
        throw files::InputError("step_s is not above 0");
}

void put_axis(Json& json, const LearnedAxis& axis) {
    json["end"] = axis.end;
    json["text"] = axis.text;
    json["drive_was_passed"] = axis.drive_was_passed;
    json["passes"] = Json::array();
    for (const controller::PassResult& pass : axis.passes) json["passes"].push_back(pass_json(pass));
    json["correction"] = {{"step_s", axis.correction.step_s}, {"displacement_m", axis.correction.displacement_m}};
}

LearnedAxis axis_of(const Json& json) {
    LearnedAxis axis;
    axis.end = json.at("end").get<std::string>();
    axis.text = json.at("text").get<std::string>();
    axis.drive_was_passed = json.at("drive_was_passed").get<bool>();
    for (const Json& pass : json.at("passes")) axis.passes.push_back(pass_of(pass));
    axis.correction = {json.at("correction").at("step_s").get<double>(),
                       json.at("correction").at("displacement_m").get<std::vector<double>>()};
    require_sound(axis.correction);
    return axis;
}

std::vector<LearnedAxis> axes_of(const Json& json) {
    const auto schema = json.at("schema").get<std::string>();
    if (schema == kSchema) return {axis_of(json)};
    if (schema != kSchemaOfAxes)
        throw files::InputError(fmt::format("its schema is neither {} nor {}", kSchema, kSchemaOfAxes));
    std::vector<LearnedAxis> axes;
    for (const Json& axis : json.at("axes")) axes.push_back(axis_of(axis));
    if (axes.size() != firmware_iface::kAxesMax) throw files::InputError("its axes are not x and y");
    return axes;
}

}  // namespace

std::string learned_drive_json(const LearnedDrive& drive) {
    const bool one_axis = drive.axes.size() == 1;
    Json json{{"schema", one_axis ? kSchema : kSchemaOfAxes},
              {"learned_utc", drive.learned_utc.empty() ? Json(nullptr) : Json(drive.learned_utc)},
              {"reused_from", drive.reused_from.empty() ? Json(nullptr) : Json(drive.reused_from)},
              {"machine_sha256", drive.identity.machine_sha256},
              {"waveform_sha256", drive.identity.waveform_sha256},
              {"payload_sha256", drive.identity.payload_sha256},
              {"payload", drive.identity.payload},
              {"goal_peak_error_m", drive.goal_peak_m},
              {"goal_acceleration_nrmse", drive.goal_nrmse}};
    if (one_axis) put_axis(json, drive.axes.front());
    for (std::size_t i = 0; i < drive.axes.size() && !one_axis; ++i) {
        Json axis{{"axis", std::string(firmware_iface::kAxisNames.at(i))}};
        put_axis(axis, drive.axes[i]);
        json["axes"].push_back(std::move(axis));
    }
    json[kContentKey] = content_hash(json);
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

LearnedDrive read_learned_drive(const std::string& text, const std::string& file) {
    try {
        const Json json = Json::parse(text);
        if (json.at(kContentKey).get<std::string>() != content_hash(json))
            throw files::InputError("its content is not what was written");
        LearnedDrive drive;
        drive.axes = axes_of(json);
        if (json.at("learned_utc").is_string()) drive.learned_utc = json["learned_utc"].get<std::string>();
        if (json.at("reused_from").is_string()) drive.reused_from = json["reused_from"].get<std::string>();
        drive.identity = {json.at("machine_sha256").get<std::string>(), json.at("waveform_sha256").get<std::string>(),
                          json.at("payload_sha256").get<std::string>(), json.at("payload").get<std::string>()};
        drive.goal_peak_m = json.value("goal_peak_error_m", 0.0);
        drive.goal_nrmse = json.value("goal_acceleration_nrmse", 0.0);
        return drive;
    } catch (const std::exception& error) {
        throw files::InputError(fmt::format("{}: not a learned drive: {}", file, error.what()));
    }
}

}  // namespace topple::hil::iteration

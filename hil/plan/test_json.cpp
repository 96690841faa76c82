#include "hil/plan/test_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/experiment/axis_motions.hpp"

namespace topple::hil::plan {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kSamplesMax = 2000;  // of the planned motion: more than a screen has columns
constexpr double kSampleEvery_s = 0.004;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json axes_json(const firmware_iface::MachineDescription& machine) {
    Json list = Json::array();
    for (std::size_t i = 0; i < machine.axis_count(); ++i) {
        const firmware_iface::MachineDescription axis = axis_of(machine, i);
        list.push_back(Json{{"name", firmware_iface::kAxisNames[i]},
                            {"stroke_m", axis.stroke_m},
                            {"velocity_max_m_s", axis.velocity_max_m_s},
                            {"acceleration_max_m_s2", axis.acceleration_max_m_s2},
                            {"following_error_max_m", axis.following_error_max_m}});
    }
    return list;
}

Json block_json(const solver::Specimen& specimen, std::size_t k) {
    const solver::Block& block = specimen.blocks[k];
    Json json;
    if (specimen.pivots)
        json = Json{{"alpha_left_rad", specimen.pivots->alpha_left_rad},
                    {"alpha_right_rad", specimen.pivots->alpha_right_rad},
                    {"radius_left_m", specimen.pivots->radius_left_m},
                    {"radius_right_m", specimen.pivots->radius_right_m}};
    else if (specimen.foot)
        json = Json{{"corners_m", specimen.foot->corners_m}};
    else
        json = Json{{"width_m", block.width_m}, {"height_m", block.height_m}};
    json["mass_kg"] = block.mass_kg;
    json["initial_rotation_rad"] = k < specimen.initial_rotation_rad.size() ? specimen.initial_rotation_rad[k] : 0.0;
    return json;
}

Json specimens_json(const experiment::Experiment& experiment) {
    Json list = Json::array();
    std::size_t first_rotation = 0;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        const solver::Specimen& specimen = experiment.specimens[i];
        Json blocks = Json::array();
        for (std::size_t k = 0; k < specimen.blocks.size(); ++k) blocks.push_back(block_json(specimen, k));
        list.push_back(Json{{"kind", specimen.blocks.size() > 1 ? "stack" : "block"},
                            {"plane_angle_rad", experiment::plane_angle_rad(experiment, i)},
                            {"uplift_threshold_m_s2",
                             finite_or_null(solver::uplift_acceleration_m_s2(specimen, experiment.gravity_m_s2))},
                            {"first_rotation", first_rotation},
                            {"blocks", std::move(blocks)}});
        first_rotation += specimen.blocks.size();
    }
    return list;
}

Json planned_json(std::span<const controller::Profile> axes) {
    if (axes.empty()) return nullptr;
    const double duration_s = controller::duration_s(axes);
    const double fitting = std::ceil(duration_s / kSampleEvery_s);
    const auto steps = static_cast<std::size_t>(std::clamp(fitting, 1.0, static_cast<double>(kSamplesMax - 1)));
    Json times = Json::array(), position = Json::array(), velocity = Json::array(), acceleration = Json::array();
    for (std::size_t n = 0; n <= steps; ++n)
        times.push_back(duration_s * static_cast<double>(n) / static_cast<double>(steps));
    for (const controller::Profile& axis : axes) {
        Json x = Json::array(), v = Json::array(), a = Json::array();
        for (const Json& time : times) {
            const solver::BaseState state = axis.at(time.get<double>());
            x.push_back(state.displacement_m);
            v.push_back(state.velocity_m_s);
            a.push_back(state.acceleration_m_s2);
        }
        position.push_back(std::move(x));
        velocity.push_back(std::move(v));
        acceleration.push_back(std::move(a));
    }
    return Json{{"duration_s", duration_s},
                {"time_s", std::move(times)},
                {"position_m", std::move(position)},
                {"velocity_m_s", std::move(velocity)},
                {"acceleration_m_s2", std::move(acceleration)}};
}

/// Of every specimen what prediction.json says first; a single one has no list there.
Json blind_json(const std::string& prediction_json, std::size_t specimen_count) {
    const Json prediction = Json::parse(prediction_json, nullptr, false);
    if (!prediction.is_object()) return nullptr;
    const Json specimens = prediction.contains("specimens") ? prediction["specimens"] : Json::array({prediction});
    if (!specimens.is_array() || specimens.size() < specimen_count) return nullptr;
    Json list = Json::array();
    for (std::size_t i = 0; i < specimen_count; ++i) {
        Json one;
        for (const char* key : {"outcome", "direction", "probability", "peak_rotation_rad", "settled_time_s"})
            one[key] = specimens[i].is_object() && specimens[i].contains(key) ? specimens[i][key] : Json(nullptr);
        list.push_back(std::move(one));
    }
    return list;
}

}  // namespace

std::string test_json(const experiment::Experiment& experiment, const ShownTest& shown) {
    const firmware_iface::MachineDescription& machine = experiment.table.description;
    const Json json{{"name", experiment.name},
                    {"device", shown.device},
                    {"simulated", shown.is_simulated},
                    {"replay_of", shown.replay_of.empty() ? Json(nullptr) : Json(shown.replay_of)},
                    {"axes", axes_json(machine)},
                    {"gravity_m_s2", experiment.gravity_m_s2},
                    {"specimens", specimens_json(experiment)},
                    {"planned", planned_json(shown.axes)},
                    {"blind", blind_json(shown.prediction_json, experiment.specimens.size())},
                    {"log_time_anchor_ns", shown.log_time_anchor_ns},
                    {"period_us", std::lround(1e6 / machine.feedback_rate_hz)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::plan

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "hil/plan/json_or_null.hpp"
#include "hil/plan/three_dimensional.hpp"
#include "hil/text/snapped.hpp"

namespace topple::hil::plan {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

std::string words(SpaceVerdict verdict) {
    switch (verdict) {
        case SpaceVerdict::planar: return "a plane body";
        case SpaceVerdict::with_care: return "a plane body with care";
        case SpaceVerdict::not_planar: return "NOT A PLANE BODY";
    }
    return "";
}

nlohmann::ordered_json members_json(const std::optional<SpaceOfMembers>& members) {
    if (!members) return nullptr;
    nlohmann::ordered_json json{{"count", members->count}};
    for (const SpaceVerdict verdict : {SpaceVerdict::planar, SpaceVerdict::with_care, SpaceVerdict::not_planar})
        json[name(verdict)] = members->share[static_cast<std::size_t>(verdict)];
    return json;
}

std::string members_text(const SpaceOfMembers& members) {
    return fmt::format("at the yaws of {} members: {:.0f} % plane bodies, {:.0f} % with care, {:.0f} % not",
                       members.count, 100.0 * members.share[0], 100.0 * members.share[1], 100.0 * members.share[2]);
}

}  // namespace

nlohmann::ordered_json space_json(const experiment::Experiment& experiment, std::size_t specimen) {
    const std::optional<SpaceAccount> a = space_account(experiment, specimen);
    if (!a) return {{"state", "unknown"}, {"missing", space_missing(experiment, specimen)}};
    return {{"state", "known"},
            {"verdict", name(a->verdict)},
            {"members", members_json(a->members)},
            {"reasons", a->reasons},
            {"reading", a->reading},
            {"width_along_m", a->width_along_m},
            {"width_across_m", a->width_across_m},
            {"width_ratio", a->width_across_m / a->width_along_m},
            {"centre_offset_m", text::snapped(a->centre_offset_m, a->width_across_m)},
            {"centre_offset_ratio", text::snapped(a->centre_offset_m / (0.5 * a->width_across_m), 1.0)},
            {"reach_ratio", a->reach_ratio},
            {"edge_ratio", a->edge_ratio},
            {"edge_obliquity_left_rad", a->obliquity_left_rad},
            {"edge_obliquity_right_rad", a->obliquity_right_rad},
            {"principal_axis_angle_rad", or_null(a->principal_angle_rad)},
            {"angular_momentum_angle_rad", or_null(a->momentum_angle_rad)},
            {"uplift_angle_rad", a->uplift_angle_rad},
            {"weakest_uplift_angle_rad", a->weakest_angle_rad},
            {"weakest_direction_rad", a->weakest_direction_rad},
            {"weakest_ratio", a->weakest_ratio}};
}

std::string space_text(const experiment::Experiment& experiment, std::size_t specimen, int width) {
    const std::optional<SpaceAccount> a = space_account(experiment, specimen);
    const auto line = [&](const char* label, const std::string& text) {
        return fmt::format("  {:<{}}{}\n", label, width, text);
    };
    if (!a) return line("in space", "not known: " + space_missing(experiment, specimen));
    std::string text = line("in space", words(a->verdict));
    if (a->members) text += line("", members_text(*a->members));
    for (const std::string& reason : a->reasons) text += line("", reason);
    text +=
        line("", fmt::format("stands on {:.4g} m along the plane and {:.4g} m across it; mass centre {:.3g} m ({:.0f} "
                             "% of the half-width) off the middle",
                             a->width_along_m, a->width_across_m,
                             text::snapped(std::abs(a->centre_offset_m), a->width_across_m),
                             200.0 * std::abs(a->centre_offset_m) / a->width_across_m));
    if (a->principal_angle_rad)
        text += line("", fmt::format("axis across the plane {:.1f} deg ({:.3f} rad) from a principal axis of inertia",
                                     kDegrees * *a->principal_angle_rad, *a->principal_angle_rad));
    const double g_m_s2 = experiment.gravity_m_s2;
    text +=
        line("", fmt::format("weakest towards {:.0f} deg ({:.3f} rad) from +x: lifts at {:.4g} m/s2, in the plane at "
                             "{:.4g} m/s2",
                             kDegrees * a->weakest_direction_rad, a->weakest_direction_rad,
                             g_m_s2 * std::tan(a->weakest_angle_rad), g_m_s2 * std::tan(a->uplift_angle_rad)));
    return text + line("", "read " + a->reading);
}

}  // namespace topple::hil::plan

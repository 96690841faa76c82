#include "hil/plan/foot_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "hil/experiment/axis_motions.hpp"
#include "hil/experiment/foot_reach.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/text/snapped.hpp"
#include "solver/laws/resting_places.hpp"
#include "solver/study/foot_decay.hpp"

namespace topple::hil::plan {
namespace {

using Json = nlohmann::ordered_json;
using solver::FootFace;
using solver::RestingPlace;
using solver::WayOver;

constexpr double kLeastTurn_rad = 5e-7;  // nothing of it would be seen in the text

struct Account {
    const solver::Specimen& specimen;
    const solver::Foot& foot;
    experiment::DrawnFoot drawn;
    std::vector<FootFace> faces;
    std::vector<std::array<double, 2>> ratios;
    std::vector<RestingPlace> places;
    std::size_t stands = 0;

    Account(const experiment::Experiment& experiment, std::size_t index)
        : specimen(experiment.specimens[index]),
          foot(*specimen.foot),
          faces(solver::faces_of(foot, specimen.blocks.front().mass_kg)),
          ratios(solver::face_ratios(specimen)),
          places(solver::resting_places(specimen, experiment.gravity_m_s2)),
          stands(solver::standing_face(foot)) {
        if (index < experiment.drawn_feet.size()) drawn = experiment.drawn_feet[index];
    }
    double mass_kg() const { return specimen.blocks.front().mass_kg; }
    double radius_of_gyration_m() const { return std::sqrt(foot.inertia_kg_m2 / mass_kg()); }
    const RestingPlace* place_on(std::size_t face) const {
        const auto found =
            std::find_if(places.begin(), places.end(), [face](const auto& at) { return at.face == face; });
        return found == places.end() ? nullptr : &*found;
    }
};

Json way_json(const WayOver& way, double from_rad) {
    return Json{{"balance_rad", way.is_at_limit ? Json(nullptr) : Json(way.balance_rad)},
                {"at_limit", way.is_at_limit},
                {"turn_rad", std::abs(way.balance_rad - from_rad)},
                {"energy_j", way.energy_j},
                {"rate_rad_s", or_null(way.rate_rad_s)},
                {"face", or_null(way.face)}};
}

Json face_json(const Account& account, std::size_t i) {
    Json json{{"slope_rad", text::snapped(account.faces[i].slope_rad, 1.0)},
              {"length_m", account.faces[i].length_m},
              {"can_rest", account.place_on(i) != nullptr},
              {"restitution_left_to_right", account.ratios[i][0]},
              {"restitution_right_to_left", account.ratios[i][1]}};
    if (const RestingPlace* place = account.place_on(i)) {
        json["uplift_left_m_s2"] = place->uplift_left_m_s2;
        json["uplift_right_m_s2"] = place->uplift_right_m_s2;
        json["to_left"] = way_json(place->to_left, place->rotation_rad);
        json["to_right"] = way_json(place->to_right, place->rotation_rad);
    }
    return json;
}

std::string labelled(const std::string& label, int width, const std::string& text) {
    return fmt::format("  {:<{}}{}\n", label, width, text);
}

std::string way_text(const WayOver& way, double from_rad) {
    const std::string what = way.face          ? fmt::format("onto face {} beyond", *way.face)
                             : way.is_at_limit ? fmt::format(
                                                     "no hill before |theta| = {:.4f} rad, where it counts as "
                                                     "overturned: turned by",
                                                     std::abs(way.balance_rad))
                                               : std::string("overturns beyond");
    return fmt::format("{} {:.4f} rad ({:.4g} J, {})", what, std::abs(way.balance_rad - from_rad), way.energy_j,
                       way.rate_rad_s ? fmt::format("or {:.4g} rad/s", *way.rate_rad_s)
                                      : std::string("no rate does it at once: an impact on the way stops it"));
}

/// In words: "pi/2" where nothing else is said.
std::string limit_text(const solver::Foot& foot) {
    return foot.overturned_rad < solver::kLyingDown_rad ? fmt::format("{:.4g} rad", foot.overturned_rad) : "pi/2";
}

/// Half way from the first hill, of the side that is higher, to the next face beyond it on which the body can rest;
/// empty if there is none.
std::optional<double> counting_rad(const solver::Specimen& specimen) {
    const std::vector<RestingPlace> places = solver::resting_places(specimen);
    double hill_rad = 0.0, face_rad = specimen.foot->overturned_rad;
    for (const RestingPlace& place : places)
        if (place.face == solver::standing_face(*specimen.foot))
            hill_rad = std::max(-place.to_left.balance_rad, place.to_right.balance_rad);
    bool is_there = false;
    for (const RestingPlace& place : places) {
        const double size_rad = std::abs(place.rotation_rad);
        if (size_rad <= hill_rad || size_rad > face_rad) continue;
        face_rad = size_rad;
        is_there = true;
    }
    return is_there ? std::optional(0.5 * (hill_rad + face_rad)) : std::nullopt;
}

std::string place_text(const Account& account, const RestingPlace& place, int width) {
    const bool is_standing = place.face == account.stands;
    const std::string turned = is_standing ? "" : fmt::format(", turned by {:+.4f} rad", place.rotation_rad);
    return labelled(is_standing ? "stands on" : "can rest on", width,
                    fmt::format("face {}{}, {:.4g} m long; lifts at {:.4g} m/s2 (to the left), {:.4g} m/s2 (to the "
                                "right)",
                                place.face, turned, account.faces[place.face].length_m, place.uplift_left_m_s2,
                                place.uplift_right_m_s2)) +
           labelled("  to left", width, way_text(place.to_left, place.rotation_rad)) +
           labelled("  to right", width, way_text(place.to_right, place.rotation_rad));
}

/// What was done to the points that are in the file.
std::string drawn_text(const Account& account, int width) {
    const experiment::DrawnFoot& drawn = account.drawn;
    std::string text;
    if (!drawn.left_out.empty())
        text += labelled("hull", width,
                         fmt::format("{} of the {} points touch nothing and are left out: {}", drawn.left_out.size(),
                                     drawn.points, fmt::join(drawn.left_out, ", ")));
    if (std::abs(drawn.turned_rad) > kLeastTurn_rad)
        text += labelled("turned", width,
                         fmt::format("by {:+.6f} rad from the pose in the file, level onto face {}", drawn.turned_rad,
                                     account.stands));
    return text;
}

}  // namespace

Json foot_json(const experiment::Experiment& experiment, std::size_t specimen) {
    if (!experiment.specimens.at(specimen).foot) return nullptr;
    const Account account(experiment, specimen);
    Json faces = Json::array();
    for (std::size_t i = 0; i < account.faces.size(); ++i) faces.push_back(face_json(account, i));
    return Json{{"corners_m", text::snapped(account.foot.corners_m, experiment::reach_m(account.foot))},
                {"mass_kg", account.specimen.blocks.front().mass_kg},
                {"inertia_kg_m2", account.foot.inertia_kg_m2},
                {"overturned_rad", account.foot.overturned_rad},
                {"radius_of_gyration_m", account.radius_of_gyration_m()},
                {"turned_rad", account.drawn.points > 0 ? Json(account.drawn.turned_rad) : Json(nullptr)},
                {"left_out", account.drawn.left_out},
                {"standing_face", account.stands},
                {"faces", std::move(faces)}};
}

std::string foot_text(const experiment::Experiment& experiment, std::size_t specimen, int width) {
    if (!experiment.specimens.at(specimen).foot) return {};
    const Account account(experiment, specimen);
    std::string text =
        labelled("foot", width,
                 fmt::format("{} corners, {} face{}, counted from the left; {:.5g} kg, {:.4g} kg m2 (radius of "
                             "gyration {:.4g} m)",
                             account.faces.size() + 1, account.faces.size(), account.faces.size() == 1 ? "" : "s",
                             account.specimen.blocks.front().mass_kg, account.foot.inertia_kg_m2,
                             account.radius_of_gyration_m()));
    text += drawn_text(account, width);
    if (account.foot.overturned_rad < solver::kLyingDown_rad)
        text +=
            labelled("overturned", width,
                     fmt::format("counts as overturned beyond {:.4f} rad to either side", account.foot.overturned_rad));
    for (const RestingPlace& place : account.places) text += place_text(account, place, width);
    if (account.places.empty()) text += labelled("rests", width, "nowhere: its seat is too steep");
    return text;
}

std::vector<double> half_cycles(const experiment::Experiment& experiment, std::size_t specimen,
                                const solver::Prediction& prediction) {
    const double angle_rad = experiment::plane_angle_rad(experiment, specimen);
    double free_from_s = experiment::excitation_along(experiment, angle_rad).planned_motion().end_s();
    if (experiment.vertical_excitation.type != "none")
        free_from_s = std::max(free_from_s, experiment.vertical_excitation.planned_motion().end_s());
    return solver::apparent_restitution(experiment.specimens.at(specimen), prediction.turning_points, free_from_s);
}

bool rests_elsewhere(const solver::Prediction& prediction, const solver::Specimen& specimen) {
    return specimen.foot && prediction.resting_face &&
           *prediction.resting_face != solver::standing_face(*specimen.foot);
}

std::string elsewhere_remark(const solver::Specimen& specimen, const std::string& who) {
    std::string text = fmt::format(
        "{} to another face of the foot and rests there: counted as rocking, because |theta| stays below {}", who,
        limit_text(*specimen.foot));
    if (const auto value_rad = counting_rad(specimen))
        return text + fmt::format("; overturned_rad = {:.3f} in [specimen] would count it as overturned", *value_rad);
    return text +
           "; overturned_rad in [specimen] can count that as overturned where the face lies beyond the first hill";
}

std::string inertia_remark(const experiment::Experiment& experiment, std::size_t specimen) {
    const solver::Specimen& body = experiment.specimens.at(specimen);
    if (!body.foot || body.solid) return {};  // of a mesh it is computed
    const double reach_m = experiment::reach_m(*body.foot);
    const double radius_m = std::sqrt(body.foot->inertia_kg_m2 / body.blocks.front().mass_kg);
    if (radius_m <= reach_m) return {};
    return fmt::format(
        "specimen {}: inertia_kg_m2 = {:.4g} makes a radius of gyration of {:.4g} m, more than the {:.4g} m from the "
        "mass centre to the farthest corner of its foot: is it about the mass centre, in kg m2?",
        specimen, body.foot->inertia_kg_m2, radius_m, reach_m);
}

std::string resting_words(const solver::Prediction& prediction, const solver::Specimen& specimen) {
    if (!prediction.resting_face || !specimen.foot) return {};
    const std::size_t face = *prediction.resting_face, stands = solver::standing_face(*specimen.foot);
    const std::vector<FootFace> faces = solver::faces_of(*specimen.foot, specimen.blocks.front().mass_kg);
    std::string text = fmt::format(" on face {} of {}", face, faces.size());
    if (face == stands) return text + ", as it stood";
    return text +
           fmt::format(", turned by {:+.4f} rad: not overturned (|theta| < {}), but it no longer stands on face {}",
                       faces.at(face).slope_rad, limit_text(*specimen.foot), stands);
}

}  // namespace topple::hil::plan

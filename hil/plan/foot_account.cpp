#include "hil/plan/foot_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hil/experiment/foot_reach.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/text/snapped.hpp"
#include "solver/laws/resting_places.hpp"

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
    return Json{{"balance_rad", way.balance_rad},
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
    return fmt::format("{} beyond {:.4f} rad ({:.4g} J, {})",
                       way.face ? fmt::format("onto face {}", *way.face) : std::string("overturns"),
                       std::abs(way.balance_rad - from_rad), way.energy_j,
                       way.rate_rad_s ? fmt::format("or {:.4g} rad/s", *way.rate_rad_s)
                                      : std::string("no rate does it at once: an impact on the way stops it"));
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
    for (const RestingPlace& place : account.places) text += place_text(account, place, width);
    if (account.places.empty()) text += labelled("rests", width, "nowhere: its seat is too steep");
    return text;
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
           fmt::format(", turned by {:+.4f} rad: not overturned (|theta| < pi/2), but it no longer stands on face {}",
                       faces.at(face).slope_rad, stands);
}

}  // namespace topple::hil::plan

#include "hil/plan/mesh_account.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/mesh/mesh_body.hpp"
#include "hil/text/snapped.hpp"

namespace topple::hil::plan {
namespace {

using Json = nlohmann::ordered_json;
using mesh::MeshBody;
using mesh::RestingFace;

constexpr std::size_t kFacesInText = 8, kFacesInJson = 100;  // a round body rests on thousands

const MeshBody* body_of(const experiment::Experiment& experiment, std::size_t specimen) {
    return specimen < experiment.shapes.size() ? experiment.shapes[specimen].mesh.get() : nullptr;
}

Json face_json(const RestingFace& face) {
    return {{"area_m2", face.area_m2},
            {"height_m", face.height_m},
            {"tilt_rad", face.tilt_rad},
            {"stability_rad", face.stability_rad}};
}

std::string face_words(const MeshBody& body, std::size_t i) {
    const RestingFace& face = body.resting[i];
    return fmt::format(
        "resting face {} of the hull: {:.4g} m2, mass centre {:.4g} m over it, {:.4f} rad from the file's pose, falls "
        "off beyond "
        "{:.4f} rad{}{}",
        i, face.area_m2, face.height_m, face.tilt_rad, face.stability_rad, i == body.stands_on ? "; stands on it" : "",
        i == body.settled ? "; settles on it" : "");
}

double size_of(const MeshBody& body) { return *std::max_element(body.extent_m.begin(), body.extent_m.end()); }

/// About the mass centre as it stands, without what rounding left of products that are 0.
std::array<double, 6> inertia_of(const MeshBody& body) {
    const auto& i = body.solid->inertia_kg_m2;
    return text::snapped(i, std::max({i[0], i[1], i[2]}));
}

}  // namespace

Json mesh_json(const experiment::Experiment& experiment, std::size_t specimen) {
    const MeshBody* body = body_of(experiment, specimen);
    if (body == nullptr) return nullptr;
    const solver::Specimen& stands = experiment.specimens[specimen];
    const auto i = inertia_of(*body);
    Json faces = Json::array();
    for (std::size_t k = 0; k < std::min(body->resting.size(), kFacesInJson); ++k)
        faces.push_back(face_json(body->resting[k]));
    return {{"file", body->file},
            {"unit", body->unit.name},
            {"triangles", body->triangles},
            {"points", body->points},
            {"surfaces", body->shells},
            {"mended", body->mended},
            {"extent_m", body->extent_m},
            {"volume_m3", body->volume_m3},
            {"density_kg_m3", body->density_kg_m3},
            {"mass_kg", body->solid->mass_kg},
            {"centre_m", text::snapped(body->centre_m, size_of(*body))},
            {"inertia_kg_m2", {{"xx", i[0]}, {"yy", i[1]}, {"zz", i[2]}, {"xy", i[3]}, {"xz", i[4]}, {"yz", i[5]}}},
            {"contact_tolerance_m", body->contact_tolerance_m},
            {"hull_faces", body->hull_faces},
            {"resting_faces", std::move(faces)},
            {"resting_faces_count", body->resting.size()},
            {"settles_on", body->settled},
            {"stands_on", body->stands_on},
            {"yaw_rad", stands.yaw_rad},
            {"section_m", text::snapped(stands.foot->corners_m, size_of(*body))}};
}

std::string mesh_text(const experiment::Experiment& experiment, std::size_t specimen, int width) {
    const MeshBody* body = body_of(experiment, specimen);
    if (body == nullptr) return "";
    const auto line = [&](const char* label, const std::string& text) {
        return fmt::format("  {:<{}}{}\n", label, width, text);
    };
    const auto i = inertia_of(*body);
    const auto centre_m = text::snapped(body->centre_m, size_of(*body));
    std::string text = line(
        "mesh", fmt::format("{} triangles of {} points, in {}; {:.4g} x {:.4g} x {:.4g} m", body->triangles,
                            body->points, body->unit.name, body->extent_m[0], body->extent_m[1], body->extent_m[2]));
    if (std::max(body->extent_m[0], body->extent_m[1]) > body->extent_m[2])
        text += line("",
                     "its longest extent is not vertical: which axis of the file is up? (many scanners write up = "
                     "\"y\")");
    for (const std::string& sentence : body->mended) text += line("mended", sentence);
    text += line(
        "body",
        fmt::format("{:.6g} m3 of {:.5g} kg/m3: {:.6g} kg; mass centre at ({:.5g}, {:.5g}, {:.5g}) m, in the "
                    "axes of the file, turned so that up is z",
                    body->volume_m3, body->density_kg_m3, body->solid->mass_kg, centre_m[0], centre_m[1], centre_m[2]));
    text += line("inertia", fmt::format("xx {:.5g}, yy {:.5g}, zz {:.5g}, xy {:.3g}, xz {:.3g}, yz {:.3g} kg m2", i[0],
                                        i[1], i[2], i[3], i[4], i[5]));
    text += line("resting faces", fmt::format("{} of the {} faces of its hull (tolerance {:.2g} m)",
                                              body->resting.size(), body->hull_faces, body->contact_tolerance_m));
    for (std::size_t k = 0; k < body->resting.size(); ++k)
        if (k < kFacesInText || k == body->stands_on || k == body->settled) text += line("", face_words(*body, k));
    if (body->resting.size() > kFacesInText)
        text += line("", fmt::format("(of the others {} are in --json)",
                                     std::min(body->resting.size(), kFacesInJson) - kFacesInText));
    return text + line("section", fmt::format("through the mass centre, at a yaw of {:.4f} rad",
                                              experiment.specimens[specimen].yaw_rad));
}

}  // namespace topple::hil::plan

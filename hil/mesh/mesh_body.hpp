// A body from a mesh file: what was read, what was mended, how heavy it is and how it stands.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hil/files/errors.hpp"
#include "hil/mesh/mesh_unit.hpp"
#include "hil/mesh/resting_faces.hpp"
#include "solver/solid.hpp"

namespace topple::hil::mesh {

inline constexpr double kContactToleranceShare = 1e-4;  ///< of the largest extent, if the tolerance is not given

/// What the file does not say about its body.
struct MeshRequest {
    MeshUnit unit = kMeshUnits[0];
    std::string up = "z";                          ///< axis of the file that points up: x y z -x -y -z
    std::optional<double> density_kg_m3, mass_kg;  ///< one of them
    std::optional<std::size_t> resting_face;       ///< of MeshBody::resting; left out: the one on which it settles
    std::optional<double> contact_tolerance_m;     ///< what stands out by less touches nothing
};

/// A face is asked for that the body does not have.
class RestingFaceError : public files::InputError {
  public:
    using files::InputError::InputError;
};

/// Lengths in m. The axes of the file are turned so that z is up; the body's own are parallel to them until it is
/// turned onto its face about a horizontal axis.
struct MeshBody {
    std::string file;  ///< as read
    MeshUnit unit = kMeshUnits[0];
    std::size_t triangles = 0, points = 0, shells = 0;  ///< of the closed surface
    std::vector<std::string> mended;                    ///< sentences of check_mesh()
    SpacePoint extent_m{};                              ///< along the axes of the file
    double volume_m3 = 0.0, density_kg_m3 = 0.0;
    SpacePoint centre_m{};  ///< of mass, in the axes of the file
    double contact_tolerance_m = 0.0;
    std::size_t hull_faces = 0;
    std::vector<RestingFace> resting;            ///< from the smallest tilt
    std::size_t settled = 0;                     ///< of `resting`: where it comes to rest from the pose of the file
    std::size_t stands_on = 0;                   ///< of `resting`: chosen
    std::shared_ptr<const solver::Solid> solid;  ///< standing, yaw 0; with mass and inertia
};

/// Throws files::InputError naming the file, what is wrong and where.
MeshBody mesh_body(const std::filesystem::path& file, const MeshRequest& request);
MeshBody mesh_body(TriangleMesh mesh, const std::string& name, const MeshRequest& request);

}  // namespace topple::hil::mesh

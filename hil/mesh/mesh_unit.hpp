// The unit of a mesh's coordinates, which no mesh file states.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::mesh {

struct MeshUnit {
    std::string_view name;
    double length_m;
};
inline constexpr MeshUnit kMeshUnits[] = {{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}};

inline constexpr double kExtentMin_m = 0.001, kExtentMax_m = 10.0;  ///< of the largest extent of a body

/// Throws files::InputError if a body of this largest extent (in the unit) is smaller than kExtentMin_m or larger than
/// kExtentMax_m, naming the units that would fit.
void require_likely_size(double extent, const MeshUnit& unit);

}  // namespace topple::hil::mesh

#include "hil/mesh/mesh_unit.hpp"

#include <fmt/format.h>

#include "hil/files/errors.hpp"

namespace topple::hil::mesh {

void require_likely_size(double extent, const MeshUnit& unit) {
    const auto is_likely = [&](const MeshUnit& any) {
        return extent * any.length_m >= kExtentMin_m && extent * any.length_m <= kExtentMax_m;
    };
    if (is_likely(unit)) return;
    std::string fitting;
    for (const MeshUnit& any : kMeshUnits)
        if (is_likely(any))
            fitting += fmt::format("{}\"{}\" makes it {:.4g} m", fitting.empty() ? "; " : ", ", any.name,
                                   extent * any.length_m);
    const std::string in_m = unit.name == "m" ? "" : fmt::format(", {:.4g} m", extent * unit.length_m);
    throw files::InputError(fmt::format("the body is {:.4g} {} large{}; allowed: {} to {} m{}", extent, unit.name, in_m,
                                        kExtentMin_m, kExtentMax_m,
                                        fitting.empty() ? "; no unit that is allowed fits" : fitting));
}

}  // namespace topple::hil::mesh

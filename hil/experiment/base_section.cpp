#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {

std::optional<solver::BeamBase> read_base(TomlTable& specimen) {
    if (!specimen.has("base")) return std::nullopt;
    TomlTable base = specimen.table("base");
    TomlTable table = base.table("beam");
    solver::BeamBase beam;
    const NumberRange length = above(0.0, kLengthMax_m);
    beam.length_m = table.number("length_m", length);
    beam.width_m = table.number("width_m", length);
    beam.thickness_m = table.number("thickness_m", length);
    beam.density_kg_m3 = table.number("density_kg_m3", above(0.0, 1e5));
    beam.modulus_pa = table.optional_number("modulus_pa", above(0.0, 1e30));
    if (table.has("static_deflection_ratio")) {
        if (beam.modulus_pa)
            table.fail("static_deflection_ratio", "not allowed together with modulus_pa: write one of them");
        beam.static_deflection_ratio = table.number("static_deflection_ratio", between(1e-12, 0.1));
    } else if (!beam.modulus_pa) {
        beam.modulus_pa = table.number("modulus_pa", above(0.0, 1e30));
    }
    beam.elements = static_cast<int>(table.integer_or("elements", 2, 64, beam.elements));
    if (table.has("damping_ratio")) {
        TomlTable damping = table.table("damping_ratio");
        const NumberRange ratio{0.0, 1.0, false, true};
        beam.damping_ratio_1 = damping.number("mode_1", ratio);
        beam.damping_ratio_3 = damping.number("mode_3", ratio);
        damping.finish();
    }
    table.finish();
    base.finish();
    return beam;
}

}  // namespace topple::hil::experiment

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {

solver::MultipleImpact read_multiple_impact(TomlTable& file) {
    solver::MultipleImpact impact;
    if (!file.has("multiple_impact")) return impact;
    TomlTable section = file.table("multiple_impact");
    impact.restitution = section.number_or("restitution", between(0.0, 1.0), impact.restitution);
    impact.stiffness_ratio = section.number_or("stiffness_ratio", between(1e-6, 1e6), impact.stiffness_ratio);
    impact.exponent = section.number_or("exponent", between(1.0, 10.0), impact.exponent);
    section.finish();
    return impact;
}

}  // namespace topple::hil::experiment

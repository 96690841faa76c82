// What a model needs of the specimens beyond what every file must have, said where it stands in the file.
#include <fmt/format.h>

#include <cmath>

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {
namespace {

constexpr double kSagMax_ratio = 0.1;  // as the solver's own: beyond it small deflections describe nothing

void require_friction(TomlTable& table, const solver::Specimen& specimen, std::string_view model) {
    if (specimen.friction || specimen.blocks.size() != 1) return;
    table.fail_here(
        fmt::format("specimen.friction is missing: model \"{}\" needs it; allowed: {{ static = ..., kinetic = ... }}, "
                    "numbers >= 0 and <= 10, kinetic not above static",
                    model));
}

void require_sound_beam(TomlTable& table, const solver::Specimen& specimen, double gravity_m_s2) {
    if (!specimen.beam || !table.has("base")) return;
    const solver::BeamBase& beam = *specimen.beam;
    TomlTable base = table.table("base");
    TomlTable at = base.table("beam");
    const double width_m = specimen.blocks.front().width_m;
    if (!(beam.length_m > width_m))
        at.fail("length_m",
                fmt::format("{} m is not longer than the block that stands on it: must be > {} (its width_m)",
                            beam.length_m, width_m));
    if (!beam.modulus_pa) return;
    double weight_n = 0.0;
    for (const solver::Block& block : specimen.blocks) weight_n += block.mass_kg * gravity_m_s2;
    const double second_moment_m4 = beam.width_m * std::pow(beam.thickness_m, 3) / 12.0;
    const double least_pa = weight_n * beam.length_m * beam.length_m / (48.0 * second_moment_m4 * kSagMax_ratio);
    if (*beam.modulus_pa < least_pa * (1.0 - 1e-9))
        at.fail("modulus_pa",
                fmt::format("{:g} Pa: the beam sags by {:.3g} of its length under the specimen, at most {} is allowed: "
                            "must be >= {:.4g}, or the beam thicker or shorter",
                            *beam.modulus_pa, kSagMax_ratio * least_pa / *beam.modulus_pa, kSagMax_ratio, least_pa));
}

}  // namespace

void require_what_model_needs(TomlTable& file, const Experiment& experiment, std::string_view model) {
    if (!file.texts("specimen").empty() || experiment.specimens.empty()) return;
    std::vector<TomlTable> tables = file.tables("specimen");
    if (tables.size() != experiment.specimens.size()) return;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (tables[i].has("file")) continue;  // its file has lines of its own
        if (model == "multiple_impact" || model == "slide_rock")
            require_friction(tables[i], experiment.specimens[i], model);
        require_sound_beam(tables[i], experiment.specimens[i], experiment.gravity_m_s2);
    }
}

}  // namespace topple::hil::experiment

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {
namespace {

Truth read_truth(TomlTable& section) {
    Truth truth;
    if (!section.has("truth")) return truth;
    if (section.is_text("truth")) {
        section.one_of("truth", {"exact"});
        truth.exact = true;
        return truth;
    }
    TomlTable table = section.table("truth");
    truth.restitution_factor = table.optional_number("restitution_factor", between(0.0, 2.0));
    truth.tilt_rad = table.optional_number("tilt_rad", between(-0.5, 0.5));
    truth.width_factor = table.optional_number("width_factor", between(0.5, 2.0));
    table.finish();
    return truth;
}

SimulatedMechanics read_mechanics(TomlTable& section, SimulatedMechanics fallback) {
    if (!section.has("table")) return fallback;
    const std::string name = section.one_of("table", {"ideal", "stage", "worn"});
    if (name == "worn") return SimulatedMechanics::worn;
    return name == "stage" ? SimulatedMechanics::stage : SimulatedMechanics::ideal;
}

}  // namespace

SimulationSection read_simulation(TomlTable& file) {
    SimulationSection simulation;
    if (!file.has("simulation")) return simulation;
    TomlTable section = file.table("simulation");
    simulation.seed = static_cast<std::uint64_t>(section.integer_or("seed", 0, kSeedMax, 1));
    simulation.placement_tilt_rad = section.number_or("placement_tilt_rad", between(0.0, 0.1), 0.0);
    simulation.table = read_mechanics(section, simulation.table);
    simulation.truth = read_truth(section);
    section.finish();
    return simulation;
}

}  // namespace topple::hil::experiment

#include <fmt/format.h>

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {
namespace {

solver::AssemblyBlock read_assembly_block(TomlTable& table, double neighbour_ends_m) {
    solver::AssemblyBlock block;
    block.length_m = table.number("length_m", above(0.0, kLengthMax_m));
    block.mass_kg = table.number("mass_kg", between(1e-6, kMassMax_kg));
    block.position_m =
        table.number_or("initial_position_m", between(0.0, kLengthMax_m), neighbour_ends_m + 0.5 * block.length_m);
    block.velocity_m_s = table.number_or("initial_velocity_m_s", between(-100.0, 100.0), 0.0);
    table.finish();
    return block;
}

}  // namespace

std::optional<solver::Assembly> read_assembly(TomlTable& file) {
    if (!file.texts("specimen").empty()) return std::nullopt;
    std::vector<TomlTable> tables = file.tables("specimen");
    TomlTable* found = nullptr;
    for (TomlTable& table : tables)
        if (table.has("kind") && table.is_text("kind") && table.text("kind") == "assembly") found = &table;
    if (found == nullptr) return std::nullopt;
    if (tables.size() > 1) found->fail("kind", "\"assembly\" is allowed for the only specimen");
    solver::Assembly assembly;
    assembly.basin_length_m = found->number("basin_length_m", above(0.0, kLengthMax_m));
    assembly.friction = found->number_or("friction", between(0.0, 10.0), 0.0);
    TomlTable restitution = found->table("restitution");
    assembly.restitution_walls = restitution.number("walls", between(0.0, 1.0));
    assembly.restitution_blocks = restitution.number("blocks", between(0.0, 1.0));
    restitution.finish();
    std::vector<TomlTable> blocks = found->tables("blocks");
    if (blocks.empty())
        found->fail_here("specimen.blocks is missing: an assembly needs one [[specimen.blocks]] per block");
    if (blocks.size() > solver::kAssemblyBlocksMax)
        found->fail_here(
            fmt::format("specimen.blocks has {} blocks; allowed: 1 to {}", blocks.size(), solver::kAssemblyBlocksMax));
    double ends_m = 0.0;
    for (TomlTable& table : blocks) {
        assembly.blocks.push_back(read_assembly_block(table, ends_m));
        ends_m = assembly.blocks.back().position_m + 0.5 * assembly.blocks.back().length_m;
    }
    found->finish();
    try {
        solver::validate(assembly);
    } catch (const std::invalid_argument& error) {
        found->fail_here(fmt::format("[specimen] {}", error.what()));
    }
    return assembly;
}

}  // namespace topple::hil::experiment

#include "solver/assembly/assembly.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace topple::solver {
namespace {

[[noreturn]] void refuse(const std::string& field, double value, const char* allowed) {
    throw std::invalid_argument(field + " = " + std::to_string(value) + "; allowed: " + allowed);
}

void require_positive(const std::string& field, double value) {
    if (!(std::isfinite(value) && value > 0.0)) refuse(field, value, "a number > 0");
}

void require_ratio(const std::string& field, double value) {
    if (!(value >= 0.0 && value <= 1.0)) refuse(field, value, "0 to 1");
}

}  // namespace

void validate(const Assembly& assembly) {
    require_positive("basin_length_m", assembly.basin_length_m);
    if (!(std::isfinite(assembly.friction) && assembly.friction >= 0.0))
        refuse("friction", assembly.friction, "a number >= 0");
    require_ratio("restitution.walls", assembly.restitution_walls);
    require_ratio("restitution.blocks", assembly.restitution_blocks);
    const std::size_t count = assembly.blocks.size();
    if (count < 1 || count > kAssemblyBlocksMax)
        throw std::invalid_argument("blocks: " + std::to_string(count) + "; allowed: 1 to " +
                                    std::to_string(kAssemblyBlocksMax));
    double end_m = 0.0, total_m = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const AssemblyBlock& block = assembly.blocks[i];
        const std::string name = "blocks[" + std::to_string(i) + "].";
        require_positive(name + "length_m", block.length_m);
        require_positive(name + "mass_kg", block.mass_kg);
        if (!std::isfinite(block.velocity_m_s)) refuse(name + "initial_velocity_m_s", block.velocity_m_s, "a number");
        total_m += block.length_m;
        const double left_m = block.position_m - 0.5 * block.length_m;
        if (!(left_m >= end_m - kTouching_m))
            throw std::invalid_argument(name + "initial_position_m = " + std::to_string(block.position_m) +
                                        ": overlaps " + (i == 0 ? "the left wall" : "the block on its left") + " by " +
                                        std::to_string(1e3 * (end_m - left_m)) + " mm");
        end_m = block.position_m + 0.5 * block.length_m;
    }
    if (total_m > assembly.basin_length_m + kTouching_m)
        throw std::invalid_argument("blocks: together " + std::to_string(total_m) + " m long; the basin has " +
                                    std::to_string(assembly.basin_length_m) + " m");
    if (end_m > assembly.basin_length_m + kTouching_m)
        throw std::invalid_argument("blocks: the last one ends at " + std::to_string(end_m) +
                                    " m, beyond the right wall at " + std::to_string(assembly.basin_length_m) + " m");
}

}  // namespace topple::solver

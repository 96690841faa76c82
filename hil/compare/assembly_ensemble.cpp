#include "hil/compare/assembly_ensemble.hpp"

#include <algorithm>

#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::compare {
namespace {

constexpr std::uint64_t kOfBlocks = 0x62'6C'6F'63'6B'73, kOfPlaces = 0x70'6C'61'63'65'73;  // streams of their own

/// Blocks with their drawn lengths, from the left: what touched its neighbour still does.
void place_again(const solver::Assembly& described, std::uint64_t seed, solver::Assembly& drawn) {
    solver::SplitMix64 random(seed);
    double before_m = 0.0, now_m = 0.0;
    for (std::size_t i = 0; i < drawn.blocks.size(); ++i) {
        const solver::AssemblyBlock& was = described.blocks[i];
        solver::AssemblyBlock& block = drawn.blocks[i];
        double gap_m = was.position_m - 0.5 * was.length_m - before_m;
        const double placed_m = kPlaced_m * solver::normal_pair(random)[0];
        gap_m = gap_m <= solver::kTouching_m ? 0.0 : std::max(0.0, gap_m + placed_m);
        block.position_m = now_m + gap_m + 0.5 * block.length_m;
        before_m = was.position_m + 0.5 * was.length_m;
        now_m = block.position_m + 0.5 * block.length_m;
    }
}

}  // namespace

AssemblyDraw draw_assembly(const solver::Assembly& assembly, const experiment::UncertaintySection& uncertainty,
                           std::size_t index) {
    const std::size_t count = assembly.blocks.size();
    const solver::MemberDraw draw = solver::draw_member(uncertainty.of, uncertainty.seed, index, count);
    const solver::MemberDraw of_blocks = solver::draw_member(uncertainty.of, uncertainty.seed ^ kOfBlocks, index, 1);
    AssemblyDraw member{assembly, draw.motion};
    solver::Assembly& drawn = member.assembly;
    drawn.friction *= draw.perturbation.friction_factor;
    drawn.restitution_walls = std::min(1.0, assembly.restitution_walls * draw.perturbation.restitution_factor);
    drawn.restitution_blocks = std::min(1.0, assembly.restitution_blocks * of_blocks.perturbation.restitution_factor);
    for (std::size_t i = 0; i < count; ++i)
        drawn.blocks[i].length_m *=
            draw.perturbation.width_factors.size() == count ? draw.perturbation.width_factors[i] : 1.0;
    place_again(assembly, (uncertainty.seed ^ kOfPlaces) + 0x9E3779B97F4A7C15ull * (index + 1), drawn);
    solver::validate(drawn);
    return member;
}

}  // namespace topple::hil::compare

// Blocks in a basin in random cases: conservation, mirror, no overlap, independence of how the run is cut.
#include <cmath>
#include <numbers>
#include <random>

#include "solver/assembly/assembly_run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

struct Case {
    Assembly assembly;
    BaseMotion motion;
};

/// With gaps between the blocks, so that what happens does not hang on the order of impacts at one instant.
Case random_case(std::mt19937_64& random, bool with_friction) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    Case one;
    Assembly& a = one.assembly;
    a.friction = with_friction ? 0.3 * unit(random) : 0.0;
    a.restitution_walls = unit(random);
    a.restitution_blocks = unit(random);
    double end_m = 0.0;
    const int count = 1 + static_cast<int>(7.0 * unit(random));
    for (int i = 0; i < count; ++i) {
        const double length_m = 0.02 + 0.05 * unit(random);
        const double left_m = end_m + 1e-3 + 0.03 * unit(random);
        a.blocks.push_back({length_m, 0.02 + unit(random), left_m + 0.5 * length_m, 0.6 * (unit(random) - 0.5)});
        end_m = left_m + length_m;
    }
    a.basin_length_m = end_m + 1e-3 + 0.1 * unit(random);
    const double w = 4.0 + 20.0 * unit(random);
    one.motion = unit(random) < 0.5 ? displacement_sine((2.0 * unit(random) - 1.0) * 0.05, w, 3.3)
                                    : harmonic_displacement(0.05 * unit(random), w, 1.0, 4.0);
    return one;
}

Assembly mirrored(const Assembly& assembly) {
    Assembly other = assembly;
    other.blocks.assign(assembly.blocks.rbegin(), assembly.blocks.rend());
    for (AssemblyBlock& block : other.blocks)
        block.position_m = assembly.basin_length_m - block.position_m, block.velocity_m_s *= -1.0;
    return other;
}

}  // namespace

TEST_CASE("blocks never overlap, and the index of inertia is never above its reported largest value") {
    const topple::tests::RandomRuns runs(31, 150);
    std::mt19937_64 random(runs.seed());
    AssemblyOptions options;
    options.history_step_s = 2e-3;
    options.settle_limit_s = 3.0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        const Case one = random_case(random, trial % 2 == 0);
        const AssemblyPrediction p = follow(one.assembly, one.motion, options);
        INFO("trial " << trial);
        REQUIRE(p.status == SolverStatus::ok);
        const auto& blocks = one.assembly.blocks;
        double overlap_m = 0.0, above = 0.0;
        for (const AssemblySample& sample : p.history) {
            double end_m = sample.basin_displacement_m;
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                overlap_m = std::max(overlap_m, end_m - (sample.position_m[i] - 0.5 * blocks[i].length_m));
                end_m = sample.position_m[i] + 0.5 * blocks[i].length_m;
            }
            overlap_m = std::max(overlap_m, end_m - (sample.basin_displacement_m + one.assembly.basin_length_m));
            if (p.inertia_index_max) above = std::max(above, sample.inertia_index - *p.inertia_index_max);
        }
        CHECK(overlap_m < 1e-11);
        CHECK(above < 1e-9);
    }
}

TEST_CASE("in a basin at rest without friction momentum passes between blocks, and no impact adds energy") {
    const topple::tests::RandomRuns runs(32, 150);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        const Case one = random_case(random, false);
        AssemblyRun run(one.assembly, {}, 0.0);
        run.coast(2.0);
        const AssemblyPrediction p = run.result();
        INFO("trial " << trial);
        REQUIRE(p.status == SolverStatus::ok);
        for (const AssemblyImpact& impact : p.impacts) {
            if (impact.pair == 0 || impact.pair == one.assembly.blocks.size()) continue;
            const double m = one.assembly.blocks[impact.pair - 1].mass_kg, n = one.assembly.blocks[impact.pair].mass_kg;
            const double before = m * impact.left_before_m_s + n * impact.right_before_m_s;
            CHECK(m * impact.left_after_m_s + n * impact.right_after_m_s == Approx(before).margin(1e-13));
            CHECK(impact.right_after_m_s - impact.left_after_m_s ==
                  Approx(one.assembly.restitution_blocks * (impact.left_before_m_s - impact.right_before_m_s))
                      .margin(1e-13));
        }
        if (p.kinetic_energy_index_max) CHECK(*p.kinetic_energy_index_max <= 1.0 + 1e-12);
    }
}

TEST_CASE("mirrored blocks on the mirrored motion do the mirror image") {
    const topple::tests::RandomRuns runs(33, 100);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        const Case one = random_case(random, trial % 2 == 0);
        const AssemblyPrediction p = follow(one.assembly, one.motion);
        const AssemblyPrediction q = follow(mirrored(one.assembly), one.motion.scaled(-1.0));
        INFO("trial " << trial);
        const std::size_t pairs = one.assembly.blocks.size();
        for (std::size_t i = 0; i < std::min<std::size_t>({p.impacts.size(), q.impacts.size(), 5}); ++i) {
            CHECK(q.impacts[i].time_s == Approx(p.impacts[i].time_s).margin(1e-9));
            CHECK(q.impacts[i].pair == pairs - p.impacts[i].pair);
        }
    }
}

TEST_CASE("a run cut into ticks of 2 ms does the same as in one go") {
    const topple::tests::RandomRuns runs(34, 60);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        const Case one = random_case(random, trial % 2 == 0);
        const AssemblyPrediction whole = follow(one.assembly, one.motion);
        AssemblyRun run(one.assembly, {}, one.motion.before(one.motion.start_s()).velocity_m_s);
        for (const MotionPiece& piece : one.motion.pieces())
            for (double t = piece.start_s; t < piece.end_s;) run.advance(piece, t = std::min(t + 2e-3, piece.end_s));
        const AssemblyPrediction cut = run.result();
        INFO("trial " << trial);
        for (std::size_t i = 0; i < std::min<std::size_t>({whole.impacts.size(), cut.impacts.size(), 5}); ++i) {
            CHECK(cut.impacts[i].time_s == Approx(whole.impacts[i].time_s).margin(1e-9));
            CHECK(cut.impacts[i].pair == whole.impacts[i].pair);
        }
    }
}

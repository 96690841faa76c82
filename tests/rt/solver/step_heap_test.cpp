// The step path of the solver takes no memory: it runs beside the table.
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"
#include "tests/support/heap_counter.hpp"

using namespace topple::solver;

TEST_CASE("advancing one to four blocks through a sine, impacts included, takes no memory") {
    const std::vector<Block> blocks = {
        {.06, .27, 2.5692}, {.06, .135, 1.2843}, {.045, .2025, 1.0896}, {.045, .10125, .5444}};
    for (const Integrator integrator : {Integrator::high_order, Integrator::newmark}) {
        SolverOptions options;
        options.integrator = integrator;
        for (std::size_t count = 1; count <= 4; ++count) {
            Specimen specimen;
            specimen.blocks.assign(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(count));
            const BaseMotion motion = sine_acceleration(3.0, 25.0, 2.0);
            RockingRun run(specimen, options);
            const auto before = topple::test::heap_allocations();
            for (const MotionPiece& piece : motion.pieces()) run.advance(piece, piece.end_s);
            run.coast(run.time_s() + 1.0);
            CHECK(topple::test::heap_allocations() == before);
            CHECK(run.status() == SolverStatus::ok);
            CHECK(run.result().impacts.size() > 2);
        }
    }
}

TEST_CASE("a body that rolls over the edges of its foot takes no memory, copies of the run included") {
    Specimen specimen = topple::test::circle_segment(0.3, 0.1, 0.6, 41, 2.0, 0.05);
    specimen.initial_rotation_rad = {0.3};
    RockingRun first(specimen, {});
    RockingRun run(first);
    const BaseMotion motion = sine_acceleration(1.0, 8.0, 2.0);
    const auto before = topple::test::heap_allocations();
    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, piece.end_s);
    run.coast(run.time_s() + 1.0);
    CHECK(topple::test::heap_allocations() == before);
    CHECK(run.status() == SolverStatus::ok);
    CHECK(run.result().impacts.size() > 40);
}

namespace {

/// A copy of a run, carried along the motion and 0.3 s on: neither may take memory.
RockingRun carried_without_heap(const Specimen& specimen, const SolverOptions& options, const BaseMotion& motion) {
    const RockingRun first(specimen, options);
    RockingRun run(first);
    const auto before = topple::test::heap_allocations();
    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, piece.end_s);
    run.coast(run.time_s() + 0.3);
    CHECK(topple::test::heap_allocations() == before);
    CHECK(run.status() == SolverStatus::ok);
    return run;
}

}  // namespace

TEST_CASE("a step of contact dynamics takes no memory, impacts, slip and copies of the run included") {
    const std::vector<Block> blocks = {{.06, .135, 1.2843}, {.045, .10125, .5444}, {.045, .10125, .5444}};
    for (std::size_t count = 1; count <= 3; ++count) {
        Specimen specimen;
        specimen.blocks.assign(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(count));
        specimen.friction = Friction{.4, .4};
        SolverOptions options;
        options.model = Model::contact_dynamics;
        options.contact.time_step_s = 1e-4;
        carried_without_heap(specimen, options, sine_acceleration(5.0, 25.0, 2.0));
    }
}

TEST_CASE("a foot rolls and slides without taking memory, by its law and in contact dynamics") {
    for (const Model model : {Model::slide_rock, Model::contact_dynamics}) {
        Specimen stone;
        stone.blocks = {{0.0, 0.0, 10.0}};
        stone.foot = Foot{{{-.2, -.3}, {-.1, -.4}, {.1, -.4}, {.2, -.3}}, .6};
        stone.friction = Friction{.4, .4};
        SolverOptions options;
        options.model = model;
        options.contact.time_step_s = 1e-4;
        const RockingRun run = carried_without_heap(stone, options, sine_acceleration(3.0, 10.0, 2.0));
        CHECK(run.result().impacts.size() >= 2);
    }
}

// Blocks in a basin against closed forms.
#include <cmath>
#include <numbers>
#include <string>

#include "solver/assembly/assembly_run.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kPi = std::numbers::pi, kG = 9.81;
constexpr double kLength_m = 0.04, kDisplacement_m = 0.03, kW = 2.0 * kPi * 1.3;

/// A single block at the left wall; it reaches the right one first at the phase `tau`.
Assembly hits_at(double tau, double e, double friction = 0.0) {
    const double basin_m = kLength_m + (1.0 + e) * kDisplacement_m * tau - kDisplacement_m * std::sin(tau);
    return {basin_m, friction, e, 0.6, {{kLength_m, 0.054, 0.5 * kLength_m, 0.0}}};
}
BaseMotion sine(double cycles) { return displacement_sine(kDisplacement_m, kW, cycles); }

/// Touching blocks from the left wall on.
Assembly row(std::size_t count, double basin_m, double friction, double e_walls, double e_blocks) {
    Assembly assembly{basin_m, friction, e_walls, e_blocks, {}};
    for (std::size_t i = 0; i < count; ++i)
        assembly.blocks.push_back({kLength_m, 0.05224, kLength_m * (static_cast<double>(i) + 0.5), 0.0});
    return assembly;
}

std::string refusal(const Assembly& assembly) {
    try {
        validate(assembly);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a block thrown by the left wall hits the right one at the phase of the closed form, and rebounds with it") {
    const double u0w = kDisplacement_m * kW;
    for (const double e : {0.0, 0.3, 0.8, 1.0})
        for (const double tau : {0.3, 0.5 * kPi, 2.2, kPi, 1.5 * kPi, 5.9, 7.7, 3.0 * kPi}) {
            const AssemblyPrediction p = follow(hits_at(tau, e), sine(3.0));
            INFO("e " << e << ", phase " << tau);
            REQUIRE(p.status == SolverStatus::ok);
            REQUIRE(p.impacts.size() >= 2);
            CHECK(p.impacts[0].time_s == 0.0);
            CHECK(p.impacts[0].pair == 0);
            CHECK(p.impacts[0].right_after_m_s == Approx((1.0 + e) * u0w).epsilon(1e-14));
            CHECK(p.impacts[1].pair == 1);
            CHECK(kW * p.impacts[1].time_s == Approx(tau).margin(1e-12).epsilon(0));
            CHECK(p.impacts[1].left_after_m_s ==
                  Approx((1.0 + e) * u0w * (std::cos(tau) - e)).margin(1e-12).epsilon(0));
        }
}

TEST_CASE(
    "an elastic block that meets the wall at 2 pi stops there and starts again: periodic, energy index at most 1") {
    // After the second hit the wall has its own velocity back, so the motion repeats itself mirrored after 3 pi.
    const AssemblyPrediction p = follow(hits_at(2.0 * kPi, 1.0), sine(10.0));
    REQUIRE(p.impacts.size() > 10);
    CHECK(*p.kinetic_energy_index_max == Approx(1.0).epsilon(1e-9));
    CHECK(kW * p.impacts[1].time_s == Approx(2.0 * kPi).margin(1e-11));
    CHECK(p.impacts[1].left_after_m_s == Approx(0.0).margin(1e-12));
}

TEST_CASE("a plastic block that only touches the wall at 2 pi is not hit there: it goes with the wall until 3 pi") {
    AssemblyOptions options;
    options.history_step_s = 0.01;
    const AssemblyPrediction p = follow(hits_at(2.0 * kPi, 0.0), sine(6.0), options);
    CHECK(p.status == SolverStatus::ok);
    CHECK(p.impacts_count == 1);  // the start
    const double right_m = hits_at(2.0 * kPi, 0.0).basin_length_m - 0.5 * kLength_m;
    for (const AssemblySample& sample : p.history) {
        const double phase = kW * sample.time_s, place_m = sample.position_m[0] - sample.basin_displacement_m;
        if (phase > 2.05 * kPi && phase < 2.99 * kPi) CHECK(place_m == Approx(right_m).margin(1e-12));
        if (phase > 3.3 * kPi && phase < 4.7 * kPi) CHECK(place_m < right_m - 1e-4);
    }
}

TEST_CASE("the cycle of one impact a half period keeps the energy index of its closed form") {
    // Period-1 cycle: k = pi (1 + e)/(1 - e), phi = atan2(2, k) - acos((d - s)/(u0 hypot(k, 2))).
    const double e = 0.5, free_m = 0.12, u0 = kDisplacement_m;
    const double k = kPi * (1.0 + e) / (1.0 - e), reach = u0 * std::hypot(k, 2.0);
    REQUIRE(free_m < reach);
    const double phi = std::atan2(2.0, k) - std::acos(free_m / reach);
    REQUIRE(std::tan(phi) > -2.0 * (1.0 + e) / (kPi * (1.0 - e)));
    REQUIRE(std::tan(phi) < 2.0 * (1.0 - e) / (kPi * (1.0 + e)));
    const Assembly assembly{kLength_m + free_m, 0.0, e, 0.6, {{kLength_m, 0.05, 0.5 * kLength_m, 0.0}}};
    const AssemblyPrediction p = follow(assembly, sine(200.0));
    REQUIRE(p.status == SolverStatus::ok);
    const double v0 = (1.0 + e) * u0 * kW;
    const auto& last = p.impacts[p.impacts.size() - 2];
    const double speed = last.pair == 0 ? last.right_after_m_s : -last.left_after_m_s;
    CHECK(std::pow(speed / v0, 2) == Approx(std::pow(std::cos(phi) / (1.0 - e), 2)).epsilon(1e-9));
}

TEST_CASE("friction acts against the floor: what stands below its limit stays, what slides stops after v^2/(2 mu g)") {
    const double mu = 0.03;
    Assembly assembly{1.0, mu, 0.3, 0.6, {{kLength_m, 0.05, 0.3, 0.2}}};
    const AssemblyPrediction thrown = follow(assembly, {});
    CHECK(thrown.impacts_count == 0);
    CHECK(thrown.centroid_m == Approx(0.3 + 0.04 / (2.0 * mu * kG)).epsilon(1e-12));
    CHECK(*thrown.settled_time_s == Approx(0.2 / (mu * kG)).epsilon(1e-12));
    assembly.blocks[0].velocity_m_s = 0.0;
    const double a = mu * kG;
    const AssemblyPrediction held = follow(assembly, harmonic_displacement(0.99 * a / 100.0, 10.0, 2.0, 8.0));
    CHECK(held.centroid_m == Approx(0.3).margin(1e-12));
    // A constant pulse twice as strong as the friction and its stop: the block is left behind, then slides on.
    const AssemblyPrediction left = follow(assembly, constant_acceleration_and_stop(2.0 * a, 0.2, 2.0 * a));
    // Against the floor: -a over 0.2 s, then 3 a until its velocity a 0.2 is gone, and on at a - ... : v = -0.2 a at
    // 0.2 s, zero 0.2/3 s later, then +a (2 a - a) until the base rests at 0.4 s, then friction alone.
    const double t1 = 0.2, t2 = t1 / 3.0, t3 = 0.2 - t2, v = a * t3;
    const double way = -0.5 * a * t1 * t1 - 0.5 * a * t1 * t2 + 0.5 * v * t3 + 0.5 * v * v / a;
    CHECK(left.centroid_m - 0.5 * 2.0 * a * 0.08 == Approx(0.3 + way).epsilon(1e-10));
}

TEST_CASE("a wall that accelerates pushes the row that stands at it, and lets it go when it slows down enough") {
    const double a = 2.0, mu = 0.03;
    const AssemblyPrediction p = follow(row(3, 1.0, mu, 0.3, 0.6), constant_acceleration_and_stop(a, 0.2, a));
    CHECK(p.impacts_count == 0);
    CHECK(*p.inertia_index_max == Approx(1.0).epsilon(1e-12));
    // From 0.2 s on the row slides at 0.4 m/s against friction; the basin stops under it.
    const double v = a * 0.2, stop_s = v / (mu * kG);
    CHECK(*p.settled_time_s == Approx(0.2 + stop_s).epsilon(1e-10));
    CHECK(p.centroid_m == Approx(0.5 * 3 * kLength_m + 0.5 * v * 0.2 + 0.5 * v * stop_s).epsilon(1e-10));
}

TEST_CASE("equal elastic blocks hand their velocity on through a touching row, by the largest approach first") {
    Assembly cradle{2.0, 0.0, 1.0, 1.0, {}};
    for (int i = 0; i < 4; ++i) cradle.blocks.push_back({kLength_m, 0.05, 0.5 + kLength_m * i, 0.0});
    cradle.blocks.front().position_m = 0.3;
    cradle.blocks.front().velocity_m_s = 1.0;
    AssemblyRun run(cradle, {}, 0.0);
    run.coast(0.5);
    const AssemblyPrediction p = run.result();
    REQUIRE(p.impacts.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(p.impacts[i].pair == i + 1);
    CHECK(run.velocity_m_s(3) == Approx(1.0).epsilon(1e-14));
    CHECK(run.velocity_m_s(0) == Approx(0.0).margin(1e-14));
}

TEST_CASE("unequal blocks exchange momentum by Newton's law") {
    Assembly two{2.0, 0.0, 1.0, 0.6, {{0.04, 0.05, 0.5, 1.0}, {0.06, 0.15, 0.8, -0.2}}};
    AssemblyRun run(two, {}, 0.0);
    run.coast(0.3);
    const double common = (0.05 - 0.03) / 0.2;
    CHECK(run.velocity_m_s(0) == Approx(common - 0.15 * 0.6 * 1.2 / 0.2));
    CHECK(run.velocity_m_s(1) == Approx(common + 0.05 * 0.6 * 1.2 / 0.2));
    CHECK(run.result().impacts[0].time_s == Approx(0.25 / 1.2).epsilon(1e-14));
}

TEST_CASE("a sequence of impacts without end is over at the sum of its flights, and the block stays at the wall") {
    // Thrown against a wall that accelerates towards it: bounces as a ball does under its weight.
    const double a = 3.0, e = 0.5, v = 0.4;
    const Assembly assembly{1.0, 0.0, e, 0.6, {{0.04, 0.05, 0.02, v}}};
    AssemblyRun run(assembly, {}, 0.0);
    const MotionPiece piece{0.0, 1.0, {a, 0.0, 0.0, 0.0}, {}};
    const double over_s = 2.0 * v / a / (1.0 - e);
    run.advance(piece, 0.999 * over_s);
    CHECK_FALSE(run.at_rest());
    run.advance(piece, 1.001 * over_s);
    CHECK(run.at_rest());
    CHECK(run.position_m(0) == Approx(0.02).margin(1e-12));
    CHECK(run.result().impacts_count < 30);
}

TEST_CASE("the published basins run through and come out as they must whatever the rounding") {
    const AssemblyPrediction four = follow(row(4, 0.394, 0.03, 0.3, 0.6), displacement_sine(0.04, 2.0 * kPi, 10.0));
    CHECK(four.status == SolverStatus::ok);
    CHECK(four.impacts_count > 20);
    CHECK(four.end_time_s == 10.0);  // the base still moves: the run ends with the excitation
    const AssemblyPrediction eight = follow(row(8, 0.394, 0.03, 0.3, 0.6), displacement_sine(0.008, 8.0 * kPi, 40.0));
    CHECK(*eight.inertia_index_max < 1.02);  // thesis 9.7.2.1: moves together as one body
}

TEST_CASE("half as slow, everything takes twice as long, twice as large, every distance is twice as long") {
    const Assembly small = row(3, 0.25, 0.0, 0.7, 0.6);
    Assembly large = small;
    large.basin_length_m *= 2.0;
    for (AssemblyBlock& block : large.blocks) block.length_m *= 2.0, block.position_m *= 2.0;
    const AssemblyPrediction a = follow(small, displacement_sine(0.03, 8.0, 2.0));
    const AssemblyPrediction b = follow(small, displacement_sine(0.03, 4.0, 2.0));
    const AssemblyPrediction c = follow(large, displacement_sine(0.06, 8.0, 2.0));
    REQUIRE(a.impacts.size() > 8);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(b.impacts[i].time_s == Approx(2.0 * a.impacts[i].time_s).margin(1e-9));
        CHECK(c.impacts[i].time_s == Approx(a.impacts[i].time_s).margin(1e-9));
        CHECK(b.impacts[i].pair == a.impacts[i].pair);
        CHECK(c.impacts[i].pair == a.impacts[i].pair);
    }
}

TEST_CASE("an assembly that cannot be is refused with the field, the value and what is allowed") {
    const Assembly good = row(4, 0.394, 0.03, 0.3, 0.6);
    CHECK(refusal(good).empty());
    const auto with = [&](auto&& change) {
        Assembly bad = good;
        change(bad);
        return refusal(bad);
    };
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(has(with([](Assembly& a) { a.restitution_walls = 1.1; }), "restitution.walls = 1.100000; allowed: 0 to 1"));
    CHECK(has(with([](Assembly& a) { a.restitution_blocks = -0.1; }), "restitution.blocks"));
    CHECK(has(with([](Assembly& a) { a.friction = -0.1; }), "friction = -0.1"));
    CHECK(has(with([](Assembly& a) { a.blocks[2].position_m -= 1e-3; }), "overlaps the block on its left by 1.0"));
    CHECK(has(with([](Assembly& a) { a.blocks[0].position_m -= 1e-3; }), "overlaps the left wall"));
    CHECK(has(with([](Assembly& a) { a.blocks[3].position_m = 0.39; }), "beyond the right wall at 0.394"));
    CHECK(has(with([](Assembly& a) { a.basin_length_m = 0.1; }), "the basin has 0.1"));
    CHECK(has(with([](Assembly& a) { a.blocks.resize(65, a.blocks[0]); }), "blocks: 65; allowed: 1 to 64"));
    CHECK(has(with([](Assembly& a) { a.blocks.clear(); }), "blocks: 0"));
}

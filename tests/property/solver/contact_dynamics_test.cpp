// What must hold in contact dynamics for any blocks, any friction and any motion of the base.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "solver/contact_dynamics/scheme.hpp"
#include "solver/contact_dynamics/start.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

constexpr double kG = kStandardGravity_m_s2;
constexpr unsigned kSeed = 20261129;

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::generate_canonical<double, 53>(random_);
    }
    bool chance(double share) { return between(0.0, 1.0) < share; }

  private:
    std::mt19937_64 random_;
};

Specimen any_stack(Draw& draw, std::size_t count, double flattest = .7) {
    Specimen specimen;
    double width = draw.between(0.04, 0.2);
    for (std::size_t i = 0; i < count; ++i, width *= draw.chance(0.5) ? 1.0 : draw.between(0.7, 1.2)) {
        const double height = width * draw.between(flattest, 5.0);
        specimen.blocks.push_back({width, height, width * height * draw.between(1000.0, 4000.0)});
        const double friction = draw.between(0.0, 1.2);
        specimen.interface_friction.push_back({friction, friction});
    }
    const double lean = draw.between(-.8, .8) * specimen.blocks[0].slenderness_rad();
    specimen.initial_rotation_rad.assign(count, draw.chance(.5) ? lean : 0.0);
    return specimen;
}

std::vector<double> friction_of(const Specimen& specimen) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) ratios.push_back(friction_at(specimen, i)->kinetic_ratio);
    return ratios;
}

/// Kinetic energy with which the contacts begin in a step: the velocities before, less the drive.
double free_energy_j(const contact::Scheme& scheme, const Specimen& specimen, Vec2 drive) {
    double twice = 0.0;
    for (std::size_t i = 1; i <= specimen.blocks.size(); ++i) {
        const contact::Body& body = scheme.assembly().bodies[i];
        const Vec2 v = scheme.before()[i].velocity_m_s - drive;
        const double w = scheme.before()[i].rate_rad_s;
        twice += dot(v, v) / body.inverse_mass_1_kg + w * w / body.inverse_inertia_1_kg_m2;
    }
    return 0.5 * twice;
}

}  // namespace

TEST_CASE("contact dynamics: without rebound no step adds energy, whatever the blocks, friction and motion") {
    const topple::tests::RandomRuns runs(kSeed, 30);
    for (int run = 0; run < runs.count(); ++run) {
        Draw draw(runs.seed(run));
        const std::size_t count = 1 + static_cast<std::size_t>(draw.between(0.0, 4.0));
        const Specimen specimen = any_stack(draw, count);
        ContactDynamics parameters;
        parameters.time_step_s = 1e-4;
        contact::Scheme scheme(contact::assembly_of(specimen, contact::initial_posture(specimen)), parameters,
                               friction_of(specimen), kG);
        const double amplitude = draw.between(0.0, 8.0), w = draw.between(5.0, 40.0), up = draw.between(0.0, 6.0);
        for (int i = 0; i < 4000; ++i) {
            const double t = i * parameters.time_step_s;
            const Vec2 drive{amplitude * std::sin(w * t) * parameters.time_step_s,
                             (kG + up * std::sin(1.7 * w * t)) * parameters.time_step_s};
            const auto unfinished = scheme.sweeps().unfinished;
            scheme.step(drive);
            REQUIRE(scheme.is_finite());
            if (scheme.sweeps().unfinished != unfinished) continue;  // counted and reported instead
            const double before_j = free_energy_j(scheme, specimen, drive);
            REQUIRE(scheme.kinetic_energy_j() <= before_j * (1.0 + 1e-7) + 1e-15);
        }
        CHECK(scheme.sweeps().unfinished <= 40);
    }
}

TEST_CASE("contact dynamics: one contact with rebound adds no energy as long as e^2 <= 1 - Wnt^2/(Wnn Wtt)") {
    const topple::tests::RandomRuns runs(kSeed + 1, 20000);
    Draw draw(runs.seed());
    int raised = 0;
    for (int run = 0; run < runs.count(); ++run) {
        contact::Body base, body;
        const double b = draw.between(.02, .3), h = draw.between(.02, .3);
        body.inverse_mass_1_kg = 1.0;
        body.inverse_inertia_1_kg_m2 = 12.0 / (b * b + h * h);
        contact::Contact c;
        const double turn = draw.between(-1.2, 1.2);
        const Vec2 arm = turned({.5 * b, -.5 * h}, std::sin(turn), std::cos(turn));
        contact::set_rows(c, base, body, arm, {0.0, 1.0});
        c.friction_ratio = draw.between(0.0, 1.3);
        body.velocity_m_s = {draw.between(-1.0, 1.0), draw.between(-1.0, 0.2)};
        body.rate_rad_s = draw.between(-10.0, 10.0);
        const auto energy = [&body] {
            return dot(body.velocity_m_s, body.velocity_m_s) +
                   body.rate_rad_s * body.rate_rad_s / body.inverse_inertia_1_kg_m2;
        };
        const double before = energy(), e = draw.between(0.0, 1.0);
        contact::Local u = contact::relative_velocity(c, base, body);
        u.n += e * std::min(u.n, 0.0);
        const contact::Local impulse = contact::solve_alone(c, u);
        contact::apply(c, impulse, base, body);
        REQUIRE(impulse.n >= 0.0);
        REQUIRE(std::abs(impulse.t) <= c.friction_ratio * impulse.n * (1.0 + 1e-12));
        const bool within = e * e <= 1.0 - c.wnt * c.wnt / (c.wnn * c.wtt);
        if (within) REQUIRE(energy() <= before * (1.0 + 1e-12));
        if (energy() > before * (1.0 + 1e-9)) ++raised;
    }
    CHECK(raised > 0);  // outside the bound it can, which the scheme reports
}

TEST_CASE("contact dynamics: every prediction ends with an outcome or says why not, with finite numbers") {
    const topple::tests::RandomRuns runs(kSeed + 2, 25);
    for (int run = 0; run < runs.count(); ++run) {
        Draw draw(runs.seed(run));
        const Specimen specimen = any_stack(draw, 1 + static_cast<std::size_t>(draw.between(0.0, 3.0)));
        SolverOptions options;
        options.model = Model::contact_dynamics;
        options.contact.time_step_s = 2e-4;
        options.contact.restitution = draw.chance(.5) ? 0.0 : draw.between(0.0, .8);
        options.settle_limit_s = 2.0;
        options.history_step_s = 0.02;
        const BaseMotion motion = sine_acceleration(draw.between(0.1, 8.0), draw.between(6.0, 40.0));
        const Prediction p = predict(specimen, motion, options);
        CHECK(p.outcome.has_value() == (p.status == SolverStatus::ok));
        CHECK((p.status == SolverStatus::ok || p.status == SolverStatus::undecided));
        CHECK(is_overturning(p.outcome) == (p.status == SolverStatus::ok && !p.blocks_overturned.empty()));
        REQUIRE(p.peak_rotation_rad.size() == specimen.blocks.size());
        for (const double peak : p.peak_rotation_rad) CHECK((peak >= 0.0 && peak <= std::numbers::pi / 2.0 + 1e-9));
        double last_s = 0.0;
        for (const Impact& impact : p.impacts) {
            CHECK(impact.time_s >= last_s);
            last_s = impact.time_s;
        }
        for (const HistorySample& sample : p.history)
            for (const double rotation : sample.rotation_rad) REQUIRE(std::isfinite(rotation));
        CHECK(p.contact.has_value());
    }
}

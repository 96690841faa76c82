// Contact dynamics where the rocking models stop: slip, flight, rebound, stacks that slide; and what must hold anyway.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "solver/contact_dynamics/scheme.hpp"
#include "solver/contact_dynamics/start.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kG = kStandardGravity_m_s2;

SolverOptions contact_options(double time_step_s, double restitution = 0.0) {
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = time_step_s;
    options.contact.restitution = restitution;
    options.settle_limit_s = 10.0;
    return options;
}

Specimen block(double width_m, double height_m, double friction) {
    Specimen specimen;
    specimen.blocks = {{width_m, height_m, 1.0}};
    specimen.friction = Friction{friction, friction};
    return specimen;
}

contact::Scheme scheme_of(const Specimen& specimen, double time_step_s, double restitution = 0.0) {
    ContactDynamics parameters;
    parameters.time_step_s = time_step_s;
    parameters.restitution = restitution;
    return contact::Scheme(contact::assembly_of(specimen, contact::initial_posture(specimen)), parameters,
                           std::vector<double>(specimen.blocks.size(), specimen.friction->kinetic_ratio), kG);
}

}  // namespace

TEST_CASE("contact dynamics: a block under a constant pulse slides as far as the closed form says") {
    const double a = 4.0, mu = .2, t = .5, v = (a - mu * kG) * t;
    const double exact_m = 0.5 * v * t + v * v / (2.0 * mu * kG);
    for (const double sign : {1.0, -1.0}) {
        const Prediction p = follow(block(.3, .1, mu), constant_acceleration(sign * a, t), contact_options(1e-5));
        CHECK(p.outcome == Outcome::sliding);
        CHECK(p.slip->residual_m == Approx(-sign * exact_m).margin(2e-5));
        CHECK(p.slip->peak_m == Approx(exact_m).margin(2e-5));
        REQUIRE(p.settled_time_s);
        CHECK(*p.settled_time_s == Approx(t + v / (mu * kG)).margin(1e-3));
        CHECK(p.impacts.empty());
        CHECK(p.peak_rotation_rad[0] < 1e-9);
    }
}

TEST_CASE("contact dynamics: neither slip nor uplift below both thresholds") {
    const Prediction p = follow(block(.1, .2, .6), sine_acceleration(.48 * kG, 10.0), contact_options(1e-4));
    CHECK(p.outcome == Outcome::translation);
    CHECK(p.slip->peak_m < 1e-9);
    CHECK_FALSE(p.settled_time_s);
    const Prediction slides = follow(block(.1, .2, .4), sine_acceleration(.48 * kG, 10.0), contact_options(1e-4));
    CHECK(slides.outcome == Outcome::sliding);
    const Prediction rocks = follow(block(.1, .2, .6), sine_acceleration(.55 * kG, 10.0), contact_options(1e-4));
    CHECK(rocks.outcome == Outcome::rocking);
}

TEST_CASE("contact dynamics: a thrown block flies along the parabola and lands where it must") {
    Specimen specimen = block(.1, .1, .5);
    specimen.initial_velocity_m_s = {{.3, 1.0}};
    const double time_step_s = 1e-5, flight_s = 2.0 * 1.0 / kG;
    SolverOptions options = contact_options(time_step_s);
    options.history_step_s = .01;
    const Prediction p = follow(specimen, BaseMotion{}, options);
    CHECK(p.outcome == Outcome::rocking);  // it left the base
    REQUIRE(p.impacts.size() == 1);
    CHECK(p.impacts[0].time_s == Approx(flight_s).margin(2e-5));
    CHECK(p.impacts[0].centre_velocity_before_m_s[0][0] == Approx(.3));
    CHECK(p.impacts[0].centre_velocity_before_m_s[0][1] == Approx(-1.0).margin(1e-3));
    CHECK(p.impacts[0].centre_velocity_after_m_s[0][1] == Approx(0.0).margin(1e-9));
    for (const HistorySample& sample : p.history) {
        if (sample.time_s == 0.0 || sample.time_s > flight_s - 1e-4) continue;
        const double t = sample.time_s, z = .05 + t - 0.5 * kG * t * t;
        CHECK(sample.support[0] == Support::none);
        CHECK(sample.centre_m[0][1] == Approx(z).margin(kG * time_step_s * t));
        CHECK(sample.centre_m[0][0] == Approx(.3 * t).margin(1e-9));
    }
}

TEST_CASE("contact dynamics: a block that falls flat bounces with Newton's ratio, in finite time") {
    Specimen specimen = block(.1, .1, .5);
    specimen.initial_velocity_m_s = {{0.0, 1.0}};
    const double e = .5;
    const Prediction p = follow(specimen, BaseMotion{}, contact_options(1e-5, e));
    REQUIRE(p.impacts.size() >= 5);
    double speed = 1.0, at_s = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
        at_s += 2.0 * speed / kG;
        CHECK(p.impacts[i].time_s == Approx(at_s).margin(2e-4));
        CHECK(p.impacts[i].centre_velocity_before_m_s[0][1] == Approx(-speed).margin(1e-3));
        speed *= e;
        CHECK(p.impacts[i].centre_velocity_after_m_s[0][1] == Approx(speed).margin(1e-3));
    }
    REQUIRE(p.settled_time_s);
    CHECK(*p.settled_time_s == Approx(2.0 / kG / (1.0 - e)).margin(5e-3));
    CHECK(p.peak_rotation_rad[0] < 1e-9);
}

TEST_CASE("contact dynamics: what the base gives is what the blocks get") {
    Specimen specimen;
    specimen.blocks = {{.06, .1, 1.0}, {.05, .08, .7}, {.05, .12, .5}};
    specimen.friction = Friction{.35, .35};
    const double time_step_s = 1e-4;
    contact::Scheme scheme = scheme_of(specimen, time_step_s);
    for (int i = 0; i < 5000; ++i) {
        const auto momentum = [&] {
            Vec2 sum;
            for (std::size_t b = 1; b <= 3; ++b)
                sum = sum + specimen.blocks[b - 1].mass_kg * scheme.assembly().bodies[b].velocity_m_s;
            return sum;
        };
        const Vec2 before = momentum();
        const Vec2 drive{4.5 * std::sin(25.0 * time_step_s * i) * time_step_s, kG * time_step_s};
        scheme.step(drive);
        Vec2 from_base;
        for (const contact::Contact& c : scheme.contacts())
            if (c.lower == 0) from_base = from_base + c.impulse.n * c.normal + c.impulse.t * c.tangent;
        const Vec2 after = momentum();
        REQUIRE(after.x - before.x == Approx(from_base.x - 2.2 * drive.x).margin(1e-12));
        REQUIRE(after.z - before.z == Approx(from_base.z - 2.2 * drive.z).margin(1e-12));
        for (const contact::Contact& c : scheme.contacts()) {
            REQUIRE(c.impulse.n >= 0.0);
            REQUIRE(std::abs(c.impulse.t) <= .35 * c.impulse.n * (1.0 + 1e-9) + 1e-15);
        }
    }
    CHECK(scheme.sweeps().unfinished == 0);
}

TEST_CASE("contact dynamics: impacts of blocks and stacks come when the rocking engine has them") {
    struct Start {
        std::vector<Block> blocks;
        std::vector<double> rotation_rad;
        double amplitude_m_s2;
    };
    const Block b3m{.045, .10125, .5444}, b6m{.045, .2025, 1.0896}, b3l{.06, .135, 1.2843};
    const Start starts[] = {{{b6m}, {.1}, 0.0},
                            {{b3m, b6m}, {.05, .05}, 0.0},
                            {{b3m, b6m}, {0.0, std::atan2(.045, .2025) / 2.0}, 0.0},
                            {{b3l, b3m, b3m}, {0.0, 0.0, 0.0}, 2.5}};
    for (const Start& start : starts) {
        Specimen specimen;
        specimen.blocks = start.blocks;
        specimen.initial_rotation_rad = start.rotation_rad;
        const BaseMotion motion =
            start.amplitude_m_s2 > 0.0 ? sine_acceleration(start.amplitude_m_s2, 20.0) : BaseMotion{};
        SolverOptions options = contact_options(1e-5);
        options.settle_limit_s = 1.5;
        const Prediction contact = follow(specimen, motion, options);
        options.model = Model::rocking;
        const Prediction rocking = follow(specimen, motion, options);
        REQUIRE(rocking.impacts.size() >= 3);
        REQUIRE(contact.impacts.size() >= 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(contact.impacts[i].interface_index == rocking.impacts[i].interface_index);
            CHECK(contact.impacts[i].time_s == Approx(rocking.impacts[i].time_s).margin(3e-4));
        }
        REQUIRE_FALSE(contact.turning_points.empty());
        CHECK(contact.turning_points[0].rotation_rad == Approx(rocking.turning_points[0].rotation_rad).margin(5e-4));
    }
}

TEST_CASE("contact dynamics: a block that slips while it rocks does what the slide-rock model says") {
    const BaseMotion motion = sine_acceleration(4.0, 25.0);
    for (const double friction : {.15, .5}) {
        Specimen specimen = block(.045, .2025, friction);
        const Prediction contact = follow(specimen, motion, contact_options(1e-5));
        SolverOptions options;
        options.model = Model::slide_rock;
        const Prediction slide_rock = follow(specimen, motion, options);
        CHECK(contact.outcome == slide_rock.outcome);
        CHECK(contact.direction == slide_rock.direction);
        CHECK(contact.slip->peak_m == Approx(slide_rock.slip->peak_m).margin(1e-4));
        if (!slide_rock.impacts.empty())
            CHECK(contact.impacts[0].time_s == Approx(slide_rock.impacts[0].time_s).margin(1e-4));
    }
}

TEST_CASE("contact dynamics: of three blocks the one on the slippery interface slides") {
    Specimen specimen;
    specimen.blocks = {{.2, .05, 1.0}, {.2, .05, 1.0}, {.2, .05, 1.0}};
    specimen.interface_friction = {{.8, .8}, {.1, .1}, {.8, .8}};
    const Prediction p = follow(specimen, constant_acceleration(2.0, .15), contact_options(1e-4));
    REQUIRE(p.interface_slip.size() == 3);
    CHECK(p.outcome == Outcome::sliding);
    CHECK(p.interface_slip[0].peak_m < 1e-6);
    CHECK(p.interface_slip[2].peak_m < 1e-6);
    const double v = (2.0 - .1 * kG) * .15;
    CHECK(p.interface_slip[1].residual_m == Approx(-(.075 * v + v * v / (.2 * kG))).margin(2e-4));
}

TEST_CASE("contact dynamics: a block that slides off the one below is counted as fallen") {
    Specimen specimen;
    specimen.blocks = {{.1, .05, 1.0}, {.1, .05, 1.0}};
    specimen.interface_friction = {{2.0, 2.0}, {.05, .05}};
    const Prediction p = follow(specimen, constant_acceleration(4.0, 1.0), contact_options(1e-4));
    CHECK(p.outcome == Outcome::partial_overturning);
    CHECK(p.direction == Side::left);
    CHECK(p.blocks_overturned == std::vector<std::size_t>{1});
}

TEST_CASE("contact dynamics: a base that falls faster than the block leaves it behind, and takes it up again") {
    SolverOptions options = contact_options(1e-4);
    options.vertical = std::make_shared<const BaseMotion>(sine_acceleration(2.0 * kG, 40.0));
    Specimen specimen = block(.1, .1, .5);
    const Prediction p = predict(specimen, BaseMotion{}, options);
    CHECK(p.status == SolverStatus::ok);
    CHECK(p.outcome == Outcome::rocking);
    CHECK_FALSE(p.impacts.empty());
    CHECK(p.peak_rotation_rad[0] < 1e-9);
    options.model = Model::rocking;
    CHECK_THROWS_AS(predict(specimen, BaseMotion{}, options), std::invalid_argument);
}

TEST_CASE("contact dynamics: what it cannot resolve or does not cover is refused") {
    const auto refuses = [](const Specimen& specimen, const SolverOptions& options) {
        CHECK_THROWS_AS(RockingRun(specimen, options), std::invalid_argument);
    };
    const Specimen good = block(.1, .1, .5);
    for (const double step_s : {0.0, -1e-4, 1.0, std::nan("")}) refuses(good, contact_options(step_s));
    for (const double e : {-.1, 1.1}) refuses(good, contact_options(1e-4, e));
    refuses(block(.0005, .001, .5), contact_options(1e-3));  // 0.05/p = 4e-4 s
    refuses(block(.1, .1, -.5), contact_options(1e-4));
    Specimen tall = good;
    tall.blocks.assign(65, good.blocks[0]);
    refuses(tall, contact_options(1e-4));
    tall.blocks.assign(64, good.blocks[0]);
    CHECK_NOTHROW(RockingRun(tall, contact_options(1e-4)));
    Specimen irregular = good;
    irregular.pivots = Pivots{.2, .3, .1, .1, .01};
    refuses(irregular, contact_options(1e-4));
    Specimen flying = good;
    flying.friction.reset();
    flying.initial_velocity_m_s = {{0.0, 1.0}};
    refuses(flying, SolverOptions{});  // the rocking model has no flight
}

TEST_CASE("contact dynamics: half the time step confirms a prediction, or the prediction says that it does not") {
    Specimen specimen = block(.045, .2025, .5);
    specimen.initial_rotation_rad = {-.19};
    const Prediction fine = predict_confirmed(specimen, BaseMotion{}, contact_options(1e-5));
    REQUIRE(fine.contact);
    REQUIRE(fine.contact->half_step);
    CHECK(fine.contact->half_step->is_confirmed);
    CHECK(fine.contact->half_step->turning_points >= 5);
    const Prediction coarse = predict_confirmed(specimen, BaseMotion{}, contact_options(4e-3));
    REQUIRE(coarse.contact->half_step);
    CHECK_FALSE(coarse.contact->half_step->is_confirmed);
    CHECK(coarse.contact->half_step->peak_difference_rad > 1e-3);
}

TEST_CASE("contact dynamics takes over where the rocking model needs more friction than there is") {
    Specimen specimen = block(.06, .27, .24);
    specimen.blocks[0].mass_kg = 2.5692;
    const BaseMotion motion = sine_acceleration(3.0, 25.0);
    SolverOptions options = contact_options(1e-5);
    const Prediction joined = predict_handing_over(specimen, motion, options, true);
    REQUIRE(joined.left_validity);
    REQUIRE(joined.contact);
    CHECK(joined.left_validity->breach == Breach::slip);
    CHECK(*joined.contact->from_s == Approx(joined.left_validity->time_s - 1e-5).margin(1e-12));
    CHECK(joined.contact->half_step);
    const Prediction contact = follow(specimen, motion, options);
    CHECK(joined.outcome == contact.outcome);
    CHECK(joined.peak_rotation_rad[0] == Approx(contact.peak_rotation_rad[0]).margin(1e-3));
    CHECK(joined.slip->peak_m == Approx(contact.slip->peak_m).margin(1e-4));
    specimen.friction = Friction{2.0, 2.0};
    const Prediction within = predict_handing_over(specimen, motion, options, true);
    CHECK_FALSE(within.left_validity);
    CHECK_FALSE(within.contact);
}

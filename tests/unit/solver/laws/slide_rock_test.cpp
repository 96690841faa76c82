#include <cmath>
#include <random>

#include "solver/laws/slide_rock.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kG = kStandardGravity_m_s2;

Specimen block(double width_m, double height_m, double mu_static, double mu_kinetic, double rotation_rad = 0.0) {
    Specimen specimen;
    specimen.blocks = {{width_m, height_m, 2.0}};
    specimen.friction = Friction{mu_static, mu_kinetic};
    specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}

Specimen without_friction(Specimen specimen) {
    specimen.friction.reset();
    return specimen;
}

}  // namespace

TEST_CASE("a sliding block slips as far as constant accelerations say, and translation ends at 1 mm") {
    const double mu = 0.2, a0 = 5.0, ta = 0.05;  // wide: h/b = 1/3 never tips at mu < 3
    const Prediction answer = predict(block(0.3, 0.1, 0.25, mu), constant_acceleration(a0, ta));
    const double v = (a0 - mu * kG) * ta, stop_s = v / (mu * kG);
    const double slip = 0.5 * v * ta + 0.5 * v * stop_s;
    REQUIRE(answer.slip);
    CHECK(answer.slip->residual_m == Approx(-slip).epsilon(1e-11));
    CHECK(answer.slip->peak_m == Approx(slip).epsilon(1e-11));
    CHECK(answer.settled_time_s.value() == Approx(ta + stop_s).epsilon(1e-11));
    CHECK(answer.outcome == Outcome::sliding);
    CHECK(answer.impacts.empty());
    const double short_s = ta * std::sqrt(0.99e-3 / slip);  // slip grows with the square of the duration
    CHECK(predict(block(0.3, 0.1, 0.25, mu), constant_acceleration(a0, short_s)).outcome == Outcome::translation);
    CHECK(predict(block(0.3, 0.1, 0.25, mu), constant_acceleration(a0, ta * std::sqrt(1.01e-3 / slip))).outcome ==
          Outcome::sliding);
}

TEST_CASE("rest ends at static friction or at tipping, whichever is less, and not at the threshold itself") {
    const auto moved = [](const Specimen& specimen, double a) {
        const Prediction answer = predict(specimen, constant_acceleration(a, 0.3));
        return answer.outcome != Outcome::translation || answer.slip->peak_m > 0.0;
    };
    const Specimen wide = block(0.3, 0.1, 0.4, 0.3), slender = block(0.1, 0.4, 0.4, 0.3);
    CHECK_FALSE(moved(wide, 0.4 * kG));
    CHECK(moved(wide, 0.4 * kG * (1 + 1e-9)));
    CHECK_FALSE(moved(slender, 0.25 * kG));
    CHECK(moved(slender, 0.25 * kG * (1 + 1e-9)));
    CHECK(predict(slender, constant_acceleration(0.3 * kG, 0.05)).outcome == Outcome::rocking);
}

TEST_CASE("under harmonic motion a block rests between slides only above mu g / a0 = 0.53702927") {
    const double w = 0.4, a0 = kG;
    const auto rests = [&](double eta) {
        SolverOptions options;
        options.history_step_s = 1e6;  // events only
        const double until_s = (kPi + std::asin(eta)) / w + 1.0;
        RockingRun run(block(3.0, 1.0, eta, eta), options);
        run.advance(sine_acceleration(a0, w).pieces().front(), until_s);
        // Start of the motion, onset of slip, its end and, after a rest, the next onset.
        const std::size_t events = run.result().history.size();
        INFO(eta << ' ' << events);
        REQUIRE((events == 3 || events == 4));
        return events == 4;
    };
    double reverses = 0.5, pauses = 0.6;
    REQUIRE_FALSE(rests(reverses));
    REQUIRE(rests(pauses));
    for (int i = 0; i < 40; ++i) (rests(0.5 * (reverses + pauses)) ? pauses : reverses) = 0.5 * (reverses + pauses);
    CHECK(pauses == Approx(1.0 / std::sqrt(1.0 + kPi * kPi / 4.0)).margin(1e-8));
    CHECK(pauses == Approx(0.53702927).margin(1e-8));
}

TEST_CASE("a jump of the base acceleration needs more friction than tan(phi) to rock without slip") {
    const double s2 = 1.0 / 17.0, c2 = 16.0 / 17.0, sc = 4.0 / 17.0;  // tan(phi) = 1/4
    for (const double a : {0.3, 1.0, 2.0}) {
        const double needed = (a * (4 - 3 * c2) + 3 * sc) / (4 - 3 * s2 + 3 * a * sc);
        const auto slips = [&](double mu) {
            RockingRun run(block(0.1, 0.4, mu, mu), {});
            run.advance(constant_acceleration(a * kG, 1.0).pieces().front(), 1e-6);
            CHECK(run.uplifted());
            return run.slip_m() != 0.0;
        };
        CHECK_FALSE(slips(needed * (1 + 1e-9)));
        CHECK(slips(needed * (1 - 1e-9)));
        if (a == 1.0) CHECK(needed == Approx(0.4156).margin(5e-5));
        if (a == 2.0) CHECK(needed == Approx(0.5843).margin(5e-5));
    }
}

TEST_CASE("a 10 m x 40 m block under 2 g cos 4t sticks for ten seconds with mu = 0.699 and not with 0.697") {
    const BaseMotion motion = cosine_acceleration(2.0 * kG, 4.0, 10.0);
    const auto slips = [&](double mu) {
        RockingRun run(block(10.0, 40.0, mu, mu, -0.06), {});
        run.advance(motion.pieces().front(), 10.0);
        CHECK(run.uplifted());
        CHECK(run.status() == SolverStatus::ok);
        return run.slip_m() != 0.0;
    };
    CHECK_FALSE(slips(0.699));
    CHECK(slips(0.697));
}

TEST_CASE("with friction without bound the sliding block is the block that cannot slide") {
    const double w = 2 * kPi * 4.0;
    for (const BaseMotion& motion : {BaseMotion{}, sine_acceleration(3.0, w), sine_acceleration(4.5, 0.7 * w, 3.0),
                                     cosine_acceleration(-3.5, w), constant_acceleration(3.0, 0.1)}) {
        const double start = motion.empty() ? 0.15 : 0.0;
        for (const double tilt : {0.0, 0.004}) {
            Specimen specimen = block(0.06, 0.27, 1e6, 1e6, start);
            specimen.initial_tilt_rad = tilt;
            specimen.restitution.model = RestitutionModel::improved;
            specimen.restitution.impulse_position_k = 0.85;
            const Prediction sliding = predict(specimen, motion);
            const Prediction pinned = predict(without_friction(specimen), motion);
            CHECK(sliding.status == SolverStatus::ok);
            CHECK(sliding.outcome == pinned.outcome);
            // A falling block's foot loses its normal force past alpha, where no friction holds it.
            if (pinned.outcome != Outcome::overturning) CHECK(sliding.slip->peak_m == 0.0);
            CHECK(sliding.peak_rotation_rad[0] == Approx(pinned.peak_rotation_rad[0]).margin(1e-10));
            REQUIRE(std::min(sliding.impacts.size(), pinned.impacts.size()) + 1 >=
                    std::max(sliding.impacts.size(), pinned.impacts.size()));
            for (std::size_t i = 0; i < std::min(sliding.impacts.size(), pinned.impacts.size()); ++i)
                CHECK(sliding.impacts[i].time_s == Approx(pinned.impacts[i].time_s).margin(1e-9));
            if (pinned.settled_time_s)
                CHECK(sliding.settled_time_s.value() == Approx(*pinned.settled_time_s).margin(1e-8));
        }
    }
}

TEST_CASE("forces, accelerations and power of the moving block agree in every mode") {
    const topple::tests::RandomRuns runs(11, 2000);
    std::mt19937 random(runs.seed());
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int i = 0; i < runs.count(); ++i) {
        const double mu = 0.6 + 0.5 * unit(random);
        const SlidingBody body = make_sliding_body(block(0.1, 0.3, 1.2 * mu, mu), kG);
        const int support = unit(random) > 0 ? 1 : -1, slip = unit(random) > 0 ? 1 : -1;
        SlideRockState state{support * std::abs(unit(random)), unit(random), 0.0, slip * std::abs(unit(random))};
        const Drive still{0.0, kG};
        const SlideRockResponse r = response(body, {support, slip}, state, still);
        CHECK(r.friction_m_s2 == Approx(-slip * mu * r.normal_m_s2).margin(1e-12));
        // dE/dt by differences along the motion = power of friction.
        const double h = 1e-6;
        const auto moved = [&](double t) {
            SlideRockState there = state;
            there.rotation_rad += t * state.rate_rad_s + 0.5 * t * t * r.rotation_rad_s2;
            there.rate_rad_s += t * r.rotation_rad_s2;
            there.slip_rate_m_s += t * r.slip_m_s2;
            return slide_rock_energy_j(body, support, there, kG) / body.mass_kg;
        };
        const double power = r.friction_m_s2 * state.slip_rate_m_s;
        CHECK((moved(h) - moved(-h)) / (2 * h) == Approx(power).margin(1e-6));
        // A base that accelerates does not change the friction of a slipping foot, only the slip.
        const SlideRockResponse driven = response(body, {support, slip}, state, {2.0, kG});
        CHECK(driven.friction_m_s2 == r.friction_m_s2);
        CHECK(driven.slip_m_s2 == Approx(r.slip_m_s2 - 2.0).margin(1e-12));
    }
}

TEST_CASE("on ice the mass centre of a falling block stays where it is along x") {
    SolverOptions options;
    options.history_step_s = 0.01;
    const double b = 0.08, h = 0.3, start = 0.05;
    const Prediction answer = predict(block(b, h, 0.0, 0.0, start), {}, options);
    const auto centre_m = [&](double theta, double slip, int s) {
        return slip + s * b / 2 - s * b / 2 * std::cos(theta) + h / 2 * std::sin(theta);
    };
    REQUIRE(answer.history.size() > 10);
    for (const HistorySample& sample : answer.history) {
        if (sample.support[0] == Support::full) continue;
        const int s = sample.support[0] == Support::right ? 1 : -1;
        CHECK(centre_m(sample.rotation_rad[0], sample.slip_m, s) == Approx(centre_m(start, 0.0, 1)).margin(1e-10));
    }
}

TEST_CASE("energy never rises while a block rocks and slides to rest on a base that stands still") {
    const Specimen specimen = block(0.1, 0.16, 0.3, 0.25, 0.35);
    Engine<SlideRockLaw> run(SlideRockLaw(specimen, {}), {}, 0.0);
    const auto energy_now = [&run](int support) {
        const State<2>& now = run.law().state();
        return slide_rock_energy_j(run.law().body(), support, {now.q[0], now.q_rate[0], now.q[1], now.q_rate[1]}, kG);
    };
    double energy = energy_now(1);
    double slipped = 0.0;
    for (int i = 1; i <= 2000; ++i) {
        run.run({}, 1e-3 * i, false);
        const double now = energy_now(run.law().supports()[0]);
        CHECK(now <= energy + 1e-12);
        energy = now;
        slipped = std::max(slipped, std::abs(run.law().state().q[1]));
    }
    CHECK(run.law().rests());
    CHECK(slipped > 1e-4);
}

TEST_CASE("a mirrored slide-rock run is the mirror image, bit for bit") {
    for (const double mu : {0.15, 0.3, 0.5, 0.9}) {
        SolverOptions options;
        options.history_step_s = 0.005;
        const BaseMotion motion = sine_acceleration(6.0, 15.0, 3.0);
        const Prediction one = predict(block(0.1, 0.35, mu, 0.8 * mu, 0.1), motion, options);
        const Prediction other = predict(block(0.1, 0.35, mu, 0.8 * mu, -0.1), motion.scaled(-1.0), options);
        CHECK(one.status == SolverStatus::ok);
        CHECK(one.outcome == other.outcome);
        REQUIRE(one.history.size() == other.history.size());
        for (std::size_t i = 0; i < one.history.size(); ++i) {
            CHECK(one.history[i].rotation_rad[0] == -other.history[i].rotation_rad[0]);
            CHECK(one.history[i].slip_m == -other.history[i].slip_m);
        }
    }
}

TEST_CASE("a motion cut into pieces of 2 ms moves a sliding block as the whole motion does") {
    const Specimen specimen = block(0.1, 0.4, 0.32, 0.28, 0.0);
    const BaseMotion motion = sine_acceleration(7.0, 20.0, 2.0);
    RockingRun whole(specimen, {}), cut(specimen, {});
    whole.advance(motion.pieces().front(), motion.end_s());
    for (double t = 0.002; t < motion.end_s(); t += 0.002) cut.advance(motion.pieces().front(), t);
    cut.advance(motion.pieces().front(), motion.end_s());
    CHECK(whole.uplifted());
    CHECK(std::abs(whole.slip_m()) > 1e-3);
    CHECK(cut.rotation_rad(0) == Approx(whole.rotation_rad(0)).margin(1e-8));
    CHECK(cut.slip_m() == Approx(whole.slip_m()).margin(1e-8));
}

TEST_CASE("a Zeno sequence of slipping impacts ends in rest at its limit") {
    const auto fixed = [](Specimen specimen, double ratio) {
        specimen.restitution.model = RestitutionModel::fixed;
        specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = ratio;
        return specimen;
    };
    // The limit to which the impacts converge when all of them are followed, down to rates of 1e-22 rad/s.
    const Prediction released = predict(fixed(block(0.06, 0.27, 0.6, 0.3, 0.01), 0.6), BaseMotion());
    CHECK(released.status == SolverStatus::ok);
    CHECK(released.outcome == Outcome::rocking);
    CHECK(released.settled_time_s.value_or(0.0) == Approx(0.174821430844).margin(2e-11));
    CHECK(released.slip->residual_m == Approx(-0.000178558).margin(1e-9));
    CHECK(released.impacts.size() < 40);
    const Prediction shaken =
        predict(fixed(block(0.0541, 0.708, 2.0, 2.0), 0.65), sine_acceleration(2.0, 4.0 * kPi, 4.0));
    CHECK(shaken.status == SolverStatus::ok);
    CHECK(shaken.outcome == Outcome::rocking);
    CHECK(shaken.settled_time_s.value_or(0.0) == Approx(3.238501611711).margin(1e-8));
}

TEST_CASE("a foot that slips into a wedge of friction after an impact is stopped at once and the body comes to rest") {
    Specimen body;
    body.blocks = {{0.1, 0.1, 1.0}};
    body.pivots = Pivots{std::atan2(0.22659, 0.358942), std::atan2(0.0199089, 0.358942), std::hypot(0.22659, 0.358942),
                         std::hypot(0.0199089, 0.358942), 0.0935595};
    body.restitution.model = RestitutionModel::fixed;
    body.restitution.fixed_left_to_right = body.restitution.fixed_right_to_left = 0.199222;
    body.friction = Friction{2.84899, 2.84899};
    body.initial_rotation_rad = {-0.00178115};
    const Prediction answer = predict(body, BaseMotion());
    CHECK(answer.status == SolverStatus::ok);
    CHECK(answer.settled_time_s.value_or(60.0) < 0.2);
    CHECK(answer.impacts.size() < 30);
    // Stopping the foot keeps the angular momentum about it and takes energy.
    const SlidingBody sliding = make_sliding_body(body, kG);
    const SlideRockState before{0.0, 0.0, 0.0, -0.3}, after = stopped_slip(sliding, -1, before);
    CHECK(after.slip_rate_m_s == 0.0);
    CHECK(after.rate_rad_s * (0.0935595 + 0.22659 * 0.22659 + 0.358942 * 0.358942) == Approx(-0.3 * 0.358942));
    CHECK(slide_rock_energy_j(sliding, -1, after, kG) < slide_rock_energy_j(sliding, -1, before, kG));
}

TEST_CASE("a sliding run in a thousand random conditions ends without failure and its reaction is its momentum") {
    const topple::tests::RandomRuns runs(5, 300);
    std::mt19937 random(runs.seed());
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < runs.count(); ++i) {
        const double mu = 1.3 * unit(random);
        Specimen specimen = block(0.1, 0.1 + 0.4 * unit(random), mu, mu * unit(random), 0.3 * (unit(random) - 0.5));
        const BaseMotion motion = sine_acceleration(25.0 * unit(random), 5.0 + 40.0 * unit(random), 2.0);
        const Prediction answer = predict(specimen, motion);
        INFO("case " << i << " mu " << mu);
        CHECK(answer.status == SolverStatus::ok);
        CHECK((answer.outcome == Outcome::overturning || answer.settled_time_s || mu == 0.0));
    }
}

// A base that also moves up and down: weight, uplift, energy, and where the models end.
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "solver/laws/air_track.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kGravity = 9.81, kTwoPi = 6.283185307179586;

Specimen b6l(double rotation_rad = 0.0) {
    Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};
    specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}

SolverOptions options_with(const BaseMotion& vertical, Model model = Model::automatic) {
    SolverOptions options;
    options.vertical = std::make_shared<const BaseMotion>(vertical);
    options.model = model;
    options.history_step_s = 0.002;
    options.settle_limit_s = 0.0;
    return options;
}

/// Largest difference of rotations up to `until_s`; history samples of events are compared where both have them.
double difference_rad(const Prediction& a, const Prediction& b, double until_s) {
    double largest = a.history.size() == b.history.size() ? 0.0 : 1.0;
    for (std::size_t i = 0; i < std::min(a.history.size(), b.history.size()); ++i) {
        if (a.history[i].time_s > until_s) break;
        for (std::size_t k = 0; k < a.history[i].rotation_rad.size(); ++k)
            largest = std::max(largest, std::abs(a.history[i].rotation_rad[k] - b.history[i].rotation_rad[k]));
    }
    return largest;
}

/// Along a sine, once with the base accelerating upwards by `up`, once with that much more gravity.
double difference_to_gravity_rad(const Specimen& specimen, SolverOptions options, double up_m_s2, double duration_s) {
    const BaseMotion wave = sine_acceleration(3.0, kTwoPi / duration_s);
    options.history_step_s = 0.002;
    options.settle_limit_s = 0.0;
    SolverOptions heavy = options;
    heavy.gravity_m_s2 += up_m_s2;
    options.vertical = std::make_shared<const BaseMotion>(constant_acceleration(up_m_s2, duration_s));
    const Prediction moved = predict(specimen, wave, options), weighed = predict(specimen, wave, heavy);
    // Cut short while it moves: what follows need not be decided.
    REQUIRE((moved.status == SolverStatus::ok || moved.status == SolverStatus::undecided));
    REQUIRE(moved.peak_rotation_rad[0] > 1e-3);
    return difference_rad(moved, weighed, duration_s);
}

}  // namespace

TEST_CASE("A constant vertical acceleration is more or less gravity, in every model") {
    // The steps follow the frequency parameter at rest, so the two runs differ by the integrators' errors.
    for (const double up : {-3.0, 2.0}) {
        for (const Model model : {Model::rocking, Model::linearised, Model::quasi_linear, Model::slide_rock}) {
            SolverOptions options;
            options.model = model;
            Specimen specimen = b6l(0.02);
            if (model == Model::slide_rock) specimen.friction = Friction{0.5, 0.4};
            CAPTURE(up, static_cast<int>(model));
            CHECK(difference_to_gravity_rad(specimen, options, up, 0.25) < 1e-9);
        }
        SolverOptions newmark;
        newmark.integrator = Integrator::newmark;
        CHECK(difference_to_gravity_rad(b6l(0.02), newmark, up, 0.25) < 1e-10);
        SolverOptions force;
        force.model = Model::impulsive_force;
        // Between the same states the force's layer is stepped through differently.
        CHECK(difference_to_gravity_rad(b6l(0.02), force, up, 0.25) < 1e-7);
    }
}

TEST_CASE("On a slope the vertical motion acts along gravity, across and down the seat") {
    Specimen leaning = b6l();
    leaning.initial_tilt_rad = 0.05;
    CHECK(difference_to_gravity_rad(leaning, {}, 2.0, 0.25) < 1e-9);
}

TEST_CASE("A stack feels a constant vertical acceleration as gravity") {
    Specimen pair;
    pair.blocks = {{0.045, 0.10125, 0.5444}, {0.045, 0.10125, 0.5444}};
    pair.initial_rotation_rad = {0.0, 0.05};
    CHECK(difference_to_gravity_rad(pair, {}, 2.0, 0.1) < 1e-9);
}

TEST_CASE("A block lifts where a vertical sine has taken enough of its weight") {
    const double u = 2.0, amplitude = 4.0, w = 9.0, tangent = 0.06 / 0.27;
    // u = (g - A sin(w t)) tan(alpha): below the threshold at rest, 2.18 m/s2.
    const double lifts_s = std::asin((kGravity - u / tangent) / amplitude) / w;
    for (const Model model : {Model::rocking, Model::quasi_linear, Model::impulsive_force}) {
        const SolverOptions options = options_with(sine_acceleration(-amplitude, w), model);
        SolverOptions sparse = options;
        sparse.history_step_s = 10.0;
        const auto history = predict(b6l(), constant_acceleration(u, 0.3), sparse).history;
        REQUIRE(history.size() >= 2);
        CHECK(history[1].time_s == Approx(lifts_s).margin(1e-9).epsilon(0));
        CHECK(history[1].support[0] == Support::left);
    }
}

TEST_CASE("A vertical peak that only just takes enough weight is found between the samples") {
    const double tangent = 0.06 / 0.27, amplitude = 4.0;
    const auto lifts = [&](double u) {
        const Prediction p =
            predict(b6l(), constant_acceleration(u, 1.0), options_with(sine_acceleration(-amplitude, 200.0, 3)));
        return p.outcome != Outcome::translation;
    };
    CHECK_FALSE(lifts((kGravity - amplitude) * tangent * (1.0 - 1e-9)));
    CHECK(lifts((kGravity - amplitude) * tangent * (1.0 + 1e-6)));
}

TEST_CASE("A vertical motion alone lifts nothing that stands upright") {
    Specimen pair;
    pair.blocks = {{0.06, 0.1, 1.0}, {0.04, 0.2, 1.0}};
    for (const Specimen& specimen : {b6l(), pair}) {
        const Prediction p = predict(specimen, {}, options_with(sine_acceleration(9.0, 30.0, 5)));
        CHECK(p.outcome == Outcome::translation);
        CHECK(p.peak_rotation_rad[0] == 0.0);
        CHECK(p.history.back().time_s >= 5 * kTwoPi / 30.0 - 0.002);  // the last sample before the end
    }
}

TEST_CASE("The work of both motions of the base is what a block without losses gains") {
    Specimen elastic = b6l(0.05);
    elastic.restitution.model = RestitutionModel::fixed;  // ratio 1
    const BaseMotion along = sine_acceleration(0.3, 11.0, 2), up = sine_acceleration(3.0, 17.0, 3);
    SolverOptions options = options_with(up);
    options.history_step_s = 1e-4;
    const Prediction p = predict(elastic, along, options);
    REQUIRE(p.impacts.size() >= 2);
    const double m = 2.5692, radius = elastic.blocks[0].half_diagonal_m(), alpha = elastic.blocks[0].slenderness_rad();
    const auto energy = [&](const HistorySample& s) {
        const double inertia = 4.0 / 3.0 * m * radius * radius, rate = s.rotation_rate_rad_s[0];
        return 0.5 * inertia * rate * rate + m * kGravity * radius * std::cos(alpha - std::abs(s.rotation_rad[0]));
    };
    // Power of the inertia forces -m a on the mass centre as it moves relative to the base.
    const auto power = [&](const HistorySample& s) {
        const double beta = alpha - std::abs(s.rotation_rad[0]), side = s.support[0] == Support::right ? 1.0 : -1.0;
        const double rate = s.rotation_rate_rad_s[0], t = s.time_s;
        return -m * radius * rate *
               (along.at(t).acceleration_m_s2 * std::cos(beta) + up.at(t).acceleration_m_s2 * side * std::sin(beta));
    };
    double work = 0.0, exchanged = 0.0;
    for (std::size_t i = 1; i < p.history.size() && p.history[i].time_s <= along.end_s() - 1e-6; ++i) {
        const HistorySample &a = p.history[i - 1], &b = p.history[i];
        work += 0.5 * (b.time_s - a.time_s) * (power(a) + power(b));
        exchanged = std::max(exchanged, std::abs(energy(b) - energy(p.history[0])));
        // Trapezoids of 0.1 ms: 1e-7 of what is exchanged.
        REQUIRE(energy(b) - energy(p.history[0]) == Approx(work).margin(1e-6).epsilon(0));
    }
    CHECK(exchanged > 0.01);
}

TEST_CASE("Mirrored along x, the same vertical motion gives the mirrored run") {
    const SolverOptions options = options_with(sine_acceleration(4.0, 20.0, 2));
    const Prediction right = predict(b6l(0.02), sine_acceleration(3.0, 15.0), options);
    const Prediction left = predict(b6l(-0.02), sine_acceleration(-3.0, 15.0), options);
    REQUIRE(right.history.size() == left.history.size());
    for (std::size_t i = 0; i < right.history.size(); ++i)
        REQUIRE(right.history[i].rotation_rad[0] == -left.history[i].rotation_rad[0]);
}

TEST_CASE("A run cut into pieces sees the same vertical motion, and ends only after it") {
    const SolverOptions options = options_with(sampled_acceleration({0.0, 0.1, 0.15, 0.4}, {0.0, 4.0, -6.0, 0.0}));
    const BaseMotion along = sine_acceleration(3.0, 25.0);
    RockingRun whole(b6l(), options), cut(b6l(), options);
    whole.advance(along.pieces()[0], along.end_s());
    for (double t = 0.007; t < along.end_s(); t += 0.007) cut.advance(along.pieces()[0], t);
    cut.advance(along.pieces()[0], along.end_s());
    // Steps cut by the caller instead of by the integrator: the error of the steps.
    CHECK(cut.rotation_rad(0) == Approx(whole.rotation_rad(0)).margin(1e-9).epsilon(0));
    RockingRun still(b6l(), options);
    still.settle(10.0);
    CHECK(still.time_s() == 0.4);
    CHECK(still.decided());
    CHECK(still.base_reaction(0.0).vertical_n == Approx(-2.5692 * kGravity));
    RockingRun moving(b6l(), options);
    moving.coast(0.05);
    CHECK_FALSE(moving.decided());
    CHECK(moving.base_reaction(0.0).vertical_n == Approx(-2.5692 * (kGravity + 2.0)));
}

TEST_CASE("A base in free fall is refused with its instant") {
    const double w = 10.0;
    const auto message = [&](double amplitude) -> std::string {
        try {
            RockingRun run(b6l(), options_with(sine_acceleration(-amplitude, w)));
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    };
    CHECK(message(9.80).empty());
    CHECK(message(9.81).find("falls freely at t = 0.157") != std::string::npos);       // the peak, quarter of a period
    CHECK(message(19.62).find("falls freely at t = 0.0523598") != std::string::npos);  // sin(w t) = 1/2
}

TEST_CASE("Outcomes alone follow the vertical motion too, and what has no place for it refuses") {
    SolverOptions options = options_with(sine_acceleration(-8.0, 12.0));
    const BaseMotion along = sine_acceleration(2.0, 12.0);
    CHECK(predict(b6l(), along).outcome == Outcome::translation);
    options.history_step_s = 0.0;
    options.outcome_only = true;
    CHECK(predict(b6l(), along, options).outcome != Outcome::translation);
    CHECK_THROWS_AS(StabilityMap(b6l(), {along, 12.0, 2.0}, AmplitudeAxis::tangent, options), std::invalid_argument);
    CHECK_THROWS_AS(predict_coupled(b6l(), AirTrack{5.0, 2.0, 0.1}, options), std::invalid_argument);
}

// The linear block models against the thesis's solutions as corrected (docs/physics.md, errata T1 to T8).
#include <cmath>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kG = kStandardGravity_m_s2;

struct Case {
    double b = 0.06, h = 0.27;
    double alpha = std::atan(b / h), p = std::sqrt(3 * kG / (2 * std::hypot(b, h)));
    Specimen specimen(double rotation_rad = 0.0) const {
        Specimen block;
        block.blocks = {{b, h, 2.5}};
        block.initial_rotation_rad = {rotation_rad};
        return block;
    }
};

SolverOptions options_for(Model model) {
    SolverOptions options;
    options.model = model;
    return options;
}

RockingRun run_until(const Specimen& specimen, Model model, const BaseMotion& motion, double until_s) {
    RockingRun run(specimen, options_for(model));
    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, until_s);
    run.coast(until_s);
    return run;
}

/// theta'' = f(t, theta) by classical Runge-Kutta with many steps: independent of the solver.
template <class F>
double integrate(F&& f, double theta, double rate, double from_s, double to_s) {
    const int n = 20000;
    const double dt = (to_s - from_s) / n;
    for (int i = 0; i < n; ++i) {
        const double t = from_s + i * dt;
        const double k1 = rate, l1 = f(t, theta);
        const double k2 = rate + dt / 2 * l1, l2 = f(t + dt / 2, theta + dt / 2 * k1);
        const double k3 = rate + dt / 2 * l2, l3 = f(t + dt / 2, theta + dt / 2 * k2);
        const double k4 = rate + dt * l3, l4 = f(t + dt, theta + dt * k3);
        theta += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        rate += dt / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    return theta;
}

}  // namespace

TEST_CASE("free rocking of the linearised block: quarter period and every later impact in closed form") {
    const Case c;
    const double theta0 = 0.15, eta = 1 - 1.5 * std::pow(std::sin(c.alpha), 2);
    const Prediction answer = predict(c.specimen(theta0), {}, options_for(Model::linearised));
    REQUIRE(answer.impacts.size() > 20);
    double time = std::acosh(c.alpha / (c.alpha - theta0)) / c.p;  // (3.24)
    double rate = c.p * std::sqrt(c.alpha * c.alpha - std::pow(c.alpha - theta0, 2));
    for (std::size_t i = 0; i < 20; ++i) {
        CHECK(answer.impacts[i].time_s == Approx(time).margin(1e-9));
        CHECK(std::abs(answer.impacts[i].rotation_rate_before_rad_s[0]) == Approx(rate).margin(1e-9));
        rate *= eta;
        time += 2 * std::atanh(rate / (c.p * c.alpha)) / c.p;
    }
    double whole = std::acosh(c.alpha / (c.alpha - theta0)) / c.p;
    rate = c.p * std::sqrt(c.alpha * c.alpha - std::pow(c.alpha - theta0, 2));
    for (int i = 0; i < 2000; ++i) rate *= eta, whole += 2 * std::atanh(rate / (c.p * c.alpha)) / c.p;
    CHECK(answer.settled_time_s.value() == Approx(whole).margin(1e-8));
}

TEST_CASE("free rocking of the quasi-linear block grows with p sqrt(cos alpha) towards tan alpha (T7)") {
    const Case c{0.06, 0.09};
    const double theta0 = 0.3, r = c.p * std::sqrt(std::cos(c.alpha)), edge = std::tan(c.alpha);
    const RockingRun run = run_until(c.specimen(theta0), Model::quasi_linear, {}, 0.1);
    CHECK(run.rotation_rad(0) == Approx((theta0 - edge) * std::cosh(r * 0.1) + edge).margin(1e-13));  // (3.32)
    CHECK(run.rotation_rate_rad_s(0) == Approx((theta0 - edge) * r * std::sinh(r * 0.1)).margin(1e-12));
    const Prediction answer = predict(c.specimen(theta0), {}, options_for(Model::quasi_linear));
    REQUIRE_FALSE(answer.impacts.empty());
    CHECK(answer.impacts[0].time_s == Approx(std::acosh(edge / (edge - theta0)) / r).margin(1e-12));
}

TEST_CASE("a constant pulse moves the linearised block to -(a0/g - alpha)(cosh pt - 1), then as (3.28) (T1, T2, T3)") {
    const Case c;
    const double ta = 0.1;
    for (const double a0 : {3.0, -3.0}) {
        const double sign = a0 > 0 ? -1 : 1, x = std::abs(a0) / kG;
        const BaseMotion motion = constant_acceleration(a0, ta);
        const RockingRun during = run_until(c.specimen(), Model::linearised, motion, 0.08);
        CHECK(during.rotation_rad(0) == Approx(sign * (x - c.alpha) * (std::cosh(c.p * 0.08) - 1)).margin(1e-14));
        const double t = 0.17;
        const RockingRun after = run_until(c.specimen(), Model::linearised, motion, t);
        CHECK(after.rotation_rad(0) ==
              Approx(sign * (c.alpha * (1 - std::cosh(c.p * t)) + x * (std::cosh(c.p * t) - std::cosh(c.p * (t - ta)))))
                  .margin(1e-13));
        // (3.29), expanded about t = 0: the bracket of sinh holds cosh(p ta) - 1 and no restitution.
        const double expanded =
            c.alpha * (1 - std::cosh(c.p * t)) -
            x * ((std::cosh(c.p * ta) - 1) * std::cosh(c.p * t) - std::sinh(c.p * ta) * std::sinh(c.p * t));
        CHECK(after.rotation_rad(0) == Approx(sign * expanded).margin(1e-13));
    }
}

TEST_CASE("the critical constant pulse of the linearised block is p ta = -ln((x-1)/x) (5.3)") {
    const Case c;
    for (const double x : {1.1, 1.5, 3.0}) {
        const double a0 = x * c.alpha * kG;
        double low = 0.1 / c.p, high = 4.0 / c.p;
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (low + high);
            const bool falls =
                predict(c.specimen(), constant_acceleration(a0, middle), options_for(Model::linearised)).outcome ==
                Outcome::overturning;
            (falls ? high : low) = middle;
        }
        CHECK(c.p * high == Approx(-std::log((x - 1) / x)).margin(1e-9));
        if (x == 1.5) CHECK(c.p * high == Approx(1.09861229).margin(1e-8));
    }
}

TEST_CASE("a sine lifts the linearised block where sin q = alpha g / a0 and moves it as (3.30) from there (T5)") {
    const Case c;
    const double a0 = 4.0, w = 12.0, q = std::asin(c.alpha * kG / a0), t_lift = q / w;
    const double amplitude = c.p * c.p * (a0 / kG) / (w * w + c.p * c.p);
    const BaseMotion motion = sine_acceleration(a0, w);
    for (const double tau : {0.01, 0.1, 0.2}) {
        const double expected = c.alpha - amplitude * std::sin(w * tau + q) -
                                c.alpha * w * w / (w * w + c.p * c.p) * std::cosh(c.p * tau) +
                                amplitude * w * std::cos(q) / c.p * std::sinh(c.p * tau);
        const RockingRun run = run_until(c.specimen(), Model::linearised, motion, t_lift + tau);
        CHECK(expected > 0.0);
        CHECK(run.rotation_rad(0) == Approx(-expected).margin(1e-13));  // a0 > 0 tips to theta < 0
    }
}

TEST_CASE("polynomials, envelopes and a tilt force the linearised block as its differential equation says (T4)") {
    const Case c;
    MotionPiece piece;
    piece.end_s = 0.3;
    piece.polynomial = {0.4, -3.0, 20.0, -90.0};
    piece.harmonics = {{25.0, {0.8, 3.0}, {-0.5, 6.0}}, {4.0, {0.0, -1.0}, {0.3, 0.0}}};
    const BaseMotion motion({piece});
    const double tilt = 0.01, g = kG * std::cos(tilt), steady = -kG * std::sin(tilt);
    const double p2 = c.p * c.p * std::cos(tilt);
    Specimen specimen = c.specimen(0.12);
    specimen.initial_tilt_rad = tilt;
    for (const double t : {0.05, 0.12}) {
        const double expected = integrate(
            [&](double time, double theta) {
                return p2 * (theta - c.alpha - (motion.at(time).acceleration_m_s2 + steady) / g);
            },
            0.12, 0.0, 0.0, t);
        CHECK(run_until(specimen, Model::linearised, motion, t).rotation_rad(0) == Approx(expected).margin(1e-12));
    }
}

TEST_CASE("a constant pulse moves the quasi-linear block as (3.34) with the sign of a0 (T6), exponential or not") {
    const Case c{0.06, 0.09};
    for (const double a0 : {8.0, -8.0, 20.0, -20.0}) {  // beyond g / tan(alpha) = 14.7 the stiffness is negative
        const double x = std::abs(a0) / kG, t = 0.05, k2 = std::cos(c.alpha) + x * std::sin(c.alpha);
        // On the side that the pulse tips to, theta a0 < 0, so that stiffness only grows.
        const double amplitude = (x * std::cos(c.alpha) - std::sin(c.alpha)) / k2;
        const double expected = amplitude * (std::cosh(c.p * std::sqrt(k2) * t) - 1);
        const RockingRun run = run_until(c.specimen(), Model::quasi_linear, constant_acceleration(a0, 1.0), t);
        CHECK(run.rotation_rad(0) == Approx(a0 > 0 ? -expected : expected).margin(1e-13));
        // From a rotation to the other side the same pulse presses the block down: stiffness cos(a) - x sin(a).
        const double start = a0 > 0 ? 0.3 : -0.3, n2 = std::cos(c.alpha) - x * std::sin(c.alpha), s = 0.02;
        const double edge = (std::sin(c.alpha) + x * std::cos(c.alpha)) / n2;
        const double swing = n2 > 0 ? std::cosh(c.p * std::sqrt(n2) * s) : std::cos(c.p * std::sqrt(-n2) * s);
        const double pressed = edge + (0.3 - edge) * swing;
        const RockingRun other = run_until(c.specimen(start), Model::quasi_linear, constant_acceleration(a0, 1.0), s);
        CHECK(other.rotation_rad(0) == Approx(a0 > 0 ? pressed : -pressed).margin(1e-13));
    }
}

TEST_CASE("a sine forces the quasi-linear block on the branch theta > 0 of (3.18), not as printed in (3.37) (T8)") {
    const Case c{0.06, 0.09};
    const double a0 = 5.0, w = 20.0, start = 0.2, p2 = c.p * c.p, t = 0.06;
    const double s = std::sin(c.alpha), k = std::cos(c.alpha);
    const double expected = integrate(
        [&](double time, double theta) {
            const double u = a0 * std::sin(w * time) / kG;
            return p2 * ((k - u * s) * theta - (s + u * k));
        },
        start, 0.0, 0.0, t);
    const RockingRun run = run_until(c.specimen(start), Model::quasi_linear, sine_acceleration(a0, w), t);
    CHECK(run.support(0) == Support::right);
    CHECK(run.rotation_rad(0) == Approx(expected).margin(1e-11));
}

TEST_CASE("the linearised block lifts above g alpha, the quasi-linear one above g tan alpha") {
    const Case c{0.06, 0.09};
    const auto lifts = [&](Model model, double a) {
        return predict(c.specimen(), constant_acceleration(a, 0.01), options_for(model)).outcome == Outcome::rocking;
    };
    CHECK_FALSE(lifts(Model::linearised, kG * c.alpha));
    CHECK(lifts(Model::linearised, kG * c.alpha * (1 + 1e-9)));
    CHECK_FALSE(lifts(Model::quasi_linear, kG * std::tan(c.alpha)));
    CHECK(lifts(Model::quasi_linear, kG * std::tan(c.alpha) * (1 + 1e-9)));
}

TEST_CASE("impacts under a sampled record are located alike whether the record is followed whole or tick by tick") {
    const Case c;
    std::vector<double> time, acceleration;
    for (int i = 0; i <= 100; ++i) time.push_back(0.01 * i), acceleration.push_back(3.5 * std::sin(0.25 * i));
    const BaseMotion record = sampled_acceleration(time, acceleration);
    for (const Model model : {Model::linearised, Model::quasi_linear}) {
        const Prediction whole = predict(c.specimen(), record, options_for(model));
        REQUIRE(whole.impacts.size() >= 2);
        RockingRun run(c.specimen(), options_for(model));
        for (const MotionPiece& piece : record.pieces())
            for (double t = piece.start_s + 0.0007; t < piece.end_s + 0.0007; t += 0.0007) run.advance(piece, t);
        run.settle(100.0);
        const Prediction cut = run.result();
        REQUIRE(cut.impacts.size() >= 2);
        for (std::size_t i = 0; i < 2; ++i)
            CHECK(cut.impacts[i].time_s == Approx(whole.impacts[i].time_s).margin(1e-9));
    }
}

TEST_CASE("for a slender block and small rotations all three models agree, better as both shrink") {
    double last = 1.0;
    for (const double b : {0.02, 0.01, 0.005}) {
        const Case c{b, 0.3};
        const double theta0 = 0.3 * c.alpha;
        const double full = predict(c.specimen(theta0), {}).impacts.at(0).time_s;
        double worst = 0.0;
        for (const Model model : {Model::linearised, Model::quasi_linear})
            worst = std::max(
                worst, std::abs(predict(c.specimen(theta0), {}, options_for(model)).impacts.at(0).time_s / full - 1));
        CHECK(worst < 0.26 * last);
        last = worst;
    }
    CHECK(last < 1e-4);
}

TEST_CASE("a mirrored linear run is the mirror image, bit for bit") {
    const Case c;
    for (const Model model : {Model::linearised, Model::quasi_linear}) {
        const Prediction one = predict(c.specimen(0.1), sine_acceleration(3.0, 20.0, 2.0), options_for(model));
        const Prediction other = predict(c.specimen(-0.1), sine_acceleration(-3.0, 20.0, 2.0), options_for(model));
        REQUIRE(one.impacts.size() == other.impacts.size());
        for (std::size_t i = 0; i < one.impacts.size(); ++i) {
            CHECK(one.impacts[i].time_s == other.impacts[i].time_s);
            CHECK(one.impacts[i].rotation_rate_after_rad_s[0] == -other.impacts[i].rotation_rate_after_rad_s[0]);
        }
    }
}

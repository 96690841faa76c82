// Every waveform: starts at rest, its velocity and displacement are the integrals of its acceleration, and the
// algebra of motions is that of functions.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "solver/motion/base_motion.hpp"
#include "solver/motion/broadband.hpp"
#include "solver/motion/lead_in.hpp"
#include "solver/motion/pulses.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Named {
    std::string name;
    BaseMotion motion;
    bool rests_at_end = true;
};

std::vector<Named> all_waveforms() {
    std::vector<double> times, samples;
    std::mt19937 random(7);
    for (int i = 0; i <= 40; ++i) {
        times.push_back(0.02 * i);
        samples.push_back(std::uniform_real_distribution<double>(-4.0, 4.0)(random));
    }
    MotionPiece grown;
    grown.end_s = 1.3;
    grown.polynomial = {0.3, -0.7, 1.1, -0.4};
    grown.harmonics = {{14.0, {0.7, -1.1}, {-0.4, 2.3}}, {0.9, {-0.2, 0.8}, {0.6, -0.5}}};
    return {{"polynomial and harmonics with linear envelopes", BaseMotion({grown}), false},
            {"sine", sine_acceleration(3.0, 2 * kPi * 4.0)},
            {"three sines", sine_acceleration(-2.0, 31.0, 3.0)},
            {"sine of a cycle and a half", sine_acceleration(2.0, 9.0, 1.5), false},
            {"cosine", cosine_acceleration(5.0, 2 * kPi * 3.0)},
            {"constant", constant_acceleration(2.0, 0.3), false},
            {"constant and stop", constant_acceleration_and_stop(-2.0, 0.3, 7.0)},
            {"harmonic", harmonic_displacement(0.03, 12.0, 2.0, 7.0)},
            {"harmonic, odd ramp", harmonic_displacement(0.03, 12.0, 0.7, 2.9)},
            {"harmonic, half-cycle ramp", harmonic_displacement(0.03, 12.0, 0.5, 1.0)},
            {"rest to rest", rest_to_rest(-0.1, 0.2, 1.0)},
            {"record", sampled_acceleration(times, samples), false},
            {"double pulse", double_pulse(0.6, 0.01, 0.05, 2.0, 0.4)},
            {"double pulse that misses the stopper", double_pulse(-0.3, 0.01, 0.5, 2.0, 0.4)},
            {"symmetric Ricker", symmetric_ricker(3.0, 2.5)},
            {"antisymmetric Ricker", antisymmetric_ricker(-3.0, 2.5)},
            {"Mavroeidis and Papageorgiou", mavroeidis_papageorgiou({0.4, 1.2, 1.7, 0.6})},
            {"cycloidal A", cycloidal_a(0.3, 2.0)},
            {"cycloidal B", cycloidal_b(-0.3, 2.0)},
            {"cycloidal C1", cycloidal_c(0.3, 2.0, 1)},
            {"cycloidal C4", cycloidal_c(0.3, 2.0, 4)},
            {"linear sweep", sweep({2.0, 2.0, 6.0, 2.0, 1.0, false})},
            {"logarithmic sweep", sweep({2.0, 7.0, 3.0, 2.0, 1.5, true})},
            {"noise", band_limited_noise({0.5, 2.0, 7.0, 2.0, 0.5, 3})},
            {"cosine with a lead-in", with_lead_in(cosine_acceleration(5.0, 20.0), 500.0).motion},
            {"sum", sine_acceleration(3.0, 20.0).plus(constant_acceleration_and_stop(1.0, 0.1, 2.0).shifted(0.05))},
            {"sequence", sine_acceleration(3.0, 20.0).then(cosine_acceleration(1.0, 30.0))}};
}

/// Eighth-order central difference; function values are wanted within one smooth piece.
template <class Function>
double derivative(const Function& f, double t, double h) {
    return (672 * (f(t + h) - f(t - h)) - 168 * (f(t + 2 * h) - f(t - 2 * h)) + 32 * (f(t + 3 * h) - f(t - 3 * h)) -
            3 * (f(t + 4 * h) - f(t - 4 * h))) /
           (840 * h);
}

}  // namespace

TEST_CASE("every waveform starts at rest at zero and keeps rest at its end where it promises") {
    for (const Named& wave : all_waveforms()) {
        INFO(wave.name);
        const BaseState start = wave.motion.at(0.0);
        CHECK(start.velocity_m_s == 0.0);
        CHECK(start.displacement_m == 0.0);
        const BaseState end = wave.motion.at(wave.motion.end_s());
        CHECK(end.acceleration_m_s2 == 0.0);
        if (wave.rests_at_end) CHECK(std::abs(end.velocity_m_s) < 1e-14);
        if (!wave.rests_at_end) CHECK(std::abs(end.velocity_m_s) > 1e-3);
        const BaseState later = wave.motion.at(wave.motion.end_s() + 2.0);
        CHECK(later.displacement_m == Approx(end.displacement_m + 2.0 * end.velocity_m_s).margin(1e-13));
    }
}

TEST_CASE("displacement, velocity, acceleration and jerk are derivatives of one another inside every piece") {
    const topple::tests::RandomRuns runs(11, 5);  // in every piece
    std::mt19937 random(runs.seed());
    for (const Named& wave : all_waveforms()) {
        INFO(wave.name);
        for (const MotionPiece& piece : wave.motion.pieces()) {
            const double length = piece.end_s - piece.start_s;
            const double h = std::min(1e-3, length / 10.0);
            for (int i = 0; i < runs.count(); ++i) {
                const double t =
                    piece.start_s + 4 * h + std::uniform_real_distribution<double>(0.0, 1.0)(random) * (length - 8 * h);
                const BaseState state = wave.motion.at(t);
                const auto x = [&](double s) { return wave.motion.at(s).displacement_m; };
                const auto v = [&](double s) { return wave.motion.at(s).velocity_m_s; };
                const auto a = [&](double s) { return wave.motion.at(s).acceleration_m_s2; };
                CHECK(derivative(x, t, h) == Approx(state.velocity_m_s).margin(1e-11));
                CHECK(derivative(v, t, h) == Approx(state.acceleration_m_s2).margin(1e-10));
                CHECK(derivative(a, t, h) == Approx(state.jerk_m_s3).margin(1e-8));
            }
        }
    }
}

TEST_CASE("displacement and velocity are continuous at every break and the pieces' own acceleration is met") {
    for (const Named& wave : all_waveforms()) {
        INFO(wave.name);
        for (const MotionPiece& piece : wave.motion.pieces()) {
            for (const double t : {piece.start_s, piece.end_s}) {
                const BaseState left = wave.motion.before(t), right = wave.motion.at(t);
                CHECK(left.displacement_m == Approx(right.displacement_m).margin(1e-15));
                CHECK(left.velocity_m_s == Approx(right.velocity_m_s).margin(1e-15));
            }
            CHECK(wave.motion.at(piece.start_s).acceleration_m_s2 ==
                  Approx(piece.acceleration_m_s2(piece.start_s)).margin(1e-14));
            CHECK(wave.motion.before(piece.end_s).acceleration_m_s2 ==
                  Approx(piece.acceleration_m_s2(piece.end_s)).margin(1e-14));
        }
    }
}

TEST_CASE("a sine moves the base by 2 pi a0 per w squared and cycle, a cosine not at all") {
    const topple::tests::RandomRuns runs(3, 200);
    std::mt19937 random(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        const double a0 = std::uniform_real_distribution<double>(-30.0, 30.0)(random);
        const double w = std::exp(std::uniform_real_distribution<double>(0.0, 6.0)(random));
        const double cycles = 1 + i % 5;
        const BaseMotion sine = sine_acceleration(a0, w, cycles), cosine = cosine_acceleration(a0, w, cycles);
        const double scale = std::abs(a0) / (w * w);
        CHECK(sine.at(sine.end_s()).displacement_m == Approx(2 * kPi * a0 * cycles / (w * w)).epsilon(1e-14));
        CHECK(std::abs(cosine.at(cosine.end_s()).displacement_m) < 1e-14 * scale * cycles);
        CHECK(std::abs(sine.at(sine.end_s()).velocity_m_s) < 1e-14 * scale * w);
    }
}

TEST_CASE("a tiny w t loses no digits") {
    const double w = 1e-4, a0 = 2.0;
    const BaseMotion cosine = cosine_acceleration(a0, w), sine = sine_acceleration(a0, w);
    for (const double t : {1e-6, 1e-3, 1.0, 50.0}) {
        const double z = w * t;
        const double sine_v = a0 * t * (z / 2 - z * z * z / 24 + z * z * z * z * z / 720);
        const double sine_x = a0 * t * t * (z / 6 - z * z * z / 120 + z * z * z * z * z / 5040);
        CHECK(sine.at(t).velocity_m_s == Approx(sine_v).epsilon(1e-14));
        CHECK(sine.at(t).displacement_m == Approx(sine_x).epsilon(1e-14));
        CHECK(cosine.at(t).displacement_m ==
              Approx(a0 * t * t * (0.5 - z * z / 24 + z * z * z * z / 720)).epsilon(1e-14));
    }
}

TEST_CASE("closed form and series of the harmonic integrals meet where one takes over from the other") {
    MotionPiece piece;
    piece.end_s = 2.0;
    piece.harmonics.push_back({3.0, {0.7, -1.1}, {-0.4, 2.3}});
    const BaseMotion motion({piece});
    const double t = 1.0 / 3.0, step = 1e-13;
    const BaseState below = motion.at(t - step), above = motion.at(t + step);
    CHECK(above.velocity_m_s - below.velocity_m_s == Approx(2 * step * motion.at(t).acceleration_m_s2).margin(3e-16));
    CHECK(above.displacement_m - below.displacement_m == Approx(2 * step * motion.at(t).velocity_m_s).margin(3e-16));
}

TEST_CASE("a sum of motions is the sum of their states, whatever their breaks") {
    const auto waves = all_waveforms();
    const topple::tests::RandomRuns runs(5, 20);  // of every pair
    std::mt19937 random(runs.seed());
    for (const Named& first : waves) {
        for (const Named& second : waves) {
            INFO(first.name << " + " << second.name);
            const BaseMotion late = second.motion.shifted(0.0371);
            const BaseMotion sum = first.motion.plus(late);
            for (int i = 0; i < runs.count(); ++i) {
                const double t = std::uniform_real_distribution<double>(-0.1, 2.5)(random);
                const BaseState a = first.motion.at(t), b = late.at(t), s = sum.at(t);
                CHECK(s.displacement_m == Approx(a.displacement_m + b.displacement_m).margin(1e-13));
                CHECK(s.velocity_m_s == Approx(a.velocity_m_s + b.velocity_m_s).margin(1e-13));
                CHECK(s.acceleration_m_s2 == Approx(a.acceleration_m_s2 + b.acceleration_m_s2).margin(1e-11));
            }
        }
    }
}

TEST_CASE("scaling, delaying and sequencing act on states as they do on functions") {
    for (const Named& wave : all_waveforms()) {
        INFO(wave.name);
        const BaseMotion scaled = wave.motion.scaled(-2.5), late = wave.motion.shifted(0.4);
        const BaseMotion twice = wave.motion.then(wave.motion);
        const BaseState end = wave.motion.at(wave.motion.end_s());
        CHECK(twice.end_s() == Approx(2 * wave.motion.end_s()).epsilon(1e-14));
        for (double t = 0.0013; t < wave.motion.end_s(); t += 0.0171) {
            const BaseState state = wave.motion.at(t);
            CHECK(scaled.at(t).displacement_m == Approx(-2.5 * state.displacement_m).margin(1e-15));
            CHECK(scaled.at(t).acceleration_m_s2 == Approx(-2.5 * state.acceleration_m_s2).margin(1e-13));
            CHECK(late.at(t + 0.4).velocity_m_s == Approx(state.velocity_m_s).margin(1e-13));
            const BaseState again = twice.at(wave.motion.end_s() + t);
            CHECK(again.velocity_m_s == Approx(end.velocity_m_s + state.velocity_m_s).margin(1e-11));
            CHECK(again.displacement_m ==
                  Approx(end.displacement_m + end.velocity_m_s * t + state.displacement_m).margin(1e-12));
        }
    }
}

TEST_CASE("extremes bound a dense sampling and are reached") {
    for (const Named& wave : all_waveforms()) {
        INFO(wave.name);
        const BaseMotion::Extremes peak = wave.motion.extremes();
        double x_min = 0.0, x_max = 0.0, v = 0.0, a = 0.0;
        for (int i = 0; i <= 20000; ++i) {
            const BaseState s = wave.motion.before(wave.motion.end_s() * i / 20000.0);
            x_min = std::min(x_min, s.displacement_m), x_max = std::max(x_max, s.displacement_m);
            v = std::max(v, std::abs(s.velocity_m_s)), a = std::max(a, std::abs(s.acceleration_m_s2));
        }
        CHECK(peak.displacement_min_m <= x_min + 1e-15);
        CHECK(peak.displacement_max_m >= x_max - 1e-15);
        CHECK(peak.velocity_peak_m_s >= v - 1e-15);
        CHECK(peak.acceleration_peak_m_s2 >= a - 1e-14);
        CHECK(peak.displacement_max_m == Approx(x_max).margin(1e-7));
        CHECK(peak.velocity_peak_m_s == Approx(v).epsilon(1e-3));
        const BaseState at_v = wave.motion.at(peak.velocity_peak_time_s);
        CHECK(std::abs(at_v.velocity_m_s) == Approx(peak.velocity_peak_m_s).epsilon(1e-14));
    }
}

// A base acceleration that passes the threshold of uplift or slip by next to nothing.
#include <array>
#include <cmath>
#include <string>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kPi = 3.141592653589793, kGravity = 9.81, kFrequency_rad_s = 20.0;
const Block kB6L{0.06, 0.27, 2.5692};

/// One and a half periods and more of a sin(w t + phase): three peaks beyond the threshold, to both sides.
BaseMotion lasting_sine(double amplitude_m_s2, double phase_rad) {
    MotionPiece piece;
    piece.end_s = 0.5;
    piece.harmonics = {
        {kFrequency_rad_s, {amplitude_m_s2 * std::cos(phase_rad), 0.0}, {amplitude_m_s2 * std::sin(phase_rad), 0.0}}};
    return BaseMotion({piece});
}

struct Case {
    std::string name;
    Specimen specimen;
    SolverOptions options;
    double threshold_m_s2;
    bool sees_every_hop;  ///< Newmark's iteration and the linear closed forms round hops below 1e-13 rad away
};

std::vector<Case> every_model() {
    Case block{"block", {}, {}, 0.0, true};
    block.specimen.blocks = {kB6L};
    block.threshold_m_s2 = uplift_acceleration_m_s2(block.specimen);
    block.options.events_max = 2000;  // a run-away spends it, a hop needs a handful
    Case newmark = block, pair = block, tower = block, slider = block, sliding = block, linearised = block,
         quasi_linear = block;
    newmark.name = "Newmark";
    newmark.sees_every_hop = linearised.sees_every_hop = quasi_linear.sees_every_hop = false;
    newmark.options.integrator = Integrator::newmark;
    pair.name = "two blocks";
    pair.specimen.blocks = {kB6L, kB6L};
    pair.threshold_m_s2 = uplift_acceleration_m_s2(pair.specimen);
    tower.name = "three blocks";
    tower.specimen.blocks = {kB6L, kB6L, kB6L};
    tower.threshold_m_s2 = uplift_acceleration_m_s2(tower.specimen);
    slider.name = "slide-rock";
    slider.specimen.friction = Friction{0.5, 0.4};
    sliding.name = "sliding block";
    sliding.specimen.friction = Friction{0.1, 0.1};
    sliding.threshold_m_s2 = 0.1 * kGravity;
    linearised.name = "linearised";
    linearised.options.model = Model::linearised;
    linearised.threshold_m_s2 = kGravity * kB6L.slenderness_rad();
    quasi_linear.name = "quasi-linear";
    quasi_linear.options.model = Model::quasi_linear;
    return {block, newmark, pair, tower, slider, sliding, linearised, quasi_linear};
}

/// u passes the threshold by eps of itself; near the peak the excess is a parabola that is positive for +-T.
double half_width_s(double excess_ratio) { return std::sqrt(2.0 * excess_ratio) / kFrequency_rad_s; }

}  // namespace

TEST_CASE("however little a wave passes the threshold, the cost is bounded and more excess never moves less") {
    for (const Case& of : every_model()) {
        INFO(of.name);
        for (const double phase_rad : {0.0, 0.3, 1.2, 2.9}) {
            double last_peak = 0.0;
            bool moved_before = false;
            for (double decade = -15.0; decade <= -3.0; decade += 0.5) {
                INFO("phase " << phase_rad << ", excess 10^" << decade);
                const double amplitude = of.threshold_m_s2 * (1.0 + std::pow(10.0, decade));
                const Prediction one = predict(of.specimen, lasting_sine(amplitude, phase_rad), of.options);
                const Prediction other = predict(of.specimen, lasting_sine(-amplitude, phase_rad), of.options);
                CHECK(one.status == SolverStatus::ok);
                CHECK(other.status == SolverStatus::ok);
                CHECK(one.outcome == other.outcome);
                CHECK(one.peak_rotation_rad == other.peak_rotation_rad);
                const bool slides = of.name == "sliding block";
                const double peak = slides ? one.slip.value().peak_m : one.peak_rotation_rad[0];
                const bool moved = of.sees_every_hop ? peak > 0.0 : one.outcome == Outcome::rocking;
                if (decade <= -13.0) CHECK_FALSE(moved);
                if (decade >= -10.0) CHECK(moved);
                CHECK(moved >= moved_before);
                if (of.sees_every_hop) CHECK(peak >= last_peak);
                if (!slides) CHECK((one.outcome == Outcome::rocking) == moved);
                moved_before = moved;
                last_peak = peak;
            }
            CHECK(last_peak < 1e-6);
        }
    }
}

TEST_CASE(
    "a hop over a grazed threshold rises to 4.5 p^2 sin(alpha) (eps/w)^2 and lands 3 half-widths after the peak") {
    // theta'' = -p^2 sin(alpha) (eps - (w tau)^2/2) from tau = -T on; higher terms are of relative order eps.
    const double p = kB6L.frequency_parameter_rad_s(kGravity);
    const double stiffness = p * p * std::sin(kB6L.slenderness_rad());
    for (const Case& of : every_model()) {
        if (of.name != "block" && of.name != "slide-rock") continue;
        INFO(of.name);
        for (const double eps : {1e-9, 1e-8, 1e-7, 1e-6}) {
            INFO("excess " << eps);
            const Prediction answer =
                predict(of.specimen, lasting_sine(of.threshold_m_s2 * (1.0 + eps), 0.0), of.options);
            REQUIRE(answer.impacts.size() == 3);
            for (int i = 0; i < 3; ++i) {
                const double peak_s = (0.5 + i) * kPi / kFrequency_rad_s;
                CHECK(answer.impacts[i].time_s == Approx(peak_s + 3.0 * half_width_s(eps)).margin(1e-10).epsilon(0));
            }
            const double height = 4.5 * stiffness * eps * eps / (kFrequency_rad_s * kFrequency_rad_s);
            CHECK(answer.peak_rotation_rad[0] == Approx(height).epsilon(1e-4));
            CHECK(answer.settled_time_s.value() > answer.impacts[2].time_s);
            CHECK(answer.settled_time_s.value() < 0.4);
        }
    }
}

TEST_CASE("a slip over a grazed threshold of friction goes 4.5 mu g (eps/w)^2 each way") {
    // x'' = -mu g (eps - (w tau)^2/2) from tau = -T until x' = 0 at 2 T, once to each side and back.
    for (const Case& of : every_model()) {
        if (of.name != "sliding block") continue;
        for (const double eps : {1e-9, 1e-8, 1e-7, 1e-6}) {
            INFO("excess " << eps);
            const Prediction answer =
                predict(of.specimen, lasting_sine(of.threshold_m_s2 * (1.0 + eps), 0.0), of.options);
            const double way = 4.5 * of.threshold_m_s2 * eps * eps / (kFrequency_rad_s * kFrequency_rad_s);
            CHECK(answer.slip.value().peak_m == Approx(way).epsilon(1e-4));
            CHECK(answer.slip.value().residual_m == Approx(-way).epsilon(1e-4));
            CHECK(answer.settled_time_s.value() ==
                  Approx(2.5 * kPi / kFrequency_rad_s + 2.0 * half_width_s(eps)).margin(1e-9).epsilon(0));
        }
    }
}

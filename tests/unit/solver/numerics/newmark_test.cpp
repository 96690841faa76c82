// Newmark's method where its equations are hard to solve: a shorter step or a status, never an invented state.
#include "solver/numerics/newmark.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/predict.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::stack;

namespace {

SolverOptions newmark(double step_s = 1e-3) {
    SolverOptions options;
    options.integrator = Integrator::newmark;
    options.newmark_step_s = step_s;
    options.history_step_s = 1e-3;
    options.settle_limit_s = 2.0;
    return options;
}

/// Largest change of a rotation between two samples less than what its rates explain; infinite where it is no number.
double largest_leap_rad(const Prediction& answer) {
    double largest = 0.0;
    for (std::size_t i = 1; i < answer.history.size(); ++i) {
        const HistorySample &a = answer.history[i - 1], &b = answer.history[i];
        for (std::size_t k = 0; k < a.rotation_rad.size(); ++k) {
            if (!std::isfinite(b.rotation_rad[k] + b.rotation_rate_rad_s[k]))
                return std::numeric_limits<double>::infinity();
            const double fastest = std::max(std::abs(a.rotation_rate_rad_s[k]), std::abs(b.rotation_rate_rad_s[k]));
            if (std::abs(b.rotation_rad[k]) >= 1.57) continue;  // fallen: laid down
            largest = std::max(largest,
                               std::abs(b.rotation_rad[k] - a.rotation_rad[k]) - 2.0 * fastest * (b.time_s - a.time_s));
        }
    }
    return largest;
}

}  // namespace

TEST_CASE("Newmark's six blocks overturn as they do by the default method, without a leap") {
    Specimen six;
    for (int i = 0; i < 6; ++i) six.blocks.push_back({0.04, 0.12, 1.0});
    const BaseMotion motion = sine_acceleration(2.8, 2.0 * 3.141592653589793 * 1.6);
    const Prediction answer = follow(six, motion, newmark()), exact = follow(six, motion);
    CHECK(answer.status == SolverStatus::ok);
    CHECK(answer.outcome == Outcome::total_overturning);
    REQUIRE(answer.overturn_time_s);
    REQUIRE(exact.overturn_time_s);
    CHECK(*answer.overturn_time_s == Approx(0.873).margin(1e-3).epsilon(0));
    CHECK(*answer.overturn_time_s == Approx(*exact.overturn_time_s).margin(1e-4).epsilon(0));
    CHECK(largest_leap_rad(answer) < 1e-3);
}

TEST_CASE("Newmark's stacks neither leap nor become no number, also with steps far too long") {
    for (int n = 2; n <= 6; ++n) {
        for (const double amplitude_m_s2 : {2.0, 4.0, 9.0}) {
            for (const double step_s : {1e-3, 0.02, 0.1}) {
                Specimen specimen;
                for (int i = 0; i < n; ++i)
                    specimen.blocks.push_back({0.05 - 0.003 * i, 0.08 + 0.03 * ((i * 7) % 3), 1.0 + 0.2 * i});
                INFO(n << " blocks, " << amplitude_m_s2 << " m/s2, step " << step_s << " s");
                const Prediction answer = follow(specimen, sine_acceleration(amplitude_m_s2, 12.0), newmark(step_s));
                CHECK(largest_leap_rad(answer) < 0.02);
                for (const double peak : answer.peak_rotation_rad) CHECK(std::isfinite(peak));
            }
        }
    }
}

TEST_CASE("a step that Newton cannot solve is refused, what lies inside a solved one needs no solution") {
    const StepEnd<1> from{0.0, {{0.1}, {2.0}}, {1.0}};
    StepEnd<1> end;
    Newmark<1> stepper;
    auto jumpy = [](double, const State<1>& m) { return Row<1>{m.q[0] > 0.102 ? -1e4 : 1e4}; };
    CHECK(stepper.attempt(jumpy, from, 1e-3, 1, 50.0, end) > 1.0);
    auto nowhere = [](double, const State<1>&) { return Row<1>{std::numeric_limits<double>::quiet_NaN()}; };
    CHECK(stepper.attempt(nowhere, from, 1e-3, 1, 50.0, end) > 1.0);
    auto smooth = [](double, const State<1>& m) { return Row<1>{10.0 * m.q[0]}; };
    REQUIRE(stepper.attempt(smooth, from, 1e-3, 1, 50.0, end) == 0.0);
    CHECK(stepper.interpolate(nowhere, 1.0).q[0] == end.state.q[0]);
    CHECK(stepper.interpolate(nowhere, 0.0).q[0] == 0.1);
    CHECK(stepper.interpolate(nowhere, 0.5).q[0] == Approx(0.101).margin(1e-6).epsilon(0));
}

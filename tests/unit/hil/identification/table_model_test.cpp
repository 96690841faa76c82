#include "hil/identification/table_model.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "hil/sim_table/noise.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using namespace topple::hil::identification;
using Complex = std::complex<double>;

namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

TableModel stage() {
    TableModel model;
    model.mass_kg = 31.7;
    model.motor_mass_ratio = 0.62;
    model.stiffness_n_m = 2.1e6;
    model.damping_n_s_m = 280.0;
    model.viscous_n_s_m = 50.0;
    return model;
}

/// Lines of a table whose force channel is 0.3 ms late, with noise of so much of each line.
std::vector<LineResponse> lines_of(const TableModel& model, double noise_ratio, hil::sim_table::Noise& draw) {
    std::vector<LineResponse> lines;
    for (double f = 4.0; f <= 150.0; f += f < 20.0 ? 1.0 : 2.0) {
        const double w = kTwoPi * f;
        const Complex noise = 1.0 + noise_ratio * Complex(draw.normal(), draw.normal());
        lines.push_back({f, model.dynamic_stiffness_n_m(w) * std::polar(1.0, -w * 0.3e-3) * noise, 1.0, noise_ratio});
    }
    return lines;
}

}  // namespace

TEST_CASE("The force of a table is that of its whole mass when slow, and of the motor alone when fast") {
    const TableModel model = stage();
    const double slow = kTwoPi * 0.5, fast = kTwoPi * 3000.0;
    CHECK(-model.dynamic_stiffness_n_m(slow).real() / (slow * slow) == Approx(31.7).epsilon(1e-3));
    CHECK(-model.dynamic_stiffness_n_m(slow, 10.0).real() / (slow * slow) == Approx(41.7).epsilon(1e-3));
    CHECK(-model.dynamic_stiffness_n_m(fast).real() / (fast * fast) == Approx(0.62 * 31.7).epsilon(1e-2));
    CHECK(model.platen_resonance_hz() == Approx(std::sqrt(2.1e6 / (0.38 * 31.7)) / kTwoPi));
    // Where both masses swing against each other the force is least.
    const double w = kTwoPi * model.resonance_hz();
    CHECK(std::abs(model.dynamic_stiffness_n_m(w)) < 0.15 * 31.7 * w * w);
}

TEST_CASE("Mass, screw and delay are found from noisy lines, and their standard errors cover") {
    const tests::RandomRuns random(11, 200);
    hil::sim_table::Noise draw(random.seed(), 22);
    const TableModel truth = stage();
    int covered[4] = {};
    for (int run = 0; run < random.count(); ++run) {
        const auto found = fit_table(lines_of(truth, 0.01, draw), 82);
        REQUIRE(found);
        CHECK(found->mass_kg.value == Approx(truth.mass_kg).epsilon(0.02));
        CHECK(found->residual_ratio < 0.03);
        const std::pair<Estimate, double> all[] = {{found->mass_kg, truth.mass_kg},
                                                   {found->motor_mass_ratio, truth.motor_mass_ratio},
                                                   {found->stiffness_n_m, truth.stiffness_n_m},
                                                   {found->force_delay_s, 0.3e-3}};
        for (std::size_t i = 0; i < 4; ++i)
            covered[i] += std::abs(all[i].first.value - all[i].second) < 2.0 * all[i].first.error;
    }
    // 95.4 % of a normal error. The floor under the lines' errors makes them a tenth too large.
    for (const int count : covered) {
        CHECK(count > 0.91 * random.count());
        CHECK(count < 0.997 * random.count());
    }
}

TEST_CASE("A screw that cannot be seen is not told") {
    hil::sim_table::Noise draw(4, 23);
    TableModel rigid;
    rigid.mass_kg = 25.0;
    rigid.viscous_n_s_m = 20.0;
    const auto found = fit_table(lines_of(rigid, 0.005, draw), 82);
    REQUIRE(found);
    CHECK(found->model.stiffness_n_m == 0.0);
    CHECK(found->model.motor_mass_ratio == 1.0);
    CHECK(found->mass_kg.value == Approx(25.0).epsilon(0.01));
    TableModel stiff = stage();
    stiff.stiffness_n_m = 3e7;  // 250 Hz
    const auto of_stiff = fit_table(lines_of(stiff, 0.01, draw), 82);
    REQUIRE(of_stiff);
    CHECK(of_stiff->model.stiffness_n_m == 0.0);
    const auto few = lines_of(rigid, 0.01, draw);
    CHECK(found->whole);
    const auto of_few = fit_table(std::span(few).first(70), 82);
    REQUIRE(of_few);
    CHECK_FALSE(of_few->whole);
    CHECK_FALSE(fit_table(std::span(few).first(7), 82));
}

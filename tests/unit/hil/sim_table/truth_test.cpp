#include "hil/sim_table/truth.hpp"

#include <cmath>

#include "hil/sim_table/noise.hpp"
#include "hil/sim_table/truth_json.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;

namespace {
hil::experiment::Experiment experiment(std::uint64_t seed, std::size_t specimens = 1) {
    hil::experiment::Experiment e;
    e.simulation.seed = seed;
    e.specimens.assign(specimens, test::b6l());
    return e;
}
}  // namespace

TEST_CASE("The normal numbers have mean 0, variance 1 and the same first values everywhere") {
    hil::sim_table::Noise noise(1, 1);
    double sum = 0.0, squares = 0.0;
    const int n = 100000;
    for (int i = 0; i < n; ++i) {
        const double z = noise.normal();
        sum += z, squares += z * z;
    }
    CHECK(std::abs(sum / n) < 0.01);
    CHECK(squares / n == Approx(1.0).epsilon(0.02));
    CHECK(hil::sim_table::Noise(1, 1).next() == hil::sim_table::Noise(1, 1).next());
    CHECK(hil::sim_table::Noise(1, 1).next() != hil::sim_table::Noise(1, 2).next());
    CHECK(hil::sim_table::Noise(1, 1).next() != hil::sim_table::Noise(2, 1).next());
}

TEST_CASE("Hidden differences drawn over many seeds spread as documented") {
    double eta = 0.0, tilt = 0.0, width = 0.0, eta_mean = 0.0;
    const int n = 4000;
    for (int seed = 1; seed <= n; ++seed) {
        const auto t = hil::sim_table::truth(experiment(static_cast<std::uint64_t>(seed))).specimens.at(0);
        eta += std::pow(t.restitution_factor - 1.0, 2);
        eta_mean += t.restitution_factor - 1.0;
        tilt += t.tilt_rad * t.tilt_rad;
        width += std::pow(t.width_factors.at(0) - 1.0, 2);
    }
    CHECK(std::sqrt(eta / n) == Approx(0.015).epsilon(0.05));
    CHECK(std::abs(eta_mean / n) < 1e-3);
    CHECK(std::sqrt(tilt / n) == Approx(2e-3).epsilon(0.05));
    CHECK(std::sqrt(width / n) == Approx(5e-3).epsilon(0.05));
}

TEST_CASE("The same seed draws the same truth, each specimen its own, and exact draws nothing") {
    const auto one = hil::sim_table::truth(experiment(7, 2)), again = hil::sim_table::truth(experiment(7, 2));
    CHECK(one.origin == hil::sim_table::TruthReport::Origin::drawn);
    CHECK(one.specimens[0].tilt_rad == again.specimens[0].tilt_rad);
    CHECK(one.specimens[0].tilt_rad != one.specimens[1].tilt_rad);
    auto e = experiment(7);
    e.simulation.truth.exact = true;
    const auto exact = hil::sim_table::truth(e);
    CHECK(exact.origin == hil::sim_table::TruthReport::Origin::exact);
    CHECK(hil::sim_table::true_specimens(e, exact)[0].blocks[0].width_m == 0.06);
    CHECK(hil::sim_table::true_specimens(e, exact)[0].initial_tilt_rad == 0.0);
}

TEST_CASE("A given truth is used as it is, and what it leaves out is unchanged") {
    auto e = experiment(7);
    e.simulation.truth.restitution_factor = 0.95;
    const auto report = hil::sim_table::truth(e);
    CHECK(report.origin == hil::sim_table::TruthReport::Origin::given);
    const auto specimen = hil::sim_table::true_specimens(e, report).at(0);
    CHECK(specimen.blocks[0].width_m == 0.06);
    CHECK(solver::restitution_ratios(specimen).at(0) ==
          Approx(0.95 * solver::restitution_ratios(e.specimens[0]).at(0)));
}

TEST_CASE("An eta above 1 is cut there, widths and tilt change as given") {
    auto lively = test::b6l();
    lively.restitution.model = solver::RestitutionModel::fixed;
    lively.restitution.fixed_left_to_right = 0.99;
    lively.restitution.fixed_right_to_left = 0.5;
    const auto other = solver::perturbed(lively, {1.05, {1.02}, 0.003});
    CHECK(other.restitution.fixed_left_to_right == 1.0);
    CHECK(other.restitution.fixed_right_to_left == Approx(0.525));
    CHECK(other.initial_tilt_rad == 0.003);
    CHECK(other.blocks[0].width_m == Approx(0.0612));
    solver::Specimen body = test::b6l();
    body.pivots = solver::Pivots{0.2, 0.3, 0.14, 0.145, 0.05};
    const auto wide = solver::perturbed(body, {1.0, {1.1}, 0.0});
    CHECK(wide.pivots->radius_left_m * std::cos(wide.pivots->alpha_left_rad) == Approx(0.14 * std::cos(0.2)));
    CHECK(wide.pivots->radius_right_m * std::sin(wide.pivots->alpha_right_rad) == Approx(1.1 * 0.145 * std::sin(0.3)));
}

TEST_CASE("Truth and ensemble change the same specimen by one function, every foot on its own") {
    auto e = experiment(3);
    e.specimens[0].pivots = solver::Pivots{0.2, 0.3, 0.14, 0.145, 0.05};
    const auto report = hil::sim_table::truth(e);
    REQUIRE(report.specimens[0].width_factors.size() == 2);
    CHECK(report.specimens[0].width_factors[0] != report.specimens[0].width_factors[1]);
    const auto body = *hil::sim_table::true_specimens(e, report).at(0).pivots;
    const auto same = *solver::perturbed(e.specimens[0], report.specimens[0]).pivots;
    CHECK(body.alpha_left_rad == same.alpha_left_rad);
    CHECK(body.radius_left_m * std::sin(body.alpha_left_rad) ==
          Approx(report.specimens[0].width_factors[0] * 0.14 * std::sin(0.2)).epsilon(1e-13));
    CHECK(hil::sim_table::truth_json(report).find("\"width_factor\":null,\"width_factors\":[") != std::string::npos);
    CHECK(hil::sim_table::truth_json(hil::sim_table::truth(experiment(3))).find("\"width_factor\":null") ==
          std::string::npos);
}

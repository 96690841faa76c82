#include "solver/identify/free_lobe.hpp"

#include <cmath>

#include "solver/identify/free_response.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

const Block kB6L{0.06, 0.27, 2.5692};
const RockingShape kShape = rocking_shape(kB6L);

}  // namespace

TEST_CASE("the time from release to the first impact is that of the closed form") {
    CHECK(FreeLobe(kShape, 0.15).half_duration_s() == Approx(0.25051813).margin(5e-9));
    const RockingShape bulky = rocking_shape({0.06, 0.09, 1.0});
    CHECK(FreeLobe(bulky, 0.5).half_duration_s() == Approx(0.22251067).margin(5e-9));
}

TEST_CASE("small excursions last as long as a parabola, large ones ever longer towards alpha") {
    const double p = kShape.frequency_parameter_rad_s, alpha = kShape.slenderness_rad;
    for (const double apex : {1e-8, 1e-6, 1e-4})
        CHECK(FreeLobe(kShape, apex).half_duration_s() ==
              Approx(std::sqrt(2.0 * apex / std::sin(alpha)) / p).epsilon(2 * apex / alpha + 1e-9));
    double before = 0.0;
    for (const double gap : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10}) {
        const double half = FreeLobe(kShape, alpha - gap).half_duration_s();
        CHECK(half > before);
        if (gap < 1e-3) CHECK(half - before == Approx(std::log(100.0) / p).epsilon(1e-3));  // an e-fold takes 1/p
        before = half;
    }
}

TEST_CASE("an excursion keeps its energy and obeys the equation of rocking") {
    const double p = kShape.frequency_parameter_rad_s, alpha = kShape.slenderness_rad, h = 1e-4;
    for (const double apex : {0.01, 0.15, 0.2186}) {
        const FreeLobe lobe(kShape, apex);
        CHECK(lobe.rotation_rad(0.0) == Approx(apex).margin(1e-14));
        for (const double share : {0.1, 0.5, 0.9}) {
            const double t = share * lobe.half_duration_s(), theta = lobe.rotation_rad(t);
            const double rate = (lobe.rotation_rad(t + h) - lobe.rotation_rad(t - h)) / (2.0 * h);
            CHECK(0.5 * rate * rate / (p * p) + std::cos(alpha - theta) == Approx(std::cos(alpha - apex)).margin(1e-7));
            CHECK(lobe.rotation_rad(-t) == theta);
        }
        CHECK(lobe.rotation_rad(lobe.half_duration_s()) == 0.0);
        CHECK(lobe.rotation_rad(lobe.half_duration_s() * (1.0 - 1e-9)) == Approx(0.0).margin(1e-8));
    }
}

TEST_CASE("energy and apex are inverse to each other") {
    for (const double apex : {1e-6, 0.01, 0.1, 0.2186})
        CHECK(apex_of_energy(kShape, lobe_energy(kShape, apex)) == Approx(apex).margin(1e-13));
    CHECK(apex_of_energy(kShape, 2.0) == Approx(kShape.slenderness_rad));
}

TEST_CASE("a response laid out in closed form is the one the solver integrates") {
    Specimen specimen;
    specimen.blocks = {kB6L};
    specimen.initial_rotation_rad = {-0.15};
    SolverOptions options;
    options.history_step_s = 0.01;
    const Prediction prediction = predict(specimen, {}, options);
    const FreeResponse response(
        kShape, {-1, 0.15, FreeLobe(kShape, 0.15).half_duration_s(), prediction.restitution[0], 0.0}, 10.0);
    CHECK(response.release_s() == Approx(0.0).margin(1e-15));
    CHECK(response.rest_s() == Approx(4.20162809).margin(1e-3));
    for (const HistorySample& sample : prediction.history)
        CHECK(response.rotation_rad(sample.time_s) == Approx(sample.rotation_rad[0]).margin(2e-8));
    CHECK(response.rotation_rad(5.0) == 0.0);
}

TEST_CASE("a response on a sloping seat is the one the solver integrates") {
    Specimen specimen;
    specimen.blocks = {kB6L};
    specimen.initial_rotation_rad = {0.15};
    specimen.initial_tilt_rad = -0.01;
    SolverOptions options;
    options.history_step_s = 0.01;
    const Prediction prediction = predict(specimen, {}, options);
    const FreeLobe first(shape_on_seat(kShape, -0.01, 1), 0.15);
    const FreeResponse response(kShape, {1, 0.15, first.half_duration_s(), prediction.restitution[0], -0.01}, 10.0);
    for (const HistorySample& sample : prediction.history)
        CHECK(response.rotation_rad(sample.time_s) == Approx(sample.rotation_rad[0]).margin(2e-8));
}

TEST_CASE("dense samples are interpolated to 1e-10 of the apex") {
    for (const double apex : {0.01, 0.15, 0.2186}) {
        const FreeLobe lobe(kShape, apex);
        std::vector<double> time_s, rotation(2000);
        for (int i = 0; i < 2000; ++i) time_s.push_back(3.0 + lobe.half_duration_s() * (i - 1000) / 990.0);
        lobe.rotations(time_s, 3.0, rotation);
        double worst = 0.0;
        for (int i = 0; i < 2000; ++i)
            worst = std::max(worst, std::abs(rotation[i] - lobe.rotation_rad(time_s[i] - 3.0)));
        CHECK(worst < 1e-10 * apex + (apex > 0.2 ? 1e-8 * apex : 0.0));
    }
}

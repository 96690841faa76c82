// Several releases of one block, pooled.
#include "hil/study/free_rocking_series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "hil/files/errors.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::hil::study;

namespace {

const solver::Block kB6L{0.06, 0.27, 2.5692};
constexpr double kNoise_rad = 2e-4;

/// A release as a sensor of 200 samples a second sees it.
solver::RotationHistory release(double ratio, double release_rad, unsigned seed) {
    solver::Specimen specimen;
    specimen.blocks = {kB6L};
    specimen.initial_rotation_rad = {release_rad};
    specimen.restitution.model = solver::RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = ratio;
    solver::RockingRun run(specimen, {});
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> noise(0.0, kNoise_rad);
    solver::RotationHistory history;
    for (int i = 0; i < 600; ++i) {
        run.coast(i / 200.0);
        history.time_s.push_back(i / 200.0);
        history.rotation_rad.push_back(run.rotation_rad(0) + noise(generator));
    }
    return history;
}

std::vector<FreeRockingRequest> releases_of(const std::vector<double>& ratios, double first_release_rad = 0.15) {
    std::vector<FreeRockingRequest> requests;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        FreeRockingRequest request;
        request.record = fmt::format("release_{}", i + 1);
        request.block = kB6L;
        request.history =
            release(ratios[i], first_release_rad + 0.004 * static_cast<double>(i), 10 + static_cast<unsigned>(i));
        requests.push_back(request);
    }
    return requests;
}

std::string refusal(const std::vector<FreeRockingRequest>& requests) {
    try {
        fit_series(requests);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("releases of one ratio give it back, with no scatter between them that matters") {
    const auto requests = releases_of({0.945, 0.945, 0.945, 0.945});
    const FreeRockingSeries series = fit_series(requests);
    CHECK(std::abs(series.ratio.random.value - 0.945) < series.ratio.reach_95() + 1e-4);
    CHECK(series.ratio.tau < 5e-4);
    REQUIRE(series.half_periods.size() >= 5);
    for (const HalfPeriodOfSeries& one : series.half_periods) {
        CHECK(one.ratio.count >= 2);
        CHECK(std::abs(one.ratio.random.value - 0.945) < 5.0 * one.ratio.random.standard_error + 1e-4);
    }
    REQUIRE(series.energy.size() >= 5);
    for (const EnergyOfSeries& one : series.energy) {
        CHECK(one.measured.count == 4);
        CHECK(one.measured.mean == Approx(std::pow(0.945, 2.0 * static_cast<double>(one.impacts))).epsilon(0.03));
        CHECK(one.by_mean_ratio == Approx(std::pow(series.ratio.random.value, 2.0 * static_cast<double>(one.impacts))));
    }
    CHECK(series.amplitude.verdict != AmplitudeVerdict::depends);
    CHECK(std::abs(series.amplitude.slope.random.value) < series.amplitude.slope.reach_95());
}

TEST_CASE(
    "what differs between releases is in the scatter, the intervals of eta and k, and not hidden by their number") {
    const std::vector<double> ratios{0.935, 0.950, 0.942, 0.953, 0.938};
    const FreeRockingSeries series = fit_series(releases_of(ratios));
    CHECK(series.ratio.mean == Approx(0.9436).margin(2e-4));
    CHECK(series.ratio.scatter == Approx(0.00764).margin(3e-4));  // of the five numbers above
    CHECK(series.ratio.tau == Approx(0.00764).margin(5e-4));
    // Of the mean: scatter over the square root of five; single fits know their ratio a hundred times better.
    CHECK(series.ratio.random.standard_error == Approx(0.00764 / std::sqrt(5.0)).margin(2e-4));
    CHECK(series.next_impulse_k.standard_error > 2.0 * series.impulse_k.standard_error);
    CHECK(series.impulse_k.value ==
          Approx(solver::impulse_position(kB6L.slenderness_rad(), {0.9436, 0.0}, {1.0, 0.0}).value).margin(5e-3));
    CHECK(series.half_periods.front().ratio.scatter == Approx(0.00764).margin(2e-3));
}

TEST_CASE("a known material factor is taken for every release") {
    auto requests = releases_of({0.93, 0.932});
    for (auto& request : requests) request.material = solver::Estimate{0.98, 0.002};
    const FreeRockingSeries series = fit_series(requests);
    CHECK(series.is_material_known);
    CHECK(series.material.value == 0.98);
    const double free =
        solver::impulse_position(kB6L.slenderness_rad(), series.ratio.random, {0.98, 0.0}).standard_error;
    CHECK(series.impulse_k.standard_error > free);  // its error is part of k's
}

TEST_CASE("few impacts say nothing of the amplitude, and the series says so") {
    auto requests = releases_of({0.70, 0.71}, 0.05);
    const FreeRockingSeries series = fit_series(requests);
    CHECK(series.amplitude.verdict == AmplitudeVerdict::uninformative);
    CHECK(series_text(requests[0], series).find("uninformative") != std::string::npos);
}

TEST_CASE("the table and the document of a series hold every number") {
    const auto requests = releases_of({0.945, 0.948, 0.942});
    const FreeRockingSeries series = fit_series(requests);
    const auto json = nlohmann::json::parse(series_json(requests[0], series));
    CHECK(json["schema"] == "topple.free_rocking_series/1");
    CHECK(json["records"].size() == 3);
    CHECK(json["records"][1]["schema"] == "topple.free_rocking_fit/1");
    CHECK(json["restitution"]["random_effects_mean"]["value"] == series.ratio.random.value);
    CHECK(json["restitution"]["between_records"] == series.ratio.tau);
    CHECK(json["k"]["value"] == series.impulse_k.value);
    CHECK(json["half_periods"].size() == series.half_periods.size());
    CHECK(json["amplitude_dependence"]["verdict"] == name(series.amplitude.verdict));
    const std::string text = series_text(requests[0], series);
    for (const char* words : {"release_2", "random-effects mean", "a further release", "impulse position k"})
        CHECK(text.find(words) != std::string::npos);
}

TEST_CASE("records of different blocks, and one that is given twice, are refused") {
    auto requests = releases_of({0.945, 0.948});
    requests[1].block.height_m = 0.135;
    CHECK(refusal(requests).find("a series is of one block") != std::string::npos);
    requests = releases_of({0.945, 0.948});
    requests[1].record = requests[0].record;
    CHECK(refusal(requests).find("given twice") != std::string::npos);
    requests.pop_back();
    CHECK(refusal(requests).find("at least two") != std::string::npos);
}

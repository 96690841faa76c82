#include "solver/identify/restitution_fit.hpp"

#include <cmath>
#include <random>
#include <stdexcept>

#include "solver/identify/spikes.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

const Block kB6L{0.06, 0.27, 2.5692};
const Block kB2M{0.045, 0.0675, 0.3636};

struct Camera {
    double rate_hz = 150.0, noise_rad = 0.0, offset_rad = 0.0, held_s = 0.0;
    double dropped_share = 0.0;  // of the samples, at random
    double gap_start_s = 0.0, gap_s = 0.0;
    std::uint64_t seed = 7;
};

/// What a camera sees of a block released from `rotation_rad` with one ratio for all impacts.
RotationHistory measured(const Block& block, double ratio, double rotation_rad, double duration_s,
                         const Camera& camera) {
    Specimen specimen;
    specimen.blocks = {block};
    specimen.initial_rotation_rad = {rotation_rad};
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = ratio;
    RockingRun run(specimen, {});
    std::mt19937_64 generator(camera.seed);
    std::normal_distribution<double> noise(0.0, 1.0);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    RotationHistory history;
    for (int i = 0; i < duration_s * camera.rate_hz; ++i) {
        const double time_s = i / camera.rate_hz;
        if (time_s > camera.held_s) run.coast(time_s - camera.held_s);
        const double seen = run.rotation_rad(0) + camera.offset_rad + camera.noise_rad * noise(generator);
        const bool is_dropped = share(generator) < camera.dropped_share ||
                                (time_s >= camera.gap_start_s && time_s < camera.gap_start_s + camera.gap_s);
        if (is_dropped) continue;
        history.time_s.push_back(time_s);
        history.rotation_rad.push_back(seen);
    }
    return history;
}

struct Found {
    LobeFit lobes;
    RestitutionFit whole, middle, first;
    RestitutionFits all;
};

Found found(const Block& block, const RotationHistory& history) {
    const RockingShape shape = rocking_shape(block);
    const RestitutionFits all = fit_restitution(shape, history, fit_lobes(shape, history));
    return {fit_lobes(shape, history, all.seat, all.noise), all.whole, all.middle_half, all.first_half_period, all};
}

/// Within five standard errors, and these are not wide.
void check(const Estimate& estimate, double truth, double error_max) {
    CHECK(std::abs(estimate.value - truth) < 5.0 * estimate.standard_error + 1e-7);
    CHECK(estimate.standard_error < error_max);
}

}  // namespace

TEST_CASE("without noise the ratio comes back to 1e-6 from every window and every impact") {
    for (const double ratio : {0.7, 0.93, 0.98}) {
        const Found f = found(kB6L, measured(kB6L, ratio, 0.15, 3.0, {}));
        for (const RestitutionFit* fit : {&f.whole, &f.middle, &f.first})
            CHECK(fit->ratio.value == Approx(ratio).margin(1e-6));
        CHECK(f.whole.release_rad == Approx(0.15).margin(1e-6));
        REQUIRE(f.lobes.impacts.size() >= 2);
        for (const MeasuredImpact& impact : f.lobes.impacts) CHECK(impact.ratio.value == Approx(ratio).margin(1e-4));
    }
}

TEST_CASE("a noisy camera of 150 frames/s with dropped frames and an offset gives the ratio within its errors") {
    Camera camera;
    camera.noise_rad = 5e-4;
    camera.offset_rad = 2e-3;
    camera.dropped_share = 0.2;
    camera.held_s = 0.3;
    const topple::tests::RandomRuns runs(1, 4);
    int wandering = 0;
    for (int i = 0; i < runs.count(); ++i) {
        camera.seed = runs.seed(i);
        const Found f = found(kB6L, measured(kB6L, 0.95, -0.18, 4.0, camera));
        if (f.all.noise.wander_rad > 0.0) {  // white noise that looks like a wander, in one record of twenty or so
            ++wandering;
            check(f.whole.ratio, 0.95, 2e-3);
            continue;
        }
        check(f.whole.ratio, 0.95, 2e-4);
        CHECK(f.all.noise.deviation_rad() == Approx(5e-4).epsilon(0.15));
        check(f.middle.ratio, 0.95, 1e-3);
        check(f.first.ratio, 0.95, 5e-3);
        check(f.lobes.offset_rad, 2e-3, 2e-4);
        CHECK(f.lobes.noise_rad == Approx(5e-4).epsilon(0.15));
        CHECK(f.whole.residual_rad == Approx(5e-4).epsilon(0.15));
        CHECK(f.whole.release_rad == Approx(0.18).margin(1e-3));
        REQUIRE(f.lobes.impacts.size() >= 5);
        for (const MeasuredImpact& impact : f.lobes.impacts) check(impact.ratio, 0.95, 0.05);
    }
    CHECK(wandering <= 1 + runs.count() / 8);
}

TEST_CASE("a bulky block that makes few impacts is fitted too") {
    const topple::tests::RandomRuns runs(7);
    Camera camera;
    camera.seed = runs.seed();
    camera.noise_rad = 3e-4;
    camera.rate_hz = 150.0;
    const Found f = found(kB2M, measured(kB2M, 0.67, 0.4, 1.5, camera));
    check(f.whole.ratio, 0.67, 1e-3);
    check(f.first.ratio, 0.67, 5e-3);
    REQUIRE_FALSE(f.lobes.impacts.empty());
    check(f.lobes.impacts[0].ratio, 0.67, 5e-3);
}

TEST_CASE("a gap over several impacts hides those impacts and nothing else") {
    const topple::tests::RandomRuns runs(7);
    Camera camera;
    camera.seed = runs.seed();
    camera.noise_rad = 2e-4;
    camera.gap_start_s = 1.0;
    for (const double gap_s : {0.05, 0.3, 0.7}) {
        camera.gap_s = gap_s;
        const Found f = found(kB6L, measured(kB6L, 0.95, 0.15, 5.0, camera));
        check(f.whole.ratio, 0.95, 2e-4);
        for (const MeasuredImpact& impact : f.lobes.impacts) check(impact.ratio, 0.95, 0.1);
    }
}

TEST_CASE("a ratio that changes from impact to impact is seen impact by impact") {
    const RockingShape shape = rocking_shape(kB6L);
    const double ratios[] = {0.97, 0.92, 0.95, 0.90, 0.96};
    RotationHistory history;
    double start_s = 0.0, apex = 0.16, side = 1.0;
    const topple::tests::RandomRuns runs(3);
    std::mt19937_64 generator(runs.seed());
    std::normal_distribution<double> noise(0.0, 2e-4);
    const auto film = [&](double end_s, double apex_s, const FreeLobe& lobe) {
        for (double t = std::ceil(start_s * 150.0) / 150.0; t < end_s; t += 1.0 / 150.0) {
            history.time_s.push_back(t);
            history.rotation_rad.push_back(side * lobe.rotation_rad(t - apex_s) + noise(generator));
        }
        start_s = end_s;
        side = -side;
    };
    const FreeLobe first(shape, apex);
    film(first.half_duration_s(), 0.0, first);
    for (const double ratio : ratios) {
        apex = apex_of_energy(shape, ratio * ratio * lobe_energy(shape, apex));
        const FreeLobe lobe(shape, apex);
        film(start_s + 2.0 * lobe.half_duration_s(), start_s + lobe.half_duration_s(), lobe);
    }
    const LobeFit lobes = fit_lobes(shape, history);
    REQUIRE(lobes.impacts.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) check(lobes.impacts[i].ratio, ratios[i], 0.01);
    check(fit_restitution(shape, history, lobes).first_half_period.ratio, 0.97, 0.1);
}

TEST_CASE("the mirrored history gives the same ratio") {
    const topple::tests::RandomRuns runs(7);
    Camera camera;
    camera.seed = runs.seed();
    camera.noise_rad = 3e-4;
    RotationHistory history = measured(kB6L, 0.94, 0.15, 4.0, camera);
    const Found f = found(kB6L, history);
    for (double& rotation : history.rotation_rad) rotation = -rotation;
    const Found mirrored = found(kB6L, history);
    CHECK(mirrored.whole.ratio.value == Approx(f.whole.ratio.value).margin(1e-10));
    CHECK(mirrored.lobes.impacts.size() == f.lobes.impacts.size());
}

TEST_CASE("histories that cannot be a free-rocking test are refused") {
    const RockingShape shape = rocking_shape(kB6L);
    RotationHistory history = measured(kB6L, 0.94, 0.15, 2.0, {});
    RotationHistory bad = history;
    bad.time_s[5] = bad.time_s[4];
    CHECK_THROWS_AS(fit_lobes(shape, bad), std::invalid_argument);
    bad = history;
    bad.rotation_rad[3] = std::nan("");
    CHECK_THROWS_AS(fit_lobes(shape, bad), std::invalid_argument);
    bad = history;
    for (double& rotation : bad.rotation_rad) rotation *= 57.3;  // degrees taken for radians
    CHECK_THROWS_AS(fit_lobes(shape, bad), std::invalid_argument);
    bad.time_s.resize(10);
    bad.rotation_rad.resize(10);
    CHECK_THROWS_AS(fit_lobes(shape, bad), std::invalid_argument);
    bad = history;
    for (double& rotation : bad.rotation_rad) rotation = 0.0;
    CHECK_THROWS_AS(fit_lobes(shape, bad), std::invalid_argument);
}

TEST_CASE("a sloping seat is found and does not shift the ratio") {
    Specimen specimen;
    specimen.blocks = {kB6L};
    specimen.initial_rotation_rad = {0.15};
    specimen.initial_tilt_rad = 3e-3;
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = 0.9427;
    const topple::tests::RandomRuns runs(5);
    for (const double mirror : {1.0, -1.0}) {
        RockingRun run(specimen, {});
        std::mt19937_64 generator(runs.seed());
        std::normal_distribution<double> noise(0.0, 2e-4);
        RotationHistory history;
        for (int i = 0; i < 600; ++i) {
            run.coast(i / 150.0);
            history.time_s.push_back(i / 150.0);
            history.rotation_rad.push_back(mirror * run.rotation_rad(0) + noise(generator));
        }
        const Found f = found(kB6L, history);
        check(f.whole.ratio, 0.9427, 1e-4);
        CHECK(f.all.seat.tilt_rad == Approx(mirror * 3e-3).margin(1e-4));
        for (const MeasuredImpact& impact : f.lobes.impacts) check(impact.ratio, 0.9427, 0.05);
    }
}

TEST_CASE("noise that wanders is distinguished from white noise") {
    std::vector<double> time_s;
    Eigen::MatrixXd fit(2, 2000);
    const topple::tests::RandomRuns runs(11);
    std::mt19937_64 generator(runs.seed());
    std::normal_distribution<double> normal(0.0, 1.0);
    double wander = 0.0;
    for (int i = 0; i < 2000; ++i) {
        time_s.push_back(i * 0.005 + (i > 900 ? 1.0 : 0.0));  // with a gap
        const double decay = std::exp(-(i == 901 ? 1.005 : 0.005) / 0.1);
        wander = decay * wander + std::sqrt(1.0 - decay * decay) * 3e-4 * normal(generator);
        fit(0, i) = wander + 1e-4 * normal(generator);
        fit(1, i) = 1.0;  // one parameter was adjusted: a constant
    }
    const Eigen::MatrixXd nothing_known = Eigen::MatrixXd::Zero(1, 1);
    const NoiseModel model = fit_noise(time_s, fit, nothing_known);
    CHECK(model.white_rad == Approx(1e-4).epsilon(0.15));
    CHECK(model.wander_rad == Approx(3e-4).epsilon(0.25));
    CHECK(model.tau_s == Approx(0.1).epsilon(0.4));
    whiten(model, time_s, fit);
    double neighbours = 0.0;
    for (int i = 1; i < 2000; ++i) neighbours += fit(0, i) * fit(0, i - 1);
    CHECK(std::abs(neighbours / fit.row(0).squaredNorm()) < 0.05);  // 2 / sqrt(2000)
    CHECK(fit.row(0).squaredNorm() / 2000.0 == Approx(1.0).epsilon(0.08));
    for (int i = 0; i < 2000; ++i) fit(0, i) = 1e-4 * normal(generator);
    CHECK(fit_noise(time_s, fit, nothing_known).wander_rad < 2e-5);
}

TEST_CASE("single wrong samples are found, a rocking block at any rate is not") {
    const RockingShape shape = rocking_shape(kB6L);
    const double rate_max_rad_s = shape.frequency_parameter_rad_s * shape.slenderness_rad;
    const topple::tests::RandomRuns runs(7);
    for (const double rate_hz : {30.0, 150.0, 2000.0}) {
        Camera camera;
        camera.seed = runs.seed();
        camera.noise_rad = 3e-4;
        camera.rate_hz = rate_hz;
        RotationHistory history = measured(kB6L, 0.95, 0.2, 4.0, camera);
        CHECK(find_spikes(history, rate_max_rad_s, 0.0).empty());
        history.rotation_rad[20] += 0.6;
        history.rotation_rad[71] = -3.0;
        CHECK(find_spikes(history, rate_max_rad_s, 0.0) == std::vector<std::size_t>{20, 71});
        CHECK(without(history, {20, 71}).time_s.size() == history.time_s.size() - 2);
    }
}

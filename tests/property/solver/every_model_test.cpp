// What must hold in every model for any specimen and any motion: an outcome or a failure that says so, finite numbers,
// and no energy out of nothing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>

#include "solver/laws/air_track.hpp"
#include "solver/laws/sliding_body.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/stack/equations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

namespace {

constexpr double kG = kStandardGravity_m_s2;
constexpr unsigned kSeed = 20261128;

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::generate_canonical<double, 53>(random_);
    }
    double log_between(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
    bool chance(double share) { return between(0.0, 1.0) < share; }
    std::size_t index(std::size_t count) { return static_cast<std::size_t>(between(0.0, static_cast<double>(count))); }
    /// 0 and 1 among them.
    double ratio() { return chance(0.1) ? 0.0 : chance(0.1) ? 1.0 : between(0.0, 1.0); }

  private:
    std::mt19937_64 random_;
};

double least_slenderness(const Specimen& specimen) {
    if (specimen.pivots) return std::min(specimen.pivots->alpha_left_rad, specimen.pivots->alpha_right_rad);
    return specimen.blocks[0].slenderness_rad();
}

void set_restitution(Draw& draw, Specimen& specimen) {
    Restitution& restitution = specimen.restitution;
    if (specimen.blocks.size() > 1) {
        restitution.material = {draw.ratio()};
    } else if (draw.chance(0.7)) {
        restitution.model = RestitutionModel::fixed;
        restitution.fixed_left_to_right = draw.ratio();
        restitution.fixed_right_to_left = draw.chance(0.7) ? restitution.fixed_left_to_right : draw.ratio();
    }
}

Specimen any_block(Draw& draw) {
    Specimen specimen;
    const double height = draw.log_between(0.03, 1.5);
    specimen.blocks = {{height * draw.log_between(0.05, 1.5), height, draw.log_between(0.05, 50.0)}};
    set_restitution(draw, specimen);
    return specimen;
}

Specimen any_asymmetric(Draw& draw) {
    Specimen specimen = any_block(draw);
    const double left = draw.between(0.05, 0.8), right = draw.between(0.05, 0.8), z = draw.log_between(0.02, 0.5);
    const double mass = specimen.blocks[0].mass_kg, own = mass * z * z * draw.between(0.2, 1.0);
    specimen.pivots = Pivots{left, right, z / std::cos(left), z / std::cos(right), own};
    // No ratio that would give energy: half I theta'^2 about the new pivot against that about the old one.
    const auto about = [&](double alpha) { return own + mass * z * z / (std::cos(alpha) * std::cos(alpha)); };
    const double most = std::sqrt(about(left) / about(right));
    specimen.restitution.fixed_left_to_right *= std::min(1.0, most);
    specimen.restitution.fixed_right_to_left *= std::min(1.0, 1.0 / most);
    return specimen;
}

Specimen any_stack(Draw& draw, std::size_t count) {
    Specimen specimen;
    double width = draw.between(0.04, 0.2);
    for (std::size_t i = 0; i < count; ++i, width *= draw.chance(0.5) ? 1.0 : draw.between(0.7, 1.0)) {
        const double height = width * draw.between(0.7, 5.0);
        specimen.blocks.push_back({width, height, width * height * draw.between(1000.0, 4000.0)});
    }
    set_restitution(draw, specimen);
    return specimen;
}

Friction any_friction(Draw& draw) {
    const double held = draw.chance(0.1) ? 0.0 : draw.between(0.0, draw.chance(0.2) ? 3.0 : 1.0);
    return {held, draw.chance(0.3) ? held : held * draw.between(0.0, 1.0)};
}

void release(Draw& draw, Specimen& specimen) {
    const double rotation =
        draw.between(-0.9, 0.9) * least_slenderness(specimen) * std::pow(10.0, -draw.between(0.0, 4.0));
    specimen.initial_rotation_rad.assign(specimen.blocks.size(), rotation);
    if (specimen.blocks.size() > 1 && draw.chance(0.5)) specimen.initial_rotation_rad.back() *= draw.between(-1.0, 1.0);
}

BaseMotion any_motion(Draw& draw, const Specimen& specimen) {
    const double a = kG * std::tan(least_slenderness(specimen)) * draw.log_between(0.3, 6.0);
    const double w = 2.0 * std::numbers::pi * draw.log_between(0.4, 15.0),
                 cycles = 1.0 + std::floor(draw.between(0.0, 5.0));
    switch (draw.index(4)) {
        case 0: return sine_acceleration(a, w, cycles);
        case 1: return cosine_acceleration(-a, w, cycles);
        case 2: return constant_acceleration(a, draw.between(0.01, 0.8));
        default:
            return sine_acceleration(a, w, cycles).plus(sine_acceleration(0.5 * a, w * draw.between(1.0, 6.0), 3.0));
    }
}

bool all_finite(const std::vector<double>& values) {
    for (const double value : values)
        if (!std::isfinite(value)) return false;
    return true;
}

void check_numbers(const Prediction& answer) {
    CHECK(all_finite(answer.peak_rotation_rad));
    bool finite = true;
    double latest_s = -1e-9;
    for (const HistorySample& sample : answer.history) {
        finite = finite && all_finite(sample.rotation_rad) && all_finite(sample.rotation_rate_rad_s) &&
                 std::isfinite(sample.slip_m) && sample.time_s >= latest_s;
        latest_s = sample.time_s;
    }
    for (const Impact& impact : answer.impacts)
        finite =
            finite && all_finite(impact.rotation_rate_before_rad_s) && all_finite(impact.rotation_rate_after_rad_s);
    CHECK(finite);
    if (answer.slip) CHECK((std::isfinite(answer.slip->peak_m) && std::isfinite(answer.slip->residual_m)));
    CHECK(answer.outcome.has_value() == (answer.status == SolverStatus::ok));
    if (is_overturning(answer.outcome)) CHECK(answer.overturn_time_s.has_value());
}

/// Runs `own_count` drawn cases of one model; `make` gives the specimen.
template <class Make>
void try_out(const std::string& what, int own_count, SolverOptions options, Make&& make) {
    const topple::tests::RandomRuns runs(kSeed, own_count);
    std::size_t failed = 0;
    options.history_step_s = 0.01;
    options.settle_limit_s = 5.0;
    for (int i = 0; i < runs.count(); ++i) {
        Draw draw(runs.seed(i));
        Specimen specimen = make(draw);
        if (draw.chance(0.2)) specimen.initial_tilt_rad = draw.between(-0.4, 0.4) * least_slenderness(specimen);
        const bool free = draw.chance(0.3);
        if (free || draw.chance(0.1)) release(draw, specimen);
        INFO(what << " case " << i);
        const Prediction answer = predict(specimen, free ? BaseMotion() : any_motion(draw, specimen), options);
        check_numbers(answer);
        failed +=
            answer.status != SolverStatus::ok && answer.status != SolverStatus::undecided;  // 5 s may be too short
    }
    std::printf("%s: %zu of %d solutions failed\n", what.c_str(), failed, runs.count());
    CHECK(failed == 0);
}

/// Of a single block on a still, level base.
double energy_j(const SlidingBody& body, const RockingRun& run) {
    const Support support = run.support(0);
    const int side = support == Support::full ? 0 : support == Support::left ? -1 : 1;
    return slide_rock_energy_j(
        body, side, {run.rotation_rad(0), run.rotation_rate_rad_s(0), run.slip_m(), run.slip_rate_m_s()}, kG);
}

double energy_j(const StackState<4>& start, const RockingRun& run) {
    StackState<4> state = start;
    Supports<4> supports{};
    for (int i = 0; i < state.size(); ++i) {
        const auto block = static_cast<std::size_t>(i);
        const Support support = run.support(block);
        supports[block] = support == Support::full ? 0 : support == Support::left ? -1 : 1;
        state.motion.q[block] = run.rotation_rad(block) - (i > 0 ? run.rotation_rad(block - 1) : 0.0);
        state.motion.q_rate[block] =
            run.rotation_rate_rad_s(block) - (i > 0 ? run.rotation_rate_rad_s(block - 1) : 0.0);
    }
    state.set_supports(supports);
    return kinetic_energy_j(state.table, state.motion, state.size()) +
           potential_energy_j(state.table, state.motion, {0.0, kG}, state.size());
}

bool has_fallen(const RockingRun& run) {
    for (std::size_t i = 0; i < run.block_count(); ++i)
        if (std::abs(run.rotation_rad(i)) >= 1.57) return true;
    return false;
}

/// Released on a still base, the energy goes down only.
template <class Make, class Energy>
void never_gains(const std::string& what, int own_count, SolverOptions options, Make&& make, Energy&& energy) {
    const topple::tests::RandomRuns runs(kSeed + 7000, own_count);
    for (int i = 0; i < runs.count(); ++i) {
        Draw draw(runs.seed(i));
        Specimen specimen = make(draw);
        release(draw, specimen);
        RockingRun run(specimen, options);
        const double start_j = energy(specimen, run);
        double worst_j = 0.0;
        for (double t = 0.005, before_j = start_j; t < 2.0 && !has_fallen(run); t += 0.005) {
            run.coast(t);
            if (has_fallen(run)) break;
            const double now_j = energy(specimen, run);
            worst_j = std::max(worst_j, now_j - before_j);
            before_j = now_j;
        }
        INFO(what << " case " << i << ": +" << worst_j << " J of " << start_j << " J");
        CHECK(worst_j <= 1e-9 * std::abs(start_j) + 1e-18);
    }
}

double block_energy_j(const Specimen& specimen, const RockingRun& run) {
    return energy_j(make_sliding_body(specimen, kG), run);
}

SolverOptions with_model(Model model) {
    SolverOptions options;
    options.model = model;
    return options;
}

}  // namespace

TEST_CASE("any block under any motion ends with an outcome, finite numbers, and energy that only falls") {
    try_out("block", 150, {}, any_block);
    never_gains("block", 60, {}, any_block, block_energy_j);
    try_out("asymmetric body", 100, {}, any_asymmetric);
    never_gains("asymmetric body", 40, {}, any_asymmetric, block_energy_j);
}

TEST_CASE("any stack under any motion ends with an outcome, finite numbers, and energy that only falls") {
    for (const std::size_t count : {2u, 3u}) {
        const auto make = [count](Draw& draw) { return any_stack(draw, count); };
        try_out("stack of " + std::to_string(count), 60, {}, make);
        never_gains("stack of " + std::to_string(count), 30, {}, make,
                    [](const Specimen& specimen, const RockingRun& run) {
                        return energy_j(make_stack_state<4>(specimen, kG), run);
                    });
    }
}

TEST_CASE("any sliding block under any motion ends with an outcome, finite numbers, and energy that only falls") {
    const auto make = [](Draw& draw) {
        Specimen specimen = draw.chance(0.2) ? any_asymmetric(draw) : any_block(draw);
        specimen.friction = any_friction(draw);
        return specimen;
    };
    try_out("slide_rock", 400, {}, make);
    never_gains("slide_rock", 150, {}, make, block_energy_j);
}

TEST_CASE("any block under any motion ends in the small-rotation models and under an impulsive force too") {
    try_out("linearised", 100, with_model(Model::linearised), any_block);
    try_out("quasi_linear", 100, with_model(Model::quasi_linear), any_block);
    const auto rebounding = [](Draw& draw) {
        Specimen specimen = any_block(draw);
        for (double ratio = -1.0; !(ratio > 0.0); specimen = ratio > 0.0 ? specimen : any_block(draw))
            ratio = std::min(restitution_ratios(specimen).front(), restitution_ratios(specimen).back());
        return specimen;
    };
    try_out("impulsive_force", 60, with_model(Model::impulsive_force), rebounding);
    never_gains("impulsive_force", 20, with_model(Model::impulsive_force), rebounding, block_energy_j);
}

TEST_CASE("any block on any air track ends with an outcome and finite numbers") {
    std::size_t failed = 0;
    const topple::tests::RandomRuns runs(kSeed, 150);
    SolverOptions options;
    options.history_step_s = 0.01;
    for (int i = 0; i < runs.count(); ++i) {
        Draw draw(runs.seed(i));
        const Specimen specimen = draw.chance(0.2) ? any_asymmetric(draw) : any_block(draw);
        const double mass = specimen.blocks[0].mass_kg;
        const AirTrack track{mass * draw.log_between(0.1, 10.0), mass * draw.log_between(0.02, 10.0),
                             draw.log_between(1e-3, 3.0)};
        INFO("air track case " << i);
        const Prediction answer = predict_coupled(specimen, track, options);
        check_numbers(answer);
        failed +=
            answer.status != SolverStatus::ok && answer.status != SolverStatus::undecided;  // 5 s may be too short
    }
    std::printf("air track: %zu of %d solutions failed\n", failed, runs.count());
    CHECK(failed == 0);
}

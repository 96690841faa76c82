// Base accelerations that jump just before an impact: every gap that closes is seen, however soon it opens again.
// Held against a small-step integration that looks at every step, and against energy.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "solver/engine/engine.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/stack/edge_share.hpp"
#include "solver/stack/specimen_stack.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;
using topple::test::piece;
using topple::test::stack;

namespace {

constexpr double kGravity = 9.81;
constexpr int kBlocks = 5;

/// A stack in motion close to an impact, and a jump of the base acceleration just before it.
struct Case {
    Specimen specimen;
    double jump_s = 0.0, end_s = 0.0, acceleration_m_s2 = 0.0;
    double until_s = 0.0;  ///< followed until here, the base at constant velocity after end_s
};

/// Gaps and rates are drawn so that something is about to close; empty where it does not.
std::optional<Case> draw(std::uint64_t seed, Model model) {
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
    };
    const auto power = [&](double low, double high) { return std::pow(10.0, between(low, high)); };
    Case drawn;
    const int n = model == Model::automatic ? 1 + static_cast<int>(seed % kBlocks) : 1;
    double width = between(0.03, 0.08), height = 0.0, rotation = 0.0, rate = 0.0;
    for (int i = 0; i < n; ++i) {
        const double h = width * between(n == 1 ? 1.2 : 0.6, 3.0);
        drawn.specimen.blocks.push_back({width, h, 1000.0 * width * h});
        width *= between(0.8, 1.0);
        height += h;
    }
    if (model == Model::slide_rock) drawn.specimen.friction = Friction{between(0.3, 1.0), 0.3};
    const double slenderness = std::atan(drawn.specimen.blocks[0].width_m / height);
    for (int i = 0; i < n; ++i) {
        const double side = random() % 2 == 0 ? -1.0 : 1.0;
        if (i == 0 || random() % 3 != 0) {
            rotation += side * power(-6.0, -1.0) * slenderness;
            rate += side * between(-1.0, 0.3);
        }
        drawn.specimen.initial_rotation_rad.push_back(rotation);
        drawn.specimen.initial_rotation_rate_rad_s.push_back(rate);
    }
    SolverOptions options;
    options.model = model;
    RockingRun run(drawn.specimen, options);
    run.coast(0.03);
    const auto impacts = run.result().impacts;
    if (impacts.empty()) return std::nullopt;
    const std::size_t which = random() % std::min<std::size_t>(impacts.size(), 6);
    drawn.jump_s = impacts[which].time_s - power(-7.0, -3.0);
    if (!(drawn.jump_s > 0.0)) return std::nullopt;
    drawn.end_s = drawn.jump_s + power(-4.0, -2.0);
    drawn.acceleration_m_s2 = (random() % 2 == 0 ? -1.0 : 1.0) * between(0.3, 8.0) * kGravity * std::tan(slenderness);
    drawn.until_s = drawn.end_s + 0.01;
    return drawn;
}

/// The pieces of base acceleration of a case, each up to its end.
template <class Advance>
void along(const Case& drawn, Advance&& advance) {
    advance(piece(0.0, drawn.jump_s, 0.0));
    advance(piece(drawn.jump_s, drawn.end_s, drawn.acceleration_m_s2));
    advance(piece(drawn.end_s, drawn.until_s, 0.0));
}

/// Small steps of classical Runge-Kutta that look at every step; impacts and openings by the engine's own laws.
class SmallSteps {
  public:
    explicit SmallSteps(const Specimen& specimen) : state_(make_stack_state<kBlocks>(specimen, kGravity)) {}

    void advance(double until_s, double base_m_s2) {
        const Drive drive{base_m_s2, kGravity};
        if (!state_.all_full() || std::abs(base_m_s2) > 0.0) state_.decide(drive);
        while (time_s_ < until_s && !state_.all_full()) {
            const double h = std::min(until_s - time_s_, longest_s(drive));
            const State<kBlocks> from = state_.motion;
            const auto closed = [&](double part) {
                return worst_gap(moved(from, part * h, drive)) < 0.0 || opening(moved(from, part * h, drive), drive);
            };
            double part = 1.0;
            if (closed(1.0)) {
                double low = 0.0;
                for (int i = 0; i < 50; ++i) (closed(0.5 * (low + part)) ? part : low) = 0.5 * (low + part);
            }
            state_.motion = moved(from, part * h, drive);
            time_s_ += part * h;
            reset(drive);
        }
        time_s_ = until_s;
    }

    const StackState<kBlocks>& state() const { return state_; }
    std::vector<double> impacts_s;

  private:
    double longest_s(const Drive& drive) const {
        double longest = 1e-5;
        const auto a = relative_accelerations(state_.table, state_.motion, drive, state_.size());
        for (int k = 0; k < state_.size(); ++k)  // a tenth of a hop that has just begun
            if (state_.table.s[k] * state_.motion.q_rate[k] > 0.0 && state_.table.s[k] * a[k] < 0.0)
                longest = std::min(longest, std::max(1e-9, -0.2 * state_.motion.q_rate[k] / a[k]));
        return longest;
    }
    State<kBlocks> moved(const State<kBlocks>& from, double h, const Drive& drive) const {
        const auto slope = [&](const State<kBlocks>& at) {
            return State<kBlocks>{at.q_rate, relative_accelerations(state_.table, at, drive, state_.size())};
        };
        const auto plus = [](State<kBlocks> at, double by, const State<kBlocks>& k) {
            for (std::size_t i = 0; i < kBlocks; ++i) at.q[i] += by * k.q[i], at.q_rate[i] += by * k.q_rate[i];
            return at;
        };
        const auto k1 = slope(from), k2 = slope(plus(from, h / 2, k1)), k3 = slope(plus(from, h / 2, k2)),
                   k4 = slope(plus(from, h, k3));
        return plus(plus(plus(plus(from, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
    double gap(const State<kBlocks>& at, int k) const {
        const int s = state_.table.s[k];
        return s == 0 || s * at.q_rate[k] >= 0.0 ? 1.0 : s * at.q[k];
    }
    double worst_gap(const State<kBlocks>& at) const {
        double worst = 1.0;
        for (int k = 0; k < state_.size(); ++k) worst = std::min(worst, gap(at, k));
        return worst;
    }
    EdgeMargin edge(const State<kBlocks>& at, const Drive& drive) const {
        return edge_margin<kBlocks>(contact_forces(state_.stack, state_.table, at, drive), state_.table.s,
                                    state_.size());
    }
    bool opening(const State<kBlocks>& at, const Drive& drive) const { return edge(at, drive).margin < -1e-12; }
    void reset(const Drive& drive) {
        InterfaceSet<kBlocks> closing;
        for (int k = 0; k < state_.size(); ++k)
            if (gap(state_.motion, k) < 0.0) closing.add(k);
        Row<kBlocks> after{};
        if (closing.size > 0) {
            for (int i = 0; i < closing.size; ++i) impacts_s.push_back(time_s_);
            state_.impact(closing, drive, after);
        } else if (const EdgeMargin at = edge(state_.motion, drive); at.margin < -1e-12) {
            state_.open(at.interface_index, at.opens_about);
        }
    }

    StackState<kBlocks> state_;
    double time_s_ = 0.0;
};

double energy_j(const Specimen& specimen, const HistorySample& sample) {
    auto state = make_stack_state<kBlocks>(specimen, kGravity);
    Supports<kBlocks> supports{};
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) {
        supports[i] = sample.support[i] == Support::full ? 0 : sample.support[i] == Support::left ? -1 : 1;
        state.motion.q[i] = sample.rotation_rad[i] - (i > 0 ? sample.rotation_rad[i - 1] : 0.0);
        state.motion.q_rate[i] = sample.rotation_rate_rad_s[i] - (i > 0 ? sample.rotation_rate_rad_s[i - 1] : 0.0);
    }
    state.set_supports(supports);
    return kinetic_energy_j(state.table, state.motion, state.size()) +
           potential_energy_j(state.table, state.motion, {0.0, kGravity}, state.size());
}

/// How far a corner lies below the face it rests on, rad.
double penetration_rad(const HistorySample& sample) {
    double worst = 0.0;
    for (std::size_t i = 0; i < sample.rotation_rad.size(); ++i) {
        const double phi = sample.rotation_rad[i] - (i > 0 ? sample.rotation_rad[i - 1] : 0.0);
        if (sample.support[i] != Support::full)
            worst = std::max(worst, sample.support[i] == Support::left ? phi : -phi);
    }
    return worst;
}

/// The whole case with its history.
RockingRun followed(const Case& drawn, Model model) {
    SolverOptions options;
    options.model = model;
    options.history_step_s = 2e-5;
    RockingRun run(drawn.specimen, options);
    along(drawn, [&](const MotionPiece& p) { run.advance(p, p.end_s); });
    return run;
}

/// Largest rise of energy while the base keeps its velocity, over the largest energy.
double rise_of_energy(const Case& drawn, const std::vector<HistorySample>& history) {
    double rise_j = 0.0, least_j = 0.0, scale_j = 1e-12;
    bool free_before = false;
    for (const HistorySample& sample : history) {
        const bool free = sample.time_s < drawn.jump_s || sample.time_s > drawn.end_s;
        const double energy = energy_j(drawn.specimen, sample);
        scale_j = std::max(scale_j, std::abs(energy));
        if (free && free_before) rise_j = std::max(rise_j, energy - least_j);
        least_j = free && free_before ? std::min(least_j, energy) : energy;
        free_before = free;
    }
    return rise_j / scale_j;
}

}  // namespace

TEST_CASE("no gap is closed unseen after a jump of the base acceleration: 1,000 seeds, one to five blocks") {
    int cases = 0;
    double deepest = 0.0, rise = 0.0;
    const topple::tests::RandomRuns runs(1, 1000);
    for (int i = 0; i < runs.count(); ++i) {
        const auto drawn = draw(runs.seed(i), Model::automatic);
        if (!drawn) continue;
        ++cases;
        const Prediction answer = followed(*drawn, Model::automatic).result();
        INFO("seed " << runs.seed(i) << ", jump at " << drawn->jump_s << " s");
        REQUIRE(answer.status == SolverStatus::ok);
        double deepest_here = 0.0;
        for (const HistorySample& sample : answer.history)
            deepest_here = std::max(deepest_here, penetration_rad(sample));
        const double rise_here = rise_of_energy(*drawn, answer.history);
        CHECK(deepest_here <= 1e-9);
        CHECK(rise_here <= 1e-8);
        deepest = std::max(deepest, deepest_here);
        rise = std::max(rise, rise_here);
    }
    INFO("cases " << cases << ", deepest " << deepest << " rad, rise of energy " << rise);
    CHECK(cases > runs.scaled(600));
}

TEST_CASE("after a jump of the base acceleration the impacts are those of small steps: 300 seeds, one to five blocks") {
    int cases = 0, compared = 0;
    const topple::tests::RandomRuns runs(1, 300);
    for (int i = 0; i < runs.count(); ++i) {
        const auto drawn = draw(runs.seed(i), Model::automatic);
        if (!drawn) continue;
        ++cases;
        INFO("seed " << runs.seed(i) << ", jump at " << drawn->jump_s << " s");
        const RockingRun run = followed(*drawn, Model::automatic);
        const Prediction answer = run.result();
        SmallSteps reference(drawn->specimen);
        along(*drawn, [&](const MotionPiece& p) { reference.advance(p.end_s, p.polynomial[0]); });
        // Long sequences of ever smaller hops end where rounding decides: the first eight are held together.
        const std::size_t count = std::min<std::size_t>(8, std::min(answer.impacts.size(), reference.impacts_s.size()));
        CHECK((answer.impacts.size() >= 8 || answer.impacts.size() == reference.impacts_s.size()));
        for (std::size_t k = 0; k < count; ++k, ++compared)
            CHECK(answer.impacts[k].time_s == Approx(reference.impacts_s[k]).margin(1e-7).epsilon(0));
        for (std::size_t block = 0; block < drawn->specimen.blocks.size(); ++block)
            CHECK(run.rotation_rad(block) ==
                  Approx(reference.state().rotation_rad(static_cast<int>(block))).margin(1e-7).epsilon(0));
    }
    CHECK(cases > runs.scaled(180));
    CHECK(compared > runs.scaled(600));
}

TEST_CASE("no gap is closed unseen by the other models of a single block: 300 seeds each") {
    for (const Model model : {Model::impulsive_force, Model::slide_rock, Model::linearised, Model::quasi_linear}) {
        int cases = 0;
        const topple::tests::RandomRuns runs(1, 300);
        for (int i = 0; i < runs.count(); ++i) {
            const auto drawn = draw(runs.seed(i), model);
            if (!drawn) continue;
            ++cases;
            INFO("model " << static_cast<int>(model) << ", seed " << runs.seed(i) << ", jump at " << drawn->jump_s
                          << " s");
            double deepest = 0.0;
            for (const HistorySample& sample : followed(*drawn, model).result().history)
                deepest = std::max(deepest, penetration_rad(sample));
            CHECK(deepest <= 1e-9);
        }
        CHECK(cases > runs.scaled(100));
    }
}

TEST_CASE("a gap that closes twice within a tenth of the first step after a jump overturns the block as it must") {
    // Two impacts, 10 and 336 us after the jump; without them it would rock on.
    Specimen block = stack({{0.06, 0.09, 2.5}});
    block.initial_rotation_rad = {0.3};
    const double jump_s = 0.302812;
    const BaseMotion motion(
        {piece(0.0, jump_s, 1e-12), piece(jump_s, jump_s + 0.05, 15.0 + 1e-12), piece(jump_s + 0.05, 2.0, 1e-12)});
    const Prediction answer = follow(block, motion);
    REQUIRE(answer.impacts.size() == 9);
    CHECK(answer.impacts[7].time_s == Approx(0.302822).margin(1e-6).epsilon(0));
    CHECK(answer.impacts[8].time_s == Approx(0.303148).margin(1e-6).epsilon(0));
    CHECK(answer.outcome == Outcome::overturning);
    CHECK(answer.direction == Side::left);
    REQUIRE(answer.overturn_time_s);
    CHECK(*answer.overturn_time_s == Approx(1.0185).margin(1e-4).epsilon(0));
}

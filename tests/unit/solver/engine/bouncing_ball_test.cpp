// A law that the engine has never seen, in one file: a ball that bounces on the base under its weight.
#include "solver/engine/engine.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

/// Coordinate: [0] height above the base, m.
class BouncingBall {
  public:
    static constexpr int kSize = 1, kBlocks = 1, kGuards = 1;
    static constexpr double kTolerance = 1e-13;
    static constexpr bool kPlainSteppers = false;
    static constexpr GuardSet kHopGuards = guard_bit(0), kHeldGuards = 0;

    BouncingBall(double height_m, double restitution, double gravity_m_s2)
        : p_(std::sqrt(gravity_m_s2 / height_m)), restitution_(restitution), state_{{height_m}, {}} {}

    State<1>& state() noexcept { return state_; }
    const State<1>& state() const noexcept { return state_; }
    int size() const noexcept { return 1; }
    double p_1_s() const noexcept { return p_; }
    int standing() const noexcept { return 1; }
    bool rests() const noexcept { return rests_; }
    bool is_open() const noexcept { return !rests_; }
    RestBand rest_band(double) const noexcept { return {-1e9, 1e9}; }
    template <class Moment>
    void begin(Moment&) noexcept {}
    template <class Moment>
    void leave_rest(bool, Moment&) noexcept {}
    Row<1> acceleration(const State<1>&, const Drive& drive) const noexcept { return {-drive.vertical_m_s2}; }
    double step_limit_s(const Row<1>& acceleration, const Excitation&, double, bool) const noexcept {
        return hop_limit_s(state_.q_rate[0], -acceleration[0], 0.2 / p_);
    }
    GuardSet at_risk(const StepEnd<1>&, const StepEnd<1>&, double, const Excitation&) const noexcept { return 1; }
    void guards(GuardSet, const State<1>& state, double, const Excitation&,
                std::array<double, 1>& value) const noexcept {
        value[0] = state.q[0];
    }
    bool counts(int, const State<1>& state, const Drive&) const noexcept { return state.q_rate[0] < 0.0; }
    int closing_coordinate(int) const noexcept { return 0; }
    template <class Moment>
    void reset(const Events<1>&, Moment& now) {
        const double before = state_.q_rate[0], after = -restitution_ * before;
        now.impact({now.time_s(), 0, {before}, {after}});
        state_ = {{0.0}, {after}};
        if (after > kRestRate * p_) return;
        now.settles_in(decaying_sequence_s(2.0 * after / now.drive().vertical_m_s2, restitution_));
        state_ = {};
        rests_ = true;
    }
    EnergyVerdict verdict(const Drive&) const noexcept { return EnergyVerdict::undecided; }
    EnergyVerdict last_verdict(const Drive&) const noexcept { return EnergyVerdict::undecided; }
    Row<1> rotations(const State<1>& state) const noexcept { return state.q; }
    Row<1> rates(const State<1>& state) const noexcept { return state.q_rate; }
    Supports<1> supports() const noexcept { return {}; }

  private:
    double p_, restitution_;
    State<1> state_;
    bool rests_ = false;
};

constexpr double kG = 9.81;

}  // namespace

TEST_CASE("a ball bounces at the times of its closed form and comes to rest at the sum of its flights") {
    const double height_m = 0.5, e = 0.8, fall_s = std::sqrt(2.0 * height_m / kG);
    Engine<BouncingBall> engine(BouncingBall(height_m, e, kG), {}, 0.0);
    engine.run({}, 100.0, true);
    REQUIRE(engine.status() == SolverStatus::ok);
    const auto& impacts = engine.trace().impacts();
    REQUIRE(impacts.size() > 40);
    double at_s = fall_s, flight_s = 2.0 * fall_s * e;
    for (std::size_t i = 0; i < 20; ++i, at_s += flight_s, flight_s *= e) {
        INFO("impact " << i);
        CHECK(impacts[i].time_s == Approx(at_s).margin(1e-10).epsilon(0));
        CHECK(impacts[i].after[0] == Approx(-e * impacts[i].before[0]).margin(1e-12).epsilon(0));
    }
    CHECK(engine.law().rests());
    CHECK(engine.settled_time_s() == Approx(fall_s * (1.0 + e) / (1.0 - e)).margin(1e-9).epsilon(0));
}

TEST_CASE("a ball on a base that shakes up and down loses no impact between two samples of its history") {
    SolverOptions options;
    options.history_step_s = 1e-3;
    const MotionPiece up{0.0, 2.0, {}, {{40.0, {3.0, 0.0}, {}}}};
    Engine<BouncingBall> engine(BouncingBall(0.2, 0.9, kG), options, 0.0);
    engine.run({nullptr, &up}, 2.0, false);
    REQUIRE(engine.status() == SolverStatus::ok);
    for (const auto& sample : engine.trace().history()) CHECK(sample.pose.rotation[0] > -1e-12);
    CHECK(engine.trace().impacts().size() > 3);
    CHECK(engine.trace().peak(0) >= 0.2);
}

TEST_CASE("a ball that loses nothing spends its budget of events and says so") {
    SolverOptions options;
    options.events_max = 500;
    Engine<BouncingBall> engine(BouncingBall(0.1, 1.0, kG), options, 0.0);
    engine.run({}, 1e6, true);
    CHECK(engine.status() == SolverStatus::event_budget_spent);
    CHECK(engine.trace().impacts().size() == 501);
    CHECK(engine.trace().peak(0) == Approx(0.1).margin(1e-10).epsilon(0));
}

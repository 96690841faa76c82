#include "tests/bench/odeint_rocking.hpp"

#include <algorithm>
#include <cmath>

#include "tests/bench/odeint_block.hpp"

namespace topple::bench {
namespace {

using State = BlockState;

constexpr double kPi = 3.14159265358979323846;
constexpr double kFirstStep = 0.05;

class Rocking {
  public:
    Rocking(const SineCell& cell, Decision decision)
        : cell_(cell), decision_(decision), pulse_end_(2.0 * kPi / cell.frequency_ratio) {}

    BaselineAnswer solve() {
        double time = next_uplift(0.0);
        while (time < pulse_end_ && !finished_) {
            answer_.uplifted = true;
            answer_.impacts = 0;
            const double rested = rock(time);
            if (finished_) break;
            time = next_uplift(rested);
        }
        return answer_;
    }

  private:
    double base(double time) const {
        return time < pulse_end_ ? cell_.amplitude_g * std::sin(cell_.frequency_ratio * time) : 0.0;
    }

    /// First time from `time` on at which the base lifts the block; sets the side. The end of the pulse if
    /// never.
    double next_uplift(double time) {
        const double threshold = std::tan(cell_.slenderness_rad);
        if (cell_.amplitude_g <= threshold) return pulse_end_;
        const double now = base(time);
        if (std::abs(now) > threshold) {
            side_ = now > 0.0 ? -1 : 1;
            return time;
        }
        const double phase = std::asin(threshold / cell_.amplitude_g) / cell_.frequency_ratio;
        side_ = time < phase ? -1 : 1;
        if (time < phase) return phase;
        const double second = 0.5 * pulse_end_ + phase;
        return time < second ? second : pulse_end_;
    }

    /// Rocks from rest until it rests again (returns when) or until everything is decided (finished_).
    double rock(double start) {
        auto stepper = odeint_stepper();
        const auto motion = [this](const State& x, State& dx, double t) {
            const double lean = cell_.slenderness_rad - side_ * x[0];
            dx[0] = x[1];
            dx[1] = -side_ * std::sin(lean) - base(t) * std::cos(lean);
        };
        stepper.initialize(State{0.0, 0.0}, start, kFirstStep);
        bool fresh = true;  // has just been lifted from rest: rotation 0 is no impact
        while (true) {
            const double from = stepper.current_time();
            stepper.do_step(motion);
            ++answer_.steps;
            double until = stepper.current_time();
            State at = stepper.current_state();
            const double limit = from < pulse_end_ ? pulse_end_ : cell_.window;
            if (until > limit) stepper.calc_state(until = limit, at);
            if (side_ * at[0] <= 0.0 && !fresh) {
                const double hit = impact_time(stepper, side_, from, until, at);
                const double rate = cell_.restitution * at[1];
                ++answer_.impacts;
                side_ = -side_;
                if (std::abs(rate) < kOdeintRestRate && std::abs(base(hit)) < std::tan(cell_.slenderness_rad))
                    return finished_ = hit >= pulse_end_, hit;
                stepper.initialize(State{0.0, rate}, hit, hop_step(rate, hit));
                continue;
            }
            fresh = false;
            if (side_ * at[0] >= 0.5 * kPi) return fall(side_), until;
            if (until >= limit) {
                if (limit >= cell_.window) return finished_ = true, until;
                if (decision_ == Decision::energy) return decide(at), until;
                stepper.initialize(at, until, stepper.current_time_step());
            }
        }
    }

    /// A first step that ends inside the hop after an impact.
    double hop_step(double rate, double time) const {
        const double down = std::sin(cell_.slenderness_rad) + side_ * base(time) * std::cos(cell_.slenderness_rad);
        return down > 0.0 ? std::min(kFirstStep, 0.5 * std::abs(rate) / down) : kFirstStep;
    }

    void decide(const State& at) {
        const CoastingEnd end = coasting_end(side_, at, cell_.slenderness_rad, cell_.restitution);
        answer_.impacts += end.impacts;
        finished_ = true;
        if (end.falls_to != 0) fall(end.falls_to);
    }

    void fall(int side) {
        answer_.overturned = finished_ = true;
        answer_.side = side;
    }

    SineCell cell_;
    Decision decision_;
    double pulse_end_;
    int side_ = -1;
    bool finished_ = false;
    BaselineAnswer answer_;
};

}  // namespace

BaselineAnswer solve_by_odeint(const SineCell& cell, Decision decision) { return Rocking(cell, decision).solve(); }

}  // namespace topple::bench

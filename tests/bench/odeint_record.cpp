#include "tests/bench/odeint_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/bench/odeint_block.hpp"

namespace topple::bench {
namespace {

using State = BlockState;

constexpr double kHalfTurn = 1.57079632679489661923;

class Rocking {
  public:
    Rocking(const RecordCase& of, SampleSteps steps)
        : of_(of),
          steps_(steps),
          samples_(of.acceleration_m_s2->data()),
          count_(of.acceleration_m_s2->size()),
          end_s_(of.step_s * static_cast<double>(count_ - 1)),
          threshold_(of.gravity_m_s2 * std::tan(of.slenderness_rad) / of.scale) {}

    RecordAnswer solve() {
        double time_s = next_uplift(0.0);
        while (time_s < end_s_ && !finished_) {
            answer_.uplifted = true;
            time_s = rock(time_s);
            if (!finished_) time_s = next_uplift(time_s);
        }
        return answer_;
    }

  private:
    std::size_t sample_before(double time_s) const {
        return std::min(static_cast<std::size_t>(time_s / of_.step_s), count_ - 2);
    }
    double base(double time_s) const {
        if (time_s >= end_s_) return 0.0;
        const std::size_t i = sample_before(time_s);
        const double x = time_s / of_.step_s - static_cast<double>(i);
        return samples_[i] + (samples_[i + 1] - samples_[i]) * x;
    }

    /// First time from `time_s` on at which the base lifts the block; sets the side. The end of the record if never.
    double next_uplift(double time_s) {
        const double now = base(time_s);
        if (std::abs(now) > threshold_) return side_ = now > 0.0 ? -1 : 1, time_s;
        for (std::size_t i = sample_before(time_s); i + 1 < count_; ++i) {
            const double from = samples_[i], to = samples_[i + 1];
            if (std::abs(to) <= threshold_) continue;
            side_ = to > 0.0 ? -1 : 1;
            const double target = -side_ * threshold_;
            return std::max(time_s, of_.step_s * (static_cast<double>(i) + (target - from) / (to - from)));
        }
        return end_s_;
    }

    /// Rocks from rest until it rests again (returns when) or until everything is decided (finished_).
    double rock(double start_s) {
        auto stepper = odeint_stepper();
        const double p2 = of_.frequency_parameter_rad_s * of_.frequency_parameter_rad_s;
        const double first_s = 0.05 / of_.frequency_parameter_rad_s, push = of_.scale / of_.gravity_m_s2;
        const auto motion = [&](const State& x, State& dx, double t) {
            const double lean = of_.slenderness_rad - side_ * x[0];
            dx[0] = x[1];
            dx[1] = p2 * (-side_ * std::sin(lean) - push * base(t) * std::cos(lean));
        };
        stepper.initialize(State{0.0, 0.0}, start_s, first_s);
        bool fresh = true;  // has just been lifted from rest: rotation 0 is no impact
        while (true) {
            const double from_s = stepper.current_time(), rate_before = stepper.current_state()[1];
            stepper.do_step(motion);
            ++answer_.steps;
            double until_s = stepper.current_time();
            State at = stepper.current_state();
            const double limit_s = steps_ == SampleSteps::ended ? sample_after(from_s) : end_s_;
            const bool is_cut = until_s > limit_s;
            if (is_cut) stepper.calc_state(until_s = limit_s, at);
            if (side_ * at[0] <= 0.0 && !fresh) {
                const double hit_s = impact_time(stepper, side_, from_s, until_s, at);
                const double rate = of_.restitution * at[1];
                side_ = -side_;
                if (std::abs(rate) < kOdeintRestRate * of_.frequency_parameter_rad_s &&
                    std::abs(base(hit_s)) < threshold_)
                    return hit_s;
                stepper.initialize(State{0.0, rate}, hit_s, hop_step(rate, hit_s, first_s));
                continue;
            }
            fresh = false;
            note_peak(stepper, from_s, until_s, rate_before, at);
            if (side_ * at[0] >= kHalfTurn) return fall(side_), until_s;
            if (until_s >= end_s_) return decide(at), until_s;
            if (is_cut) stepper.initialize(at, until_s, stepper.current_time_step());
        }
    }

    double sample_after(double time_s) const {
        return of_.step_s * (std::floor(time_s / of_.step_s * (1.0 + 1e-14) + 1e-9) + 1.0);
    }

    /// A first step that ends inside the hop after an impact.
    double hop_step(double rate, double time_s, double first_s) const {
        const double p2 = of_.frequency_parameter_rad_s * of_.frequency_parameter_rad_s;
        const double down = p2 * (std::sin(of_.slenderness_rad) +
                                  side_ * of_.scale * base(time_s) / of_.gravity_m_s2 * std::cos(of_.slenderness_rad));
        return down > 0.0 ? std::min(first_s, 0.5 * std::abs(rate) / down) : first_s;
    }

    template <class Stepper>
    void note_peak(Stepper& stepper, double low, double high, double rate_before, const State& end) {
        double highest = std::abs(end[0]);
        if (side_ * rate_before > 0.0 && side_ * end[1] < 0.0) {
            State at = end;
            while (high - low > 1e-9) {
                const double middle = 0.5 * (low + high);
                stepper.calc_state(middle, at);
                (side_ * at[1] > 0.0 ? low : high) = middle;
            }
            highest = std::max(highest, std::abs(at[0]));
        }
        answer_.peak_ratio = std::max(answer_.peak_ratio, highest / of_.slenderness_rad);
    }

    void decide(const State& at) {
        const State scaled{at[0], at[1] / of_.frequency_parameter_rad_s};
        const CoastingEnd end = coasting_end(side_, scaled, of_.slenderness_rad, of_.restitution);
        finished_ = true;
        if (end.falls_to != 0) fall(end.falls_to);
    }

    void fall(int side) {
        answer_.overturned = finished_ = true;
        answer_.side = side;
    }

    RecordCase of_;
    SampleSteps steps_;
    const double* samples_;
    std::size_t count_;
    double end_s_, threshold_;
    int side_ = -1;
    bool finished_ = false;
    RecordAnswer answer_;
};

}  // namespace

RecordAnswer solve_record_by_odeint(const RecordCase& of, SampleSteps steps) { return Rocking(of, steps).solve(); }

}  // namespace topple::bench

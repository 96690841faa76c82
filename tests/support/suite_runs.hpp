// Runs along random records, and each against the scalar solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "solver/study/record_suite.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

namespace topple::test {

class Draws {
  public:
    explicit Draws(std::uint64_t seed) : random_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(random_() >> 11) / 9007199254740992.0;
    }
    bool one_in(unsigned count) { return random_() % count == 0; }
    double noise() { return between(-1.0, 1.0) + between(-1.0, 1.0) + between(-1.0, 1.0); }

  private:
    std::mt19937_64 random_;
};

/// Noise of an earthquake at 50 to 200 Hz, peak 1 m/s2.
inline solver::BaseMotion record(Draws& draws) {
    const double step_s = draws.one_in(2) ? 0.005 : draws.one_in(2) ? 0.01 : 0.02;
    const double duration_s = draws.between(3.0, 8.0), w = draws.between(6.0, 25.0);
    std::vector<double> time_s, acceleration_m_s2;
    double state = 0.0, rate = 0.0, peak = 0.0;
    for (double t = 0.0; t < duration_s; t += step_s) {
        rate += step_s * (-0.8 * w * rate - w * w * state) + std::sqrt(step_s) * draws.noise();
        state += step_s * rate;
        time_s.push_back(t);
        acceleration_m_s2.push_back(state * t * std::exp(-2.0 * t / duration_s));
        peak = std::max(peak, std::abs(acceleration_m_s2.back()));
    }
    for (double& value : acceleration_m_s2) value /= peak;
    return solver::sampled_acceleration(time_s, acceleration_m_s2);
}

inline bool is_alike(const solver::SuiteRun& a, const solver::SuiteRun& b) {
    return a.resting_face == b.resting_face && a.outcome == b.outcome && a.direction == b.direction &&
           a.uplifted == b.uplifted;
}

struct Agreement {
    int runs = 0, fallen = 0, uplifted = 0;
    int differing = 0;  // other outcome, direction, uplift or face of rest
    int sensitive = 0;  // peak or time differ, and the scalar solver's too with the ninth digit of the amplitude
    int apart = 0;      // peak or time differ because the scalar solver cuts the last hops before rest, at 1e-6 p
};

/// One run against the scalar solver.
inline void compare(const solver::RecordSuite& suite, const solver::Specimen& specimen, const solver::SuitePoint& point,
                    const solver::SuiteRun& run, Agreement& sum) {
    using namespace solver;
    const SuiteRun one = suite.solve_by_run(specimen, point.scale);
    INFO("amplitude " << point.scale.amplitude << ", frequency " << point.scale.frequency << ", peak in lanes "
                      << run.peak_rotation_ratio << ", else " << one.peak_rotation_ratio);
    INFO(name(run.outcome) << " at " << run.end_time_s << " s, else " << name(one.outcome) << " at " << one.end_time_s
                           << " s; faces " << run.resting_face.value_or(99) << ", " << one.resting_face.value_or(99));
    REQUIRE(run.status == SolverStatus::ok);
    ++sum.runs;
    sum.fallen += run.outcome == Outcome::overturning;
    sum.uplifted += run.uplifted;
    const double difference = std::abs(run.peak_rotation_ratio - one.peak_rotation_ratio);
    const double later_s = run.end_time_s == one.end_time_s ? 0.0 : std::abs(run.end_time_s - one.end_time_s);
    if (is_alike(run, one) && difference < 1e-8 && later_s < 5e-4) return;
    bool flips = false, moves = false;
    for (const double factor : {1.0 - 1e-9, 1.0 + 1e-9}) {
        MotionScale near = point.scale;
        near.amplitude *= factor;
        const SuiteRun other = suite.solve_by_run(specimen, near);
        flips = flips || !is_alike(other, one);
        moves = moves || (std::abs(other.peak_rotation_ratio - one.peak_rotation_ratio) >= difference &&
                          std::abs(other.end_time_s - one.end_time_s) >= later_s);
    }
    if (!is_alike(run, one)) {
        ++sum.differing;
        CHECK(flips);
    } else if (flips || moves) {
        ++sum.sensitive;
    } else {
        ++sum.apart;
        CHECK(difference < 1e-3);
        CHECK(later_s < 0.02);
        CHECK((run.outcome == Outcome::rocking || later_s < 5e-4));
    }
}

}  // namespace topple::test

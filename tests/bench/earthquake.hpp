// A record for benches.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "solver/motion/base_motion.hpp"

namespace topple::bench {

/// Twenty seconds at 200 Hz, the noise of an earthquake under a swelling and dying envelope; peak about 4 m/s2.
inline solver::BaseMotion earthquake() {
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise;
    std::vector<double> time_s, acceleration_m_s2;
    double state = 0.0, rate = 0.0;
    for (int i = 0; i < 4000; ++i) {
        const double t = 0.005 * i, w = 15.0, envelope = t * std::exp(1.0 - t / 4.0) / 4.0;
        rate += 0.005 * (-2.0 * 0.4 * w * rate - w * w * state) + noise(random);
        state += 0.005 * rate;
        time_s.push_back(t);
        acceleration_m_s2.push_back(i + 1 < 4000 && i > 0 ? 7.5 * envelope * state : 0.0);
    }
    return solver::sampled_acceleration(time_s, acceleration_m_s2);
}

}  // namespace topple::bench

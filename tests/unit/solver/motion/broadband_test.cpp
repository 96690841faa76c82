#include "solver/motion/broadband.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace topple;
using std::numbers::pi;

namespace {

/// Times of the upward zeros of the acceleration.
std::vector<double> upward_zeros(const solver::BaseMotion& motion) {
    std::vector<double> zeros;
    const double step_s = 1e-4;
    for (double t = step_s; t < motion.end_s(); t += step_s) {
        const double before = motion.at(t - step_s).acceleration_m_s2, now = motion.at(t).acceleration_m_s2;
        if (before < 0.0 && now >= 0.0) zeros.push_back(t - step_s * now / (now - before));
    }
    return zeros;
}

}  // namespace

TEST_CASE("a sweep passes through its frequencies at the promised rate and amplitude") {
    for (const bool logarithmic : {false, true}) {
        const solver::Sweep s{2.0, 1.0, 16.0, 30.0, 2.0, logarithmic};
        const auto motion = solver::sweep(s);
        CHECK(motion.end_s() == 30.0);
        const auto zeros = upward_zeros(motion);
        std::size_t seen = 0;
        for (std::size_t i = 1; i < zeros.size(); ++i) {
            const double middle_s = 0.5 * (zeros[i] + zeros[i - 1]), share = middle_s / 30.0;
            if (middle_s < 3.0 || middle_s > 29.0) continue;
            const double promised_hz = logarithmic ? std::pow(16.0, share) : 1.0 + 15.0 * share;
            CHECK(1.0 / (zeros[i] - zeros[i - 1]) == Approx(promised_hz).epsilon(0.01));
            ++seen;
        }
        CHECK(seen > (logarithmic ? 100u : 200u));
        double peak = 0.0;  // between the ramps
        for (double t = 3.0; t < 29.0; t += 1e-3) peak = std::max(peak, std::abs(motion.at(t).acceleration_m_s2));
        CHECK(peak == Approx(2.0).epsilon(0.02));
    }
}

TEST_CASE("a sweep runs downwards too, and one of a single frequency is a ramped sine") {
    const auto down = solver::sweep({2.0, 16.0, 1.0, 30.0, 2.0, true}),
               up = solver::sweep({2.0, 1.0, 16.0, 30.0, 2.0, true});
    CHECK(down.extremes().acceleration_peak_m_s2 == Approx(up.extremes().acceleration_peak_m_s2).epsilon(0.05));
    const auto single = solver::sweep({2.0, 5.0, 5.0, 4.0, 2.0, true});
    for (double t = 0.5; t < 3.5; t += 0.01)
        CHECK(single.at(t).acceleration_m_s2 == Approx(2.0 * std::sin(2 * pi * 5.0 * t)).margin(1e-5));
}

TEST_CASE("a sweep that is too short for its ramps or too long for its memory is refused") {
    CHECK_THROWS_AS(solver::sweep({1.0, 1.0, 10.0, 2.0, 2.0, false}), std::invalid_argument);
    CHECK_THROWS_AS(solver::sweep({1.0, 1.0, 1000.0, 3600.0, 2.0, false}), std::invalid_argument);
    CHECK_THROWS_AS(solver::sweep({1.0, 0.0, 10.0, 20.0, 2.0, false}), std::invalid_argument);
    CHECK_THROWS_AS(solver::band_limited_noise({1.0, 1.01, 1.04, 10.0, 1.0, 1}), std::invalid_argument);
}

TEST_CASE("noise has its rms between the ramps, nothing outside its band, and is another for another seed") {
    const solver::BandLimitedNoise n{0.5, 2.0, 12.0, 40.0, 2.0, 7};
    const auto motion = solver::band_limited_noise(n), same = solver::band_limited_noise(n);
    const auto other = solver::band_limited_noise({0.5, 2.0, 12.0, 40.0, 2.0, 8});
    double square = 0.0, cross = 0.0;
    const double step_s = 1.0 / 512.0;
    std::size_t count = 0;
    for (double t = 2.0; t < 38.0; t += step_s, ++count) {
        const double a = motion.at(t).acceleration_m_s2;
        square += a * a;
        cross += a * other.at(t).acceleration_m_s2;
        if (count % 64 == 0) CHECK(a == same.at(t).acceleration_m_s2);
    }
    // 36 of 40 s of the exact rms: 0.5 within what 10 Hz of band over 4 s may hold.
    CHECK(std::sqrt(square / static_cast<double>(count)) == Approx(0.5).epsilon(0.04));
    CHECK(std::abs(cross / square) < 0.2);
    const auto line = [&](double frequency_hz) {
        double c = 0.0, s = 0.0;
        for (double t = 0.0; t < 40.0; t += step_s) {
            const double window = std::sin(pi * t / 40.0), a = motion.at(t).acceleration_m_s2 * window * window;
            c += a * std::cos(2 * pi * frequency_hz * t) * step_s;
            s += a * std::sin(2 * pi * frequency_hz * t) * step_s;
        }
        return std::hypot(c, s);
    };
    const double within = line(5.0) + line(7.025) + line(9.05);
    CHECK(line(13.5) + line(15.0) + line(0.8) < 0.002 * within);
}

// Random irregular bodies and pulses, and whether their outcome is robust.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include "solver/foot_roll.hpp"
#include "solver/predict.hpp"
#include "tests/support/pivot_reference.hpp"

namespace topple::tests {

class FootDraw {
  public:
    explicit FootDraw(std::uint64_t seed) : random_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::generate_canonical<double, 53>(random_);
    }

  private:
    std::mt19937_64 random_;
};

// Faces of random length and slope, steeper outwards; the mass centre over the inside of the level one.
inline solver::Specimen any_foot(FootDraw& draw, std::size_t corners) {
    const std::size_t faces = corners - 1;
    const auto stands = static_cast<std::size_t>(draw.between(0.0, 0.999) * static_cast<double>(faces));
    std::vector<double> slope(faces, 0.0);
    for (std::size_t i = stands; i > 0; --i)
        slope[i - 1] = slope[i] - draw.between(0.3, 1.0) * 1.4 / static_cast<double>(faces);
    for (std::size_t i = stands + 1; i < faces; ++i)
        slope[i] = slope[i - 1] + draw.between(0.3, 1.0) * 1.4 / static_cast<double>(faces);
    std::vector<solver::ProfilePoint> points{{0.0, 0.0}};
    for (const double b : slope) {
        const double length = draw.between(0.3, 1.0) / static_cast<double>(faces) * 0.4;
        points.push_back({points.back()[0] + length * std::cos(b), points.back()[1] + length * std::sin(b)});
    }
    const double width = points.back()[0], height = width * draw.between(0.7, 2.0);
    const double x = points[stands][0] + draw.between(0.25, 0.75) * (points[stands + 1][0] - points[stands][0]);
    const double z = points[stands][1] + height;
    for (auto& point : points) point = {point[0] - x, point[1] - z};
    points[stands + 1][1] = points[stands][1];
    solver::Specimen specimen;
    const double mass = draw.between(1.0, 50.0);
    specimen.blocks = {{0.0, 0.0, mass}};
    specimen.foot = solver::Foot{points, mass * std::pow(height * draw.between(0.4, 0.8), 2)};
    return specimen;
}

struct FootCase {
    solver::Specimen specimen;
    double amplitude_m_s2, angular_frequency_rad_s;
    PivotReference expected;

    double pulse_s() const { return 2.0 * std::numbers::pi / angular_frequency_rad_s; }
    solver::BaseMotion motion() const { return solver::sine_acceleration(amplitude_m_s2, angular_frequency_rad_s); }
};

inline PivotReference walk(const FootCase& foot, double amplitude_ratio, double step_s = 1e-4) {
    const double a = amplitude_ratio * foot.amplitude_m_s2, w = foot.angular_frequency_rad_s, end = foot.pulse_s();
    const auto base = [=](double t) { return t < end ? a * std::sin(w * t) : 0.0; };
    return PivotWalk(foot.specimen, base, step_s).run(end, end + 30.0);
}

// A body under one sine, its outcome unchanged at 0.98 and 1.02 of the amplitude; empty if it is not robust so, does
// not rock, or would lift off.
inline std::optional<FootCase> robust_case(FootDraw& draw, std::size_t corners) {
    FootCase foot;
    foot.specimen = any_foot(draw, corners);
    const auto& points = foot.specimen.foot->corners_m;
    const std::size_t stands = solver::standing_face(*foot.specimen.foot);
    const double uplift = 9.81 * std::min(-points[stands][0], points[stands + 1][0]) / -points[stands][1];
    const double p = solver::quickest_p_rad_s(*foot.specimen.foot, foot.specimen.blocks[0].mass_kg, 9.81);
    foot.amplitude_m_s2 = uplift * draw.between(1.5, 6.0);
    foot.angular_frequency_rad_s = p * draw.between(0.8, 5.0);
    foot.expected = walk(foot, 1.0);
    if (foot.expected.changes.empty() || foot.expected.lifts) return std::nullopt;
    if (foot.expected.side == 0 && !foot.expected.rests) return std::nullopt;
    for (const double ratio : {0.98, 1.02}) {
        const PivotReference other = walk(foot, ratio);
        if (other.side != foot.expected.side || other.lifts) return std::nullopt;
    }
    return foot;
}

}  // namespace topple::tests

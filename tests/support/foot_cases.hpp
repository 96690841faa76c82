// Random irregular bodies and pulses, and whether their outcome is robust.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "solver/laws/foot_body.hpp"
#include "solver/predict.hpp"
#include "tests/support/feet.hpp"
#include "tests/support/pivot_reference.hpp"

namespace topple::tests {

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
inline std::optional<FootCase> robust_case(test::FootDraw& draw, int faces) {
    FootCase foot;
    foot.specimen = test::random_foot(draw, faces);
    const auto& points = foot.specimen.foot->corners_m;
    const std::size_t stands = solver::standing_face(*foot.specimen.foot);
    const double uplift = 9.81 * std::min(-points[stands][0], points[stands + 1][0]) / -points[stands][1];
    const double p = solver::make_foot_body(foot.specimen, 9.81).p_rad_s;
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

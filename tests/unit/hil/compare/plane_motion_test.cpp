#include "hil/compare/plane_motion.hpp"

#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"

using namespace topple;
using hil::compare::AchievedMotion;

namespace {

AchievedMotion wave(double amplitude_m_s2, double rest_m) {
    AchievedMotion motion;
    motion.grid = {-0.1, 0.002, 500};
    motion.has_command = true;
    motion.rest_position_m = rest_m;
    motion.bandwidth_hz = 60.0;
    motion.rest_start_s = -0.1;
    motion.rest_end_s = -0.01;
    for (std::size_t i = 0; i < motion.grid.count; ++i) {
        const double t = std::max(0.0, motion.grid.time_s(i)), a = amplitude_m_s2 * std::sin(10.0 * t);
        motion.achieved.acceleration_m_s2.push_back(a);
        motion.achieved.velocity_m_s.push_back(0.1 * a);
        motion.achieved.displacement_m.push_back(0.01 * a);
    }
    motion.commanded = motion.achieved;
    return motion;
}

}  // namespace

TEST_CASE("Achieved motions of two axes are taken together in a plane, and one that has all of it stays as it is") {
    const std::vector<AchievedMotion> axes{wave(3.0, 0.01), wave(4.0, -0.02)};
    const double angle_rad = std::atan2(4.0, 3.0);
    const AchievedMotion along = hil::compare::motion_along(axes, angle_rad);
    const AchievedMotion across = hil::compare::motion_along(axes, angle_rad + 0.5 * std::numbers::pi);
    for (const std::size_t i : {100u, 200u, 300u}) {
        const double t = along.grid.time_s(i);
        CHECK(along.achieved.acceleration_m_s2[i] == Approx(5.0 * std::sin(10.0 * t)).margin(1e-12));
        CHECK(along.commanded.displacement_m[i] == Approx(0.05 * std::sin(10.0 * t)).margin(1e-12));
        CHECK(across.achieved.acceleration_m_s2[i] == Approx(0.0).margin(1e-12));
    }
    CHECK(along.rest_position_m == Approx(0.6 * 0.01 - 0.8 * 0.02));
    CHECK(hil::compare::motion_along(axes, 0.0).achieved.acceleration_m_s2 == axes[0].achieved.acceleration_m_s2);
    CHECK(hil::compare::motion_along(axes, 0.5 * std::numbers::pi).achieved.velocity_m_s ==
          axes[1].achieved.velocity_m_s);

    const auto peaks = hil::compare::achieved_peaks(axes, angle_rad, 0.8);
    CHECK(peaks.in_plane_m_s2 == Approx(5.0).epsilon(1e-3));
    CHECK(peaks.across_m_s2 == Approx(0.0).margin(1e-9));
    const auto of_x = hil::compare::achieved_peaks(axes, 0.0, 0.8);
    CHECK(of_x.in_plane_m_s2 == Approx(3.0).epsilon(1e-3));
    CHECK(of_x.across_m_s2 == Approx(4.0).epsilon(1e-3));
}

TEST_CASE("On a table of one axis the plane has the cosine of the motion") {
    const std::vector<AchievedMotion> x{wave(3.0, 0.01)};
    const AchievedMotion along = hil::compare::motion_along(x, 1.0);
    CHECK(along.achieved.acceleration_m_s2[200] == Approx(std::cos(1.0) * x[0].achieved.acceleration_m_s2[200]));
    CHECK(along.has_command);
    CHECK(along.remarks.empty());
    CHECK(hil::compare::achieved_peaks(x, 1.0, 0.8).across_m_s2 == Approx(3.0 * std::sin(1.0)).epsilon(1e-3));
}

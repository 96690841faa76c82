#include "controller/profile/profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace topple::controller {
namespace {

using firmware_iface::Setpoint;

constexpr double kRestVelocity_m_s = 1e-9;       // far below one encoder count per second
constexpr double kJump_m_s2 = 1e-9;              // smaller differences at a border are rounding
constexpr std::uint64_t kGridDistanceParts = 4;  // no grid knot nearer to a break than period/4

/// One instant at which the acceleration jumps, on the whole microsecond. Pieces shorter than the rounding fall
/// together: what counts is the acceleration before the first and after the last border.
struct Break {
    std::uint64_t time_us = 0;
    double left_m_s2 = 0.0;
    double right_m_s2 = 0.0;
    bool jumps() const noexcept { return std::abs(right_m_s2 - left_m_s2) > kJump_m_s2; }
};

std::uint64_t rounded_us(double time_s) { return static_cast<std::uint64_t>(std::llround(time_s * 1e6)); }

/// All jumps in order, with the motion's time 0 and its end as first and last entry whether they jump or not.
std::vector<Break> breaks(const solver::BaseMotion& motion) {
    std::vector<Break> found;
    const auto add = [&](double time_s) {
        const Break next{rounded_us(time_s), motion.before(time_s).acceleration_m_s2,
                         motion.at(time_s).acceleration_m_s2};
        if (!found.empty() && found.back().time_us == next.time_us) {
            found.back().right_m_s2 = next.right_m_s2;
        } else {
            found.push_back(next);
        }
    };
    add(0.0);
    for (const solver::MotionPiece& piece : motion.pieces()) add(piece.start_s);
    add(motion.end_s());
    std::vector<Break> kept{found.front()};
    for (std::size_t i = 1; i < found.size(); ++i)
        if (found[i].jumps() || i + 1 == found.size()) kept.push_back(found[i]);
    return kept;
}

Setpoint knot(const Profile& profile, std::uint64_t start_time_us, std::uint64_t time_us) {
    const solver::BaseState state = profile.at(static_cast<double>(time_us) * 1e-6);
    Setpoint setpoint;
    setpoint.device_time_us = start_time_us + time_us;
    setpoint.axes[0] = {state.displacement_m, state.velocity_m_s, state.acceleration_m_s2};
    return setpoint;
}

/// Left and right limit at a break, or one knot where there is no jump.
void append_break(std::vector<Setpoint>& knots, const Profile& profile, std::uint64_t start_time_us, const Break& at) {
    Setpoint setpoint = knot(profile, start_time_us, at.time_us);
    if (at.jumps()) {
        setpoint.axes[0].acceleration_m_s2 = at.left_m_s2;
        knots.push_back(setpoint);
    }
    setpoint.axes[0].acceleration_m_s2 = at.right_m_s2;
    knots.push_back(setpoint);
}

/// Knots of the period's grid strictly between two breaks, none so near to a break that the rounding of the break's
/// time would show in the interpolated acceleration.
void append_grid(std::vector<Setpoint>& knots, const Profile& profile, std::uint64_t start_time_us,
                 std::uint32_t period_us, std::uint64_t from_us, std::uint64_t to_us) {
    const std::uint64_t distance_us = period_us / kGridDistanceParts + 1;
    for (std::uint64_t t = (from_us / period_us + 1) * period_us; t < to_us; t += period_us)
        if (t >= from_us + distance_us && t + distance_us <= to_us) knots.push_back(knot(profile, start_time_us, t));
}

void require_rest(const solver::BaseState& state, const char* where) {
    if (!(std::abs(state.velocity_m_s) <= kRestVelocity_m_s))
        throw std::invalid_argument("profile: the motion does not rest at its " + std::string(where) + " (velocity " +
                                    std::to_string(state.velocity_m_s) + " m/s)");
}

}  // namespace

solver::BaseState Profile::at(double time_s) const noexcept {
    solver::BaseState state = motion.at(time_s);
    state.displacement_m += start_position_m;
    return state;
}

Profile place(const solver::BaseMotion& motion, bool centre) {
    if (motion.start_s() < 0.0) throw std::invalid_argument("profile: the motion starts before t = 0");
    const solver::BaseState start = motion.before(0.0);
    require_rest(start, "start");
    require_rest(motion.at(motion.end_s()), "end");
    if (start.displacement_m != 0.0)
        throw std::invalid_argument("profile: the motion does not start at displacement 0");
    if (!centre) return {motion, 0.0};
    const auto extremes = motion.extremes();
    return {motion, -0.5 * (extremes.displacement_min_m + extremes.displacement_max_m)};
}

Profile positioning(double from_m, double to_m, double velocity_max_m_s, double acceleration_max_m_s2) {
    return {solver::rest_to_rest(to_m - from_m, velocity_max_m_s, acceleration_max_m_s2), from_m};
}

std::vector<Setpoint> setpoints(const Profile& profile, std::uint64_t start_time_us, std::uint32_t period_us) {
    if (period_us == 0) throw std::invalid_argument("profile: the setpoint period must be above 0");
    const std::vector<Break> all = breaks(profile.motion);
    std::vector<Setpoint> knots;
    knots.reserve(all.back().time_us / period_us + 2 * all.size() + 1);
    append_break(knots, profile, start_time_us, all.front());
    for (std::size_t i = 1; i < all.size(); ++i) {
        append_grid(knots, profile, start_time_us, period_us, all[i - 1].time_us, all[i].time_us);
        append_break(knots, profile, start_time_us, all[i]);
    }
    // The end time was rounded: the platen shall rest exactly there.
    const solver::BaseState end = profile.at(profile.duration_s());
    const std::uint64_t end_time_us = knots.back().device_time_us;
    for (auto last = knots.rbegin(); last != knots.rend() && last->device_time_us == end_time_us; ++last) {
        last->axes[0].position_m = end.displacement_m;
        last->axes[0].velocity_m_s = 0.0;
    }
    knots.back().axes[0].acceleration_m_s2 = 0.0;
    knots.back().final = true;
    return knots;
}

}  // namespace topple::controller

#include "controller/profile/ending.hpp"

#include <algorithm>
#include <cmath>

#include "controller/feasibility.hpp"

namespace topple::controller {
namespace {

using firmware_iface::MachineDescription;

// Of acceleration_clean, and in seconds: few enough to be tried on an ensemble in a fraction of a period of rocking.
constexpr double kBrake_ratio[] = {0.05, 0.1, 0.2, 0.4, 0.8};
constexpr double kPush_ratio[] = {0.1, 0.2, 0.4, 0.8};
constexpr double kPush_s[] = {0.04, 0.08, 0.15, 0.25};
constexpr double kBrakeAfterPush_ratio[] = {0.05, 0.2};
constexpr double kRest_m_s = 1e-9;
constexpr int kLooks = 16;

/// Constant accelerations, one after the other, from a state.
class Course {
  public:
    explicit Course(const solver::BaseState& from, double time_s)
        : time_s_(time_s), position_m_(from.displacement_m), velocity_m_s_(from.velocity_m_s) {}

    void go(double acceleration_m_s2, double duration_s) {
        if (!(duration_s > 0.0)) return;
        solver::MotionPiece piece;
        piece.start_s = time_s_;
        piece.end_s = time_s_ + duration_s;
        piece.polynomial[0] = acceleration_m_s2;
        pieces_.push_back(piece);
        position_m_ += duration_s * (velocity_m_s_ + 0.5 * duration_s * acceleration_m_s2);
        velocity_m_s_ += duration_s * acceleration_m_s2;
        time_s_ = piece.end_s;
    }
    void brake(double deceleration_m_s2) {
        if (std::abs(velocity_m_s_) > kRest_m_s)
            go(-std::copysign(deceleration_m_s2, velocity_m_s_), std::abs(velocity_m_s_) / deceleration_m_s2);
    }
    const std::vector<solver::MotionPiece>& pieces() const { return pieces_; }

  private:
    std::vector<solver::MotionPiece> pieces_;
    double time_s_, position_m_, velocity_m_s_;
};

/// The limits of check_feasibility at kLooks places of each piece: an ending is one of many that are tried.
bool stays_inside(const Course& course, const solver::BaseState& from, double start_position_m,
                  const MachineDescription& machine) {
    const double available_m = machine.stroke_m - kStrokeMargin_m;
    const double reaction_s = kReactionPeriods / machine.feedback_rate_hz;
    double x = start_position_m + from.displacement_m, v = from.velocity_m_s;
    for (const solver::MotionPiece& piece : course.pieces()) {
        const double a = piece.polynomial[0], step_s = (piece.end_s - piece.start_s) / kLooks;
        for (int k = 0; k < kLooks; ++k) {
            x += step_s * (v + 0.5 * step_s * a);
            v += step_s * a;
            const double stop_m = x + v * reaction_s + v * std::abs(v) / (2.0 * machine.stop_deceleration_m_s2);
            if (std::max(std::abs(x), std::abs(stop_m)) > available_m || std::abs(v) > machine.velocity_max_m_s)
                return false;
        }
    }
    return true;
}

}  // namespace

solver::BaseMotion first_part(const solver::BaseMotion& motion, double time_s) {
    std::vector<solver::MotionPiece> kept;
    for (const solver::MotionPiece& piece : motion.pieces()) {
        if (piece.start_s >= time_s) break;
        kept.push_back(piece);
        kept.back().end_s = std::min(piece.end_s, time_s);
    }
    return solver::BaseMotion(std::move(kept));
}

std::vector<Ending> endings(const Profile& profile, double switch_s, const MachineDescription& machine) {
    std::vector<Ending> found;
    if (!(switch_s > profile.motion.start_s() && switch_s < profile.motion.end_s())) return found;
    const solver::BaseMotion so_far = first_part(profile.motion, switch_s);
    const solver::BaseState from = so_far.at(switch_s);
    const double most_m_s2 = std::min(machine.acceleration_clean_m_s2, machine.acceleration_max_m_s2);
    const auto consider = [&](Ending ending) {
        Course course(from, switch_s);
        course.go(ending.push_m_s2, ending.push_s);
        course.brake(ending.deceleration_m_s2);
        if (course.pieces().empty() || !stays_inside(course, from, profile.start_position_m, machine)) return;
        std::vector<solver::MotionPiece> pieces = so_far.pieces();
        pieces.insert(pieces.end(), course.pieces().begin(), course.pieces().end());
        ending.profile = {solver::BaseMotion(std::move(pieces)), profile.start_position_m};
        found.push_back(std::move(ending));
    };
    for (const double brake : kBrake_ratio) consider({.deceleration_m_s2 = brake * most_m_s2});
    for (const double push : kPush_ratio)
        for (const double side : {1.0, -1.0})
            for (const double duration_s : kPush_s)
                for (const double brake : kBrakeAfterPush_ratio)
                    consider({.push_m_s2 = side * push * most_m_s2,
                              .push_s = duration_s,
                              .deceleration_m_s2 = brake * most_m_s2});
    return found;
}

}  // namespace topple::controller

#include "solver/contact_dynamics/drive_clock.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver::contact {

double velocity_gained_m_s(const MotionPiece* piece, double time_s) noexcept {
    if (piece == nullptr) return 0.0;
    const double tau = time_s - piece->start_s;
    const auto& p = piece->polynomial;
    double gained_m_s = tau * (p[0] + tau * (p[1] / 2.0 + tau * (p[2] / 3.0 + tau * p[3] / 4.0)));
    for (const HarmonicTerm& term : piece->harmonics) {
        const double w = term.angular_frequency_rad_s, sine = std::sin(w * tau), cosine = std::cos(w * tau);
        const auto &s = term.sine_m_s2, &c = term.cosine_m_s2;
        gained_m_s += (c[0] * sine - s[0] * cosine) / w;
        if (s[1] != 0.0 || c[1] != 0.0)
            gained_m_s += (s[1] * (sine / w - tau * cosine) + c[1] * (cosine / w + tau * sine)) / w;
    }
    return gained_m_s;
}

DriveClock::DriveClock(double start_s, double step_s, double gravity_m_s2, double tilt_rad) noexcept
    : start_s_(start_s),
      step_s_(step_s),
      gravity_m_s2_(gravity_m_s2),
      sine_(std::sin(tilt_rad)),
      cosine_(std::cos(tilt_rad)),
      now_s_(start_s),
      end_s_(start_s + step_s) {}

void DriveClock::follow(const BasePieces& pieces) noexcept {
    pieces_ = pieces;
    gained_m_s_ = {velocity_gained_m_s(pieces.horizontal, now_s_), velocity_gained_m_s(pieces.vertical, now_s_)};
}

bool DriveClock::advance(double until_s) noexcept {
    const bool is_complete = end_s_ <= until_s;
    now_s_ = is_complete ? end_s_ : until_s;
    if (pieces_.horizontal != nullptr || pieces_.vertical != nullptr) {
        const Vec2 gained{velocity_gained_m_s(pieces_.horizontal, now_s_),
                          velocity_gained_m_s(pieces_.vertical, now_s_)};
        drive_m_s_ = drive_m_s_ + (gained - gained_m_s_);
        gained_m_s_ = gained;
    }
    return is_complete;
}

Vec2 DriveClock::take() noexcept {
    const double up = gravity_m_s2_ * step_s_ + drive_m_s_.z;
    const Vec2 drive{drive_m_s_.x - up * sine_, up * cosine_};
    drive_m_s_ = {};
    count_ += 1.0;
    end_s_ = start_s_ + (count_ + 1.0) * step_s_;
    return drive;
}

}  // namespace topple::solver::contact

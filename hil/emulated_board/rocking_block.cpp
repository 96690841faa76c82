#include "hil/emulated_board/rocking_block.hpp"

#include <cmath>
#include <numbers>

namespace topple::hil::emulated_board {
namespace {
constexpr double kFallen_rad = 0.5 * std::numbers::pi;
constexpr int kImpactsMax = 8;          // in one step; more are chatter, and at rest
constexpr int kRefinements = 4;         // of the time of an impact: Newton's method from within a step
constexpr double kChatter_ratio = 1.0;  // a bounce shorter than this share of a step is none
}  // namespace

RockingBlock::RockingBlock(const PageBlock& block) noexcept
    : block_(block),
      slenderness_rad_(std::atan2(block.width_m, block.height_m)),
      radius_m_(0.5 * std::hypot(block.width_m, block.height_m)),
      along_m_s2_(block.gravity_m_s2 * std::sin(block.tilt_rad)),
      across_m_s2_(block.gravity_m_s2 * std::cos(block.tilt_rad)),
      stiffness_1_s2_m_(radius_m_ > 0.0 ? 0.75 / radius_m_ : 0.0) {
    stand_up();
}

void RockingBlock::stand_up() noexcept {
    rotation_rad_ = block_.initial_rotation_rad;
    rate_rad_s_ = 0.0;
    held_ = rotation_rad_ != 0.0;
    side_ = rotation_rad_ < 0.0 ? -1.0 : 1.0;
    stand_ = held_ ? Stand::rocking : Stand::full;
}

// Housner's equation about the corner, gravity turned by the slope of the seat.
double RockingBlock::acceleration_rad_s2(double rotation_rad, double base_m_s2) const noexcept {
    const double beta = inclination_rad(rotation_rad);
    return -stiffness_1_s2_m_ * (side_ * across_m_s2_ * std::sin(beta) + (base_m_s2 - along_m_s2_) * std::cos(beta));
}

RockingBlock::State RockingBlock::after(const State& from, double base_m_s2, double duration_s) const noexcept {
    const double h = duration_s;
    const auto slope = [&](double ahead_s, const State& k) {
        const State at{from.rotation_rad + ahead_s * k.rotation_rad, from.rate_rad_s + ahead_s * k.rate_rad_s};
        return State{at.rate_rad_s, acceleration_rad_s2(at.rotation_rad, base_m_s2)};
    };
    const State k1 = slope(0.0, {0.0, 0.0}), k2 = slope(0.5 * h, k1), k3 = slope(0.5 * h, k2), k4 = slope(h, k3);
    return {
        from.rotation_rad + h / 6.0 * (k1.rotation_rad + 2.0 * (k2.rotation_rad + k3.rotation_rad) + k4.rotation_rad),
        from.rate_rad_s + h / 6.0 * (k1.rate_rad_s + 2.0 * (k2.rate_rad_s + k3.rate_rad_s) + k4.rate_rad_s)};
}

// Of the mass centre relative to the platen.
double RockingBlock::momentum_kg_m_s() const noexcept {
    return block_.mass_kg * radius_m_ * std::cos(inclination_rad(rotation_rad_)) * rate_rad_s_;
}

sim_table::SpecimenLoad RockingBlock::load() const noexcept {
    if (!exists() || stand_ == Stand::fallen) return {};
    if (rides()) return {0.0, block_.mass_kg};
    const double beta = inclination_rad(rotation_rad_), lever_m = radius_m_ * std::cos(beta);
    const double free_rad_s2 = acceleration_rad_s2(rotation_rad_, 0.0);
    const double still_m_s2 = lever_m * free_rad_s2 + side_ * radius_m_ * std::sin(beta) * rate_rad_s_ * rate_rad_s_;
    return {-block_.mass_kg * still_m_s2, block_.mass_kg * (1.0 - lever_m * stiffness_1_s2_m_ * std::cos(beta))};
}

double RockingBlock::hit_after_s(const State& from, double base_m_s2, double duration_s) const noexcept {
    const State end = after(from, base_m_s2, duration_s);
    double s = duration_s * from.rotation_rad / (from.rotation_rad - end.rotation_rad);
    for (int i = 0; i < kRefinements; ++i) {
        const State at = after(from, base_m_s2, s);
        if (at.rate_rad_s != 0.0) s -= at.rotation_rad / at.rate_rad_s;
        s = std::fmin(std::fmax(s, 0.0), duration_s);
    }
    return s;
}

void RockingBlock::rock(double base_m_s2, double duration_s) noexcept {
    double left_s = duration_s;
    for (int impact = 0; impact < kImpactsMax; ++impact) {
        const State from{rotation_rad_, rate_rad_s_}, end = after(from, base_m_s2, left_s);
        if (side_ * end.rotation_rad >= 0.0) {
            rotation_rad_ = end.rotation_rad;
            rate_rad_s_ = end.rate_rad_s;
            if (std::abs(rotation_rad_) < kFallen_rad) return;
            rotation_rad_ = std::copysign(kFallen_rad, rotation_rad_);
            stand_ = Stand::fallen;
            return;
        }
        const double hit_s = hit_after_s(from, base_m_s2, left_s);
        rate_rad_s_ = block_.restitution_ratio * after(from, base_m_s2, hit_s).rate_rad_s;
        rotation_rad_ = 0.0;
        side_ = -side_;
        left_s -= hit_s;
        const double back_rad_s2 = side_ * acceleration_rad_s2(0.0, base_m_s2);  // negative: it comes back
        if (back_rad_s2 < 0.0 && std::abs(rate_rad_s_) * 2.0 < -back_rad_s2 * duration_s * kChatter_ratio) break;
    }
    rotation_rad_ = rate_rad_s_ = 0.0;
    stand_ = Stand::full;
}

RockingBlock::Exchange RockingBlock::advance(double acceleration_m_s2, double duration_s) noexcept {
    if (!exists() || stand_ == Stand::fallen) return {};
    if (held_) return {block_.mass_kg, 0.0};
    if (stand_ == Stand::full) {
        const double driven_m_s2 = acceleration_m_s2 - along_m_s2_;
        if (std::abs(driven_m_s2) <= across_m_s2_ * std::tan(slenderness_rad_)) return {block_.mass_kg, 0.0};
        side_ = driven_m_s2 > 0.0 ? -1.0 : 1.0;  // a platen that goes to +x leaves the block behind
        stand_ = Stand::rocking;
    }
    const double before = momentum_kg_m_s();
    rock(acceleration_m_s2, duration_s);
    // What falls takes its momentum along.
    return {block_.mass_kg, stand_ == Stand::fallen ? 0.0 : before - momentum_kg_m_s()};
}

}  // namespace topple::hil::emulated_board

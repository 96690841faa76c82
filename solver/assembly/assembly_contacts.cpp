// What touches, what is held, and what impacts do.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/assembly/assembly_run.hpp"

namespace topple::solver {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSameVelocity_m_s = 1e-13;  // slower approaches are none

}  // namespace

double AssemblyRun::gap_m(std::size_t contact) const noexcept {
    const double left =
        contact == 0 ? 0.0 : now_.position_m[contact - 1] + 0.5 * assembly_.blocks[contact - 1].length_m;
    const double right = contact == count_ ? assembly_.basin_length_m
                                           : now_.position_m[contact] - 0.5 * assembly_.blocks[contact].length_m;
    return right - left;
}

double AssemblyRun::approach_m_s(std::size_t contact) const noexcept {
    return (contact == 0 ? 0.0 : now_.velocity_m_s[contact - 1]) -
           (contact == count_ ? 0.0 : now_.velocity_m_s[contact]);
}

// ---- modes ----

/// A held block is pushed by a wall through what stands between.
AssemblyRun::Bands AssemblyRun::bands(std::size_t block, double tolerance_m_s2) const noexcept {
    const auto all_closed = [&](std::size_t first, std::size_t last) {
        return std::all_of(closed_.begin() + static_cast<std::ptrdiff_t>(first),
                           closed_.begin() + static_cast<std::ptrdiff_t>(last) + 1, [](char is) { return is != 0; });
    };
    const double edge = limit_m_s2_ + tolerance_m_s2;
    return {all_closed(block + 1, count_) ? -kNever : -edge, all_closed(0, block) ? kNever : edge};
}

AssemblyRun::Mode AssemblyRun::sliding(double direction) const noexcept {
    return limit_m_s2_ == 0.0 ? Mode::free : direction < 0.0 ? Mode::left : Mode::right;
}

void AssemblyRun::set_modes(double acceleration_m_s2) {
    const double tolerance = kFrictionTolerance * options_.gravity_m_s2;
    for (std::size_t i = 0; i < count_; ++i) {
        const bool stays = now_.velocity_m_s[i] == 0.0 && bands(i, tolerance).holds(acceleration_m_s2);
        const double direction = now_.velocity_m_s[i] != 0.0 ? now_.velocity_m_s[i] : -acceleration_m_s2;
        mode_[i] = stays ? Mode::held : sliding(direction);
    }
    open_contacts();
}

/// The basin has left the band of some held blocks.
void AssemblyRun::release(double acceleration_m_s2) {
    std::vector<char> let_go(count_, 0);
    for (std::size_t i = 0; i < count_; ++i)
        let_go[i] = mode_[i] == Mode::held && !bands(i, 0.0).holds(acceleration_m_s2);
    for (std::size_t i = 0; i < count_; ++i)
        if (let_go[i]) mode_[i] = sliding(-acceleration_m_s2);
    open_contacts();
}

/// Bodies that move by different rules part: towards each other they would be held.
void AssemblyRun::open_contacts() {
    const auto mode_beside = [&](std::size_t contact, bool right) {
        if (right) return contact == count_ ? Mode::held : mode_[contact];
        return contact == 0 ? Mode::held : mode_[contact - 1];
    };
    for (std::size_t k = 0; k <= count_; ++k)
        if (closed_[k] && mode_beside(k, false) != mode_beside(k, true)) closed_[k] = 0;
}

bool AssemblyRun::at_rest() const noexcept {
    return std::all_of(now_.velocity_m_s.begin(), now_.velocity_m_s.end(), [](double u) { return u == 0.0; }) &&
           std::all_of(mode_.begin(), mode_.end(), [](Mode mode) { return mode == Mode::held; });
}

// ---- impacts ----

void AssemblyRun::collide(std::size_t contact) {
    const bool left_wall = contact == 0, right_wall = contact == count_;
    const double before_left = left_wall ? 0.0 : now_.velocity_m_s[contact - 1];
    const double before_right = right_wall ? 0.0 : now_.velocity_m_s[contact];
    double left = before_left, right = before_right;
    if (left_wall) right = -assembly_.restitution_walls * before_right;
    if (right_wall) left = -assembly_.restitution_walls * before_left;
    if (!left_wall && !right_wall) {
        const double m = assembly_.blocks[contact - 1].mass_kg, n = assembly_.blocks[contact].mass_kg;
        const double common = (m * before_left + n * before_right) / (m + n);
        const double parting = assembly_.restitution_blocks * (before_left - before_right) / (m + n);
        left = common - n * parting;
        right = common + m * parting;
    }
    if (!left_wall) now_.velocity_m_s[contact - 1] = left;
    if (!right_wall) now_.velocity_m_s[contact] = right;
    ++result_.impacts_count;
    ++event_count_;
    if (result_.impacts.size() < options_.impacts_max)
        result_.impacts.push_back({now_.time_s, contact, before_left + now_.base_m_s, before_right + now_.base_m_s,
                                   left + now_.base_m_s, right + now_.base_m_s});
}

/// Everything that moves alike around this contact gets one velocity: the wall's, or that of its common momentum.
void AssemblyRun::join(std::size_t contact) {
    const auto alike = [&](std::size_t k) { return closed_[k] && std::abs(approach_m_s(k)) <= kPlasticApproach_m_s; };
    std::size_t first = contact, last = contact;  // contacts
    while (first > 0 && alike(first - 1)) --first;
    while (last < count_ && alike(last + 1)) ++last;
    const bool at_wall = first == 0 || last == count_;
    const std::size_t begin = first == 0 ? 0 : first - 1, end = last == count_ ? count_ : last + 1;  // blocks
    double mass = 0.0, momentum = 0.0;
    for (std::size_t i = begin; i < end; ++i)
        mass += assembly_.blocks[i].mass_kg, momentum += assembly_.blocks[i].mass_kg * now_.velocity_m_s[i];
    for (std::size_t i = begin; i < end; ++i) now_.velocity_m_s[i] = at_wall ? 0.0 : momentum / mass;
}

/// Of the closed contacts always the one with the largest approach, the left one of equals, until none is left.
void AssemblyRun::cascade() {
    while (event_count_ <= options_.events_max) {
        std::size_t worst = 0;
        double approach = -1.0;
        for (std::size_t k = 0; k <= count_; ++k)
            if (closed_[k] && approach_m_s(k) > approach) approach = approach_m_s(k), worst = k;
        if (approach <= kSameVelocity_m_s) break;
        if (approach > kPlasticApproach_m_s)
            collide(worst);
        else
            join(worst), ++event_count_;
    }
    for (std::size_t k = 0; k <= count_; ++k) {
        if (!closed_[k]) continue;
        if (approach_m_s(k) < -kSameVelocity_m_s)
            closed_[k] = 0;
        else if (approach_m_s(k) != 0.0)
            join(k);
    }
}

}  // namespace topple::solver

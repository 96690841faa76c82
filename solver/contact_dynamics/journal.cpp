#include "solver/contact_dynamics/journal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace topple::solver::contact {
namespace {

constexpr std::size_t kTurningPointsMax = 10000;

std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

const Body& block_of(const Scheme& scheme, int block) noexcept { return scheme.assembly().bodies[at(block) + 1]; }
const Slot& slot_of(const Scheme& scheme, int k, int j) noexcept {
    return scheme.assembly().slots[at(kSlotsPerInterface * k + j)];
}

int closed_count(const Scheme& scheme, int k) noexcept {
    int closed = 0;
    for (int j = 0; j < scheme.assembly().slots_below(k); ++j) closed += slot_of(scheme, k, j).is_closed ? 1 : 0;
    return closed;
}
bool any_closed(const Scheme& scheme, int k) noexcept { return closed_count(scheme, k) > 0; }

/// Least gap of the corners that a body turns down to its base.
double flight_m(const Scheme& scheme, int k) noexcept {
    if (scheme.assembly().foot) return slot_of(scheme, k, scheme.assembly().lowest_corner()).gap_m;
    return std::min(slot_of(scheme, k, 0).gap_m, slot_of(scheme, k, 1).gap_m);
}

/// The face on which a foot comes down as it turns on, if it turned about that face's other corner.
std::optional<std::size_t> struck_face(const Scheme& scheme, const Contact& c) noexcept {
    if (!scheme.assembly().foot) return std::nullopt;
    const int old = scheme.before()[1].rate_rad_s > 0.0 ? c.slot - 1 : c.slot + 1;
    if (old < 0 || old >= scheme.assembly().slots_below(0)) return std::nullopt;
    const Slot& pivot = slot_of(scheme, 0, old);
    if (!pivot.was_closed && pivot.gap_m > scheme.resolved_gap_m()) return std::nullopt;
    return at(std::min(old, c.slot));
}

double relative_rotation_rad(const Scheme& scheme, int k) noexcept {
    const auto& bodies = scheme.assembly().bodies;
    return bodies[at(k) + 1].rotation_rad - bodies[at(k)].rotation_rad;
}

template <class T>
void copy_with_room(std::vector<T>& to, const std::vector<T>& from) {
    to.reserve(from.capacity());
    to = from;
}

}  // namespace

Journal::Journal(const Scheme& scheme, const SolverOptions& options, double start_s)
    : blocks_(at(scheme.assembly().standing)),
      impacts_max_(options.impacts_max),
      lists_turns_(!options.outcome_only),
      history_step_s_(options.history_step_s),
      next_sample_s_(history_step_s_ > 0.0 ? std::ceil(start_s / history_step_s_ - 1e-9) * history_step_s_
                                           : std::numeric_limits<double>::infinity()),
      turn_(blocks_),
      peak_rad_(blocks_, 0.0),
      slip_m_(blocks_, 0.0),
      peak_slip_m_(blocks_, 0.0),
      last_impact_m_s_(blocks_, 0.0),
      fallen_side_(blocks_, 0),
      quiet_from_s_(start_s) {
    const std::size_t room = std::min<std::size_t>(impacts_max_, options.outcome_only ? 32 : 512);
    impacts_.reserve(room);
    motions_.reserve(2 * blocks_ * room);
    fallen_.reserve(blocks_);
    if (lists_turns_) turning_points_.reserve(512);
    for (std::size_t i = 0; i < blocks_; ++i) {
        const int block = static_cast<int>(i);
        peak_rad_[i] = std::abs(block_of(scheme, block).rotation_rad);
        if (std::abs(relative_rotation_rad(scheme, block)) > 0.0) uplifted_ = true;
    }
}

Journal::Journal(const Journal& other)
    : blocks_(other.blocks_),
      impacts_max_(other.impacts_max_),
      lists_turns_(other.lists_turns_),
      uplifted_(other.uplifted_),
      truncated_(other.truncated_),
      has_new_impact_(other.has_new_impact_),
      history_step_s_(other.history_step_s_),
      next_sample_s_(other.next_sample_s_),
      turn_(other.turn_),
      peak_rad_(other.peak_rad_),
      slip_m_(other.slip_m_),
      peak_slip_m_(other.peak_slip_m_),
      last_impact_m_s_(other.last_impact_m_s_),
      fallen_side_(other.fallen_side_),
      first_fall_s_(other.first_fall_s_),
      quiet_from_s_(other.quiet_from_s_),
      quiet_steps_(other.quiet_steps_),
      history_(other.history_) {
    copy_with_room(turning_points_, other.turning_points_);
    copy_with_room(impacts_, other.impacts_);
    copy_with_room(motions_, other.motions_);
    copy_with_room(fallen_, other.fallen_);
}

/// Of the foot of block k along the face below, 0 where it starts: its lower corner on the side to which it leans, less
/// half the width; of an irregular body its lowest corner, less where that comes down without slip.
double Journal::foot_m(const Scheme& scheme, int k) const noexcept {
    const Assembly& assembly = scheme.assembly();
    if (assembly.foot) {
        const int corner = assembly.lowest_corner();
        return slot_of(scheme, k, corner).place_m.x - assembly.foot->laid_m(at(corner));
    }
    const bool leans_right = relative_rotation_rad(scheme, k) > 0.0;
    const double half_m = block_of(scheme, k).half_width_m;
    return slot_of(scheme, k, leans_right ? 1 : 0).place_m.x + (leans_right ? -half_m : half_m);
}

void Journal::step(const Scheme& scheme, double time_s) {
    watch_impacts(scheme, time_s);
    for (int k = 0; k < scheme.assembly().standing; ++k) watch_interface(scheme, k);
    watch_turns(scheme, time_s);
    watch_rest(scheme, time_s);
}

/// A corner that was open has closed faster than the weight of a few steps, from a gap wider than the one that an
/// impact leaves by being taken early in its step: one impact per interface and step.
void Journal::watch_impacts(const Scheme& scheme, double time_s) {
    const double least_m_s = scheme.resolved_speed_m_s();
    int last = -1;
    for (const Contact& c : scheme.contacts()) {
        if (c.before.n > -least_m_s || c.lower == last) continue;
        const Slot& slot = scheme.assembly().slots[at(c.slot)];
        double& last_m_s = last_impact_m_s_[at(c.lower)];
        if (slot.was_closed || slot.widest_m < 2.0 * scheme.time_step_s() * std::max(last_m_s, -c.before.n)) continue;
        last = c.lower;
        last_m_s = -c.before.n;
        has_new_impact_ = true;
        if (impacts_.size() >= impacts_max_) {
            truncated_ = true;
            continue;
        }
        impacts_.push_back({time_s, c.lower, struck_face(scheme, c), motions_.size()});
        for (const std::vector<Body>* bodies : {&scheme.before(), &scheme.assembly().bodies})
            for (std::size_t i = 1; i <= blocks_; ++i)
                motions_.push_back({(*bodies)[i].rate_rad_s, (*bodies)[i].velocity_m_s});
    }
}

void Journal::watch_interface(const Scheme& scheme, int k) noexcept {
    const Body& block = block_of(scheme, k);
    if (!uplifted_) {
        const double gap_m = std::abs(relative_rotation_rad(scheme, k)) * 2.0 * block.half_width_m;
        const double least_m = scheme.resolved_gap_m();
        uplifted_ = gap_m > least_m || (flight_m(scheme, k) > least_m && !any_closed(scheme, k));
    }
    const double slip_m = foot_m(scheme, k);
    slip_m_[at(k)] = slip_m;
    peak_slip_m_[at(k)] = std::max(peak_slip_m_[at(k)], std::abs(slip_m));
}

/// An extreme counts once the rotation comes back faster than the scheme's own noise.
void Journal::watch_turns(const Scheme& scheme, double time_s) {
    for (int i = 0; i < scheme.assembly().standing; ++i) {
        const Body& block = block_of(scheme, i);
        peak_rad_[at(i)] = std::max(peak_rad_[at(i)], std::abs(block.rotation_rad));
        if (!lists_turns_) continue;
        Turn& turn = turn_[at(i)];
        const double least_rad_s = scheme.resolved_speed_m_s() / std::hypot(block.half_width_m, block.half_height_m);
        const int direction = block.rate_rad_s > least_rad_s ? 1 : block.rate_rad_s < -least_rad_s ? -1 : 0;
        if (direction != 0 && direction != turn.direction) {
            if (turn.direction != 0 && turning_points_.size() < kTurningPointsMax)
                turning_points_.push_back({turn.time_s, at(i), turn.extreme_rad});
            turn = {direction, block.rotation_rad, time_s};
        } else if (turn.direction * (block.rotation_rad - turn.extreme_rad) > 0.0) {
            turn.extreme_rad = block.rotation_rad;
            turn.time_s = time_s;
        }
    }
}

/// Quiet: every interface is closed at two corners and nothing moves.
void Journal::watch_rest(const Scheme& scheme, double time_s) noexcept {
    constexpr double kStillShare = 0.01;  // of the speed that the scheme resolves
    bool quiet = static_cast<int>(scheme.contacts().size()) >= 2 * scheme.assembly().standing;
    const double still_m_s = kStillShare * scheme.resolved_speed_m_s();
    for (int i = 0; quiet && i < scheme.assembly().standing; ++i) {
        const Body& block = block_of(scheme, i);
        const double radius_m = block.half_width_m + block.half_height_m;
        quiet = closed_count(scheme, i) >= 2 && std::abs(block.rate_rad_s) * radius_m < still_m_s &&
                std::abs(block.velocity_m_s.x) < still_m_s && std::abs(block.velocity_m_s.z) < still_m_s;
    }
    if (quiet) {
        ++quiet_steps_;
        return;
    }
    quiet_steps_ = 0;
    quiet_from_s_ = time_s;
}

void Journal::sample(const Scheme& scheme, double time_s, double base_acceleration_m_s2) {
    if (!(history_step_s_ > 0.0)) return;
    const bool is_due = time_s >= next_sample_s_ * (1.0 - 1e-12);
    if (!is_due && !has_new_impact_) return;
    has_new_impact_ = false;
    if (is_due) next_sample_s_ = (std::floor(time_s / history_step_s_ + 1e-9) + 1.0) * history_step_s_;
    HistorySample sample;
    sample.time_s = time_s;
    sample.base_acceleration_m_s2 = base_acceleration_m_s2;
    for (int i = 0; i < static_cast<int>(blocks_); ++i) {
        const bool stands = i < scheme.assembly().standing;
        const Body& block = block_of(scheme, i);
        sample.rotation_rad.push_back(stands ? block.rotation_rad : fallen_side(i) * kHalfPi);
        sample.rotation_rate_rad_s.push_back(stands ? block.rate_rad_s : 0.0);
        sample.support.push_back(support(scheme, i));
        sample.centre_m.push_back({block.centre_m.x, block.centre_m.z});
    }
    sample.slip_m = slip_m_.front();
    history_.push_back(std::move(sample));
}

Support Journal::support(const Scheme& scheme, int block) const noexcept {
    if (block >= scheme.assembly().standing) return fallen_side(block) < 0 ? Support::left : Support::right;
    if (const auto& foot = scheme.assembly().foot) {
        const int closed = closed_count(scheme, block);
        if (closed != 1) return closed == 0 ? Support::none : Support::full;
        return at(scheme.assembly().lowest_corner()) <= foot->standing_face() ? Support::left : Support::right;
    }
    const bool left = slot_of(scheme, block, 0).is_closed, right = slot_of(scheme, block, 1).is_closed;
    if (left && right) return Support::full;
    if (!any_closed(scheme, block)) return Support::none;
    if (left != right) {
        const bool flat = std::abs(relative_rotation_rad(scheme, block)) * block_of(scheme, block).half_width_m <=
                          scheme.resolved_gap_m();
        const bool second = slot_of(scheme, block, 2).is_closed || slot_of(scheme, block, 3).is_closed;
        return flat && second ? Support::full : left ? Support::left : Support::right;
    }
    const bool below_left = slot_of(scheme, block, 2).is_closed, below_right = slot_of(scheme, block, 3).is_closed;
    return below_left && below_right ? Support::full : below_left ? Support::left : Support::right;
}

double Journal::peak_slip_m() const noexcept { return *std::max_element(peak_slip_m_.begin(), peak_slip_m_.end()); }

int Journal::fallen_from(const Scheme& scheme) const noexcept {
    const int standing = scheme.assembly().standing;
    const double overturned_rad = scheme.assembly().foot ? scheme.assembly().foot->overturned_rad() : kHalfPi;
    for (int i = 0; i < standing; ++i) {
        const Body& block = block_of(scheme, i);
        if (std::abs(block.rotation_rad) >= overturned_rad) return i;
        if (i == 0 || any_closed(scheme, i)) continue;
        const Body& below = block_of(scheme, i - 1);
        const Vec2 d = turned(block.sought_m - below.sought_m, -below.sine, below.cosine);
        if (std::abs(d.x) > below.half_width_m && d.z < below.half_height_m) return i;
    }
    return standing;
}

void Journal::fall(const Scheme& scheme, int from, double time_s) {
    if (fallen_.empty()) first_fall_s_ = time_s;
    for (int i = from; i < scheme.assembly().standing; ++i) {
        const Body& block = block_of(scheme, i);
        const double below_m = i > 0 ? block_of(scheme, i - 1).centre_m.x : 0.0;
        const bool beside = i > 0 && std::abs(block.rotation_rad) < kHalfPi && block.rotation_rad == 0.0;
        const double side = beside ? block.centre_m.x - below_m : block.rotation_rad;
        fallen_side_[at(i)] = side < 0.0 ? -1 : 1;
        peak_rad_[at(i)] = kHalfPi;
        fallen_.push_back(i);
    }
}

void Journal::fill(Prediction& prediction) const {
    prediction.peak_rotation_rad = peak_rad_;
    prediction.turning_points = turning_points_;
    prediction.history = history_;
    prediction.impacts_truncated = truncated_;
    prediction.slip = Slip{peak_slip_m(), slip_m_.front()};
    prediction.interface_slip.clear();
    for (std::size_t k = 0; k < blocks_; ++k) prediction.interface_slip.push_back({peak_slip_m_[k], slip_m_[k]});
    for (const ImpactPlace& place : impacts_) {
        Impact impact;
        impact.time_s = place.time_s;
        impact.interface_index = at(place.interface_index);
        impact.face = place.face;
        for (std::size_t i = 0; i < blocks_; ++i) {
            const Motion &before = motions_[place.first + i], &after = motions_[place.first + blocks_ + i];
            impact.rotation_rate_before_rad_s.push_back(before.rate_rad_s);
            impact.rotation_rate_after_rad_s.push_back(after.rate_rad_s);
            impact.centre_velocity_before_m_s.push_back({before.velocity_m_s.x, before.velocity_m_s.z});
            impact.centre_velocity_after_m_s.push_back({after.velocity_m_s.x, after.velocity_m_s.z});
        }
        prediction.impacts.push_back(std::move(impact));
    }
    for (const int block : fallen_) prediction.blocks_overturned.push_back(at(block));
    if (fallen_.empty()) return;
    prediction.overturn_time_s = first_fall_s_;
    prediction.direction = fallen_side_[at(fallen_.front())] < 0 ? Side::left : Side::right;
}

}  // namespace topple::solver::contact

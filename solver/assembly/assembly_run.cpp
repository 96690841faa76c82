#include "solver/assembly/assembly_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "solver/motion/excitation.hpp"

namespace topple::solver {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kStepsPerPeriod = 20.0, kStepsPerCurve = 16.0;
constexpr double kRestVelocity_m_s = 1e-9;  // of a base that has stopped
constexpr double kParted_m = 1e-12;         // smaller gaps have just opened, up to rounding

double fastest_rad_s(const MotionPiece* piece) noexcept {
    double fastest = 0.0;
    if (piece != nullptr)
        for (const HarmonicTerm& term : piece->harmonics) fastest = std::max(fastest, term.angular_frequency_rad_s);
    return fastest;
}

/// Of the acceleration anywhere in the piece.
double acceleration_bound_m_s2(const MotionPiece& piece) noexcept {
    const double tau = piece.end_s - piece.start_s;
    const auto& c = piece.polynomial;
    double bound = std::abs(c[0]) + tau * (std::abs(c[1]) + tau * (std::abs(c[2]) + tau * std::abs(c[3])));
    for (const HarmonicTerm& term : piece.harmonics)
        bound += std::hypot(term.sine_m_s2[0], term.cosine_m_s2[0]) +
                 tau * std::hypot(term.sine_m_s2[1], term.cosine_m_s2[1]);
    return bound;
}

/// Within which the acceleration turns at most once or, where it is a polynomial of degree three, twice.
double step_max_s(const MotionPiece* piece, double fastest) noexcept {
    if (piece == nullptr) return kNever;
    double limit_s = fastest > 0.0 ? 2.0 * std::numbers::pi / fastest / kStepsPerPeriod : kNever;
    if (piece->polynomial[2] != 0.0 || piece->polynomial[3] != 0.0)
        limit_s = std::min(limit_s, (piece->end_s - piece->start_s) / kStepsPerCurve);
    return limit_s;
}

}  // namespace

struct AssemblyRun::Step {
    BaseAhead base;
    double length_s, bound_m_s2;
    MonotoneParts parts;  ///< of the base's acceleration
};

struct AssemblyRun::Next {
    enum class Kind { none, contact, stop, exit };
    double elapsed_s = std::numeric_limits<double>::infinity();
    Kind kind = Kind::none;
    std::size_t index = 0;

    void offer(double at_s, Kind what, std::size_t which) noexcept {
        if (at_s < elapsed_s) elapsed_s = at_s, kind = what, index = which;
    }
};

AssemblyRun::AssemblyRun(const Assembly& assembly, const AssemblyOptions& options, double base_velocity_m_s)
    : assembly_(assembly),
      options_(options),
      count_(assembly.blocks.size()),
      limit_m_s2_(assembly.friction * options.gravity_m_s2),
      mode_(count_, Mode::held),
      closed_(count_ + 1, 0) {
    validate(assembly_);
    now_.base_m_s = base_velocity_m_s;
    for (const AssemblyBlock& block : assembly_.blocks) {
        now_.position_m.push_back(block.position_m);
        now_.velocity_m_s.push_back(block.velocity_m_s - base_velocity_m_s);
        total_kg_ += block.mass_kg;
    }
    ahead_ = now_;
    inertia_start_kg_m2_ = inertia_max_kg_m2_ = inertia_kg_m2(now_);
    for (std::size_t k = 0; k <= count_; ++k) closed_[k] = gap_m(k) <= kTouching_m;
    cascade();
    energy_start_j_ = energy_max_j_ = kinetic_energy_j();
}

AssemblyRun::Path AssemblyRun::path_of(std::size_t block) const noexcept {
    switch (mode_[block]) {
        case Mode::held: return {};
        case Mode::left: return {now_.velocity_m_s[block], limit_m_s2_, 1.0};
        case Mode::right: return {now_.velocity_m_s[block], -limit_m_s2_, 1.0};
        case Mode::free: break;
    }
    return {now_.velocity_m_s[block], 0.0, 1.0};
}

/// Of the body on one side of a contact; a wall stands still in its basin.
AssemblyRun::Path AssemblyRun::path_beside(std::size_t contact, bool right) const noexcept {
    if (right) return contact == count_ ? Path{} : path_of(contact);
    return contact == 0 ? Path{} : path_of(contact - 1);
}

void AssemblyRun::find_contacts(const Step& step, Next& next) const {
    const double h = step.length_s;
    for (std::size_t k = 0; k <= count_; ++k) {
        if (closed_[k]) continue;
        const Path left = path_beside(k, false), right = path_beside(k, true);
        const double speed = right.velocity_m_s - left.velocity_m_s, share = right.base_share - left.base_share;
        const double curve = right.acceleration_m_s2 - left.acceleration_m_s2;
        double gap = gap_m(k);
        const double bend = std::abs(curve) + std::abs(share) * step.bound_m_s2;
        if (gap + std::min(0.0, speed) * h - 0.5 * bend * h * h > 0.0) continue;
        if (gap < kParted_m) gap = 0.0;
        const auto along = [&](double t) { return share == 0.0 ? BaseStep{} : step.base.after(t); };
        const auto value = [&](double t) { return gap + t * (speed + 0.5 * curve * t) - share * along(t).way_m; };
        const auto slope = [&](double t) { return speed + curve * t - share * along(t).velocity_m_s; };
        MonotoneParts parts = step.parts;
        if (share != 0.0) parts.split([&](double t) { return curve - share * along(t).acceleration_m_s2; });
        if (const auto at = first_fall_below_zero(parts, value, slope)) next.offer(*at, Next::Kind::contact, k);
    }
}

void AssemblyRun::find_stops(const Step& step, Next& next) const {
    for (std::size_t i = 0; i < count_; ++i) {
        if (mode_[i] != Mode::left && mode_[i] != Mode::right) continue;
        const Path path = path_of(i);
        const double s = mode_[i] == Mode::right ? 1.0 : -1.0;
        if (s * path.velocity_m_s - (limit_m_s2_ + step.bound_m_s2) * step.length_s > 0.0) continue;
        const auto value = [&](double t) {
            return s * (path.velocity_m_s + path.acceleration_m_s2 * t - step.base.after(t).velocity_m_s);
        };
        const auto slope = [&](double t) {
            return s * (path.acceleration_m_s2 - step.base.after(t).acceleration_m_s2);
        };
        if (const auto at = first_fall_below_zero(step.parts, value, slope)) next.offer(*at, Next::Kind::stop, i);
    }
}

void AssemblyRun::find_exit(const MotionPiece* piece, double until_s, Next& next) const {
    double low = -kNever, high = kNever;
    for (std::size_t i = 0; i < count_; ++i) {
        if (mode_[i] != Mode::held) continue;
        const Bands band = bands(i, 0.0);
        low = std::max(low, band.low_m_s2);
        high = std::min(high, band.high_m_s2);
    }
    if (piece == nullptr || (low == -kNever && high == kNever)) return;
    const Excitation base({piece, nullptr}, options_.gravity_m_s2, 0.0);
    if (const auto exit = base.first_exit(now_.time_s, until_s, low, high, kFrictionTolerance * options_.gravity_m_s2))
        next.offer(exit->time_s - now_.time_s, Next::Kind::exit, 0);
}

void AssemblyRun::state_after(const Step& step, double elapsed_s, State& state) const {
    const BaseStep base = step.base.after(elapsed_s);
    const double t = elapsed_s;
    for (std::size_t i = 0; i < count_; ++i) {
        const Path path = path_of(i);
        state.position_m[i] = now_.position_m[i] + t * (path.velocity_m_s + 0.5 * path.acceleration_m_s2 * t) -
                              path.base_share * base.way_m;
        state.velocity_m_s[i] = path.velocity_m_s + path.acceleration_m_s2 * t - path.base_share * base.velocity_m_s;
    }
    state.time_s = now_.time_s + t;
    state.base_m = now_.base_m + now_.base_m_s * t + base.way_m;
    state.base_m_s = now_.base_m_s + base.velocity_m_s;
}

/// What lies between the ends of a step: samples on the history's grid, and the largest inertia.
void AssemblyRun::record(const Step& step, double elapsed_s, const State& end) {
    State inside = now_;
    if (options_.history_step_s > 0.0)
        for (; samples_ * options_.history_step_s <= end.time_s; samples_ += 1.0) {
            state_after(step, std::clamp(samples_ * options_.history_step_s - now_.time_s, 0.0, elapsed_s), inside);
            keep_sample(inside);
        }
    const auto growth = [&](double t) {
        state_after(step, t, inside);
        return inertia_growth(inside);
    };
    const double first = inertia_growth(now_), last = inertia_growth(end);
    if (first > 0.0 && last < 0.0) {
        growth(find_root(growth, 0.0, elapsed_s, first, last, 0.0).before);
        note_inertia(inside);
    }
    note_inertia(end);
}

void AssemblyRun::step(const MotionPiece* piece, double until_s) {
    const bool all_held = at_rest();
    const double fastest = fastest_rad_s(piece), left_s = until_s - now_.time_s;
    const double length_s = all_held ? left_s : std::min(left_s, step_max_s(piece, fastest));
    Step step{BaseAhead(piece, now_.time_s, fastest), length_s,
              piece == nullptr ? 0.0 : acceleration_bound_m_s2(*piece), MonotoneParts(length_s)};
    Next next;
    if (!all_held) {
        if (piece != nullptr) step.parts.split([&](double t) { return step.base.after(t).jerk_m_s3; });
        find_contacts(step, next);
        find_stops(step, next);
    }
    find_exit(piece, now_.time_s + length_s, next);
    const bool happens = next.elapsed_s <= length_s;
    const double elapsed_s = happens ? next.elapsed_s : length_s;
    state_after(step, elapsed_s, ahead_);
    record(step, elapsed_s, ahead_);
    std::swap(now_, ahead_);
    if (!happens && length_s == left_s) now_.time_s = until_s;
    if (happens) happen(next, step.base.after(elapsed_s).acceleration_m_s2);
    energy_max_j_ = std::max(energy_max_j_, kinetic_energy_j());
}

void AssemblyRun::happen(const Next& next, double acceleration_m_s2) {
    ++event_count_;
    switch (next.kind) {
        case Next::Kind::exit: release(acceleration_m_s2); break;
        case Next::Kind::stop: stop(next.index); break;
        default: closed_[next.index] = 1; cascade();
    }
    if (next.kind != Next::Kind::exit) set_modes(acceleration_m_s2);
    if (at_rest()) rests_since_s_ = now_.time_s;
    if (options_.history_step_s > 0.0) keep_sample(now_);
}

/// A block has come to rest on the floor, and with it what touches it and moves alike.
void AssemblyRun::stop(std::size_t block) {
    now_.velocity_m_s[block] = 0.0;
    for (std::size_t i = block; i > 0 && closed_[i]; --i) now_.velocity_m_s[i - 1] = 0.0;
    for (std::size_t i = block + 1; i < count_ && closed_[i]; ++i) now_.velocity_m_s[i] = 0.0;
}

void AssemblyRun::run(const MotionPiece* piece, double until_s, bool until_rest) {
    if (!(until_s > now_.time_s) || result_.status != SolverStatus::ok) return;
    set_modes(piece == nullptr ? 0.0 : piece->acceleration_m_s2(now_.time_s));
    while (now_.time_s < until_s) {
        if (until_rest && at_rest()) return;
        step(piece, until_s);
        if (event_count_ <= options_.events_max) continue;
        result_.status = SolverStatus::event_budget_spent;
        result_.status_time_s = now_.time_s;
        return;
    }
}

void AssemblyRun::advance(const MotionPiece& piece, double until_s) {
    if (piece.start_s - now_.time_s > 1e-9) run(nullptr, std::min(until_s, piece.start_s), false);
    run(&piece, std::min(until_s, piece.end_s), false);
}
void AssemblyRun::coast(double until_s) { run(nullptr, until_s, false); }
void AssemblyRun::settle(double until_s) { run(nullptr, until_s, true); }

AssemblyPrediction follow(const Assembly& assembly, const BaseMotion& motion, const AssemblyOptions& options) {
    AssemblyRun run(assembly, options, motion.before(motion.start_s()).velocity_m_s);
    if (motion.start_s() > 0.0) run.coast(motion.start_s());
    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, piece.end_s);
    if (std::abs(run.base_velocity_m_s()) <= kRestVelocity_m_s)
        run.settle(std::max(run.time_s(), motion.end_s()) + options.settle_limit_s);
    return run.result();
}

}  // namespace topple::solver

#include "solver/contact_dynamics/scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace topple::solver::contact {

Scheme::Scheme(Assembly assembly, const ContactDynamics& parameters, std::vector<double> friction_ratio,
               double gravity_m_s2, std::optional<Beam> beam)
    : assembly_(std::move(assembly)),
      before_(assembly_.bodies),
      beam_(std::move(beam)),
      free_bodies_(assembly_.bodies),
      kept_bodies_(assembly_.bodies),
      parameters_(parameters),
      friction_ratio_(std::move(friction_ratio)),
      weight_step_m_s_(gravity_m_s2 * parameters.time_step_s) {
    double least_height_m = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < assembly_.bodies.size(); ++i)
        least_height_m = std::min(least_height_m, 2.0 * assembly_.bodies[i].half_height_m);
    if (assembly_.bodies.size() > 1)
        depth_m_ = std::max(kLateralTolerance_m, parameters_.time_step_s * std::sqrt(gravity_m_s2 * least_height_m));
    // A corner that comes down where its step is split stands off by the error of one step at most.
    if (assembly_.foot) assembly_.hold_m = kResolvedSpeeds * weight_step_m_s_ * parameters_.time_step_s;
    make_room();
}

void Scheme::make_room() {
    contacts_.reserve(assembly_.slots.size());
    kept_contacts_.reserve(assembly_.slots.size());
    direct_.make_room(assembly_.slots.size());
}

double Scheme::resolved_gap_m() const noexcept { return 20.0 * weight_step_m_s_ * parameters_.time_step_s; }

void Scheme::seek(double ahead_s) noexcept {
    for (int i = 1; i <= assembly_.standing; ++i) {
        Body& body = assembly_.bodies[static_cast<std::size_t>(i)];
        const double rotation_rad = body.rotation_rad + ahead_s * body.rate_rad_s;
        body.sine = std::sin(rotation_rad);
        body.cosine = std::cos(rotation_rad);
        body.sought_m = body.centre_m + ahead_s * body.velocity_m_s;
    }
    if (beam_) beam_->seek(ahead_s);
    find_contacts(assembly_, beam_ ? &*beam_ : nullptr, depth_m_, contacts_);
    base_.is_on = beam_.has_value();
    for (Contact& c : contacts_) {
        if (beam_ && c.lower == 0) {
            beam_->close(c.slot, c.normal, c.tangent);
            base_.velocity[static_cast<std::size_t>(c.slot)] = beam_->velocity(c.slot);
        }
        c.before = relative_velocity(c, assembly_.bodies, base_);
        c.rebound_m_s = parameters_.restitution * std::min(c.before.n, 0.0);
        c.friction_ratio = friction_ratio_[static_cast<std::size_t>(c.lower)];
    }
}

/// Share of the next step after which an open corner of the foot touches the base; 1: none does.
double Scheme::share_until_impact() const noexcept {
    const Body& body = assembly_.bodies[1];
    const double dt = parameters_.time_step_s;
    const auto gap_m = [&](const ProfilePoint& corner, double after_s) {
        const double rotation_rad = body.rotation_rad + after_s * body.rate_rad_s;
        const double z = corner[1] * std::cos(rotation_rad) - corner[0] * std::sin(rotation_rad);
        return body.centre_m.z + after_s * body.velocity_m_s.z + z;
    };
    double share = 1.0;
    for (std::size_t i = 0; i < assembly_.slots.size(); ++i) {
        if (assembly_.slots[i].is_closed) continue;
        const ProfilePoint& corner = assembly_.foot->corner_m(i);
        const double now_m = gap_m(corner, 0.0), then_m = gap_m(corner, dt);
        if (!(now_m > 0.0 && then_m < 0.0)) continue;
        const double chord = now_m / (now_m - then_m);
        share = std::min(share, chord + gap_m(corner, chord * dt) / (now_m - then_m));
    }
    return share;
}

void Scheme::step(Vec2 drive_m_s) noexcept {
    constexpr double kShort = 1e-6;  // of a step: before the corner is sought closed
    const double share = assembly_.foot && assembly_.standing > 0 ? share_until_impact() - kShort : 0.0;
    const bool splits = share > kShort && share < 1.0 - 2.0 * kShort;
    if (splits) advance(share * drive_m_s, share * parameters_.time_step_s);
    const double rest = splits ? 1.0 - share : 1.0;
    advance(rest * drive_m_s, rest * parameters_.time_step_s);
}

void Scheme::advance(Vec2 drive_m_s, double step_s) noexcept {
    seek(parameters_.activation * step_s);
    const auto standing = static_cast<std::size_t>(assembly_.standing);
    auto& bodies = assembly_.bodies;
    for (std::size_t i = 1; i <= standing; ++i) {
        before_[i].velocity_m_s = bodies[i].velocity_m_s;
        before_[i].rate_rad_s = bodies[i].rate_rad_s;
        bodies[i].velocity_m_s = bodies[i].velocity_m_s - drive_m_s;
    }
    if (beam_) begin_base(drive_m_s);
    if (!contacts_.empty()) solve();
    if (beam_) end_base();
    const double now = parameters_.theta * step_s, then = step_s - now;
    for (std::size_t i = 1; i <= standing; ++i) {
        Body& body = bodies[i];
        body.centre_m = body.centre_m + now * body.velocity_m_s + then * before_[i].velocity_m_s;
        body.rotation_rad += now * body.rate_rad_s + then * before_[i].rate_rad_s;
    }
}

/// The beam's free velocity, and how it gives way at the contacts that are closed.
void Scheme::begin_base(Vec2 drive_m_s) noexcept {
    beam_->begin(drive_m_s);
    for (Contact& c : contacts_) {
        if (c.lower != 0) continue;
        const auto at = static_cast<std::size_t>(c.slot);
        base_.velocity[at] = beam_->velocity(c.slot);
        for (const Contact& other : contacts_)
            if (other.lower == 0)
                base_.give[at][static_cast<std::size_t>(other.slot)] = beam_->compliance(c.slot, other.slot);
        const auto& own = base_.give[at][at];
        c.wnn += own[0];
        c.wnt += 0.5 * (own[1] + own[2]);
        c.wtt += own[3];
        c.inverse_det = 1.0 / (c.wnn * c.wtt - c.wnt * c.wnt);
    }
}

void Scheme::end_base() noexcept {
    std::array<Local, Beam::kContacts> impulse{};
    std::array<bool, Beam::kContacts> is_closed{};
    for (const Contact& c : contacts_) {
        if (c.lower != 0) continue;
        impulse[static_cast<std::size_t>(c.slot)] = c.impulse;
        is_closed[static_cast<std::size_t>(c.slot)] = true;
    }
    beam_->end(impulse, is_closed);
}

void Scheme::solve() noexcept {
    const bool watches_energy = parameters_.restitution > 0.0 && !beam_;  // a beam's energy is not followed
    const double energy_before_j = watches_energy ? kinetic_energy_j() : 0.0;
    if (contacts_.size() == 1) {
        Contact& c = contacts_.front();
        Local u = relative_velocity(c, assembly_.bodies, base_);
        u.n += c.rebound_m_s;
        c.impulse = solve_alone(c, u);
        apply(c, c.impulse, assembly_.bodies, base_);
    } else {
        solve_several();
    }
    for (const Contact& c : contacts_) {
        Slot& slot = assembly_.slots[static_cast<std::size_t>(c.slot)];
        slot.impulse = c.impulse;
        slot.mode = c.mode;
    }
    if (!watches_energy) return;
    const double gain_j = kinetic_energy_j() - energy_before_j;
    if (gain_j <= 1e-12 * energy_before_j) return;
    energy_gain_.total_j += gain_j;
    energy_gain_.largest_j = std::max(energy_gain_.largest_j, gain_j);
    ++energy_gain_.steps;
}

/// One sweep of nonlinear Gauss-Seidel; velocities are updated at once.
Scheme::Change Scheme::sweep(bool upwards) noexcept {
    auto& bodies = assembly_.bodies;
    Change change;
    const auto improve = [&](Contact& c) {
        Local u = relative_velocity(c, bodies, base_);
        u.n += c.rebound_m_s - (c.wnn * c.impulse.n + c.wnt * c.impulse.t);
        u.t -= c.wnt * c.impulse.n + c.wtt * c.impulse.t;
        const Local solved = solve_alone(c, u);
        const Local by{solved.n - c.impulse.n, solved.t - c.impulse.t};
        c.impulse = solved;
        apply(c, by, bodies, base_);
        change.by_n_s += std::abs(by.n) + std::abs(by.t);
        change.of_n_s += solved.n;
    };
    if (upwards)
        for (Contact& c : contacts_) improve(c);
    else
        for (auto c = contacts_.rbegin(); c != contacts_.rend(); ++c) improve(*c);
    ++sweeps_.sweeps;
    return change;
}

void Scheme::start_from(bool impulses_of_last_step) noexcept {
    auto& bodies = assembly_.bodies;
    for (Contact& c : contacts_) {
        if (impulses_of_last_step) {
            const Slot& slot = assembly_.slots[static_cast<std::size_t>(c.slot)];
            c.impulse = slot.impulse;
            c.mode = slot.mode;
            apply(c, c.impulse, bodies, base_);
        } else {
            c.impulse = {};
            c.mode = {};
        }
    }
}

/// Nonlinear Gauss-Seidel from the impulses of the step before. Once it knows (or the step before has known) what every
/// contact does, the linear system of all of them takes it to the end; a sweep always has the last word. A direct
/// correction that did not help is taken back, and the next one waits twice as long. If that leads nowhere the
/// iteration starts again from no impulses.
void Scheme::solve_several() noexcept {
    constexpr int kAttemptSweeps = 100, kWaitMax = 64;
    ++sweeps_.steps;
    std::copy(assembly_.bodies.begin(), assembly_.bodies.end(), free_bodies_.begin());
    free_base_ = base_;
    for (int done = 0, attempt = 0; done < parameters_.sweeps_max; ++attempt) {
        if (attempt > 0) {
            std::copy(free_bodies_.begin(), free_bodies_.end(), assembly_.bodies.begin());
            base_ = free_base_;
        }
        start_from(attempt == 0);
        const int limit = attempt == 0 ? std::min(kAttemptSweeps, parameters_.sweeps_max) : parameters_.sweeps_max;
        Change last{std::numeric_limits<double>::infinity(), 0.0};
        int until_direct = attempt == 0 ? 0 : 2, wait = 1;
        for (; done < limit; ++done, --until_direct) {
            const bool tries = until_direct <= 0;
            if (tries) {
                std::copy(assembly_.bodies.begin(), assembly_.bodies.end(), kept_bodies_.begin());
                if (base_.is_on) kept_base_ = base_;
                kept_contacts_.assign(contacts_.begin(), contacts_.end());
                direct_.correct(contacts_, assembly_.bodies, base_);
            }
            const Change change = sweep(done % 2 == 0);
            if (change.by_n_s <= parameters_.tolerance * change.of_n_s) return;
            if (!tries) {
                last = change;
                continue;
            }
            if (!(change.by_n_s < last.by_n_s)) {
                std::copy(kept_bodies_.begin(), kept_bodies_.end(), assembly_.bodies.begin());
                if (base_.is_on) base_ = kept_base_;
                contacts_.assign(kept_contacts_.begin(), kept_contacts_.end());
                wait = std::min(2 * wait, kWaitMax);
            }
            until_direct = wait + 1;
        }
    }
    ++sweeps_.unfinished;
}

double Scheme::kinetic_energy_j() const noexcept {
    double twice_j = 0.0;
    for (int i = 1; i <= assembly_.standing; ++i) {
        const Body& body = assembly_.bodies[static_cast<std::size_t>(i)];
        twice_j += dot(body.velocity_m_s, body.velocity_m_s) / body.inverse_mass_1_kg +
                   body.rate_rad_s * body.rate_rad_s / body.inverse_inertia_1_kg_m2;
    }
    return 0.5 * twice_j;
}

bool Scheme::is_finite() const noexcept {
    double sum = 0.0;
    for (int i = 1; i <= assembly_.standing; ++i) {
        const Body& body = assembly_.bodies[static_cast<std::size_t>(i)];
        sum += body.rotation_rad + body.rate_rad_s + body.centre_m.x + body.centre_m.z;
    }
    return std::isfinite(sum);
}

void Scheme::remove_from(int block) noexcept {
    assembly_.standing = std::min(assembly_.standing, block);
    for (std::size_t i = static_cast<std::size_t>(kSlotsPerInterface * block); i < assembly_.slots.size(); ++i)
        assembly_.slots[i] = {};
}

}  // namespace topple::solver::contact

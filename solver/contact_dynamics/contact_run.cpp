// Contact dynamics as a run: the scheme on its grid of steps, its journal, and what is known in the end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/contact_dynamics/drive_clock.hpp"
#include "solver/contact_dynamics/journal.hpp"
#include "solver/contact_dynamics/start.hpp"
#include "solver/engine/run_impl.hpp"

namespace topple::solver {
namespace {

using namespace contact;

std::vector<double> friction_of(const Specimen& specimen) {
    std::vector<double> ratios(specimen.blocks.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < ratios.size(); ++i)
        if (const auto friction = friction_at(specimen, i)) ratios[i] = friction->kinetic_ratio;
    return ratios;
}

Scheme scheme_of(const Specimen& specimen, const SolverOptions& options, const Posture& posture) {
    std::optional<Beam> beam = beam_of(specimen, posture, options);
    Assembly assembly = assembly_of(specimen, posture, beam ? &*beam : nullptr);
    return Scheme(std::move(assembly), options.contact, friction_of(specimen), options.gravity_m_s2, std::move(beam));
}

class ContactRun final : public RunImpl {
  public:
    ContactRun(const Specimen& specimen, const SolverOptions& options, const Posture& posture)
        : scheme_(scheme_of(specimen, options, posture)),
          journal_(scheme_, options, posture.time_s),
          clock_(posture.time_s, options.contact.time_step_s, options.gravity_m_s2, specimen.initial_tilt_rad),
          gravity_m_s2_(options.gravity_m_s2),
          is_level_(specimen.initial_tilt_rad == 0.0),
          outcome_only_(options.outcome_only),
          restitution_(options.contact.restitution),
          steps_max_(options.contact.steps_max) {
        if (!specimen.blocks.empty()) journal_.sample(scheme_, posture.time_s, 0.0);
    }

    std::unique_ptr<RunImpl> clone() const override {
        auto copy = std::make_unique<ContactRun>(*this);
        copy->scheme_.make_room();
        return copy;
    }

    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept override {
        clock_.follow(pieces);
        while (clock_.time_s() < until_s && status_ == SolverStatus::ok) {
            if (!clock_.advance(until_s)) return;
            if (standing() == 0) {
                clock_.take();
                if (stop_when_decided) return;
                continue;
            }
            step(pieces);
            if (stop_when_decided && (standing() == 0 || journal_.rests() || (outcome_only_ && cannot_fall()))) return;
        }
    }

    void conclude() noexcept override {
        if (status_ != SolverStatus::ok || standing() == 0 || journal_.rests() || cannot_fall()) return;
        if (!journal_.uplifted()) return;  // slides for ever
        fail(SolverStatus::undecided);
    }

    double time_s() const noexcept override { return clock_.time_s(); }
    SolverStatus status() const noexcept override { return status_; }
    bool at_rest() const noexcept override { return standing() == 0 || journal_.rests(); }
    bool uplifted() const noexcept override { return journal_.uplifted(); }
    bool decided() const noexcept override { return at_rest() || cannot_fall(); }
    double rotation_rad(std::size_t block) const noexcept override {
        return stands(block) ? body(block).rotation_rad : journal_.fallen_side(static_cast<int>(block)) * kHalfPi;
    }
    double rate_rad_s(std::size_t block) const noexcept override {
        return stands(block) ? body(block).rate_rad_s : 0.0;
    }
    Support support(std::size_t block) const noexcept override {
        return journal_.support(scheme_, static_cast<int>(block));
    }
    double slip_m() const noexcept override { return block_count > 0 ? journal_.slip_m(0) : 0.0; }
    double slip_rate_m_s() const noexcept override {
        for (const Contact& c : scheme_.contacts())
            if (c.lower == 0) return relative_velocity(c, scheme_.assembly().bodies[0], scheme_.assembly().bodies[1]).t;
        return 0.0;
    }
    /// Mean over the last step, whatever the base does now.
    BaseReaction base_reaction(const BaseAcceleration&) const noexcept override {
        BaseReaction reaction;
        for (const Contact& c : scheme_.contacts()) {
            if (c.lower != 0) continue;
            reaction.horizontal_n -= c.impulse.t / scheme_.time_step_s();
            reaction.vertical_n -= c.impulse.n / scheme_.time_step_s();
        }
        return reaction;
    }
    StandingLoad standing_load() const noexcept override {
        StandingLoad load;
        load.lost_momentum_kg_m_s = lost_momentum_kg_m_s_;
        for (int i = 1; i <= standing(); ++i) {
            const double mass_kg = 1.0 / scheme_.assembly().bodies[static_cast<std::size_t>(i)].inverse_mass_1_kg;
            load.mass_kg += mass_kg;
            load.momentum_kg_m_s += mass_kg * scheme_.assembly().bodies[static_cast<std::size_t>(i)].velocity_m_s.x;
        }
        return load;
    }
    Prediction prediction() const override;

  private:
    int standing() const noexcept { return scheme_.assembly().standing; }
    bool stands(std::size_t block) const noexcept { return static_cast<int>(block) < standing(); }
    const Body& body(std::size_t block) const noexcept { return scheme_.assembly().bodies[block + 1]; }

    void step(const BasePieces& pieces) noexcept {
        scheme_.step(clock_.take());
        ++steps_;
        journal_.step(scheme_, clock_.time_s());
        journal_.sample(scheme_, clock_.time_s(), acceleration_m_s2(pieces));
        const int from = journal_.fallen_from(scheme_);
        if (from < standing()) fall(from);
        if ((steps_ & 1023) == 0 && !scheme_.is_finite()) fail(SolverStatus::not_finite);
        if (steps_ >= steps_max_) fail(SolverStatus::event_budget_spent);
    }
    double acceleration_m_s2(const BasePieces& pieces) const noexcept {
        return pieces.horizontal == nullptr ? 0.0 : pieces.horizontal->acceleration_m_s2(clock_.time_s());
    }
    void fall(int from) noexcept {
        journal_.fall(scheme_, from, clock_.time_s());
        for (int i = from + 1; i <= standing(); ++i) {
            const Body& gone = scheme_.assembly().bodies[static_cast<std::size_t>(i)];
            lost_momentum_kg_m_s_ += gone.velocity_m_s.x / gone.inverse_mass_1_kg;
        }
        scheme_.remove_from(from);
    }
    void fail(SolverStatus status) noexcept {
        status_ = status;
        status_time_s_ = clock_.time_s();
    }
    /// One body on a level base at constant velocity: whatever it does, its energy does not lift it over a corner.
    /// Where Newton's restitution may add energy, half of the barrier is kept in hand.
    bool cannot_fall() const noexcept {
        if (standing() != 1 || !is_level_ || scheme_.beam()) return false;
        const Body& block = scheme_.assembly().bodies[1];
        if (scheme_.assembly().foot) return cannot_roll_over(*scheme_.assembly().foot, block);
        const double half_diagonal_m = std::hypot(block.half_width_m, block.half_height_m);
        if (std::abs(block.rotation_rad) >= std::atan2(block.half_width_m, block.half_height_m)) return false;
        const double weight_n = gravity_m_s2_ / block.inverse_mass_1_kg;
        const double barrier_j = weight_n * (half_diagonal_m - block.half_height_m);
        const double energy_j = scheme_.kinetic_energy_j() + weight_n * (block.centre_m.z - block.half_height_m);
        return energy_j < (restitution_ > 0.0 ? 0.5 : 1.0) * barrier_j;
    }

    bool cannot_roll_over(const FootRoll& foot, const Body& body) const noexcept {
        const double weight_n = gravity_m_s2_ / body.inverse_mass_1_kg;
        const double now_m = foot.height_m(body.rotation_rad), barrier_m = foot.barrier_m(body.rotation_rad) - now_m;
        const double energy_j = scheme_.kinetic_energy_j() + weight_n * (body.centre_m.z - now_m);
        return energy_j < (restitution_ > 0.0 ? 0.5 : 1.0) * weight_n * barrier_m;
    }

    Scheme scheme_;
    Journal journal_;
    DriveClock clock_;
    double gravity_m_s2_;
    bool is_level_, outcome_only_;
    double restitution_;
    std::uint64_t steps_ = 0, steps_max_;
    SolverStatus status_ = SolverStatus::ok;
    double status_time_s_ = 0.0, lost_momentum_kg_m_s_ = 0.0;
};

Prediction ContactRun::prediction() const {
    Prediction prediction;
    prediction.status = status_;
    prediction.status_time_s = status_time_s_;
    if (block_count == 0) {
        prediction.outcome = Outcome::translation;
        return prediction;
    }
    journal_.fill(prediction);
    const SweepCount& sweeps = scheme_.sweeps();
    const EnergyGain& gain = scheme_.energy_gain();
    prediction.contact = ContactReport{};
    prediction.contact->unfinished_steps = sweeps.unfinished;
    prediction.contact->energy_gain_steps = gain.steps;
    prediction.contact->energy_gain_j = gain.total_j;
    prediction.contact->steps = steps_;
    prediction.contact->sweeps = sweeps.sweeps;
    if (status_ != SolverStatus::ok) {
        prediction.direction.reset();
        return prediction;
    }
    const std::size_t fallen = prediction.blocks_overturned.size();
    if (fallen > 0)
        prediction.outcome = block_count == 1        ? Outcome::overturning
                             : fallen == block_count ? Outcome::total_overturning
                                                     : Outcome::partial_overturning;
    else
        prediction.outcome = journal_.uplifted()                        ? Outcome::rocking
                             : journal_.peak_slip_m() >= kSlidingSlip_m ? Outcome::sliding
                                                                        : Outcome::translation;
    const bool moved = journal_.uplifted() || journal_.peak_slip_m() > scheme_.resolved_gap_m();
    if (standing() > 0 && journal_.rests() && moved) prediction.settled_time_s = journal_.settled_s();
    if (const auto& foot = scheme_.assembly().foot; foot && standing() > 0 && journal_.rests())
        prediction.resting_face = foot->face_near(body(0).rotation_rad);
    return prediction;
}

}  // namespace

std::unique_ptr<RunImpl> make_contact_run(const Specimen& specimen, const SolverOptions& options) {
    return std::make_unique<ContactRun>(specimen, options, initial_posture(specimen));
}

std::unique_ptr<RunImpl> make_contact_run(const Specimen& specimen, const SolverOptions& options,
                                          const Posture& posture) {
    return std::make_unique<ContactRun>(specimen, options, posture);
}

}  // namespace topple::solver

#include "solver/laws/air_track.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solver/engine/rocking_engine.hpp"
#include "solver/laws/sliding_body.hpp"
#include "solver/numerics/accepted_step.hpp"
#include "solver/numerics/first_crossing.hpp"
#include "solver/predict.hpp"

namespace topple::solver {
namespace {

constexpr double kStep = 0.2;  // longest step, times 1/p
constexpr double kRelativeTolerance = 1e-11, kAngleTolerance = 1e-12, kGapNoise = 1e-14;

enum class TrackEvent { none, landing, impact, fall };

/// Coordinates: [0] rotation of the block, [1] way of the slider.
class TrackRun {
  public:
    TrackRun(const Specimen& specimen, const AirTrack& track, const SolverOptions& options)
        : body_(make_sliding_body(specimen, options.gravity_m_s2)), track_(track), options_(options), trace_(options) {}

    Prediction run();

  private:
    double moving_kg() const noexcept { return body_.mass_kg + track_.slider_kg + (pulled_ ? track_.hanging_kg : 0.0); }
    double pull_n() const noexcept { return pulled_ ? track_.hanging_kg * options_.gravity_m_s2 : 0.0; }
    Row<2> accelerations(const Motion<2>& motion) const noexcept;
    double guard(TrackEvent event, const Motion<2>& motion) const noexcept;
    TrackEvent step();
    template <class At>
    TrackEvent first_event(At&& at, double& sigma) const;
    void stand() noexcept;  // in full contact: does the pull lift it?
    void impact();
    bool stable() const noexcept;
    bool surely_falls() const noexcept;
    void sample(double time_s, const Motion<2>& motion, bool grid);
    Prediction answer() const;

    SlidingBody body_;
    AirTrack track_;
    SolverOptions options_;
    Trace<1> trace_;
    Motion<2> motion_;
    double time_s_ = 0.0, step_next_s_ = 1.0, landed_s_ = 0.0, settled_s_ = 0.0;
    int support_ = 0;
    bool pulled_ = true, uplifted_ = false;
    SolverStatus status_ = SolverStatus::ok;
    Dop853<2> dop853_;
};

/// (Mt) X'' + m (z theta'' - x theta'^2) = F,  I_O theta'' + m z X'' = m x g;  (x, z): corner -> mass centre.
Row<2> TrackRun::accelerations(const Motion<2>& motion) const noexcept {
    const double total = moving_kg(), pull = pull_n(), m = body_.mass_kg;
    if (support_ == 0) return {0.0, pull / total};
    const Vec2 r = centre_from_corner(body_, support_, motion.phi_rad[0]);
    const double w2 = motion.psi_rad_s[0] * motion.psi_rad_s[0];
    const double push = pull + m * r.x * w2;
    const double inertia = body_.inertia_kg_m2 + m * dot(r, r) - m * m * r.z * r.z / total;
    const double a = (m * r.x * options_.gravity_m_s2 - m * r.z * push / total) / inertia;
    return {a, (push - m * r.z * a) / total};
}

/// Positive until the event.
double TrackRun::guard(TrackEvent event, const Motion<2>& motion) const noexcept {
    switch (event) {
        case TrackEvent::landing: return pulled_ ? track_.drop_m - motion.phi_rad[1] : 1.0;
        case TrackEvent::impact: return support_ == 0 ? 1.0 : support_ * motion.phi_rad[0] + kGapNoise;
        case TrackEvent::fall: return kHalfPi - std::abs(motion.phi_rad[0]);
        case TrackEvent::none: return 1.0;
    }
    return 1.0;
}

template <class At>
TrackEvent TrackRun::first_event(At&& at, double& sigma) const {
    TrackEvent first = TrackEvent::none;
    for (const TrackEvent event : {TrackEvent::landing, TrackEvent::impact, TrackEvent::fall}) {
        const auto shrinks = [&](double s) {
            return event != TrackEvent::impact || support_ * at(s).psi_rad_s[0] < 0.0;
        };
        const auto found = first_crossing([&](double s) { return guard(event, at(s)); }, shrinks, sigma);
        if (found && (first == TrackEvent::none || *found < sigma)) first = event, sigma = *found;
    }
    return first;
}

TrackEvent TrackRun::step() {
    const auto f = [&](double, const Motion<2>& motion) { return accelerations(motion); };
    const StepEnd<2> from{time_s_, motion_, accelerations(motion_)};
    const Dop853<2>::Tolerance tolerance{kAngleTolerance, kAngleTolerance * body_.p_rad_s, kRelativeTolerance};
    double wanted_s = std::min(kStep / body_.p_rad_s, step_next_s_);
    const double up = support_ * motion_.psi_rad_s[0], down = -support_ * from.acceleration_rad_s2[0];
    if (up > 0.0 && down > 0.0) wanted_s = std::min(wanted_s, 3.0 * up / down);  // 1.5 flights of a hop
    auto [end, step_s, next_s, status] = accepted_step(dop853_, f, from, wanted_s, tolerance);
    if (status != SolverStatus::ok) return status_ = status, TrackEvent::none;
    step_next_s_ = next_s;
    dop853_.prepare_dense(f);
    const auto at = [&](double sigma) { return dop853_.interpolate(f, sigma); };
    double sigma = 1.0;
    const TrackEvent event = first_event(at, sigma);
    while (trace_.next_sample_s() <= time_s_ + sigma * step_s)
        sample(trace_.next_sample_s(), at(std::min(1.0, (trace_.next_sample_s() - time_s_) / step_s)), true);
    const double before = motion_.psi_rad_s[0], after = at(sigma).psi_rad_s[0];
    if (before != 0.0 && (before > 0.0) != (after > 0.0)) {
        const auto rate = [&](double s) { return at(s).psi_rad_s[0]; };
        const double turn = find_root(rate, 0.0, sigma, before, after, 0.0).before;
        trace_.peak(Motion<1>{{at(turn).phi_rad[0]}, {}}, 1);
    }
    if (event != TrackEvent::none) dop853_.attempt(f, from, sigma * step_s, 2, tolerance, end);
    time_s_ = from.time_s + sigma * step_s;
    motion_ = end.motion;
    trace_.peak(Motion<1>{{motion_.phi_rad[0]}, {}}, 1);
    return event;
}

void TrackRun::stand() noexcept {
    const double a = pull_n() / moving_kg();
    support_ = a * body_.height_m[0] > options_.gravity_m_s2 * body_.reach_m[0] * (1.0 + 1e-12) ? -1 : 0;
    uplifted_ = uplifted_ || support_ != 0;
    if (support_ == 0) settled_s_ = time_s_;
}

/// The horizontal impulse on the block acts on the slider as well; the vertical one where it gives the block's ratio on
/// a base that does not give way.
void TrackRun::impact() {
    const std::size_t old_side = side_index(support_), new_side = side_index(-support_);
    const double m = body_.mass_kg, z = body_.height_m[0], x = body_.reach_m[old_side], y = body_.reach_m[new_side];
    const double fixed = body_.inertia_kg_m2 + m * z * z, ratio = body_.at_impact().sticking_ratio[old_side];
    const double lever = fixed * (1.0 - ratio) / (x + ratio * y);
    const double inertia = fixed - m * m * z * z / moving_kg();
    const double before = motion_.psi_rad_s[0];
    const double after = before * std::max(0.0, (inertia - lever * x) / (inertia + lever * y));
    trace_.impact({time_s_, 0, {before}, {after}});
    motion_.phi_rad[0] = 0.0;
    motion_.psi_rad_s[1] -= m * z / moving_kg() * (after - before);
    motion_.psi_rad_s[0] = after;
    support_ = -support_;
    if (std::abs(after) > kRestRate * body_.p_rad_s) return;
    motion_.psi_rad_s[1] += m * z / moving_kg() * after;
    motion_.psi_rad_s[0] = 0.0;
    stand();
}

/// Between impacts the energy relative to the common centre of mass is kept once the mass has landed.
bool TrackRun::stable() const noexcept {
    if (pulled_ || support_ == 0) return !pulled_;
    const Vec2 r = centre_from_corner(body_, support_, motion_.phi_rad[0]);
    const double m = body_.mass_kg, g = options_.gravity_m_s2, w = motion_.psi_rad_s[0];
    const double inertia = body_.inertia_kg_m2 + m * dot(r, r) - m * m * r.z * r.z / moving_kg();
    const auto barrier = [&](std::size_t side) {
        return m * g * (std::hypot(body_.reach_m[side], body_.height_m[side]) - body_.height_m[side]);
    };
    const double energy = 0.5 * inertia * w * w + m * g * (r.z - body_.height_m[side_index(support_)]);
    return support_ * r.x < 0.0 && energy < std::min(barrier(0), barrier(1));
}

/// Beyond its balance and turning on: nothing drives it back.
bool TrackRun::surely_falls() const noexcept {
    if (pulled_ || support_ == 0) return false;
    return support_ * centre_from_corner(body_, support_, motion_.phi_rad[0]).x > 0.0 &&
           support_ * motion_.psi_rad_s[0] >= 0.0;
}

void TrackRun::sample(double time_s, const Motion<2>& motion, bool grid) {
    if (!trace_.keeps_history()) return;
    trace_.sample(time_s, accelerations(motion)[1], Motion<1>{{motion.phi_rad[0]}, {motion.psi_rad_s[0]}}, {support_},
                  trace_.fallen_count() > 0 ? 0 : 1, grid);
}

Prediction TrackRun::run() {
    stand();
    sample(0.0, motion_, true);
    std::size_t events = 0;
    while (status_ == SolverStatus::ok) {
        if (!pulled_ && (support_ == 0 || (options_.outcome_only && stable()))) break;
        if (!pulled_ && time_s_ > landed_s_ + options_.settle_limit_s) {
            if (!stable() && !surely_falls()) status_ = SolverStatus::undecided;
            break;
        }
        const TrackEvent event = step();
        if (event == TrackEvent::landing) pulled_ = false, landed_s_ = time_s_;
        if (event == TrackEvent::impact) impact();
        if (event == TrackEvent::fall) trace_.fall(0, support_, time_s_);
        if (event == TrackEvent::none) continue;
        sample(time_s_, motion_, false);
        step_next_s_ = 1.0;
        if (event == TrackEvent::fall) break;
        if (++events <= options_.events_max) continue;
        if (!pulled_ && stable()) break;
        status_ = SolverStatus::event_budget_spent;
    }
    return answer();
}

Prediction TrackRun::answer() const {
    Prediction prediction;
    prediction.status = status_;
    prediction.status_time_s = status_ == SolverStatus::ok ? 0.0 : time_s_;
    prediction.outcome = uplifted_ ? Outcome::rocking : Outcome::translation;
    if (trace_.fallen_count() > 0) {
        prediction.outcome = Outcome::overturning;
        prediction.overturn_time_s = trace_.first_fall_s();
        prediction.direction = side_name(trace_.fallen_side(0));
        prediction.blocks_overturned = {0};
    } else if (surely_falls()) {
        prediction.outcome = Outcome::overturning;
        prediction.direction = side_name(support_);
        prediction.blocks_overturned = {0};
    } else if (uplifted_ && support_ == 0) {
        prediction.settled_time_s = settled_s_;
    }
    fill_from_trace(trace_, 1, prediction);
    if (status_ != SolverStatus::ok) withdraw_outcome(prediction);
    return prediction;
}

void require_level(const SolverOptions& options) {
    if (options.vertical) throw std::invalid_argument("coupled air track: its base has no vertical motion");
}

void require_plain_block(const Specimen& specimen, const AirTrack& track) {
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    validate(specimen);
    if (specimen.blocks.size() != 1) refuse("coupled air track: one single block only");
    if (specimen.friction) refuse("coupled air track: the block does not slide; leave friction out");
    if (specimen.initial_tilt_rad != 0.0) refuse("coupled air track: initial_tilt_rad must be 0");
    if (!specimen.initial_rotation_rad.empty() && specimen.initial_rotation_rad[0] != 0.0)
        refuse("coupled air track: initial_rotation_rad must be 0");
    if (starts_turning(specimen)) refuse("coupled air track: initial_rotation_rate_rad_s must be 0");
    for (const double positive : {track.slider_kg, track.hanging_kg, track.drop_m})
        if (!(std::isfinite(positive) && positive > 0.0)) refuse("coupled air track: masses and drop must be > 0");
}

}  // namespace

double AirTrack::acceleration_m_s2(double block_kg, double gravity_m_s2) const noexcept {
    return hanging_kg * gravity_m_s2 / (slider_kg + block_kg + hanging_kg);
}

double AirTrack::pull_duration_s(double block_kg, double gravity_m_s2) const noexcept {
    return std::sqrt(2.0 * drop_m / acceleration_m_s2(block_kg, gravity_m_s2));
}

Prediction predict_coupled(const Specimen& specimen, const AirTrack& track, const SolverOptions& options) {
    require_plain_block(specimen, track);
    require_level(options);
    Prediction prediction = TrackRun(specimen, track, options).run();
    prediction.restitution = restitution_ratios(specimen);
    return prediction;
}

CriticalDrop critical_drop(const Specimen& specimen, const AirTrack& track, const SolverOptions& asked) {
    require_plain_block(specimen, track);
    require_level(asked);
    constexpr double kDropMin_m = 1e-6, kDropMax_m = 1000.0;
    SolverOptions options = asked;
    options.outcome_only = true;
    options.history_step_s = 0.0;
    const double block_kg = specimen.blocks[0].mass_kg, a0 = track.acceleration_m_s2(block_kg, options.gravity_m_s2);
    const auto search = [&](auto&& outcome_at) -> std::optional<double> {
        bool failed = false;
        const auto falls = [&](double drop_m) {
            const std::optional<Outcome> outcome = outcome_at(drop_m);
            failed = failed || !outcome;
            return is_overturning(outcome);
        };
        double high = kDropMin_m;
        while (!falls(high) && !failed)
            if ((high *= 1.5) > kDropMax_m) return std::nullopt;
        double low = high / 1.5;
        while (high - low > 1e-9 * high && !failed) (falls(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
        return failed ? std::nullopt : std::optional(high);
    };
    CriticalDrop critical;
    if (a0 <= uplift_acceleration_m_s2(specimen, options.gravity_m_s2)) return critical;
    critical.prescribed_m = search([&](double drop_m) {
        const BaseMotion pulse = constant_acceleration(a0, std::sqrt(2.0 * drop_m / a0));
        return predict(specimen, pulse, options).outcome;
    });
    critical.coupled_m = search([&](double drop_m) {
        AirTrack there = track;
        there.drop_m = drop_m;
        return TrackRun(specimen, there, options).run().outcome;
    });
    return critical;
}

}  // namespace topple::solver

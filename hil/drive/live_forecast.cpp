#include "hil/drive/live_forecast.hpp"

#include <algorithm>
#include <chrono>
#include <numbers>

#include "hil/experiment/axis_motions.hpp"

namespace topple::hil::drive {
namespace {

constexpr double kForecastPeriod_s = 0.02;  // what an eye can follow
constexpr double kWeighing_s = 0.02;
constexpr double kFreshFor_s = 0.026;      // a forecast that is 10 ms old when it begins is to be renewed by then
constexpr double kBudget_s = 0.006;        // for one forecast of all specimens, and what was followed before
constexpr std::size_t kPiecesOfWave = 50;  // a motion of more is a record

solver::SolverOptions described_options(double gravity_m_s2) {
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    options.outcome_only = true;
    options.impacts_max = 0;
    return options;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::vector<PlaneMotion> plane_motions(const experiment::Experiment& experiment,
                                       std::span<const controller::Profile> axes) {
    std::vector<solver::BaseMotion> motions;
    for (const controller::Profile& axis : axes) motions.push_back(axis.motion);
    std::vector<PlaneMotion> planned;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        const double angle_rad = experiment::plane_angle_rad(experiment, i);
        planned.push_back({experiment::motion_along(motions, angle_rad), experiment::share_along(angle_rad),
                           experiment::share_along(angle_rad - 0.5 * std::numbers::pi)});
    }
    return planned;
}

LiveForecast::LiveForecast(const std::vector<solver::Specimen>& specimens, const std::vector<PlaneMotion>& planned,
                           double gravity_m_s2, const ForecastMembers& members)
    : delays_(specimens.size()), outcomes_(specimens.size()), following_s_(specimens.size(), 0.0) {
    for (const PlaneMotion& motion : planned) {
        planes_.push_back({motion.along_x, motion.along_y});
        planned_.emplace_back(motion.planned);
    }
    for (std::size_t i = 0; i < specimens.size(); ++i) {
        const solver::Specimen& specimen = specimens[i];
        const bool is_wave = planned_[i].motion().pieces().size() <= kPiecesOfWave;
        const std::size_t lanes_ahead = is_wave ? members.in_lanes_ahead : members.in_lanes_ahead_of_record;
        described_.emplace_back(specimen, described_options(gravity_m_s2));
        const bool in_lanes = EnsembleForecast::is_for_lanes(specimen, members.uncertainty, gravity_m_s2);
        ensembles_.emplace_back(specimen, members.uncertainty, gravity_m_s2,
                                in_lanes ? members.in_lanes : members.in_runs);
        budgets_.emplace_back(kBudget_s / static_cast<double>(specimens.size()), EnsembleForecast::kMembersMin,
                              in_lanes ? lanes_ahead : members.in_runs);
        for (std::size_t k = 0; k < specimen.blocks.size(); ++k)
            released_rad_.push_back(specimen.initial_rotation_rad.empty() ? 0.0 : specimen.initial_rotation_rad[k]);
    }
}

void LiveForecast::keep(const MeasuredRotation& rotation) noexcept {
    rotations_[next_rotation_] = rotation;
    next_rotation_ = (next_rotation_ + 1) % rotations_.size();
}

void LiveForecast::at_rest() noexcept {
    const MeasuredRotation& newest = rotations_[(next_rotation_ + rotations_.size() - 1) % rotations_.size()];
    if (newest.count == released_rad_.size() && newest.count > 0) zero_.add(newest.rotation_rad);
}

void LiveForecast::follow(const controller::MotionEstimate& estimate, std::uint64_t motion_start_us,
                          const controller::MotionEstimate& y) {
    const double from_s = newest_us_ == 0 ? 0.0 : static_cast<double>(newest_us_ - motion_start_us) * 1e-6;
    const double to_s = static_cast<double>(estimate.device_time_us - motion_start_us) * 1e-6;
    if (to_s <= from_s) return;
    const double from_x_m_s2 = newest_us_ == 0 ? estimate.acceleration_m_s2 : newest_x_m_s2_;
    const double from_y_m_s2 = newest_us_ == 0 ? y.acceleration_m_s2 : newest_y_m_s2_;
    solver::MotionPiece line;
    line.start_s = from_s;
    line.end_s = to_s;
    for (std::size_t i = 0; i < ensembles_.size(); ++i) {
        const auto start = std::chrono::steady_clock::now();
        const Plane& plane = planes_[i];
        const double from_m_s2 = plane.of(from_x_m_s2, from_y_m_s2);
        const double to_m_s2 = plane.of(estimate.acceleration_m_s2, y.acceleration_m_s2);
        line.polynomial = {from_m_s2, (to_m_s2 - from_m_s2) / (to_s - from_s), 0.0, 0.0};
        delays_[i].add(planned_[i].motion().at(to_s), plane.of(estimate.velocity_m_s, y.velocity_m_s));
        described_[i].advance(line, to_s);
        ensembles_[i].follow(line);
        following_s_[i] += seconds_since(start);
    }
    newest_us_ = estimate.device_time_us;
    newest_x_m_s2_ = estimate.acceleration_m_s2;
    newest_y_m_s2_ = y.acceleration_m_s2;
    if (static_cast<double>(newest_us_ - std::max(weighed_us_, motion_start_us)) * 1e-6 > kWeighing_s - 1e-6) weigh();
}

bool LiveForecast::is_due() const noexcept {
    if (forecast_time_us_ == 0) return true;
    const double wait_s = adapts_ ? std::clamp(kFreshFor_s - forecast_s_, 0.0, kForecastPeriod_s) : kForecastPeriod_s;
    return static_cast<double>(newest_us_ - forecast_time_us_) * 1e-6 > wait_s - 1e-6;
}

void LiveForecast::run_ahead() {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < ensembles_.size(); ++i) {
        const auto start_of_one = std::chrono::steady_clock::now();
        const std::size_t members = ensembles_[i].member_count();
        outcomes_[i] = ensembles_[i].run_ahead(planned_[i], delays_[i].delay_s(), budgets_[i].ahead());
        if (!adapts_) continue;
        ensembles_[i].keep_only(budgets_[i].spent(following_s_[i], seconds_since(start_of_one),
                                                  outcomes_[i].forecast.members_run_ahead, members));
        following_s_[i] = 0.0;
    }
    forecast_time_us_ = newest_us_;
    forecast_s_ = seconds_since(start);
}

double LiveForecast::overturning_probability() const noexcept {
    double most = 0.0;
    for (const ForecastOutcome& one : outcomes_) most = std::max(most, run_log::overturning_probability(one.forecast));
    return most;
}

double LiveForecast::standing_probability() const noexcept {
    double standing = 1.0;
    for (const ForecastOutcome& one : outcomes_) standing *= drive::standing_probability(one.forecast);
    return standing;
}

std::vector<double> LiveForecast::standing_along(std::span<const MotionAhead> motions, std::size_t members) const {
    std::vector<double> standing(motions.size(), 1.0);
    for (std::size_t specimen = 0; specimen < ensembles_.size(); ++specimen) {
        const std::vector<double> one =
            ensembles_[specimen].standing_along(motions, delays_[specimen].delay_s(), members);
        for (std::size_t i = 0; i < standing.size(); ++i) standing[i] *= one[i];
    }
    return standing;
}

void LiveForecast::weigh() {
    const MeasuredRotation* measured = rotation_at(newest_us_);
    if (measured == nullptr || measured->count != released_rad_.size() || !zero_.known()) return;
    std::array<double, firmware_iface::kRotationSensorsMax> rotation_rad{};
    for (std::size_t k = 0; k < measured->count; ++k)
        rotation_rad[k] = measured->rotation_rad[k] - zero_[k] + released_rad_[k];
    std::size_t first = 0;
    for (EnsembleForecast& ensemble : ensembles_) {
        ensemble.weigh(std::span(rotation_rad).subspan(first, ensemble.block_count()));
        first += ensemble.block_count();
    }
    weighed_us_ = newest_us_;
}

const MeasuredRotation* LiveForecast::rotation_at(std::uint64_t device_time_us) const noexcept {
    for (const MeasuredRotation& rotation : rotations_)
        if (rotation.count > 0 && rotation.device_time_us == device_time_us) return &rotation;
    return nullptr;
}

}  // namespace topple::hil::drive

#include "hil/drive/ensemble_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hil/plan/ensemble.hpp"
#include "solver/lanes/outcomes_in_lanes.hpp"

namespace topple::hil::drive {
namespace {

constexpr double kSettleLimit_s = 60.0;  // as for `predict`: decided at rest or this long after the excitation
constexpr double kFarthest = 5.0;        // standard deviations: one wild reading must not decide everything
constexpr double kResampleBelow = 0.5;   // of the members, effective

solver::SolverOptions forecast_options(double gravity_m_s2) {
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    options.outcome_only = true;
    options.impacts_max = 0;
    options.settle_limit_s = kSettleLimit_s;
    return options;
}

/// The value that half of the weight lies below. NaN for none.
double weighted_median(std::vector<std::pair<double, double>> value_and_weight) {
    std::sort(value_and_weight.begin(), value_and_weight.end());
    double total = 0.0, below = 0.0;
    for (const auto& [value, weight] : value_and_weight) total += weight;
    for (const auto& [value, weight] : value_and_weight) {
        below += weight;
        if (below >= 0.5 * total) return value;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::optional<solver::Outcome> likeliest(const run_log::Forecast& forecast) {
    const auto& p = forecast.probability;
    const auto most = std::max_element(p.begin(), p.end());
    if (1.0 - std::accumulate(p.begin(), p.end(), 0.0) > *most) return std::nullopt;
    return solver::outcome_of_code(static_cast<unsigned>(most - p.begin()));
}

/// The shares of each outcome, and of falls to the left.
void add_probabilities(std::span<const solver::BodyEnd> ends, std::span<const double> weights,
                       run_log::Forecast& forecast) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!ends[i].outcome) continue;
        forecast.probability[solver::outcome_code(ends[i].outcome)] += weights[i];
        if (ends[i].direction == solver::Side::left) forecast.overturning_left_probability += weights[i];
    }
    for (double& probability : forecast.probability) probability = std::min(probability, 1.0);  // rounding of the sum
    forecast.overturning_left_probability = std::min(forecast.overturning_left_probability, 1.0);
}

/// Median over the members that end like the likeliest. A body that never moves has no such time.
double expected_time_s(std::optional<solver::Outcome> outcome, std::span<const solver::BodyEnd> ends,
                       std::span<const double> weights) {
    std::vector<std::pair<double, double>> times;
    if (outcome && *outcome != solver::Outcome::translation)
        for (std::size_t i = 0; i < ends.size(); ++i)
            if (ends[i].outcome == outcome && std::isfinite(ends[i].time_s))
                times.emplace_back(ends[i].time_s, weights[i]);
    return weighted_median(std::move(times));
}

}  // namespace

double standing_probability(const run_log::Forecast& forecast) noexcept {
    const double decided = std::accumulate(forecast.probability.begin(), forecast.probability.end(), 0.0);
    return decided - run_log::overturning_probability(forecast);
}

EnsembleForecast::EnsembleForecast(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                                   double gravity_m_s2, std::size_t members)
    : block_count_(specimen.blocks.size()),
      noise_rad_(std::hypot(kRotationSensor_rad,
                            kModelError_ratio * solver::scale_of(specimen, gravity_m_s2).slenderness_rad)),
      weights_(0),
      effective_count_(0.0),
      random_(uncertainty.seed) {
    const bool all_rows = plan::ensemble_size(uncertainty, members) <= members;
    if (all_rows) members = plan::ensemble_size(uncertainty, members);
    std::vector<std::size_t> index = plan::equal_members(uncertainty, members);
    if (all_rows) std::iota(index.begin(), index.end(), std::size_t{0});
    std::vector<solver::Specimen> specimens;
    std::vector<double> log_weights;
    for (const std::size_t i : index) {
        plan::EnsembleDraw draw = plan::draw_member(specimen, uncertainty, i, plan::MotionIs::planned);
        specimens.push_back(std::move(draw.specimen));
        amplitude_factors_.push_back(draw.amplitude_factor);
        log_weights.push_back(std::log(draw.weight));
    }
    weights_.make_equal(members);
    if (all_rows && uncertainty.members && uncertainty.members->is_weighted) weights_.multiply(log_weights);
    effective_count_ = weights_.effective_count();
    in_lanes_ = carried_in_lanes(specimens, forecast_options(gravity_m_s2));
    members_ = carry(specimens, forecast_options(gravity_m_s2));
}

bool EnsembleForecast::is_for_lanes(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                                    double gravity_m_s2) {
    std::vector<solver::Specimen> first;
    for (const std::size_t i : plan::equal_members(uncertainty, kMembersMin))
        first.push_back(plan::draw_member(specimen, uncertainty, i, plan::MotionIs::planned).specimen);
    return carried_in_lanes(first, forecast_options(gravity_m_s2));
}

void EnsembleForecast::become(std::span<const std::size_t> parents) {
    std::vector<double> factors;
    for (const std::size_t parent : parents) factors.push_back(amplitude_factors_[parent]);
    amplitude_factors_ = std::move(factors);
    weights_.make_equal(parents.size());
}

void EnsembleForecast::follow(const solver::MotionPiece& line) {
    members_->follow(line);
    time_s_ = std::max(time_s_, line.end_s);
}

double EnsembleForecast::log_likelihood(std::size_t member, std::span<const double> rotation_rad) const noexcept {
    double squares = 0.0;
    for (std::size_t block = 0; block < block_count_; ++block) {
        if (!std::isfinite(rotation_rad[block])) continue;
        const double error = (members_->rotation_rad(member, block) - rotation_rad[block]) / noise_rad_;
        squares += std::min(error * error, kFarthest * kFarthest);
    }
    return -0.5 * squares;
}

void EnsembleForecast::weigh(std::span<const double> rotation_rad) {
    if (rotation_rad.size() < block_count_) return;
    const double share = std::min(1.0, (time_s_ - weighed_s_) / kModelError_s);  // of an independent reading
    weighed_s_ = time_s_;
    std::vector<double> log_likelihoods(member_count());
    for (std::size_t i = 0; i < log_likelihoods.size(); ++i)
        log_likelihoods[i] = share * log_likelihood(i, rotation_rad);
    weights_.multiply(log_likelihoods);
    effective_count_ = weights_.effective_count();
    if (effective_count_ >= kResampleBelow * static_cast<double>(member_count())) return;
    const std::vector<std::size_t> parents = weights_.drawn(member_count());
    if (members_->resample(parents, weights_.values(), random_)) become(parents);
}

void EnsembleForecast::keep_only(std::size_t count) {
    count = std::max(count, kMembersMin);
    if (count >= member_count()) return;
    const std::vector<std::size_t> kept = weights_.drawn(count);
    members_->keep_only(kept);
    become(kept);
    effective_count_ = std::min(effective_count_, static_cast<double>(count));
}

EnsembleForecast::Sample EnsembleForecast::sample(std::size_t count) const {
    Sample sample;
    if (count < member_count()) {
        sample.which = weights_.drawn(count);
        sample.weights.assign(count, 1.0 / static_cast<double>(count));
    } else {
        sample.which.resize(member_count());
        std::iota(sample.which.begin(), sample.which.end(), std::size_t{0});
        sample.weights.assign(weights_.values().begin(), weights_.values().end());
    }
    for (const std::size_t member : sample.which) sample.amplitude_factors.push_back(amplitude_factors_[member]);
    return sample;
}

std::vector<solver::BodyEnd> EnsembleForecast::ends_along(const MotionAhead& motion, double delay_s,
                                                          const Sample& sample) const {
    return members_->ends_along(motion, {sample.which, sample.amplitude_factors, delay_s});
}

ForecastOutcome EnsembleForecast::run_ahead(const MotionAhead& motion, double delay_s, std::size_t count) const {
    const Sample members = sample(count);
    const auto ends = ends_along(motion, delay_s, members);
    ForecastOutcome result;
    run_log::Forecast& forecast = result.forecast;
    add_probabilities(ends, members.weights, forecast);
    result.outcome = likeliest(forecast);
    forecast.expected_time_s = expected_time_s(result.outcome, ends, members.weights);
    forecast.members = static_cast<std::uint32_t>(member_count());
    forecast.members_run_ahead = static_cast<std::uint32_t>(members.which.size());
    forecast.effective_members = effective_count_;
    return result;
}

std::vector<double> EnsembleForecast::standing_along(std::span<const MotionAhead> motions, double delay_s,
                                                     std::size_t count) const {
    const Sample members = sample(count);
    std::vector<double> standing;
    for (const MotionAhead& motion : motions) {
        run_log::Forecast forecast;
        add_probabilities(ends_along(motion, delay_s, members), members.weights, forecast);
        standing.push_back(standing_probability(forecast));
    }
    return standing;
}

}  // namespace topple::hil::drive

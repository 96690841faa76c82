#include "hil/compare/surprise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "hil/plan/ensemble_spread.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

using solver::Outcome;
using solver::Side;

constexpr std::size_t kOutcomes = static_cast<std::size_t>(Outcome::total_overturning) + 1;

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// Share of the counted that is no more frequent than `here`; nothing counted: empty.
template <std::size_t N>
std::optional<double> rarity(std::array<double, N> weights, std::size_t here, double own_weight) {
    weights[here] = std::max(0.0, weights[here] - own_weight);
    double all = 0.0, rarer = 0.0;
    for (const double weight : weights) {
        all += weight;
        if (weight <= weights[here]) rarer += weight;
    }
    if (!(all > 0.0)) return std::nullopt;
    return rarer / all;
}

}  // namespace

PredictiveSample::PredictiveSample(std::vector<double> values, std::vector<double> weights)
    : sorted_(std::move(values)), weights_(std::move(weights)) {
    total_ = effective_ = static_cast<double>(sorted_.size());
    if (weights_.empty()) {
        std::sort(sorted_.begin(), sorted_.end());
    } else {
        plan::sort_together(sorted_, weights_);
        total_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
        const double squares = std::inner_product(weights_.begin(), weights_.end(), weights_.begin(), 0.0);
        effective_ = squares > 0.0 ? total_ * total_ / squares : 0.0;
    }
    if (sorted_.size() < 2 || !(effective_ > 0.0)) return;
    const double quartiles = (quantile(0.75) - quantile(0.25)) / 1.34;
    const double spread = deviation();
    const double width = quartiles > 0.0 ? std::min(spread, quartiles) : spread;
    bandwidth_ = 0.9 * width * std::pow(effective_, -0.2);
}

double PredictiveSample::deviation() const {
    if (weights_.empty()) return signal::standard_deviation(sorted_);
    if (effective_ <= 1.0) return 0.0;
    const double mean = std::inner_product(sorted_.begin(), sorted_.end(), weights_.begin(), 0.0) / total_;
    double squares = 0.0;
    for (std::size_t i = 0; i < sorted_.size(); ++i) squares += weights_[i] * (sorted_[i] - mean) * (sorted_[i] - mean);
    return std::sqrt(squares / total_ * effective_ / (effective_ - 1.0));
}

double PredictiveSample::quantile(double share) const {
    if (!weights_.empty()) return plan::weighted_quantile(sorted_, weights_, share);
    const double place = share * static_cast<double>(sorted_.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, sorted_.size() - 1);
    return sorted_[low] + (place - static_cast<double>(low)) * (sorted_[high] - sorted_[low]);
}

double PredictiveSample::below(double value, double own_weight) const {
    double sum = -0.5 * own_weight;
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        const double member = sorted_[i];
        const double share = bandwidth_ > 0.0 ? normal_below((value - member) / bandwidth_)
                                              : (value > member   ? 1.0
                                                 : value < member ? 0.0
                                                                  : 0.5);
        sum += weights_.empty() ? share : weights_[i] * share;
    }
    return sum / (total_ - own_weight);
}

double Surprise::smallest() const noexcept {
    double least = std::min(outcome.value_or(1.0), side.value_or(1.0));
    for (const auto& probability : quantity) least = std::min(least, probability.value_or(1.0));
    return least;
}

EnsembleOfReadings::EnsembleOfReadings(const std::vector<Quantity>& quantities, std::vector<Reading> members)
    : quantities_(quantities), members_(std::move(members)), samples_(kOutcomes) {
    std::erase_if(members_, [](const Reading& member) { return !member.outcome; });
    const bool is_weighted =
        std::any_of(members_.begin(), members_.end(), [](const Reading& member) { return member.weight != 1.0; });
    for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome)
        for (std::size_t q = 0; q < quantities_.size(); ++q) {
            std::vector<double> values, weights;
            for (const Reading& member : members_) {
                if (static_cast<std::size_t>(*member.outcome) != outcome || !member.value[q]) continue;
                values.push_back(*member.value[q]);
                if (is_weighted) weights.push_back(member.weight);
            }
            PredictiveSample sample(std::move(values), std::move(weights));
            const bool enough = sample.effective_count() >= static_cast<double>(kLeastMembers);
            samples_[outcome].push_back(enough ? std::optional(std::move(sample)) : std::nullopt);
        }
}

double EnsembleOfReadings::share(Outcome outcome) const noexcept {
    double here = 0.0, all = 0.0;
    for (const Reading& member : members_) {
        all += member.weight;
        if (member.outcome == outcome) here += member.weight;
    }
    return all > 0.0 ? here / all : 0.0;
}

double EnsembleOfReadings::share(Outcome outcome, Side side) const noexcept {
    double with_side = 0.0, here = 0.0;
    for (const Reading& member : members_) {
        if (member.outcome != outcome || !member.side) continue;
        with_side += member.weight;
        if (member.side == side) here += member.weight;
    }
    return with_side > 0.0 ? here / with_side : 0.0;
}

const PredictiveSample* EnsembleOfReadings::sample(Outcome outcome, std::size_t q) const noexcept {
    const auto& found = samples_[static_cast<std::size_t>(outcome)][q];
    return found ? &*found : nullptr;
}

std::optional<double> EnsembleOfReadings::of_outcome(const Reading& reading, double own_weight) const {
    std::array<double, kOutcomes> weights{};
    for (const Reading& member : members_) weights[static_cast<std::size_t>(*member.outcome)] += member.weight;
    return rarity(weights, static_cast<std::size_t>(*reading.outcome), own_weight);
}

std::optional<double> EnsembleOfReadings::of_side(const Reading& reading, double own_weight) const {
    if (!reading.side) return std::nullopt;
    std::array<double, 2> weights{};
    for (const Reading& member : members_)
        if (member.outcome == reading.outcome && member.side)
            weights[*member.side == Side::right ? 1 : 0] += member.weight;
    if (weights[0] + weights[1] < static_cast<double>(kLeastMembers)) return std::nullopt;
    return rarity(weights, *reading.side == Side::right ? 1 : 0, own_weight);
}

Surprise EnsembleOfReadings::of(const Reading& reading, double own_weight) const {
    Surprise surprise;
    surprise.quantity.resize(quantities_.size());
    if (!reading.outcome) return surprise;
    surprise.outcome = of_outcome(reading, own_weight);
    surprise.side = of_side(reading, own_weight);
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        const PredictiveSample* values = sample(*reading.outcome, q);
        if (!values || !reading.value[q]) continue;
        const double below = values->below(*reading.value[q], own_weight);
        const bool distance = quantities_[q].kind == Quantity::Kind::history;
        surprise.quantity[q] = std::clamp(distance ? 1.0 - below : 2.0 * std::min(below, 1.0 - below), 0.0, 1.0);
    }
    return surprise;
}

double EnsembleOfReadings::as_surprising(const Reading& reading) const {
    const double here = of(reading).smallest();
    double all = 1.0, as_surprising = 1.0;  // this draw: of a weight as all together are worth that many
    for (const Reading& member : members_) {
        all += member.weight;
        if (of(member, member.weight).smallest() <= here) as_surprising += member.weight;
    }
    return as_surprising / all;
}

std::string of_100(double probability) {
    const double tests = 100.0 * probability;
    return tests < 1.0 ? std::string("fewer than 1") : fmt::format("{:.0f}", tests);
}

}  // namespace topple::hil::compare

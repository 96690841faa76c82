#include "hil/compare/surprise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

using solver::Outcome;
using solver::Side;

constexpr std::size_t kOutcomes = static_cast<std::size_t>(Outcome::total_overturning) + 1;

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// Share of the counted that is no more frequent than `here`; nothing counted: empty.
template <std::size_t N>
std::optional<double> rarity(std::array<std::size_t, N> counts, std::size_t here, bool own) {
    if (own) --counts[here];
    std::size_t all = 0, rarer = 0;
    for (const std::size_t count : counts) {
        all += count;
        if (count <= counts[here]) rarer += count;
    }
    if (all == 0) return std::nullopt;
    return static_cast<double>(rarer) / static_cast<double>(all);
}

}  // namespace

PredictiveSample::PredictiveSample(std::vector<double> values) : sorted_(std::move(values)) {
    std::sort(sorted_.begin(), sorted_.end());
    if (sorted_.size() < 2) return;
    const double quartiles = (quantile(0.75) - quantile(0.25)) / 1.34;
    const double deviation = signal::standard_deviation(sorted_);
    const double width = quartiles > 0.0 ? std::min(deviation, quartiles) : deviation;
    bandwidth_ = 0.9 * width * std::pow(static_cast<double>(sorted_.size()), -0.2);
}

double PredictiveSample::quantile(double share) const {
    const double place = share * static_cast<double>(sorted_.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, sorted_.size() - 1);
    return sorted_[low] + (place - static_cast<double>(low)) * (sorted_[high] - sorted_[low]);
}

double PredictiveSample::below(double value, bool own) const {
    double sum = own ? -0.5 : 0.0;
    for (const double member : sorted_)
        sum += bandwidth_ > 0.0 ? normal_below((value - member) / bandwidth_)
                                : (value > member   ? 1.0
                                   : value < member ? 0.0
                                                    : 0.5);
    return sum / static_cast<double>(sorted_.size() - (own ? 1 : 0));
}

double Surprise::smallest() const noexcept {
    double least = std::min(outcome.value_or(1.0), side.value_or(1.0));
    for (const auto& probability : quantity) least = std::min(least, probability.value_or(1.0));
    return least;
}

EnsembleOfReadings::EnsembleOfReadings(const std::vector<Quantity>& quantities, std::vector<Reading> members)
    : quantities_(quantities), members_(std::move(members)), samples_(kOutcomes) {
    std::erase_if(members_, [](const Reading& member) { return !member.outcome; });
    for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome)
        for (std::size_t q = 0; q < quantities_.size(); ++q) {
            std::vector<double> values;
            for (const Reading& member : members_)
                if (static_cast<std::size_t>(*member.outcome) == outcome && member.value[q])
                    values.push_back(*member.value[q]);
            const bool enough = values.size() >= kLeastMembers;
            samples_[outcome].push_back(enough ? std::optional(PredictiveSample(std::move(values))) : std::nullopt);
        }
}

double EnsembleOfReadings::share(Outcome outcome) const noexcept {
    const auto count = std::count_if(members_.begin(), members_.end(),
                                     [outcome](const Reading& member) { return member.outcome == outcome; });
    return members_.empty() ? 0.0 : static_cast<double>(count) / static_cast<double>(members_.size());
}

double EnsembleOfReadings::share(Outcome outcome, Side side) const noexcept {
    std::size_t with_side = 0, here = 0;
    for (const Reading& member : members_) {
        if (member.outcome != outcome || !member.side) continue;
        ++with_side;
        if (member.side == side) ++here;
    }
    return with_side == 0 ? 0.0 : static_cast<double>(here) / static_cast<double>(with_side);
}

const PredictiveSample* EnsembleOfReadings::sample(Outcome outcome, std::size_t q) const noexcept {
    const auto& found = samples_[static_cast<std::size_t>(outcome)][q];
    return found ? &*found : nullptr;
}

std::optional<double> EnsembleOfReadings::of_outcome(const Reading& reading, bool own) const {
    std::array<std::size_t, kOutcomes> counts{};
    for (const Reading& member : members_) ++counts[static_cast<std::size_t>(*member.outcome)];
    return rarity(counts, static_cast<std::size_t>(*reading.outcome), own);
}

std::optional<double> EnsembleOfReadings::of_side(const Reading& reading, bool own) const {
    if (!reading.side) return std::nullopt;
    std::array<std::size_t, 2> counts{};
    for (const Reading& member : members_)
        if (member.outcome == reading.outcome && member.side) ++counts[*member.side == Side::right ? 1 : 0];
    if (counts[0] + counts[1] < kLeastMembers) return std::nullopt;
    return rarity(counts, *reading.side == Side::right ? 1 : 0, own);
}

Surprise EnsembleOfReadings::of(const Reading& reading, bool own) const {
    Surprise surprise;
    surprise.quantity.resize(quantities_.size());
    if (!reading.outcome) return surprise;
    surprise.outcome = of_outcome(reading, own);
    surprise.side = of_side(reading, own);
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        const PredictiveSample* values = sample(*reading.outcome, q);
        if (!values || !reading.value[q]) continue;
        const double below = values->below(*reading.value[q], own);
        const bool distance = quantities_[q].kind == Quantity::Kind::history;
        surprise.quantity[q] = std::clamp(distance ? 1.0 - below : 2.0 * std::min(below, 1.0 - below), 0.0, 1.0);
    }
    return surprise;
}

double EnsembleOfReadings::as_surprising(const Reading& reading) const {
    const double here = of(reading, false).smallest();
    const auto count = std::count_if(members_.begin(), members_.end(),
                                     [&](const Reading& member) { return of(member, true).smallest() <= here; });
    return static_cast<double>(count + 1) / static_cast<double>(members_.size() + 1);
}

std::string of_100(double probability) {
    const double tests = 100.0 * probability;
    return tests < 1.0 ? std::string("fewer than 1") : fmt::format("{:.0f}", tests);
}

}  // namespace topple::hil::compare

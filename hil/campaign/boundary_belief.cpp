#include "hil/campaign/boundary_belief.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace topple::hil::campaign {
namespace {

constexpr double kGridOfResolution = 0.25;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double entropy_bit(double p) {
    if (p <= 0.0 || p >= 1.0) return 0.0;
    return -p * std::log2(p) - (1.0 - p) * std::log2(1.0 - p);
}

double overturns_at(double way, double boundary, double scatter, double lapse) {
    const double beyond = std::isinf(boundary) ? (boundary < 0.0 ? 1.0 : 0.0) : normal_cdf((way - boundary) / scatter);
    return lapse + (1.0 - 2.0 * lapse) * beyond;
}

}  // namespace

SearchWay::SearchWay(const experiment::CampaignSearch& search)
    : from_(search.from),
      sign_(search.to > search.from ? 1.0 : -1.0),
      end_(std::abs(std::log(search.to / search.from))) {}

double SearchWay::way_of(double value) const { return sign_ * std::log(value / from_); }
double SearchWay::value_at(double way) const { return from_ * std::exp(sign_ * way); }

BoundaryBelief::BoundaryBelief(double way_end, const BeliefSettings& settings, const std::vector<double>& members,
                               const std::vector<double>& weights)
    : settings_(settings) {
    const double step = kGridOfResolution * settings.resolution_ratio;
    const auto count = static_cast<std::size_t>(std::ceil(way_end / step)) + 1;
    for (std::size_t i = 0; i < count; ++i) ways_.push_back(std::min(static_cast<double>(i) * step, way_end));
    const double even = 1.0 / static_cast<double>(count + 2);
    probability_.assign(count + 2, members.empty() ? even : settings.open_mind * even);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t m = 0; m < members.size() && total > 0.0; ++m) {
        const double share = (1.0 - settings.open_mind) * weights[m] / total;
        if (members[m] == kNeverOverturns || members[m] <= 0.0) {
            (members[m] > 0.0 ? probability_.back() : probability_.front()) += share;
            continue;
        }
        std::vector<double> kernel(count);
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double away = (ways_[i] - members[m]) / settings.model_error;
            sum += kernel[i] = std::exp(-0.5 * away * away);
        }
        // What its error puts beyond the search's ends is there.
        const double before = normal_cdf(-members[m] / settings.model_error);
        const double beyond = normal_cdf((members[m] - way_end) / settings.model_error);
        probability_.front() += share * before;
        probability_.back() += share * beyond;
        for (std::size_t i = 0; i < count && sum > 0.0; ++i)
            probability_[i + 1] += share * (1.0 - before - beyond) * kernel[i] / sum;
    }
    const double sum = std::accumulate(probability_.begin(), probability_.end(), 0.0);
    for (double& p : probability_) p /= sum;
}

double BoundaryBelief::likelihood(double way, std::size_t cell) const {
    const double boundary = cell == 0                        ? kAlwaysOverturns
                            : cell + 1 < probability_.size() ? ways_[cell - 1]
                                                             : kNeverOverturns;
    return overturns_at(way, boundary, settings_.scatter, settings_.lapse);
}

void BoundaryBelief::observe(double way, bool overturned) {
    double sum = 0.0;
    for (std::size_t i = 0; i < probability_.size(); ++i) {
        const double p = likelihood(way, i);
        sum += probability_[i] *= overturned ? p : 1.0 - p;
    }
    for (double& p : probability_) p /= sum;
}

double BoundaryBelief::probability_overturns(double way) const {
    double mean = 0.0;
    for (std::size_t i = 0; i < probability_.size(); ++i) mean += probability_[i] * likelihood(way, i);
    return mean;
}

double BoundaryBelief::information_bit(double way) const {
    double mean = 0.0, expected_entropy = 0.0;
    for (std::size_t i = 0; i < probability_.size(); ++i) {
        const double p = likelihood(way, i);
        mean += probability_[i] * p;
        expected_entropy += probability_[i] * entropy_bit(p);
    }
    return entropy_bit(mean) - expected_entropy;
}

double BoundaryBelief::quantile(double share) const {
    double sum = probability_.front();
    if (sum >= share) return 0.0;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
        const double here = probability_[i + 1];
        const double next = sum + here;
        if (next >= share) {
            const double before = i == 0 ? ways_[0] : 0.5 * (ways_[i] + ways_[i - 1]);
            const double after = i + 1 == ways_.size() ? ways_[i] : 0.5 * (ways_[i] + ways_[i + 1]);
            return before + (after - before) * (here > 0.0 ? (share - sum) / here : 0.0);
        }
        sum = next;
    }
    return kNeverOverturns;
}

double member_likelihood(const BeliefSettings& settings, double boundary, const RowOutcomes& outcomes) {
    const double error = std::hypot(settings.scatter, settings.model_error);
    const auto begins_before = [&](double way) {
        if (std::isinf(boundary)) return boundary < 0.0 ? 1.0 : 0.0;
        return normal_cdf((way - boundary) / error);
    };
    const double upper = outcomes.overturns ? begins_before(*outcomes.overturns) : 1.0;
    const double lower = outcomes.stands ? begins_before(*outcomes.stands) : 0.0;
    // Outcomes that contradict each other say only that the boundary is near both.
    const double between = outcomes.contradictions > 0 ? upper * (1.0 - lower) : std::max(upper - lower, 0.0);
    return settings.lapse + (1.0 - 2.0 * settings.lapse) * between;
}

}  // namespace topple::hil::campaign

#include "hil/drive/member_weights.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::drive {

void MemberWeights::multiply(std::span<const double> log_likelihood) {
    const double most = *std::max_element(log_likelihood.begin(), log_likelihood.end());
    double sum = 0.0;
    for (std::size_t i = 0; i < weights_.size(); ++i) sum += weights_[i] *= std::exp(log_likelihood[i] - most);
    if (!(sum > 0.0)) return make_equal(weights_.size());  // only if all that counted have lost all their weight
    for (double& weight : weights_) weight /= sum;
}

double MemberWeights::effective_count() const noexcept {
    double squares = 0.0;
    for (const double weight : weights_) squares += weight * weight;
    return 1.0 / squares;
}

std::vector<std::size_t> MemberWeights::drawn(std::size_t count) const {
    std::vector<std::size_t> members;
    members.reserve(count);
    double before = 0.0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        before += weights_[i];
        while (members.size() < count && (static_cast<double>(members.size()) + 0.5) < before * double(count))
            members.push_back(i);
    }
    while (members.size() < count) members.push_back(weights_.size() - 1);  // rounding of the sum
    return members;
}

}  // namespace topple::hil::drive

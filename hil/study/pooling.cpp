#include "hil/study/pooling.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <stdexcept>

namespace topple::hil::study {
namespace {

using solver::Estimate;

constexpr double kLeastError = 1e-9;
constexpr double kNormal95 = 1.96;

double variance(const Estimate& value) {
    if (!(value.standard_error >= 0.0 && std::isfinite(value.standard_error) && std::isfinite(value.value)))
        throw std::invalid_argument("pool: a value or its error is not finite");
    return std::pow(std::max(value.standard_error, kLeastError), 2);
}

/// Weighted by 1/(variance + tau^2).
Estimate mean_of(const std::vector<Estimate>& values, double tau) {
    double weights = 0.0, sum = 0.0;
    for (const Estimate& one : values) {
        const double weight = 1.0 / (variance(one) + tau * tau);
        weights += weight;
        sum += weight * one.value;
    }
    return {sum / weights, 1.0 / std::sqrt(weights)};
}

}  // namespace

Pooled pool(const std::vector<Estimate>& values) {
    if (values.empty()) throw std::invalid_argument("pool: no values");
    const double n = static_cast<double>(values.size());
    Pooled pooled;
    pooled.count = values.size();
    pooled.common = mean_of(values, 0.0);
    double weights = 0.0, squares = 0.0;
    for (const Estimate& one : values) {
        const double weight = 1.0 / variance(one);
        pooled.mean += one.value / n;
        pooled.q += weight * std::pow(one.value - pooled.common.value, 2);
        weights += weight;
        squares += weight * weight;
    }
    pooled.random = pooled.common;
    pooled.t_95 = kNormal95;
    if (values.size() > 1) {
        for (const Estimate& one : values) pooled.scatter += std::pow(one.value - pooled.mean, 2) / (n - 1.0);
        pooled.scatter = std::sqrt(pooled.scatter);
        pooled.tau = std::sqrt(std::max(0.0, (pooled.q - (n - 1.0)) / (weights - squares / weights)));
        pooled.random = mean_of(values, pooled.tau);
        double about = 0.0;
        for (const Estimate& one : values)
            about += std::pow(one.value - pooled.random.value, 2) / (variance(one) + pooled.tau * pooled.tau);
        pooled.random.standard_error *= std::sqrt(std::max(1.0, about / (n - 1.0)));
        pooled.t_95 = boost::math::quantile(boost::math::students_t(n - 1.0), 0.975);
    }
    pooled.next_error = std::hypot(pooled.tau, pooled.random.standard_error);
    return pooled;
}

}  // namespace topple::hil::study

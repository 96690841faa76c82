#include "hil/scores/logistic_fit.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::scores {
namespace {

constexpr int kIterationsMax = 200;
constexpr double kStepMax = 4.0;     // of a coefficient over the standardised x: far beyond it P is 0 or 1
constexpr double kConverged = 1e-9;  // step of the coefficients; the probabilities are then exact to as much

/// x with mean 0 and standard deviation 1.
struct Standard {
    double mean = 0.0, deviation = 0.0;
    double of(double x) const noexcept { return (x - mean) / deviation; }
};

Standard standard_of(std::span<const LogisticPoint> points) noexcept {
    Standard standard;
    const double n = static_cast<double>(points.size());
    for (const LogisticPoint& point : points) standard.mean += point.x / n;
    double squares = 0.0;
    for (const LogisticPoint& point : points) squares += (point.x - standard.mean) * (point.x - standard.mean);
    standard.deviation = std::sqrt(squares / n);
    return standard;
}

/// Fisher information X'WX of intercept and slope.
struct Information {
    double aa = 0.0, ab = 0.0, bb = 0.0;
    double determinant() const noexcept { return aa * bb - ab * ab; }
};

/// Symbols as in Firth (1993) and Heinze and Schemper (2002): l + ln|I|/2 and its gradient.
class Penalised {
  public:
    Penalised(std::span<const LogisticPoint> points, const Standard& standard) : points_(points), standard_(standard) {}

    double value(const LogisticFit& fit) const {
        double likelihood = 0.0;
        for (const LogisticPoint& point : points_) {
            const double eta = fit.intercept + fit.slope * standard_.of(point.x);
            const double towards = point.happened ? -eta : eta;  // -ln(1 + exp(towards)), without overflow
            likelihood -= std::max(towards, 0.0) + std::log1p(std::exp(-std::abs(towards)));
        }
        return likelihood + 0.5 * std::log(information(fit).determinant());
    }

    /// Newton's step for the penalised score. Its slope is taken by differences: the unpenalised information alone
    /// misses the share of the leverages, and with one near 1 its steps swing for ever.
    LogisticFit step(const LogisticFit& fit) const {
        constexpr double kDifference = 1e-5;
        const LogisticFit here = score(fit);
        const auto slope = [&](double intercept, double slope_step) {
            const LogisticFit up = score({fit.intercept + intercept, fit.slope + slope_step});
            const LogisticFit down = score({fit.intercept - intercept, fit.slope - slope_step});
            return LogisticFit{(down.intercept - up.intercept) / (2.0 * kDifference),
                               (down.slope - up.slope) / (2.0 * kDifference)};
        };
        const LogisticFit by_a = slope(kDifference, 0.0), by_b = slope(0.0, kDifference);
        Information curvature{by_a.intercept, 0.5 * (by_a.slope + by_b.intercept), by_b.slope};
        if (!(curvature.aa > 0.0 && curvature.determinant() > 0.0)) curvature = information(fit);  // far from the top
        const double determinant = curvature.determinant();
        return {(curvature.bb * here.intercept - curvature.ab * here.slope) / determinant,
                (curvature.aa * here.slope - curvature.ab * here.intercept) / determinant};
    }

  private:
    /// Of the penalised likelihood by intercept and slope.
    LogisticFit score(const LogisticFit& fit) const {
        const Information i = information(fit);
        const double determinant = i.determinant();
        LogisticFit sum;
        for (const LogisticPoint& point : points_) {
            const double x = standard_.of(point.x), p = fit.at(x);
            const double leverage = p * (1.0 - p) * (i.bb - 2.0 * i.ab * x + i.aa * x * x) / determinant;
            const double residual = (point.happened ? 1.0 : 0.0) - p + leverage * (0.5 - p);
            sum.intercept += residual;
            sum.slope += residual * x;
        }
        return sum;
    }

    Information information(const LogisticFit& fit) const {
        Information sum;
        for (const LogisticPoint& point : points_) {
            const double x = standard_.of(point.x), p = fit.at(x), weight = p * (1.0 - p);
            sum.aa += weight;
            sum.ab += weight * x;
            sum.bb += weight * x * x;
        }
        return sum;
    }

    std::span<const LogisticPoint> points_;
    Standard standard_;
};

LogisticFit moved(const LogisticFit& fit, const LogisticFit& step, double share) noexcept {
    return {fit.intercept + share * step.intercept, fit.slope + share * step.slope};
}

}  // namespace

double LogisticFit::at(double x) const noexcept { return 1.0 / (1.0 + std::exp(-(intercept + slope * x))); }

std::optional<double> LogisticFit::half() const noexcept {
    if (slope == 0.0) return std::nullopt;
    return -intercept / slope;
}

std::optional<LogisticFit> fit_logistic(std::span<const LogisticPoint> points) {
    constexpr double kSame_ratio = 1e-12;  // of x: rounding
    if (points.size() < 2) return std::nullopt;
    const Standard standard = standard_of(points);
    if (!(standard.deviation > kSame_ratio * (1.0 + std::abs(standard.mean)))) return std::nullopt;
    const Penalised penalised(points, standard);
    LogisticFit fit;
    double value = penalised.value(fit);
    for (int i = 0; i < kIterationsMax; ++i) {
        const LogisticFit step = penalised.step(fit);
        const double size = std::max(std::abs(step.intercept), std::abs(step.slope));
        if (!std::isfinite(size)) return std::nullopt;
        if (size < kConverged)
            return LogisticFit{fit.intercept - fit.slope * standard.mean / standard.deviation,
                               fit.slope / standard.deviation};
        double share = std::min(1.0, kStepMax / size);
        constexpr int kHalvingsMax = 30;
        constexpr double kRounding = 1e-12;  // of a sum of many logarithms
        for (int halving = 0; halving < kHalvingsMax; ++halving, share *= 0.5)
            if (const double next = penalised.value(moved(fit, step, share));
                next >= value - kRounding * (1.0 + std::abs(value)))
                break;
        fit = moved(fit, step, share);
        value = penalised.value(fit);
    }
    return std::nullopt;
}

}  // namespace topple::hil::scores

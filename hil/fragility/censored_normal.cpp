#include "hil/fragility/censored_normal.hpp"

#include <algorithm>
#include <cmath>

#include "hil/fragility/normal_tail.hpp"

namespace topple::hil::fragility {
namespace {

/// d = mean / deviation, h = 1 / deviation: in these the likelihood has one maximum at most (Olsen 1978).
struct Point {
    double d = 0.0, h = 1.0;
};

struct Likelihood {
    double value = 0.0, g_d = 0.0, g_h = 0.0, i_dd = 0.0, i_dh = 0.0, i_hh = 0.0;  ///< slope; minus the curvature

    /// A value that is above y (sign 1) or below it (-1).
    void add_bound(double y, double sign, const Point& at) {
        const double u = sign * (at.d - at.h * y), slope = hazard_below(u), weight = slope * (slope + u);
        value += log_phi(u);
        add_slope(y, sign * slope, weight);
    }
    void add_exact(double y, const Point& at) {
        const double z = at.h * y - at.d;
        value += std::log(at.h) - 0.5 * z * z;
        add_slope(y, z, 1.0);
        g_h += 1.0 / at.h;
        i_hh += 1.0 / (at.h * at.h);
    }

  private:
    void add_slope(double y, double slope, double weight) {
        g_d += slope;
        g_h -= slope * y;
        i_dd += weight;
        i_dh -= weight * y;
        i_hh += weight * y * y;
    }
};

Likelihood likelihood(const std::vector<CensoredValue>& values, const Point& at) {
    Likelihood sum;
    for (const CensoredValue& one : values) {
        if (one.known == CensoredValue::Known::exactly)
            sum.add_exact(one.value, at);
        else
            sum.add_bound(one.value, one.known == CensoredValue::Known::is_above ? 1.0 : -1.0, at);
    }
    return sum;
}

std::optional<Point> maximise(const std::vector<CensoredValue>& values, Point at) {
    constexpr int kIterations = 200, kHalvings = 50;
    constexpr double kDone = 1e-13, kNear = 1e-8;
    Likelihood here = likelihood(values, at);
    for (int i = 0; i < kIterations; ++i) {
        const double determinant = here.i_dd * here.i_hh - here.i_dh * here.i_dh;
        if (!(determinant > 0.0)) return std::nullopt;
        const double d = (here.i_hh * here.g_d - here.i_dh * here.g_h) / determinant;
        const double h = (here.i_dd * here.g_h - here.i_dh * here.g_d) / determinant;
        const double gain = 0.5 * (d * here.g_d + h * here.g_h);
        if (gain < kDone) return at;
        Likelihood next;
        Point there;
        bool is_better = false;
        double share = 1.0;
        for (int k = 0; k < kHalvings && !is_better; ++k, share *= 0.5) {
            there = {at.d + share * d, at.h + share * h};
            if (!(there.h > 0.0)) continue;
            next = likelihood(values, there);
            is_better = next.value >= here.value;
        }
        if (!is_better) return gain < kNear ? std::optional(at) : std::nullopt;
        at = there;
        here = next;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Normal> fit_censored_normal(const std::vector<CensoredValue>& values) {
    double sum = 0.0, squares = 0.0, exact = 0.0;
    for (const CensoredValue& one : values)
        if (one.known == CensoredValue::Known::exactly) sum += one.value, ++exact;
    if (exact < 2.0) return std::nullopt;
    const double centre = sum / exact;
    for (const CensoredValue& one : values)
        if (one.known == CensoredValue::Known::exactly) squares += (one.value - centre) * (one.value - centre);
    const double unit = std::sqrt(squares / exact);
    if (!(unit > 1e-12)) {  // all alike: a bound that they do not meet would need another deviation
        const bool is_met = std::all_of(values.begin(), values.end(), [&](const CensoredValue& one) {
            return one.known == CensoredValue::Known::exactly ||
                   (one.known == CensoredValue::Known::is_above ? one.value <= centre : one.value >= centre);
        });
        return is_met ? std::optional(Normal{centre, 0.0}) : std::nullopt;
    }
    std::vector<CensoredValue> scaled = values;
    for (CensoredValue& one : scaled) one.value = (one.value - centre) / unit;
    const auto found = maximise(scaled, {});
    if (!found) return std::nullopt;
    return Normal{centre + unit * found->d / found->h, unit / found->h * std::sqrt(exact / (exact - 1.0))};
}

}  // namespace topple::hil::fragility

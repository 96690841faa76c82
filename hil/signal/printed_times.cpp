#include "hil/signal/printed_times.hpp"

#include <algorithm>
#include <cmath>

#include "hil/signal/even_grid.hpp"

namespace topple::hil::signal {
namespace {

constexpr double kUnevenShare = 0.01;   // of the step: rounding of printed times
constexpr double kRoundingShare = 0.5;  // of the step: coarser decimals cannot show that times are even

/// Last decimal of the times as printed.
double rounding_s(const std::vector<double>& time_s) {
    for (double unit = 0.1; unit > 1e-8; unit *= 0.1) {
        const auto is_multiple = [&](double time) {
            const double count = time / unit;
            return std::abs(count - std::round(count)) < 1e-6 * std::max(1.0, std::abs(count) * 1e-6);
        };
        if (std::all_of(time_s.begin(), time_s.end(), is_multiple)) return unit;
    }
    return 0.0;
}

}  // namespace

std::optional<std::size_t> first_uneven(const std::vector<double>& time_s) {
    const double step_s = (time_s.back() - time_s.front()) / static_cast<double>(time_s.size() - 1);
    const double rounded_s = rounding_s(time_s);
    const double allowed_s = std::max(kUnevenShare * step_s, rounded_s <= kRoundingShare * step_s ? rounded_s : 0.0);
    bool is_even = true;
    for (std::size_t i = 0; i < time_s.size() && is_even; ++i)
        is_even = std::abs(time_s[i] - time_s.front() - step_s * static_cast<double>(i)) <= allowed_s;
    if (is_even) return std::nullopt;
    // Where it went wrong: one hole moves all that is compared with the mean step.
    const double usual_s = typical_step_s(time_s);
    std::size_t worst = 1;
    double most_s = -1.0;
    for (std::size_t i = 1; i < time_s.size(); ++i) {
        const double off_s = std::abs(time_s[i] - time_s[i - 1] - usual_s);
        if (off_s > std::max(allowed_s, rounded_s) * 2.0) return i;
        if (off_s > most_s) most_s = off_s, worst = i;
    }
    return worst;
}

}  // namespace topple::hil::signal

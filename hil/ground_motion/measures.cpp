#include "hil/ground_motion/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hil/ground_motion/record.hpp"
#include "hil/signal/response_spectrum.hpp"

namespace topple::hil::ground_motion {
namespace {

/// Base at the beginning of a step in which a(t) = start + slope t.
struct Step {
    double start_m_s2, slope_m_s3, velocity_m_s, displacement_m;

    double velocity(double t) const { return velocity_m_s + t * (start_m_s2 + t * slope_m_s3 / 2.0); }
    double displacement(double t) const {
        return displacement_m + t * (velocity_m_s + t * (start_m_s2 / 2.0 + t * slope_m_s3 / 6.0));
    }
};

void keep_larger(double& peak, double value) {
    if (std::abs(value) > std::abs(peak)) peak = value;
}

/// Extremes inside the step: of the velocity where a = 0, of the displacement where v = 0.
void look_inside(const Step& step, double step_s, Measures& measures) {
    const auto inside = [step_s](double t) { return t > 0.0 && t < step_s; };
    const double a = step.start_m_s2, b = step.slope_m_s3, v = step.velocity_m_s;
    if (b != 0.0 && inside(-a / b)) keep_larger(measures.pgv_m_s, step.velocity(-a / b));
    const double root = a * a - 2.0 * b * v;
    if (root < 0.0) return;
    const double q = -(a + std::copysign(std::sqrt(root), a));  // v + a t + b t^2 / 2 = 0 without cancellation
    for (const double t : std::array{b != 0.0 ? q / b : -1.0, q != 0.0 ? 2.0 * v / q : -1.0})
        if (inside(t)) keep_larger(measures.pgd_m, step.displacement(t));
}

/// First time at which the integral of a^2 reaches `share` of its whole.
double time_of_share(const std::vector<double>& integral, double step_s, double share) {
    const double wanted = share * integral.back();
    const auto found = std::lower_bound(integral.begin(), integral.end(), wanted);
    const auto i = static_cast<std::size_t>(found - integral.begin());
    if (i == 0) return 0.0;
    const double rise = integral[i] - integral[i - 1];
    return step_s * (static_cast<double>(i - 1) + (rise > 0.0 ? (wanted - integral[i - 1]) / rise : 0.0));
}

}  // namespace

Measures measures_of(std::span<const double> acceleration_m_s2, double step_s) {
    Measures measures;
    if (acceleration_m_s2.size() < 2) return measures;
    std::vector<double> integral{0.0};
    integral.reserve(acceleration_m_s2.size());
    Step step{};
    for (std::size_t i = 0; i < acceleration_m_s2.size(); ++i) {
        const double a = acceleration_m_s2[i];
        if (std::abs(a) > std::abs(measures.pga_m_s2)) {
            measures.pga_m_s2 = a;
            measures.pga_time_s = step_s * static_cast<double>(i);
        }
        if (i + 1 == acceleration_m_s2.size()) break;
        const double next = acceleration_m_s2[i + 1];
        step.start_m_s2 = a;
        step.slope_m_s3 = (next - a) / step_s;
        look_inside(step, step_s, measures);
        const double displacement_m = step.displacement(step_s);
        step.velocity_m_s = step.velocity(step_s);
        step.displacement_m = displacement_m;
        keep_larger(measures.pgv_m_s, step.velocity_m_s);
        keep_larger(measures.pgd_m, displacement_m);
        integral.push_back(integral.back() + step_s * (a * a + a * next + next * next) / 3.0);
    }
    measures.end_velocity_m_s = step.velocity_m_s;
    measures.end_displacement_m = step.displacement_m;
    measures.arias_m_s = std::numbers::pi / (2.0 * kUnitG_m_s2) * integral.back();
    if (!(integral.back() > 0.0)) return measures;
    measures.start_5_s = time_of_share(integral, step_s, 0.05);
    measures.duration_5_95_s = time_of_share(integral, step_s, 0.95) - measures.start_5_s;
    return measures;
}

Spectrum spectrum_of(std::span<const double> acceleration_m_s2, double step_s) {
    Spectrum spectrum;
    spectrum.period_s = signal::frequencies_in_equal_ratios(kSpectrumShortest_s, kSpectrumLongest_s, kSpectrumPeriods);
    std::vector<double> frequency_hz;
    for (const double period_s : spectrum.period_s) frequency_hz.push_back(1.0 / period_s);
    spectrum.pseudo_acceleration_m_s2 =
        signal::response_spectrum(acceleration_m_s2, step_s, frequency_hz, kSpectrumDamping_ratio);
    return spectrum;
}

double pseudo_acceleration_m_s2(std::span<const double> acceleration_m_s2, double step_s, double period_s) {
    const std::array frequency_hz{1.0 / period_s};
    return signal::response_spectrum(acceleration_m_s2, step_s, frequency_hz, kSpectrumDamping_ratio).front();
}

}  // namespace topple::hil::ground_motion

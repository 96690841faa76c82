#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hil/fused_motion/weighted_fit.hpp"

namespace topple::hil::fused_motion {
namespace {

constexpr double kShareOfBand = 0.01;      // of the information that lies outside of the band, each end
constexpr double kSeenMin_ratio = 0.1;     // of the acceleration's mean square, where the displacement can see it
constexpr double kSurely_sigmas = 5.0;     // by which the best shift must fit better than any other
constexpr double kCrossoverMax_hz = 60.0;  // bandwidth of every compared motion: above, nothing is asked
constexpr double kCrossoverRate_ratio = 0.2;
constexpr double kCrossoverLeast_cycles = 2.0;  // of the whole, so that nothing drifts

double hertz(double omega_rad_s) { return omega_rad_s / (2.0 * std::numbers::pi); }

/// First and last bin between which all but kShareOfBand at each end of the information is.
struct Band {
    std::size_t first = 0, last = 0;
};

Band band_of(const WeakForm& form, const Noise& noise, const GainFit& fit, double shift_s) {
    std::vector<double> sum{0.0};
    for (std::size_t k = 0; k < form.omega_rad_s.size(); ++k) {
        const double signal =
            std::norm(calibrated(form, fit, shift_s, k)) - noise.acceleration * form.reading_gain_s[k];
        sum.push_back(sum.back() + std::max(0.0, signal) / variance_at(form, noise, k));
    }
    const auto place = [&](double share) {
        const auto at = std::lower_bound(sum.begin(), sum.end(), share * sum.back());
        return static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - sum.begin(), 1)) - 1;
    };
    return {place(kShareOfBand), std::min(place(1.0 - kShareOfBand), form.omega_rad_s.size() - 1)};
}

double correlation_of(const WeakForm& form, const Noise& noise, const GainFit& fit, double shift_s, const Band& band) {
    double product = 0.0, reading = 0.0, displacement = 0.0;
    for (std::size_t k = band.first; k <= band.last; ++k) {
        const auto told = calibrated(form, fit, shift_s, k);
        const double weight = 1.0 / variance_at(form, noise, k);
        product += weight * (told.real() * form.displacement[k].real() + told.imag() * form.displacement[k].imag());
        reading += weight * std::norm(told);
        displacement += weight * std::norm(form.displacement[k]);
    }
    const double scale = std::sqrt(reading * displacement);
    return scale > 0.0 ? product / scale : 0.0;
}

/// Shift that explains most, and the tops of all other hills of what a shift explains.
struct Search {
    double shift_s = 0.0;
    bool at_edge = false;
    std::vector<double> rivals_s;
};

double refined(const WeakForm& form, const Noise& noise, double shift_s, double step_s, double max_s) {
    constexpr int kRounds = 4;
    constexpr double kFiner = 6.0;
    for (int round = 0; round < kRounds; ++round, step_s /= kFiner) {
        const double before = std::abs(explained_at(form, noise, shift_s - step_s));
        const double here = std::abs(explained_at(form, noise, shift_s));
        const double after = std::abs(explained_at(form, noise, shift_s + step_s));
        const double bend = before - 2.0 * here + after;
        if (bend < 0.0) shift_s += step_s * std::clamp(0.5 * (before - after) / bend, -1.0, 1.0);
        shift_s = std::clamp(shift_s, -max_s, max_s);
    }
    return shift_s;
}

Search search_shift(const WeakForm& form, const Noise& noise, double max_s) {
    Search found;
    if (!(max_s > 0.0)) return found;
    constexpr double kPerPeriod = 24.0;
    const Band band = band_of(form, noise, fit_gain(form, noise, 0.0, 0.0), 0.0);
    const double top_hz = std::max(hertz(form.omega_rad_s[band.last]), 1e-3);
    const int reach = static_cast<int>(std::clamp(std::ceil(max_s * kPerPeriod * top_hz), 4.0, 2000.0));
    const double step_s = max_s / reach;
    std::vector<double> explained;
    for (int i = -reach; i <= reach; ++i) explained.push_back(explained_at(form, noise, i * step_s));
    const auto size_at = [&](std::size_t i) { return std::abs(explained[i]); };
    std::size_t best = 0;
    for (std::size_t i = 1; i < explained.size(); ++i)
        if (size_at(i) > size_at(best)) best = i;
    const std::size_t last = explained.size() - 1;
    const auto time_s = [&](std::size_t i) { return (static_cast<double>(i) - reach) * step_s; };
    found.at_edge = best == 0 || best == last;
    found.shift_s = refined(form, noise, time_s(best), step_s, max_s);
    for (std::size_t i = 1; i < last; ++i)
        if (i != best && size_at(i) >= size_at(i - 1) && size_at(i) > size_at(i + 1))
            found.rivals_s.push_back(refined(form, noise, time_s(i), step_s, max_s));
    return found;
}

/// Both densities no smaller than what the numbers' digits and rounding leave, and a hundredth of what the reading
/// scatters: without that, a likelihood has a peak where one frequency is met exactly.
Noise least_noise(const WeakForm& form, double gain) {
    constexpr double kRounding_ratio = 1e-10, kScatter_ratio = 0.01;
    double square = 0.0;
    for (const auto& value : form.displacement) square += std::norm(value);
    const double mean = square / static_cast<double>(form.displacement.size()) + 1e-300;
    return {std::max(kScatter_ratio * gain * gain * form.reading_density,
                     kRounding_ratio * mean / form.reading_gain_s.front()),
            std::max(form.resolution_m * form.resolution_m / 12.0 * form.displacement_step_s,
                     kRounding_ratio * mean / form.displacement_gain.back())};
}

/// Everything that belongs together at the end of the iteration.
struct Estimate {
    Noise noise;
    GainFit fit;
    Search search;
};

/// By the reading's noise, of the gain. It is left until the noise is known about right: each feeds on the other.
enum class Attenuation { left, taken_out };
struct Rounds {
    int count;
    Attenuation attenuation;
};

/// Gain, shift and noise in turn: each is found with the others as they are.
Estimate iterate(const WeakForm& form, double shift_max_s, Estimate now, const Rounds& rounds) {
    const auto refit = [&] {
        const double known_gain = rounds.attenuation == Attenuation::left ? 0.0 : now.fit.gain;
        now.fit = fit_gain(form, now.noise, now.search.shift_s, known_gain);
    };
    for (int round = 0; round < rounds.count; ++round) {
        now.search = search_shift(form, now.noise, shift_max_s);
        refit();
        if (!now.fit.is_found) return now;
        now.noise = fit_noise(form, now.fit, now.search.shift_s, now.noise, least_noise(form, now.fit.gain));
    }
    refit();
    return now;
}

/// Equal at 2 Hz: only where the iteration begins.
Noise first_guess(const WeakForm& form) {
    constexpr double kEqual_hz = 2.0;
    const Noise least = least_noise(form, 0.0);
    const double all = std::max(1e4 * least.acceleration, least.displacement);
    return {all, all / std::pow(2.0 * std::numbers::pi * kEqual_hz, 4)};
}

void require_fine_displacement(const WeakForm& form) {
    if (!(form.travel_m > 0.0))
        throw std::invalid_argument(
            "the displacement is constant: it tells nothing of the acceleration; is it the right column, and did it "
            "move");
    if (form.resolution_m > 0.0 && form.travel_m < kResolutionMin_steps * form.resolution_m)
        throw std::invalid_argument(fmt::format(
            "the displacement is too coarse: it moves {:.3g} mm, {:.1f} steps of {:.3g} mm; at least {:g} "
            "steps are needed",
            1e3 * form.travel_m, form.travel_m / form.resolution_m, 1e3 * form.resolution_m, kResolutionMin_steps));
    if (form.seen_ratio < kSeenMin_ratio)
        throw std::invalid_argument(
            fmt::format("the displacement is too coarse: at {:.4g} samples a second it sees what is below {:.3g} Hz, "
                        "{:.2g} % of the acceleration's mean square; at least {:g} % are needed",
                        1.0 / form.displacement_step_s, hertz(form.omega_rad_s.back()), 100.0 * form.seen_ratio,
                        100.0 * kSeenMin_ratio));
}

void require_alike(const Calibration& c) {
    if (!(c.band_high_hz > 0.0))
        throw std::invalid_argument(
            "acceleration and displacement are not of the same motion, or too noisy: at no frequency does the "
            "acceleration say anything of the displacement above the noise of both");
    if (c.correlation < kCorrelationMin)
        throw std::invalid_argument(
            fmt::format("acceleration and displacement are not of the same motion, or too noisy: their correlation is "
                        "{:.3f} from {:.3g} to {:.3g} Hz; at least {} is needed to tell sign and gain",
                        c.correlation, c.band_low_hz, c.band_high_hz, kCorrelationMin));
    if (!(c.gain_error_m_s2_per_reading <= kGainError_ratio * c.gain))
        throw std::invalid_argument(
            fmt::format("the gain of the acceleration cannot be told from the displacement: {:.4g} with a standard "
                        "error of {:.2g}; at most {:g} % are allowed",
                        c.signed_gain(), c.gain_error_m_s2_per_reading, 100.0 * kGainError_ratio));
}

/// The samples themselves are shifted to each rival: a shifted phase alone would shift the window as well.
void require_one_shift(const MeasuredMotion& measured, const Estimate& found, double shift_s, double spare_s) {
    const auto explained = [&](double at_s) {
        return explained_at(weak_form(measured, at_s, spare_s), found.noise, 0.0);
    };
    const double most = explained(shift_s);
    for (const double rival_s : found.search.rivals_s) {
        const double there = explained(rival_s);
        const double lead_sigmas = std::sqrt(2.0 * std::max(0.0, std::abs(most) - std::abs(there)));
        if (lead_sigmas >= kSurely_sigmas) continue;
        const bool is_reversed = (there < 0.0) != (most < 0.0);
        throw std::invalid_argument(fmt::format(
            "{} of the acceleration cannot be told: a time shift of {:+.2f} ms and one of {:+.2f} ms{} fit the "
            "displacement alike ({:.1f} standard errors apart; at least {:g} are needed). Allow a smaller shift",
            is_reversed ? "the sign" : "the time shift", 1e3 * shift_s, 1e3 * rival_s,
            is_reversed ? " with the other sign" : "", lead_sigmas, kSurely_sigmas));
    }
}

struct Unit {
    const char* name;
    double si;
};
constexpr Unit kUnits[] = {{"m/s2", 1.0}, {"g", 9.80665}, {"cm/s2", 0.01}, {"mm/s2", 0.001}};

/// What was measured in one unit and stated in another, nearest to the gain; empty: nothing explains it.
std::string unit_mix_up(double gain, const std::string& stated) {
    std::string text;
    double nearest = kUnitGain_ratio;
    const bool is_one =
        std::any_of(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return stated == u.name; });
    for (const Unit& written : kUnits)
        for (const Unit& measured : kUnits) {
            if (&written == &measured || (is_one && stated != written.name)) continue;
            const double off = std::abs(gain * written.si / measured.si - 1.0);
            if (off > nearest) continue;
            nearest = off;
            text = fmt::format("{} where {} is stated", measured.name, written.name);
        }
    return text;
}

/// A displacement in the wrong unit makes the gain a power of ten, too; empty: the gain is none.
std::string suspected_displacement(double gain) {
    constexpr double kAbout_ratio = 0.1;  // the acceleration's own gain may be off besides
    struct Factor {
        double gain;
        const char* text;
    };
    constexpr Factor kFactors[] = {{1000.0, "1000 times too large (mm where m is stated)"},
                                   {100.0, "100 times too large (cm where m is stated)"},
                                   {10.0, "10 times too large (mm where cm is stated)"},
                                   {0.1, "10 times too small (cm where mm is stated)"},
                                   {0.01, "100 times too small (m where cm is stated)"},
                                   {0.001, "1000 times too small (m where mm is stated)"}};
    for (const Factor& factor : kFactors)
        if (std::abs(gain / factor.gain - 1.0) <= kAbout_ratio)
            return fmt::format("the displacement is {}", factor.text);
    return {};
}

void require_plausible_gain(Calibration& c, const std::string& stated_unit) {
    if (c.gain <= kGainOff_factor && c.gain >= 1.0 / kGainOff_factor) return;
    c.unit_mixed_up = unit_mix_up(c.gain, stated_unit);
    c.displacement_suspected = suspected_displacement(c.gain);
    if (!c.unit_mixed_up.empty()) return;
    throw std::invalid_argument(fmt::format(
        "the gain of the acceleration against the displacement is {:.4g} ± {:.2g}: neither between {:g} and {:g} nor "
        "that of another unit than {}. {}If the displacement is right, scale={:.4g} mends the acceleration, and the "
        "unit \"any\" leaves its gain to the displacement",
        c.signed_gain(), c.gain_error_m_s2_per_reading, 1.0 / kGainOff_factor, kGainOff_factor,
        stated_unit.empty() ? "was stated" : "the stated " + stated_unit,
        c.displacement_suspected.empty() ? "" : fmt::format("Perhaps {}. ", c.displacement_suspected),
        c.signed_gain()));
}

double crossover_hz(const WeakForm& form, const Noise& noise) {
    const double equal_hz = hertz(std::pow(noise.acceleration / noise.displacement, 0.25));
    const double most_hz = std::min(kCrossoverMax_hz, kCrossoverRate_ratio / form.displacement_step_s);
    return std::clamp(equal_hz, std::min(kCrossoverLeast_cycles / form.duration_s, most_hz), most_hz);
}

Calibration calibration_of(const WeakForm& form, const Estimate& found, double shift_s) {
    const auto& [noise, fit, search] = found;
    Calibration c;
    c.sign = fit.gain < 0.0 ? -1 : 1;
    c.gain = std::abs(fit.gain);
    c.gain_error_m_s2_per_reading = std::sqrt(fit.gain_variance);
    c.bias_reading = fit.offset_m_s2 / fit.gain;
    // d(offset/gain), first order.
    c.bias_error_reading =
        std::sqrt(std::max(0.0, fit.offset_variance + c.bias_reading * c.bias_reading * fit.gain_variance -
                                    2.0 * c.bias_reading * fit.covariance)) /
        c.gain;
    double information = 0.0;
    for (std::size_t k = 1; k < form.omega_rad_s.size(); ++k)
        information += 2.0 * form.omega_rad_s[k] * form.omega_rad_s[k] *
                       std::max(0.0, std::norm(calibrated(form, fit, search.shift_s, k)) -
                                         noise.acceleration * form.reading_gain_s[k]) /
                       variance_at(form, noise, k);
    c.shift_s = shift_s + search.shift_s;
    c.shift_error_s = information > 0.0 ? 1.0 / std::sqrt(information * form.flat_ratio) : INFINITY;
    const Band band = band_of(form, noise, fit, search.shift_s);
    c.correlation = correlation_of(form, noise, fit, search.shift_s, band);
    c.band_low_hz = hertz(form.omega_rad_s[band.first]);
    c.band_high_hz = hertz(form.omega_rad_s[band.last]);
    c.acceleration_noise_m_s2_per_root_hz = std::sqrt(2.0 * noise.acceleration);
    c.displacement_noise_m_per_root_hz = std::sqrt(2.0 * noise.displacement);
    c.crossover_hz = crossover_hz(form, noise);
    return c;
}

}  // namespace

Calibration calibrate(const MeasuredMotion& measured, const CalibrationOptions& options) {
    constexpr int kFirstRounds = 6, kLastRounds = 4;
    constexpr double kFinely_ratio = 0.05;  // of the searched shift, when the samples have been shifted
    const double max_s = options.shift_max_s, spare_s = (1.0 + kFinely_ratio) * max_s;
    if (max_s > 0.0 && max_s < kShiftMaxLeast_s)
        throw std::invalid_argument(
            fmt::format("a time shift of at most {:g} s is to be searched; allowed: 0 (none), "
                        "or at least {:g} s",
                        max_s, kShiftMaxLeast_s));
    WeakForm form = weak_form(measured, 0.0, spare_s);
    require_fine_displacement(form);
    Estimate found = iterate(form, max_s, {first_guess(form), {}, {}}, {kFirstRounds, Attenuation::left});
    if (!found.fit.is_found)
        throw std::invalid_argument("the acceleration says nothing of the displacement: one of them does not move");
    const double shift_s = found.search.shift_s;
    if (found.search.at_edge)
        throw std::invalid_argument(
            fmt::format("the acceleration fits the displacement best at a time shift of {:+.1f} ms, the end of the "
                        "{:.3g} ms that are searched: are they of the same motion and clock? Allow a longer shift, or "
                        "correct the times",
                        1e3 * shift_s, 1e3 * max_s));
    if (shift_s != 0.0) form = weak_form(measured, shift_s, spare_s);
    const std::vector<double> rivals_s = std::move(found.search.rivals_s);
    found = iterate(form, kFinely_ratio * max_s, std::move(found), {kLastRounds, Attenuation::taken_out});
    Calibration c = calibration_of(form, found, shift_s);
    require_alike(c);
    found.search.rivals_s = rivals_s;
    require_one_shift(measured, found, c.shift_s, spare_s);
    if (options.unit_is_known) require_plausible_gain(c, options.stated_unit);
    return c;
}

}  // namespace topple::hil::fused_motion

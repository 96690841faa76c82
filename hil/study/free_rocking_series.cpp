#include "hil/study/free_rocking_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/files/errors.hpp"

namespace topple::hil::study {
namespace {

using files::InputError;
using solver::Estimate;
using solver::MeasuredImpact;

constexpr std::size_t kSlopeImpacts = 4;    // of a record at least: two numbers and something to judge them by
constexpr double kScatterTold_ratio = 3.0;  // of Q per record
constexpr double kNeighbour_ratio = 1e-9;   // the excursion after one impact is the one before the next

void require_one_block(const std::vector<FreeRockingRequest>& requests) {
    if (requests.size() < 2) throw InputError("a series has at least two records");
    const solver::Block& first = requests.front().block;
    for (const FreeRockingRequest& request : requests)
        if (request.block.width_m != first.width_m || request.block.height_m != first.height_m)
            throw InputError(
                fmt::format("{} is of a block of {:g} m x {:g} m, {} of {:g} m x {:g} m: a series is of one block",
                            requests.front().record.string(), first.width_m, first.height_m, request.record.string(),
                            request.block.width_m, request.block.height_m));
    for (std::size_t i = 0; i < requests.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (requests[i].record == requests[j].record)
                throw InputError(fmt::format("{}: given twice", requests[i].record.string()));
}

/// Impacts from the release on until the first that the record hides.
std::vector<MeasuredImpact> impacts_in_a_row(const FittedRecord& record) {
    std::vector<MeasuredImpact> row;
    const auto& impacts = record.lobes.impacts;
    if (impacts.empty() || record.lobes.lobes.empty() || !record.lobes.lobes.front().is_released) return row;
    double apex_rad = record.lobes.lobes.front().apex_rad.value;
    for (const MeasuredImpact& impact : impacts) {
        if (std::abs(impact.apex_before_rad - apex_rad) > kNeighbour_ratio * apex_rad) break;
        apex_rad = impact.apex_after_rad;
        row.push_back(impact);
    }
    return row;
}

/// Relative error of an excursion's energy by that of its apex.
double energy_error_ratio(const solver::MeasuredLobe& lobe, const solver::RockingShape& shape) {
    const double apex_rad = lobe.apex_rad.value;
    return std::sin(shape.slenderness_rad - apex_rad) * lobe.own_error_rad / solver::lobe_energy(shape, apex_rad);
}

void take_half_periods(FreeRockingSeries& series, const solver::RockingShape& shape) {
    std::vector<std::vector<Estimate>> ratios, energies;
    for (const FreeRockingFit& fit : series.fits) {
        double energy = 1.0;
        const std::vector<MeasuredImpact> row = impacts_in_a_row(fit.record);
        const auto& lobes = fit.record.lobes.lobes;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (ratios.size() <= i) ratios.emplace_back(), energies.emplace_back();
            ratios[i].push_back(row[i].ratio);
            energy *= row[i].ratio.value * row[i].ratio.value;
            // The apexes between cancel: the product is the energy of the last excursion over that of the first.
            const double relative =
                std::hypot(energy_error_ratio(lobes[0], shape), energy_error_ratio(lobes[i + 1], shape));
            energies[i].push_back({energy, energy * relative});
        }
    }
    for (std::size_t i = 0; i < ratios.size() && ratios[i].size() > 1; ++i) {
        series.half_periods.push_back({i + 1, pool(ratios[i])});
        if (energies[i].size() < series.fits.size()) continue;  // the mean of the others would be of other records
        series.energy.push_back(
            {i + 1, pool(energies[i]), std::pow(series.ratio.random.value, 2.0 * static_cast<double>(i + 1))});
    }
}

/// Weighted straight line; its error grows with the scatter about it.
std::optional<Estimate> slope_of(const std::vector<MeasuredImpact>& impacts, double slenderness_rad) {
    if (impacts.size() < kSlopeImpacts) return std::nullopt;
    double weights = 0.0, x = 0.0, y = 0.0;
    const auto weight = [](const MeasuredImpact& one) { return std::pow(std::max(one.own_error, 1e-9), -2); };
    for (const MeasuredImpact& one : impacts) {
        weights += weight(one);
        x += weight(one) * one.apex_before_rad / slenderness_rad;
        y += weight(one) * one.ratio.value;
    }
    x /= weights, y /= weights;
    double xx = 0.0, xy = 0.0, misfit = 0.0;
    for (const MeasuredImpact& one : impacts) {
        const double away = one.apex_before_rad / slenderness_rad - x;
        xx += weight(one) * away * away;
        xy += weight(one) * away * (one.ratio.value - y);
    }
    if (!(xx > 0.0)) return std::nullopt;
    const double slope = xy / xx;
    for (const MeasuredImpact& one : impacts)
        misfit += weight(one) * std::pow(one.ratio.value - y - slope * (one.apex_before_rad / slenderness_rad - x), 2);
    const double grown = std::max(1.0, misfit / static_cast<double>(impacts.size() - 2));
    return Estimate{slope, std::sqrt(grown / xx)};
}

void judge(AmplitudeDependence& amplitude) {
    const double range = amplitude.high - amplitude.low;
    const double effect = amplitude.slope.random.value * range, reach = amplitude.slope.reach_95() * range;
    if (std::abs(effect) > reach) {
        amplitude.verdict = AmplitudeVerdict::depends;
        amplitude.why = fmt::format("eta changes by {:+.4f} ± {:.4f} from {:.2f} alpha to {:.2f} alpha", effect, reach,
                                    amplitude.low, amplitude.high);
    } else if (std::abs(effect) + reach <= kEffectMin) {
        amplitude.verdict = AmplitudeVerdict::none;
        amplitude.why = fmt::format("a change above {:g} from {:.2f} alpha to {:.2f} alpha would have been seen",
                                    kEffectMin, amplitude.low, amplitude.high);
    } else {
        amplitude.why = fmt::format("a change of {:+.4f} ± {:.4f} from {:.2f} alpha to {:.2f} alpha may be chance",
                                    effect, reach, amplitude.low, amplitude.high);
    }
}

void take_amplitudes(FreeRockingSeries& series, double slenderness_rad) {
    std::vector<Estimate> slopes;
    AmplitudeDependence& amplitude = series.amplitude;
    bool is_first = true;
    for (const FreeRockingFit& fit : series.fits) {
        const auto slope = slope_of(fit.record.lobes.impacts, slenderness_rad);
        if (!slope) continue;
        slopes.push_back(*slope);
        for (const MeasuredImpact& impact : fit.record.lobes.impacts) {
            const double at = impact.apex_before_rad / slenderness_rad;
            amplitude.low = is_first ? at : std::min(amplitude.low, at);
            amplitude.high = is_first ? at : std::max(amplitude.high, at);
            is_first = false;
        }
    }
    amplitude.records = slopes.size();
    if (slopes.size() < 2) {
        amplitude.why = fmt::format("fewer than two records have {} impacts or more", kSlopeImpacts);
        return;
    }
    amplitude.slope = pool(slopes);
    judge(amplitude);
}

void note_doubts(FreeRockingSeries& series) {
    for (const FreeRockingFit& fit : series.fits)
        for (const std::string& doubt : fit.record.doubts)
            series.doubts.push_back(fmt::format("{}: {}", fit.record.file.string(), doubt));
    const Pooled& ratio = series.ratio;
    const double expected = static_cast<double>(ratio.count - 1);
    if (ratio.q > kScatterTold_ratio * expected && ratio.count < 4)
        series.doubts.push_back(
            fmt::format("{} records scatter more than their errors: how much is known badly from so few", ratio.count));
    if (series.amplitude.verdict == AmplitudeVerdict::depends)
        series.doubts.push_back("eta depends on the amplitude: one number holds for the amplitudes of these records");
}

}  // namespace

std::string_view name(AmplitudeVerdict verdict) noexcept {
    switch (verdict) {
        case AmplitudeVerdict::depends: return "depends";
        case AmplitudeVerdict::none: return "none";
        case AmplitudeVerdict::uninformative: return "uninformative";
    }
    return "";
}

FreeRockingSeries fit_series(const std::vector<FreeRockingRequest>& requests) {
    require_one_block(requests);
    FreeRockingSeries series;
    std::vector<Estimate> ratios, factors;
    for (FreeRockingRequest request : requests) {
        if (!series.fits.empty() && request.contact == Contact::full) {
            // Edge records are fitted once; what they gave is known then.
            request.edge_records.clear();
            request.edge_strip_m.reset();
            if (series.fits.front().is_material_known) request.material = series.fits.front().material;
        }
        series.fits.push_back(fit_free_rocking(request));
        ratios.push_back(series.fits.back().ratio);
        factors.push_back(series.fits.back().material);
    }
    const double alpha = requests.front().block.slenderness_rad();
    series.ratio = pool(ratios);
    series.is_material_known = series.fits.front().is_material_known;
    series.material = requests.front().contact == Contact::edge ? pool(factors).random : series.fits.front().material;
    series.impulse_k = solver::impulse_position(alpha, series.ratio.random, series.material);
    series.next_impulse_k =
        solver::impulse_position(alpha, {series.ratio.random.value, series.ratio.next_error}, series.material);
    take_half_periods(series, solver::rocking_shape(requests.front().block, requests.front().gravity_m_s2));
    take_amplitudes(series, alpha);
    note_doubts(series);
    return series;
}

}  // namespace topple::hil::study

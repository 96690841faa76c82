#include <cmath>

#include "hil/compare/agreement.hpp"
#include "solver/study/perturbation.hpp"

namespace topple::hil {

using solver::Specimen;

std::vector<Specimen> perturbed_specimens(const Specimen& specimen, const ParameterUncertainty& uncertainty) {
    // A bulky block that sticks at its first impact (ratio <= 0) has no restitution to be uncertain of.
    const std::vector<double> ratios =
        specimen.blocks.empty() ? std::vector<double>{} : solver::restitution_ratios(specimen);
    const bool rebounds = !ratios.empty() && ratios.front() > 0.0;
    const auto changed = [&](double restitution_factor, double tilt_rad, double width_factor) {
        return solver::perturbed(specimen, {.restitution_factor = rebounds ? restitution_factor : 1.0,
                                            .width_factors = {width_factor},
                                            .tilt_rad = tilt_rad});
    };
    return {changed(1.0 - uncertainty.restitution_ratio, 0.0, 1.0),
            changed(1.0 + uncertainty.restitution_ratio, 0.0, 1.0),
            changed(1.0, -uncertainty.tilt_rad, 1.0),
            changed(1.0, uncertainty.tilt_rad, 1.0),
            changed(1.0, 0.0, 1.0 - uncertainty.width_ratio),
            changed(1.0, 0.0, 1.0 + uncertainty.width_ratio)};
}

Slenderness slenderness_of(const Specimen& specimen) {
    if (specimen.pivots) return {specimen.pivots->alpha_left_rad, specimen.pivots->alpha_right_rad};
    const double alpha_rad = specimen.blocks.empty() ? 0.0 : specimen.blocks.front().slenderness_rad();
    return {alpha_rad, alpha_rad};
}

std::optional<solver::Side> predicted_side(const PredictedRotation& predicted, const EvenGrid& grid) {
    for (std::size_t i = 0; i < grid.count; ++i)
        for (const std::vector<double>& block : predicted.filtered_rad)
            if (grid.time_s(i) >= 0.0 && std::abs(block[i]) > kRotationFloor_rad)
                return block[i] > 0.0 ? solver::Side::right : solver::Side::left;
    return std::nullopt;
}

}  // namespace topple::hil

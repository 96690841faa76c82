#include "solver/study/critical_drop.hpp"

#include <cmath>

#include "solver/predict.hpp"

namespace topple::solver {

CriticalDrop critical_drop(const Specimen& specimen, const AirTrack& track, const SolverOptions& asked) {
    require_coupled(specimen, track, asked);
    constexpr double kDropMin_m = 1e-6, kDropMax_m = 1000.0;
    SolverOptions options = asked;
    options.outcome_only = true;
    options.history_step_s = 0.0;
    const double block_kg = specimen.blocks[0].mass_kg, a0 = track.acceleration_m_s2(block_kg, options.gravity_m_s2);
    const auto search = [&](auto&& outcome_at) -> std::optional<double> {
        bool failed = false;
        const auto falls = [&](double drop_m) {
            const std::optional<Outcome> outcome = outcome_at(drop_m);
            failed = failed || !outcome;
            return is_overturning(outcome);
        };
        double high = kDropMin_m;
        while (!falls(high) && !failed)
            if ((high *= 1.5) > kDropMax_m) return std::nullopt;
        double low = high / 1.5;
        while (high - low > 1e-9 * high && !failed) (falls(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
        return failed ? std::nullopt : std::optional(high);
    };
    CriticalDrop critical;
    if (a0 <= uplift_acceleration_m_s2(specimen, options.gravity_m_s2)) return critical;
    critical.prescribed_m = search([&](double drop_m) {
        const BaseMotion pulse = constant_acceleration(a0, std::sqrt(2.0 * drop_m / a0));
        return predict(specimen, pulse, options).outcome;
    });
    critical.coupled_m = search([&](double drop_m) {
        AirTrack there = track;
        there.drop_m = drop_m;
        return predict_coupled(specimen, there, options).outcome;
    });
    return critical;
}

}  // namespace topple::solver

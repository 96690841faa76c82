#include "hil/study/pulse_map.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hil/files/errors.hpp"

namespace topple::hil::study {
namespace {

using files::InputError;

constexpr double kVelocityLeast_m_s = 1e-6;

}  // namespace

PulseAxes pulse_axes(const experiment::Experiment& experiment, const std::string& velocity, const std::string& gap) {
    if (!experiment.excitation.double_pulse)
        throw InputError(fmt::format("--peak-velocity, --gap: excitation.type is \"{}\"; allowed: \"double_pulse\"",
                                     experiment.excitation.type));
    if (experiment.specimens.empty()) throw InputError("map: the experiment has no specimen");
    if (velocity.empty() || gap.empty())
        throw InputError("--peak-velocity and --gap: both are needed for a map of a double pulse");
    PulseAxes axes{parse_axis("--peak-velocity", velocity, kVelocityLeast_m_s), parse_axis("--gap", gap, 0.0)};
    const experiment::DoublePulse& pulse = *experiment.excitation.double_pulse;
    const double rise_m = 0.5 * axes.velocity.high * pulse.rise_time_s;
    if (axes.gap.low <= rise_m)
        throw InputError(
            fmt::format("--gap \"{}\": the smallest gap must exceed {:.6g} m, the travel during the rise to {:g} m/s",
                        gap, rise_m, axes.velocity.high));
    if (pulse.peak_velocity_m_s < 0.0) {
        axes.velocity.low = -axes.velocity.low;
        axes.velocity.high = -axes.velocity.high;
    }
    return axes;
}

ColumnSolver pulse_solver(const experiment::Experiment& experiment, const solver::Specimen& specimen,
                          const solver::SolverOptions& options) {
    return [&experiment, &specimen, options](double velocity_m_s, std::span<const double> gaps_m,
                                             std::span<solver::MapOutcome> outcomes) {
        experiment::DoublePulse pulse = *experiment.excitation.double_pulse;
        pulse.peak_velocity_m_s = velocity_m_s;
        for (std::size_t i = 0; i < gaps_m.size(); ++i) {
            pulse.gap_m = gaps_m[i];
            outcomes[i] = solver::map_outcome(specimen, pulse.motion(experiment.gravity_m_s2), options);
        }
    };
}

}  // namespace topple::hil::study

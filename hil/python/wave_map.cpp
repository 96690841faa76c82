#include "hil/python/wave_map.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "hil/experiment/axis_motions.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/prediction.hpp"
#include "solver/study/stability_map.hpp"

namespace topple::hil::python {
namespace {

using experiment::Experiment;
using files::InputError;

constexpr double kFrequencyRatioLeast = 1e-3, kRatioMost = 1000.0;  // as of the command line

void require_axis(const char* name, std::span<const double> values, double least) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!(values[i] >= least && values[i] <= kRatioMost))
            throw InputError(fmt::format("{}[{}] = {}; allowed: {:g} to {:g}", name, i, values[i], least, kRatioMost));
}

solver::Specimen specimen_of(const Experiment& experiment, const WaveMapRequest& request) {
    if (request.specimen >= experiment.specimens.size())
        throw InputError(fmt::format("{}: specimen {}: there are {}, counted from 0", experiment.source.string(),
                                     request.specimen, experiment.specimens.size()));
    solver::Specimen specimen = experiment.specimens[request.specimen];
    if (!request.initial_rotation_rad) return specimen;
    if (specimen.blocks.size() != 1)
        throw InputError("initial_rotation_rad is for single blocks; the experiment has a stack");
    specimen.initial_rotation_rad = {*request.initial_rotation_rad};
    return specimen;
}

}  // namespace

WaveMap solve_wave_map(const Experiment& experiment, const WaveMapRequest& request, const std::atomic<bool>& stop) {
    if (experiment.assembly) throw InputError("outcome_map: an assembly in a basin has no outcome");
    if (experiment.vertical_excitation.type != "none")
        throw InputError("[vertical_excitation]: the axes of a map have no place for its size; use predict");
    require_axis("frequency_ratio", request.frequency_ratio, kFrequencyRatioLeast);
    require_axis("amplitude_ratio", request.amplitude_ratio, 0.0);
    const solver::Specimen specimen = specimen_of(experiment, request);
    const double sense = experiment::sense_in_plane(experiment, request.specimen, "a map");
    const solver::SolverOptions options =
        plan::solver_options(experiment, request.model.empty() ? experiment.model : request.model);
    solver::MapWave wave = study::map_wave(experiment);
    if (sense != 1.0) wave.motion = wave.motion.scaled(sense);
    try {
        solver::model_for(specimen, options.model);
        const solver::StabilityMap map(
            specimen, wave, request.by_angle ? solver::AmplitudeAxis::angle : solver::AmplitudeAxis::tangent, options);
        WaveMap result;
        std::vector<char> is_done;
        result.cells = study::solve_cells(study::column_solver(map), request.frequency_ratio, request.amplitude_ratio,
                                          {request.threads, &stop, {}}, is_done);
        result.frequency_parameter_rad_s = map.frequency_parameter_rad_s();
        result.amplitude_unit_m_s2 = map.amplitude_unit_m_s2();
        return result;
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
}

}  // namespace topple::hil::python

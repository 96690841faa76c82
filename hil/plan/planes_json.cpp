#include "hil/plan/planes_json.hpp"

#include "hil/experiment/axis_motions.hpp"

namespace topple::hil::plan {

nlohmann::ordered_json plane_json(const experiment::Experiment& experiment, std::size_t specimen) {
    const experiment::PlanePeaks peaks = experiment::plane_peaks(experiment, specimen);
    return {{"plane_angle_rad", peaks.plane_angle_rad},
            {"acceleration_in_plane_peak_m_s2", peaks.in_plane_m_s2},
            {"acceleration_across_plane_peak_m_s2", peaks.across_m_s2}};
}

nlohmann::ordered_json planes_json(const experiment::Experiment& experiment) {
    auto planes = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) planes.push_back(plane_json(experiment, i));
    return planes;
}

}  // namespace topple::hil::plan

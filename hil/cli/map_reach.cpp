#include "hil/cli/map_reach.hpp"

#include <algorithm>
#include <span>

#include "controller/headroom.hpp"

namespace topple::hil::cli {

std::vector<std::array<double, 2>> table_reach(const experiment::Experiment& experiment,
                                               const std::array<double, 2>& own, const study::GridAxis& frequency) {
    const auto& motion = experiment.excitation.table_motion;
    const firmware_iface::MachineDescription& machine = experiment.table.description;
    if (!motion || motion->empty() || machine.y || !(own[0] > 0.0) || !(own[1] > 0.0)) return {};
    constexpr std::size_t kPointsMax = 100;  // of the drawn line
    const std::size_t count = std::min(frequency.count, kPointsMax);
    std::vector<std::array<double, 2>> reach;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
        const double ratio = frequency.low + share * (frequency.high - frequency.low);
        if (!(ratio > 0.0)) continue;
        const controller::Profile profile = controller::place(motion->faster(ratio / own[0]), experiment.table.centre);
        const controller::Headroom room =
            controller::headroom(std::span(&profile, 1), machine, experiment::payload_kg(experiment));
        reach.push_back({ratio, own[1] * room.amplitude_ratio});
    }
    return reach;
}

}  // namespace topple::hil::cli

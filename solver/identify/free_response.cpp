#include "solver/identify/free_response.hpp"

#include <algorithm>

namespace topple::solver {
namespace {

constexpr double kRestApex_ratio = 1e-9;  // of the release angle
constexpr std::size_t kLobesMax = 20000;

}  // namespace

FreeResponse::FreeResponse(const RockingShape& shape, const FreeRelease& release, double end_s) {
    int side = release.side;
    const RockingShape first_shape = shape_on_seat(shape, release.tilt_rad, side);
    const FreeLobe first(first_shape, release.apex_rad);
    lobes_.push_back({first, release.first_impact_s - first.half_duration_s(), release.first_impact_s, side});
    // Over m g R above rest; at an impact the same on both sides, whatever the slope.
    double energy = lobe_energy(first_shape, release.apex_rad);
    rest_s_ = release.first_impact_s;
    while (rest_s_ < end_s && lobes_.size() < kLobesMax) {
        energy *= release.ratio * release.ratio;
        side = -side;
        const RockingShape here = shape_on_seat(shape, release.tilt_rad, side);
        const double apex = apex_of_energy(here, energy);
        if (!(apex > kRestApex_ratio * release.apex_rad)) break;
        const FreeLobe next(here, apex);
        lobes_.push_back({next, rest_s_ + next.half_duration_s(), rest_s_ + 2.0 * next.half_duration_s(), side});
        rest_s_ = lobes_.back().end_s;
    }
}

double FreeResponse::rotation_rad(double time_s) const noexcept {
    if (time_s <= release_s()) return lobes_.front().side * lobes_.front().lobe.apex_rad();
    const auto at = std::upper_bound(lobes_.begin(), lobes_.end(), time_s,
                                     [](double time, const TimedLobe& lobe) { return time < lobe.end_s; });
    if (at == lobes_.end()) return 0.0;
    return at->side * at->lobe.rotation_rad(time_s - at->apex_s);
}

std::vector<double> FreeResponse::rotations_rad(std::span<const double> time_s) const {
    std::vector<double> rotation(time_s.size(), 0.0);
    std::size_t i = 0;
    for (; i < time_s.size() && time_s[i] <= release_s(); ++i)
        rotation[i] = lobes_.front().side * lobes_.front().lobe.apex_rad();
    for (const TimedLobe& lobe : lobes_) {
        const auto end = std::lower_bound(time_s.begin() + static_cast<std::ptrdiff_t>(i), time_s.end(), lobe.end_s);
        const std::size_t count = static_cast<std::size_t>(end - time_s.begin()) - i;
        const std::span<double> part(rotation.data() + i, count);
        lobe.lobe.rotations(time_s.subspan(i, count), lobe.apex_s, part);
        if (lobe.side < 0)
            for (double& value : part) value = -value;
        i += count;
    }
    return rotation;
}

}  // namespace topple::solver

#include "solver/identify/free_response.hpp"

#include <algorithm>

namespace topple::solver {
namespace {

constexpr double kRestApex_ratio = 1e-9;  // of the release angle
constexpr std::size_t kLobesMax = 20000;

}  // namespace

FreeResponse::FreeResponse(const RockingShape& shape, double release_rad, double first_impact_s, double ratio,
                           double end_s) {
    const FreeLobe first(shape, release_rad);
    lobes_.push_back({first, first_impact_s - first.half_duration_s(), first_impact_s});
    double energy = lobe_energy(shape, release_rad);
    rest_s_ = first_impact_s;
    while (rest_s_ < end_s && lobes_.size() < kLobesMax) {
        energy *= ratio * ratio;
        const double apex = apex_of_energy(shape, energy);
        if (!(apex > kRestApex_ratio * release_rad)) break;
        const FreeLobe next(shape, apex);
        lobes_.push_back({next, rest_s_ + next.half_duration_s(), rest_s_ + 2.0 * next.half_duration_s()});
        rest_s_ = lobes_.back().end_s;
    }
}

double FreeResponse::rotation_rad(double time_s) const noexcept {
    if (time_s <= release_s()) return lobes_.front().lobe.apex_rad();
    const auto at = std::upper_bound(lobes_.begin(), lobes_.end(), time_s,
                                     [](double time, const TimedLobe& lobe) { return time < lobe.end_s; });
    if (at == lobes_.end()) return 0.0;
    const double rotation = at->lobe.rotation_rad(time_s - at->apex_s);
    return (at - lobes_.begin()) % 2 == 0 ? rotation : -rotation;
}

}  // namespace topple::solver

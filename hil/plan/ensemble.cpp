#include "hil/plan/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "hil/files/errors.hpp"
#include "hil/plan/drawn_yaw.hpp"
#include "hil/plan/held_members.hpp"
#include "hil/plan/prediction.hpp"
#include "solver/study/held_restitution.hpp"
#include "solver/study/standing_pose.hpp"

namespace topple::hil::plan {
namespace {

/// Of the distributions and of the table's row.
solver::MemberDraw departure(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                             std::size_t index) {
    solver::MemberDraw drawn = solver::draw_member(uncertainty.of, uncertainty.seed, index,
                                                   solver::foot_count(specimen), solver::face_count(specimen));
    if (!uncertainty.members) return drawn;
    const experiment::WeightedMember& row = uncertainty.members->rows.at(index);
    drawn.perturbation = experiment::combined(std::move(drawn.perturbation), row.perturbation, specimen);
    drawn.motion.amplitude *= row.motion.amplitude;
    drawn.motion.frequency *= row.motion.frequency;
    return drawn;
}

/// Throws std::invalid_argument that says which member it is and how it would stand.
solver::Specimen member_specimen(const solver::Specimen& specimen, const solver::Perturbation& by, std::size_t index) {
    try {
        return solver::perturbed(specimen, by);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format(
            "[uncertainty]: member {} (yaw_rad {:+.6g}, seat_m {:+.6g}, wear_m {:.6g}, tilt_rad {:+.6g}): {}", index,
            by.yaw_rad, by.seat_m, by.wear_m, by.tilt_rad, error.what()));
    }
}

}  // namespace

EnsembleDraw draw_member(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                         std::size_t index, MotionIs motion) {
    const solver::MemberDraw drawn = departure(specimen, uncertainty, index);
    const double weight = uncertainty.members ? uncertainty.members->rows[index].weight : 1.0;
    EnsembleDraw member{.specimen = member_specimen(specimen, drawn.perturbation, index), .weight = weight};
    member.specimen.restitution.random_seed += index + 1;  // read by the random model only
    if (motion == MotionIs::measured) return member;
    member.amplitude_factor = drawn.motion.amplitude;
    member.frequency_factor = drawn.motion.frequency;
    return member;
}

double drawn_yaw_rad(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                     std::size_t index) {
    return departure(specimen, uncertainty, index).perturbation.yaw_rad;
}

std::size_t held_members(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                         std::size_t members) {
    std::size_t held = 0;
    for (std::size_t i = 0; i < std::min(members, kFollowedMax); ++i)
        held += solver::restitution_is_held(specimen, departure(specimen, uncertainty, i).perturbation) ? 1 : 0;
    return held;
}

std::size_t ensemble_size(const experiment::UncertaintySection& uncertainty, std::size_t asked) noexcept {
    return asked > 0 && uncertainty.members ? uncertainty.members->rows.size() : asked;
}

void require_ensemble_size(const experiment::UncertaintySection& uncertainty, std::size_t asked, const char* option) {
    if (ensemble_size(uncertainty, asked) == asked) return;
    const std::size_t rows = uncertainty.members->rows.size();
    throw files::InputError(fmt::format("{} {}: the ensemble is the {} members of {}; allowed: {}", option, asked, rows,
                                        uncertainty.members->file, rows));
}

std::vector<std::size_t> equal_members(const experiment::UncertaintySection& uncertainty, std::size_t count) {
    std::vector<std::size_t> index(count);
    std::iota(index.begin(), index.end(), std::size_t{0});
    if (!uncertainty.members) return index;
    const auto& rows = uncertainty.members->rows;
    const double each = uncertainty.members->effective_members / static_cast<double>(count);
    std::size_t row = 0;
    double up_to = rows.front().weight;
    for (std::size_t i = 0; i < count; ++i) {
        while (up_to <= (static_cast<double>(i) + 0.5) * each && row + 1 < rows.size()) up_to += rows[++row].weight;
        index[i] = row;
    }
    return index;
}

}  // namespace topple::hil::plan

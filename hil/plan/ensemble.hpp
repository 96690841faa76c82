// Members of an ensemble of an experiment: the same draws for the blind prediction, the forecast and the comparison.
#pragma once

#include <cstddef>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

/// What is known of the base's motion when an ensemble is drawn.
enum class MotionIs {
    planned,   ///< it has still to come: its amplitude and frequency are uncertain
    measured,  ///< it has been measured: they are known, and a member follows it as it is
};

/// One member: its specimen, and by how much its base departs from the planned motion.
struct EnsembleDraw {
    solver::Specimen specimen;
    double amplitude_factor = 1.0;  ///< of every acceleration of the base
    double frequency_factor = 1.0;  ///< of every frequency: a(t) -> amplitude_factor a(frequency_factor t)
    double weight = 1.0;            ///< counts as so many members of equal weight; of a members table

    solver::MotionScale motion_scale() const noexcept { return {amplitude_factor, frequency_factor}; }
    /// The planned motion as this member's base makes it.
    solver::BaseMotion motion(const solver::BaseMotion& planned) const { return planned.scaled(motion_scale()); }
};

/// Member `index` of the ensemble of a specimen: a pure function of its arguments. Members of the same index have the
/// same specimen, whether the motion is planned or measured. With a members table it is row `index`, which must be
/// there. Throws std::invalid_argument if the draw is no valid specimen.
EnsembleDraw draw_member(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                         std::size_t index, MotionIs motion);

/// Members of an ensemble for which `asked` would do: those of the members table, if there is one, else `asked`; of 0
/// always 0.
std::size_t ensemble_size(const experiment::UncertaintySection& uncertainty, std::size_t asked) noexcept;

/// Throws InputError, naming `option`, if the experiment has a members table of another size. 0 is always allowed.
void require_ensemble_size(const experiment::UncertaintySection& uncertainty, std::size_t asked, const char* option);

/// Indices of `count` members that count alike, for what cannot take weights: the first ones; of a members table each
/// as often as its weight says, to within one (systematic sampling).
std::vector<std::size_t> equal_members(const experiment::UncertaintySection& uncertainty, std::size_t count);

}  // namespace topple::hil::plan

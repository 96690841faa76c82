#include "hil/plan/ensemble.hpp"

#include "solver/study/standing_pose.hpp"

namespace topple::hil::plan {

EnsembleDraw draw_member(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                         std::size_t index, MotionIs motion) {
    const solver::MemberDraw drawn = solver::draw_member(uncertainty.of, uncertainty.seed, index,
                                                         solver::foot_count(specimen), solver::face_count(specimen));
    EnsembleDraw member{solver::perturbed(specimen, drawn.perturbation)};
    member.specimen.restitution.random_seed += index + 1;  // read by the random model only
    if (motion == MotionIs::measured) return member;
    member.amplitude_factor = drawn.motion.amplitude;
    member.frequency_factor = drawn.motion.frequency;
    return member;
}

}  // namespace topple::hil::plan

// Contact dynamics beside the law of a foot: how far the times of the first changes of pivot are apart, and whether the
// time step is why.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/run.hpp"
#include "tests/support/foot_cases.hpp"

namespace topple::tests {

inline constexpr std::size_t kFirstChanges = 5;
inline constexpr double kChangeTolerance_s = 1e-4, kContactStep_s = 1e-5;
inline constexpr int kHalvingsMax = 6;
inline constexpr double kNotListed_s = 1.0;  // error of a change that is not listed, or on another face

/// `scheme`: theta and activation; 0.5 is Moreau's midpoint, 1 the default of the solver.
inline solver::SolverOptions foot_contact_options(double scheme, double time_step_s) {
    solver::SolverOptions options;
    options.model = solver::Model::contact_dynamics;
    options.contact.time_step_s = time_step_s;
    options.contact.theta = options.contact.activation = scheme;
    options.settle_limit_s = 30.0;
    return options;
}

inline int side_of(const solver::Prediction& prediction) {
    if (prediction.outcome != solver::Outcome::overturning) return 0;
    return prediction.direction == solver::Side::left ? -1 : 1;
}

/// The largest of the first changes of pivot.
inline double change_error_s(const solver::Prediction& law, const solver::Prediction& other) {
    double error_s = 0.0;
    for (std::size_t i = 0; i < std::min(kFirstChanges, law.impacts.size()); ++i) {
        const bool is_same = i < other.impacts.size() && other.impacts[i].face == law.impacts[i].face;
        error_s = std::max(error_s, is_same ? std::abs(other.impacts[i].time_s - law.impacts[i].time_s) : kNotListed_s);
    }
    return error_s;
}

/// Of contact dynamics, followed until shortly after the last of them.
inline double contact_error_s(const FootCase& foot, const solver::Prediction& law, double scheme, double time_step_s) {
    const double until_s = law.impacts[std::min(kFirstChanges, law.impacts.size()) - 1].time_s + .02;
    solver::RockingRun run(foot.specimen, foot_contact_options(scheme, time_step_s));
    const solver::BaseMotion motion = foot.motion();
    for (const solver::MotionPiece& piece : motion.pieces()) run.advance(piece, std::min(piece.end_s, until_s));
    run.coast(until_s);
    return change_error_s(law, run.result());
}

/// The most by which 1e-6 of the amplitude moves a change of the law: what a scheme must multiply, too.
inline double change_sensitivity_s(const FootCase& foot, const solver::Prediction& law) {
    double most_s = 0.0;
    for (const double ratio : {1.0 - 1e-6, 1.0 + 1e-6})
        most_s = std::max(most_s, change_error_s(law, solver::follow(foot.specimen, foot.motion().scaled(ratio))));
    return most_s;
}

/// The errors at 1e-5 s, and at the first halved step at which they are within 1e-4 s: then the step made the
/// difference, for the law does not change with it.
struct StepStudy {
    double error_s = 0.0, last_s = 0.0;
    int halvings = 0;
    bool agrees() const { return last_s <= kChangeTolerance_s; }
};

inline StepStudy study_step(const FootCase& foot, const solver::Prediction& law, double scheme,
                            int halvings_max = kHalvingsMax) {
    StepStudy study;
    study.error_s = study.last_s = contact_error_s(foot, law, scheme, kContactStep_s);
    while (!study.agrees() && study.halvings < halvings_max)
        study.last_s = contact_error_s(foot, law, scheme, std::ldexp(kContactStep_s, -++study.halvings));
    return study;
}

}  // namespace topple::tests

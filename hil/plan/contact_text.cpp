#include "hil/plan/contact_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace topple::hil::plan {
namespace {

/// Shortest period or piece of a motion; infinity if the base rests.
double shortest_time_s(const solver::BaseMotion& motion) {
    double shortest_s = std::numeric_limits<double>::infinity();
    for (const solver::MotionPiece& piece : motion.pieces()) {
        shortest_s = std::min(shortest_s, 5.0 * (piece.end_s - piece.start_s));
        for (const solver::HarmonicTerm& term : piece.harmonics)
            shortest_s = std::min(shortest_s, 2.0 * std::numbers::pi / term.angular_frequency_rad_s);
    }
    return shortest_s;
}

}  // namespace

bool has_friction(const solver::Specimen& specimen) noexcept {
    return specimen.friction || !specimen.interface_friction.empty();
}

std::string contact_lines(const solver::Prediction& p, const solver::ContactDynamics& with) {
    if (!p.contact) return "";
    std::string text = fmt::format(
        "  contacts      {}time step {:g} s, Newton's restitution {:g}\n",
        p.contact->from_s ? fmt::format("contact dynamics from t = {:.4f} s, ", *p.contact->from_s) : std::string(),
        with.time_step_s, with.restitution);
    if (p.contact->half_step) {
        const solver::ContactReport::HalfStep& half = *p.contact->half_step;
        text += half.is_confirmed ? "  half the step confirms outcome and first peaks"
                                  : "  NOT CONFIRMED by half the time step";
        text += half.is_confirmed || half.outcome == p.outcome
                    ? fmt::format(" (largest peaks differ by {:.2g} rad, {:.2g} allowed;", half.peak_difference_rad,
                                  half.peak_tolerance_rad)
                    : fmt::format(" (its outcome is {};", solver::name(half.outcome));
        text +=
            fmt::format(" the first {} of {} turning points agree)\n", half.turning_points, p.turning_points.size());
    }
    if (p.contact->unfinished_steps > 0)
        text += fmt::format("  contacts      not solved to the tolerance in {} of {} steps\n",
                            p.contact->unfinished_steps, p.contact->steps);
    if (p.contact->energy_gain_steps > 0)
        text += fmt::format("  energy        Newton's restitution with friction added {:.3g} J in {} steps\n",
                            p.contact->energy_gain_j, p.contact->energy_gain_steps);
    return text;
}

std::vector<std::string> contact_remarks(const experiment::Experiment& experiment, std::size_t i) {
    constexpr double kStepsPerPeriod = 50.0;
    std::vector<std::string> remarks;
    const double step_s = experiment.contact_dynamics.time_step_s;
    double shortest_s = shortest_time_s(experiment.excitation.planned_motion());
    if (experiment.vertical_excitation.type != "none")
        shortest_s = std::min(shortest_s, shortest_time_s(experiment.vertical_excitation.planned_motion()));
    if (step_s * kStepsPerPeriod > shortest_s)
        remarks.push_back(fmt::format(
            "specimen {}: time_step_s = {:g} is coarse for the excitation, whose shortest period is {:.3g} s: use at "
            "most {:.2g}",
            i, step_s, shortest_s, shortest_s / kStepsPerPeriod));
    if (!has_friction(experiment.specimens[i]))
        remarks.push_back(fmt::format("specimen {}: no friction in the file: contacts that push do not slip", i));
    const solver::Restitution& given = experiment.specimens[i].restitution;
    if (given.model != solver::RestitutionModel::housner || given.material != solver::Restitution{}.material)
        remarks.push_back(fmt::format(
            "specimen {}: its restitution is not used by contact_dynamics, which has [contact_dynamics] restitution",
            i));
    return remarks;
}

}  // namespace topple::hil::plan

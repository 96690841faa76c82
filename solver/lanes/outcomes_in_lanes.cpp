#include "solver/lanes/outcomes_in_lanes.hpp"

#include <cmath>

#include "solver/lanes/wave_shape.hpp"

namespace topple::solver {
namespace {

double pivot_parameter_rad_s(double mass_kg, double radius_m, double inertia_kg_m2, double gravity_m_s2) {
    return std::sqrt(mass_kg * gravity_m_s2 * radius_m / (inertia_kg_m2 + mass_kg * radius_m * radius_m));
}

}  // namespace

bool MapOutcome::same_class(const MapOutcome& other) const noexcept {
    return outcome == other.outcome && direction == other.direction &&
           impacts_before_overturning == other.impacts_before_overturning;
}

SpecimenScale scale_of(const Specimen& specimen, double gravity_m_s2) {
    if (const auto pivots = pivots_of(specimen)) {
        const bool left = pivots->alpha_left_rad <= pivots->alpha_right_rad;
        return {left ? pivots->alpha_left_rad : pivots->alpha_right_rad,
                pivot_parameter_rad_s(specimen.blocks[0].mass_kg, left ? pivots->radius_left_m : pivots->radius_right_m,
                                      pivots->inertia_kg_m2, gravity_m_s2)};
    }
    Block whole = specimen.blocks.front();
    for (std::size_t i = 1; i < specimen.blocks.size(); ++i) whole.height_m += specimen.blocks[i].height_m;
    return {whole.slenderness_rad(), whole.frequency_parameter_rad_s(gravity_m_s2)};
}

LaneBody lane_body(const Specimen& specimen, double axes_rad_s, double gravity_m_s2) {
    const SpecimenScale scale = scale_of(specimen, gravity_m_s2);
    LaneBody body;
    body.seat_cosine = std::cos(specimen.initial_tilt_rad);
    body.seat_sine = std::sin(specimen.initial_tilt_rad);
    body.initial_rotation_rad = specimen.initial_rotation_rad.empty() ? 0.0 : specimen.initial_rotation_rad[0];
    const std::vector<double> ratios = restitution_ratios(specimen);
    for (std::size_t i = 0; i < 2; ++i) {
        double alpha = scale.slenderness_rad, p = scale.frequency_parameter_rad_s;
        if (specimen.pivots) {
            const Pivots& pivots = *specimen.pivots;
            alpha = i == 0 ? pivots.alpha_left_rad : pivots.alpha_right_rad;
            p = pivot_parameter_rad_s(specimen.blocks[0].mass_kg, i == 0 ? pivots.radius_left_m : pivots.radius_right_m,
                                      pivots.inertia_kg_m2, gravity_m_s2);
        }
        const double ratio = p / axes_rad_s;
        body.sides[i] = {alpha, std::sin(alpha), std::cos(alpha), ratio * ratio,
                         i < ratios.size() ? ratios[i] : ratios[0]};
    }
    return body;
}

MapOutcome map_outcome_of(const LaneOutcome& from) {
    MapOutcome to;
    to.steps = from.steps;
    to.impacts_before_overturning = from.impacts;
    to.outcome = from.end == LaneEnd::overturning ? Outcome::overturning
                 : from.end == LaneEnd::rocking   ? Outcome::rocking
                                                  : Outcome::translation;
    to.blocks_overturned = from.end == LaneEnd::overturning ? 1 : 0;
    if (from.end == LaneEnd::overturning) to.direction = from.side < 0 ? Side::left : Side::right;
    return to;
}

bool lanes_cover(const Specimen& specimen, const SolverOptions& options) {
    if (specimen.beam || specimen.initial_velocity_m_s) return false;  // for the scalar solver to refuse
    if (specimen.foot) return false;                                   // more than two corners
    return specimen.blocks.size() == 1 && !specimen.friction && !starts_turning(specimen) && !options.vertical &&
           specimen.restitution.model != RestitutionModel::random && options.integrator == Integrator::high_order &&
           (options.model == Model::automatic || options.model == Model::rocking);
}

std::vector<std::optional<MapOutcome>> outcomes_in_lanes(std::span<const Specimen> specimens, const BaseMotion& motion,
                                                         const SolverOptions& options,
                                                         std::span<const MotionScale> scales) {
    std::vector<std::optional<MapOutcome>> outcomes(specimens.size());
    if (motion.empty()) return outcomes;
    std::vector<LaneBody> bodies;
    std::vector<LanePoint> points;
    std::vector<std::size_t> index;
    double axes_rad_s = 0.0;  // one time scale, so that all lanes go through the motion at the same pace
    for (std::size_t i = 0; i < specimens.size(); ++i) {
        if (!lanes_cover(specimens[i], options)) continue;
        validate(specimens[i]);
        if (axes_rad_s == 0.0) axes_rad_s = scale_of(specimens[i], options.gravity_m_s2).frequency_parameter_rad_s;
        const MotionScale scale = scales.empty() ? MotionScale{} : scales[i];
        points.push_back({scale.frequency / axes_rad_s, scale.amplitude, bodies.size()});
        bodies.push_back(lane_body(specimens[i], axes_rad_s, options.gravity_m_s2));
        index.push_back(i);
    }
    if (bodies.empty()) return outcomes;
    const WaveShape shape(motion, 1.0, 1.0);
    const LaneProblem problem{bodies.data(), shape.pieces().data(), shape.pieces().size(), 1.0 / options.gravity_m_s2};
    std::vector<LaneOutcome> ends(points.size());
    lane_solver()(problem, points.data(), ends.data(), points.size());
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (ends[i].end != LaneEnd::unsolved) outcomes[index[i]] = map_outcome_of(ends[i]);
    return outcomes;
}

std::optional<MapOutcome> outcome_in_lanes(const Specimen& specimen, const BaseMotion& motion,
                                           const SolverOptions& options) {
    return outcomes_in_lanes({&specimen, 1}, motion, options).front();
}

}  // namespace topple::solver

#include "hil/sim_table/carried_specimen.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/experiment/axis_motions.hpp"

namespace topple::hil::sim_table {

namespace {

solver::SolverOptions solver_options(double gravity_m_s2) {
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    return options;
}

double total_mass_kg(const solver::Specimen& specimen) {
    double mass = 0.0;
    for (const solver::Block& block : specimen.blocks) mass += block.mass_kg;
    return mass;
}

bool starts_rotated(const solver::Specimen& specimen) {
    return std::any_of(specimen.initial_rotation_rad.begin(), specimen.initial_rotation_rad.end(),
                       [](double rotation) { return rotation != 0.0; });
}

}  // namespace

CarriedSpecimen::CarriedSpecimen(const solver::Specimen& specimen, double gravity_m_s2, double plane_angle_rad)
    : specimen_(specimen),
      options_(solver_options(gravity_m_s2)),
      plane_{experiment::share_along(plane_angle_rad),
             experiment::share_along(plane_angle_rad - 0.5 * std::numbers::pi)},
      mass_kg_(total_mass_kg(specimen)),
      gravity_along_seat_m_s2_(gravity_m_s2 * std::sin(specimen.initial_tilt_rad)),
      held_(starts_rotated(specimen)),
      run_(specimen, options_) {}

void CarriedSpecimen::stand_up() {
    run_ = solver::RockingRun(specimen_, options_);
    held_ = starts_rotated(specimen_);
}

CarriedSpecimen::Load CarriedSpecimen::load() const noexcept {
    if (empty() || held_) return {0.0, -mass_kg_};
    const double still_n = run_.base_reaction(0.0).horizontal_n;
    return {still_n - run_.standing_load().mass_kg * gravity_along_seat_m_s2_,
            run_.base_reaction(1.0).horizontal_n - still_n};
}

CarriedSpecimen::Exchange CarriedSpecimen::advance(double base_acceleration_m_s2, double duration_s) noexcept {
    if (empty() || held_) return {mass_kg_, 0.0};
    const double start_s = run_.time_s();
    piece_.start_s = start_s;
    piece_.end_s = start_s + duration_s;
    piece_.polynomial = {base_acceleration_m_s2, 0.0, 0.0, 0.0};
    const solver::StandingLoad before = run_.standing_load();
    run_.advance(piece_, piece_.end_s);
    const solver::StandingLoad after = run_.standing_load();
    // A block that fell in this step moved with the platen to its end; what it leaves with gives the platen no push.
    return {before.mass_kg, before.momentum_kg_m_s - after.momentum_kg_m_s -
                                (after.lost_momentum_kg_m_s - before.lost_momentum_kg_m_s)};
}

double CarriedSpecimen::standing_mass_kg() const noexcept {
    return empty() || held_ ? mass_kg_ : run_.standing_load().mass_kg;
}

double CarriedSpecimen::relative_momentum_kg_m_s() const noexcept {
    return empty() || held_ ? 0.0 : run_.standing_load().momentum_kg_m_s;
}

}  // namespace topple::hil::sim_table

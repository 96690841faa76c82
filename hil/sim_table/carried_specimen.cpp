#include "hil/sim_table/carried_specimen.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil {

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

double side_of(solver::Support support) noexcept {
    switch (support) {
        case solver::Support::full: return 0.0;
        case solver::Support::left: return -1.0;
        case solver::Support::right: return 1.0;
    }
    return 0.0;
}

bool starts_rotated(const solver::Specimen& specimen) {
    return std::any_of(specimen.initial_rotation_rad.begin(), specimen.initial_rotation_rad.end(),
                       [](double rotation) { return rotation != 0.0; });
}

}  // namespace

CarriedSpecimen::CarriedSpecimen(const solver::Specimen& specimen, double gravity_m_s2)
    : specimen_(specimen),
      options_(solver_options(gravity_m_s2)),
      mass_kg_(total_mass_kg(specimen)),
      weight_along_seat_n_(mass_kg_ * gravity_m_s2 * std::sin(specimen.initial_tilt_rad)),
      held_(starts_rotated(specimen)),
      run_(specimen, options_) {}

void CarriedSpecimen::stand_up() {
    run_ = solver::RockingRun(specimen_, options_);
    held_ = starts_rotated(specimen_);
}

CarriedSpecimen::Load CarriedSpecimen::load() const noexcept {
    if (empty() || held_) return {0.0, -mass_kg_};
    const double still_n = run_.base_reaction(0.0).horizontal_n;
    return {still_n - weight_along_seat_n_, run_.base_reaction(1.0).horizontal_n - still_n};
}

CarriedSpecimen::Exchange CarriedSpecimen::advance(double base_acceleration_m_s2, double duration_s) noexcept {
    if (empty() || held_) return {mass_kg_, 0.0};
    const double start_s = run_.time_s();
    piece_.start_s = start_s;
    piece_.end_s = start_s + duration_s;
    piece_.polynomial = {base_acceleration_m_s2, 0.0, 0.0, 0.0};
    const double before = relative_momentum_kg_m_s();
    run_.advance(piece_, piece_.end_s);
    return {mass_kg_, before - relative_momentum_kg_m_s()};
}

double CarriedSpecimen::relative_momentum_kg_m_s() const noexcept {
    if (empty() || held_) return 0.0;
    if (specimen_.pivots) {
        const auto& p = *specimen_.pivots;
        const double theta = run_.rotation_rad(0);
        const bool right = run_.support(0) == solver::Support::right;
        const double alpha = right ? p.alpha_right_rad : p.alpha_left_rad;
        const double radius = right ? p.radius_right_m : p.radius_left_m;
        return mass_kg_ * (run_.slip_rate_m_s() + radius * std::cos(alpha - std::abs(theta)) * run_.rotation_rate_rad_s(0));
    }
    // Up the stack: horizontal velocity of each block's foot point, bottom centre and mass centre. A point (l, h) of
    // a block turned clockwise by theta moves at rate (h cos - l sin) theta' along x about the block's bottom centre.
    double foot_m_s = run_.slip_rate_m_s(), momentum = 0.0;
    for (std::size_t i = 0; i < specimen_.blocks.size(); ++i) {
        const solver::Block& block = specimen_.blocks[i];
        const double rate = run_.rotation_rate_rad_s(i);
        const double s = std::sin(run_.rotation_rad(i)), c = std::cos(run_.rotation_rad(i));
        const double below_m = i == 0 ? block.width_m : std::min(block.width_m, specimen_.blocks[i - 1].width_m);
        const double centre_m_s = foot_m_s + rate * side_of(run_.support(i)) * 0.5 * below_m * s;
        momentum += block.mass_kg * (centre_m_s + rate * 0.5 * block.height_m * c);
        if (i + 1 == specimen_.blocks.size()) break;
        const double above_m = std::min(block.width_m, specimen_.blocks[i + 1].width_m);
        const double reach_m = side_of(run_.support(i + 1)) * 0.5 * above_m;
        foot_m_s = centre_m_s + rate * (block.height_m * c - reach_m * s);
    }
    return momentum;
}

}  // namespace topple::hil

#include "solver/specimen.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "solver/foot_energy.hpp"
#include "solver/stack/specimen_stack.hpp"

namespace topple::solver {

namespace {

std::string number(double value) {
    char text[32];  // to_chars does not follow the locale's decimal comma
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 9).ptr;
    return {text, end};
}

void require(bool allowed, const std::string& field, double value, const char* what) {
    if (!allowed) throw std::invalid_argument(field + " = " + number(value) + ": " + what);
}

void require_positive(const std::string& field, double value) {
    require(std::isfinite(value) && value > 0.0, field, value, "must be finite and > 0");
}

void require_ratio(const std::string& field, double value) {
    require(value >= 0.0 && value <= 1.0, field, value, "must lie in 0..1");
}

void validate_blocks(const Specimen& specimen) {
    const auto& blocks = specimen.blocks;
    require(blocks.size() <= kSpecimenBlocksMax, "blocks", static_cast<double>(blocks.size()),
            "at most 64 blocks are supported");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::string name = "blocks[" + std::to_string(i) + "]";
        require_positive(name + ".mass_kg", blocks[i].mass_kg);
        if (specimen.pivots || specimen.foot) continue;
        require_positive(name + ".width_m", blocks[i].width_m);
        require_positive(name + ".height_m", blocks[i].height_m);
    }
}

void validate_pivots(const Specimen& specimen) {
    if (!specimen.pivots) return;
    if (specimen.blocks.size() != 1) throw std::invalid_argument("pivots: allowed for a single block only");
    const Pivots& pivots = *specimen.pivots;
    const auto require_angle = [](const char* field, double alpha) {
        require(alpha > 0.0 && alpha < kHalfPi, field, alpha, "must lie between 0 and pi/2");
    };
    require_angle("pivots.alpha_left_rad", pivots.alpha_left_rad);
    require_angle("pivots.alpha_right_rad", pivots.alpha_right_rad);
    require_positive("pivots.radius_left_m", pivots.radius_left_m);
    require_positive("pivots.radius_right_m", pivots.radius_right_m);
    require_positive("pivots.inertia_kg_m2", pivots.inertia_kg_m2);
}

void validate_foot(const Specimen& specimen) {
    if (!specimen.foot) return;
    if (specimen.blocks.size() != 1) throw std::invalid_argument("foot: allowed for a single block only");
    if (specimen.pivots) throw std::invalid_argument("foot: not allowed together with pivots");
    validate(*specimen.foot);
}

/// Up to 1, or beyond as far as no energy comes from it.
void require_face_ratios(const Specimen& specimen) {
    const auto& given = specimen.restitution.fixed_faces;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto lossless = lossless_ratios(*specimen.foot, specimen.blocks[0].mass_kg, i);
        for (std::size_t way = 0; way < 2; ++way)
            if (const double ratio = given[i][way]; !(ratio <= lossless[way] * (1.0 + 1e-12)))
                require_ratio("restitution.faces", ratio);
            else
                require(ratio >= 0.0, "restitution.faces", ratio, "must lie in 0..1");
    }
}

void validate_restitution_of_foot(const Specimen& specimen, std::size_t faces) {
    const Restitution& restitution = specimen.restitution;
    if (restitution.model != RestitutionModel::housner && restitution.model != RestitutionModel::fixed)
        throw std::invalid_argument("restitution.model: of a foot \"housner\" or \"fixed\" only");
    if (!restitution.fixed_faces.empty() && restitution.fixed_faces.size() != faces)
        throw std::invalid_argument("restitution.faces: " + std::to_string(restitution.fixed_faces.size()) +
                                    " pairs given, allowed: " + std::to_string(faces) +
                                    " (one per face from the left)");
    require_face_ratios(specimen);
}

void validate_restitution(const Restitution& restitution, std::size_t block_count, std::size_t interfaces) {
    const bool single = block_count <= 1;
    switch (restitution.model) {
        case RestitutionModel::housner:
        case RestitutionModel::random: break;
        case RestitutionModel::improved:
            require(std::isfinite(restitution.impulse_position_k) && restitution.impulse_position_k >= 0.0,
                    "restitution.k", restitution.impulse_position_k, "must be finite and >= 0");
            if (!single)
                throw std::invalid_argument(
                    "restitution.model = improved: single block only, because for a stack an "
                    "impulse position k other than 1 can increase the energy at an impact");
            break;
        case RestitutionModel::fixed:
            require_ratio("restitution.left_to_right", restitution.fixed_left_to_right);
            require_ratio("restitution.right_to_left", restitution.fixed_right_to_left);
            if (!single)
                throw std::invalid_argument(
                    "restitution.model = fixed: single block only, because one ratio does not "
                    "say how an impact inside a stack moves the other blocks");
            break;
    }
    if (restitution.model == RestitutionModel::random) {
        if (!single) throw std::invalid_argument("restitution.model = random: single block only");
        require(restitution.random_defect_ratio >= 0.0 && restitution.random_defect_ratio < 0.5, "restitution.defect",
                restitution.random_defect_ratio, "must lie in 0..0.5, 0.5 excluded");
    }
    const std::size_t given = restitution.material.size();
    if (given != 1 && given != interfaces)
        throw std::invalid_argument("restitution.material: " + std::to_string(given) + " values given, allowed: 1 or " +
                                    std::to_string(interfaces) +
                                    " (one per interface from the base up, of a foot per " + "face from the left)");
    for (const double factor : restitution.material) require_ratio("restitution.material", factor);
}

/// The mean is known only with the geometry: Housner's ratio of a squat block is not above 0.
void validate_random_mean(const Specimen& specimen) {
    if (specimen.restitution.model != RestitutionModel::random || specimen.blocks.empty()) return;
    const double mean = mean_random_ratio(specimen);
    require(mean > 0.0 && mean < 1.0, "restitution.mean", mean, "must lie between 0 and 1");
}

void validate_start(const Specimen& specimen) {
    const auto& rotation = specimen.initial_rotation_rad;
    if (!rotation.empty() && rotation.size() != specimen.blocks.size())
        throw std::invalid_argument("initial_rotation_rad: " + std::to_string(rotation.size()) +
                                    " values given, allowed: none or one per block");
    const auto& rate = specimen.initial_rotation_rate_rad_s;
    if (!rate.empty() && rate.size() != specimen.blocks.size())
        throw std::invalid_argument("initial_rotation_rate_rad_s: " + std::to_string(rate.size()) +
                                    " values given, allowed: none or one per block");
    for (const double omega : rate)
        require(std::isfinite(omega), "initial_rotation_rate_rad_s", omega, "must be finite");
    for (const double theta : rotation)
        require(std::abs(theta) < (specimen.foot ? specimen.foot->overturned_rad : kHalfPi), "initial_rotation_rad",
                theta, "must lie between -pi/2 and pi/2, of a foot with overturned_rad between minus that and that");
    require(std::abs(specimen.initial_tilt_rad) < kHalfPi, "initial_tilt_rad", specimen.initial_tilt_rad,
            "must lie between -pi/2 and pi/2");
    if (!specimen.initial_velocity_m_s) return;
    if (specimen.blocks.size() != 1)
        throw std::invalid_argument("initial_velocity_m_s: allowed for a single block only");
    for (const double velocity : *specimen.initial_velocity_m_s)
        require(std::isfinite(velocity), "initial_velocity_m_s", velocity, "must be finite");
}

void validate_beam(const BeamBase& beam) {
    require_positive("base.beam.length_m", beam.length_m);
    require_positive("base.beam.width_m", beam.width_m);
    require_positive("base.beam.thickness_m", beam.thickness_m);
    require_positive("base.beam.density_kg_m3", beam.density_kg_m3);
    if (beam.modulus_pa.has_value() == beam.static_deflection_ratio.has_value())
        throw std::invalid_argument("base.beam: either modulus_pa or static_deflection_ratio must be given");
    require_positive(beam.modulus_pa ? "base.beam.modulus_pa" : "base.beam.static_deflection_ratio",
                     beam.modulus_pa ? *beam.modulus_pa : *beam.static_deflection_ratio);
    require(beam.elements >= 2 && beam.elements <= 64, "base.beam.elements", beam.elements, "must lie in 2..64");
    for (const double ratio : {beam.damping_ratio_1, beam.damping_ratio_3})
        require(ratio >= 0.0 && ratio < 1.0, "base.beam.damping_ratio", ratio, "must lie in 0..1, 1 excluded");
}

void validate_friction(const Friction& friction) {
    require(std::isfinite(friction.static_ratio) && friction.static_ratio >= 0.0, "friction.static",
            friction.static_ratio, "must be finite and >= 0");
    require(friction.kinetic_ratio >= 0.0 && friction.kinetic_ratio <= friction.static_ratio, "friction.kinetic",
            friction.kinetic_ratio, "must lie between 0 and friction.static");
}

}  // namespace

double Block::slenderness_rad() const noexcept { return std::atan2(width_m, height_m); }
double Block::half_diagonal_m() const noexcept { return 0.5 * std::hypot(width_m, height_m); }
double Block::frequency_parameter_rad_s(double gravity_m_s2) const noexcept {
    return std::sqrt(0.75 * gravity_m_s2 / half_diagonal_m());
}

void validate(const Specimen& specimen) {
    validate_blocks(specimen);
    validate_pivots(specimen);
    validate_foot(specimen);
    const std::size_t faces = specimen.foot ? specimen.foot->corners_m.size() - 1 : 0;
    if (specimen.foot) validate_restitution_of_foot(specimen, faces);
    validate_restitution(specimen.restitution, specimen.blocks.size(), faces > 0 ? faces : specimen.blocks.size());
    validate_random_mean(specimen);
    validate_start(specimen);
    if (specimen.beam) validate_beam(*specimen.beam);
    if (specimen.friction) validate_friction(*specimen.friction);
    const std::size_t given = specimen.interface_friction.size();
    if (given > 0 && given != specimen.blocks.size())
        throw std::invalid_argument("friction: " + std::to_string(given) + " values given, allowed: one or " +
                                    std::to_string(specimen.blocks.size()) + " (one per interface from the base up)");
    for (const Friction& friction : specimen.interface_friction) validate_friction(friction);
}

void require_rocking(const Specimen& specimen) {
    const auto& blocks = specimen.blocks;
    require(blocks.size() <= kBlocksMax, "blocks", static_cast<double>(blocks.size()),
            "at most 8 blocks are supported, by model contact_dynamics 64");
    for (std::size_t i = 1; i < blocks.size(); ++i)
        require(blocks[i].width_m <= blocks[i - 1].width_m, "blocks[" + std::to_string(i) + "].width_m",
                blocks[i].width_m, "must not be wider than the block below, except with model contact_dynamics");
    if (specimen.initial_velocity_m_s)
        throw std::invalid_argument("initial_velocity_m_s = [" + number((*specimen.initial_velocity_m_s)[0]) + ", " +
                                    number((*specimen.initial_velocity_m_s)[1]) +
                                    "]: only the models contact_dynamics and multiple_impact cover a start in flight");
    if (specimen.beam) throw std::invalid_argument("base: only model contact_dynamics covers a flexible base");
}

std::optional<Friction> friction_at(const Specimen& specimen, std::size_t interface_index) noexcept {
    if (interface_index < specimen.interface_friction.size()) return specimen.interface_friction[interface_index];
    return specimen.friction;
}

std::optional<Pivots> pivots_of(const Specimen& specimen) noexcept {
    if (!specimen.foot) return specimen.pivots;
    const std::size_t face = standing_face(*specimen.foot);
    const ProfilePoint &left = specimen.foot->corners_m[face], &right = specimen.foot->corners_m[face + 1];
    return Pivots{std::atan2(-left[0], -left[1]), std::atan2(right[0], -right[1]), std::hypot(left[0], left[1]),
                  std::hypot(right[0], right[1]), specimen.foot->inertia_kg_m2};
}

bool starts_turning(const Specimen& specimen) noexcept {
    const auto& rates = specimen.initial_rotation_rate_rad_s;
    return std::any_of(rates.begin(), rates.end(), [](double rate) { return rate != 0.0; });
}

double uplift_acceleration_m_s2(const Specimen& specimen, double gravity_m_s2) {
    validate(specimen);
    require_rocking(specimen);
    if (specimen.blocks.empty()) return std::numeric_limits<double>::infinity();
    const double along = gravity_m_s2 * std::sin(specimen.initial_tilt_rad);
    const RestBand band = make_stack_state<kBlocksMax>(specimen, gravity_m_s2)
                              .rest_band(gravity_m_s2 * std::cos(specimen.initial_tilt_rad));
    return std::max(0.0, std::min(band.high_m_s2 + along, -(band.low_m_s2 + along)));
}

namespace {

template <int N>
std::vector<double> ratios_of(const Specimen& specimen) {
    const auto state = make_stack_state<N>(specimen, kStandardGravity_m_s2);
    std::vector<double> ratios;
    for (int k = 0; k < state.size(); ++k) ratios.push_back(state.locked_ratio(k, -1));
    if (specimen.pivots || specimen.foot || specimen.restitution.model == RestitutionModel::fixed) {
        const double back = state.size() == 1 ? state.locked_ratio(0, 1) : ratios.front();
        if (back != ratios.front()) ratios.push_back(back);
    }
    return ratios;
}

}  // namespace

std::vector<double> restitution_ratios(const Specimen& specimen) {
    validate(specimen);
    require_rocking(specimen);
    return specimen.blocks.size() == 1 ? ratios_of<1>(specimen) : ratios_of<kBlocksMax>(specimen);
}

}  // namespace topple::solver

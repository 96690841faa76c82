#include "solver/contact_dynamics/beam.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace topple::solver::contact {
namespace {

constexpr int kNewtonSteps = 30;

/// Hermite's shape functions of an element of length h at s in 0..1: deflection and slope of both ends.
std::array<double, 4> hermite(double s, double h) noexcept {
    return {1.0 - s * s * (3.0 - 2.0 * s), h * s * (1.0 - s) * (1.0 - s), s * s * (3.0 - 2.0 * s),
            h * s * s * (s - 1.0)};
}
std::array<double, 4> hermite_slope(double s, double h) noexcept {
    return {-6.0 * s * (1.0 - s) / h, (1.0 - s) * (1.0 - 3.0 * s), 6.0 * s * (1.0 - s) / h, s * (3.0 * s - 2.0)};
}
std::array<double, 4> hermite_curvature(double s, double h) noexcept {
    return {(12.0 * s - 6.0) / (h * h), (6.0 * s - 4.0) / h, (6.0 - 12.0 * s) / (h * h), (6.0 * s - 2.0) / h};
}

}  // namespace

/// Order per node: axial, transverse, slope; both displacements of the first node and the transverse one of the last
/// are held.
int Beam::axial(int node) const noexcept { return node == 0 ? -1 : 3 * node - 2; }
int Beam::transverse(int node) const noexcept { return node == 0 || node == elements_ ? -1 : 3 * node - 1; }
int Beam::slope(int node) const noexcept { return node == 0 ? 0 : node == elements_ ? 3 * node - 1 : 3 * node; }

Beam::Beam(const BeamBase& description, double weight_n, double gravity_m_s2, double time_step_s, double theta)
    : length_m_(description.length_m),
      element_m_(description.length_m / description.elements),
      section_m2_(description.width_m * description.thickness_m),
      second_moment_m4_(description.width_m * std::pow(description.thickness_m, 3) / 12.0),
      density_kg_m3_(description.density_kg_m3),
      modulus_pa_(description.modulus_pa ? *description.modulus_pa
                                         : weight_n * length_m_ * length_m_ /
                                               (48.0 * second_moment_m4_ * *description.static_deflection_ratio)),
      gravity_m_s2_(gravity_m_s2),
      time_step_s_(time_step_s),
      theta_(theta),
      elements_(description.elements),
      freedoms_(3 * description.elements) {
    constexpr double kSagMax_ratio = 0.1;  // beyond it small deflections describe nothing
    const double sag_ratio = weight_n * length_m_ * length_m_ / (48.0 * second_moment_m4_ * modulus_pa_);
    if (!(sag_ratio <= kSagMax_ratio * (1.0 + 1e-9)))
        throw std::invalid_argument("base.beam sags by " + std::to_string(sag_ratio) +
                                    " of its length under the specimen; at most 0.1 is allowed: a stiffer beam");
    assemble(description);
    damp(description);
    const double part_s = time_step_s_ * theta_;
    inverse_ = (mass_ + part_s * damping_ + part_s * part_s * stiffness_)
                   .ldlt()
                   .solve(Eigen::MatrixXd::Identity(freedoms_, freedoms_));
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(freedoms_);
    displacement_ = velocity_ = before_ = sought_ = work_ = zero;
    for (int i = 0; i < kContacts; ++i) row_n_[i] = row_t_[i] = response_n_[i] = response_t_[i] = zero;
}

void Beam::assemble(const BeamBase&) {
    mass_ = stiffness_ = Eigen::MatrixXd::Zero(freedoms_, freedoms_);
    along_ = up_ = Eigen::VectorXd::Zero(freedoms_);
    const double h = element_m_, m = density_kg_m3_ * section_m2_ * h, ea = modulus_pa_ * section_m2_ / h,
                 ei = modulus_pa_ * second_moment_m4_ / (h * h * h);
    const double bending_mass[4][4] = {{156.0, 22.0 * h, 54.0, -13.0 * h},
                                       {22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h},
                                       {54.0, 13.0 * h, 156.0, -22.0 * h},
                                       {-13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h}};
    const double bending[4][4] = {{12.0, 6.0 * h, -12.0, 6.0 * h},
                                  {6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h},
                                  {-12.0, -6.0 * h, 12.0, -6.0 * h},
                                  {6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h}};
    for (int e = 0; e < elements_; ++e) {
        const int across[4] = {transverse(e), slope(e), transverse(e + 1), slope(e + 1)};
        const int axis[2] = {axial(e), axial(e + 1)};
        for (int i = 0; i < 4; ++i) {
            if (across[i] < 0) continue;
            // A unit motion of the base moves every transverse freedom by 1, held ones too, and no slope.
            up_(across[i]) += m / 420.0 * (bending_mass[i][0] + bending_mass[i][2]);
            for (int j = 0; j < 4; ++j) {
                if (across[j] < 0) continue;
                mass_(across[i], across[j]) += m / 420.0 * bending_mass[i][j];
                stiffness_(across[i], across[j]) += ei * bending[i][j];
            }
        }
        for (int i = 0; i < 2; ++i) {
            if (axis[i] < 0) continue;
            along_(axis[i]) += 0.5 * m;
            for (int j = 0; j < 2; ++j) {
                if (axis[j] < 0) continue;
                mass_(axis[i], axis[j]) += i == j ? m / 3.0 : m / 6.0;
                stiffness_(axis[i], axis[j]) += i == j ? ea : -ea;
            }
        }
    }
}

/// C = a0 M + a1 K with zeta_k = (a0/w_k + a1 w_k)/2 for k = 1 and 3.
void Beam::damp(const BeamBase& description) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness_, mass_, Eigen::EigenvaluesOnly);
    frequencies_rad_s_ = modes.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    const double w1 = frequency_rad_s(1), w3 = frequency_rad_s(3);
    const double z1 = description.damping_ratio_1, z3 = description.damping_ratio_3;
    const double a1 = 2.0 * (z3 * w3 - z1 * w1) / (w3 * w3 - w1 * w1), a0 = 2.0 * z1 * w1 - a1 * w1 * w1;
    damping_ = a0 * mass_ + a1 * stiffness_;
}

Beam::Place Beam::place_at(double x_m) const noexcept {
    Place place;
    const double from_left = x_m + 0.5 * length_m_;
    place.is_outside = !(from_left > 0.0 && from_left < length_m_);
    const double in_elements = std::clamp(from_left / element_m_, 0.0, static_cast<double>(elements_));
    place.element = std::min(static_cast<int>(in_elements), elements_ - 1);
    place.share = in_elements - place.element;
    place.along = {1.0 - place.share, place.share};
    place.across = hermite(place.share, element_m_);
    return place;
}

template <class Each>
void Beam::each_transverse(const Place& place, const Each& each) const noexcept {
    const int freedom[4] = {transverse(place.element), slope(place.element), transverse(place.element + 1),
                            slope(place.element + 1)};
    for (std::size_t i = 0; i < 4; ++i)
        if (freedom[i] >= 0) each(i, freedom[i]);
}

double Beam::height_at(double from_left_m, const Eigen::VectorXd& displacement) const noexcept {
    const Place place = place_at(from_left_m - 0.5 * length_m_);
    double height_m = 0.0;
    if (!place.is_outside)
        each_transverse(place, [&](std::size_t i, int f) { height_m += place.across[i] * displacement(f); });
    return height_m;
}

double Beam::axis_m(double x_m) const noexcept { return height_at(x_m + 0.5 * length_m_, sought_); }

double Beam::slope_at(const Place& place, const Eigen::VectorXd& displacement) const noexcept {
    double slope = 0.0;
    const auto shape = hermite_slope(place.share, element_m_);
    each_transverse(place, [&](std::size_t i, int f) { slope += shape[i] * displacement(f); });
    return slope;
}

double Beam::curvature_at(const Place& place, const Eigen::VectorXd& displacement) const noexcept {
    double curvature = 0.0;
    const auto shape = hermite_curvature(place.share, element_m_);
    each_transverse(place, [&](std::size_t i, int f) { curvature += shape[i] * displacement(f); });
    return curvature;
}

void Beam::settle_under(const std::array<double, kContacts>& place_m, const std::array<double, kContacts>& load_n) {
    Eigen::VectorXd force = -gravity_m_s2_ * up_;
    for (std::size_t i = 0; i < kContacts; ++i) {
        if (load_n[i] == 0.0) continue;
        const Place place = place_at(place_m[i]);
        if (place.is_outside)
            throw std::invalid_argument("base.beam.length_m: the beam is shorter than the block that stands on it");
        spread(place, {0.0, -load_n[i]}, work_);
        force += work_;
    }
    displacement_ = sought_ = stiffness_.ldlt().solve(force);
    velocity_.setZero();
}

void Beam::seek(double ahead_s) noexcept { sought_.noalias() = displacement_ + ahead_s * velocity_; }

BeamPoint Beam::find(int index, Vec2 corner) noexcept {
    Place& place = place_[static_cast<std::size_t>(index)];
    double x = corner.x;
    for (int step = 0; step < kNewtonSteps; ++step) {
        place = place_at(x);
        if (place.is_outside) break;
        const double above_m = axis_m(x) - corner.z, slope = slope_at(place, sought_);
        const double residual = above_m * slope + x - corner.x;
        const double by = residual / (slope * slope + above_m * curvature_at(place, sought_) + 1.0);
        x -= by;
        if (std::abs(by) < 1e-14 * length_m_) break;
    }
    place = place_at(x);
    if (place.is_outside) return {corner.z, {0.0, 1.0}};
    const double slope = slope_at(place, sought_), scale = 1.0 / std::sqrt(1.0 + slope * slope);
    const Vec2 normal{-slope * scale, scale};
    return {dot(corner - Vec2{x, axis_m(x)}, normal), normal};
}

/// Generalised force of a unit force along `direction` at the place.
void Beam::spread(const Place& place, Vec2 direction, Eigen::VectorXd& row) const noexcept {
    row.setZero();
    if (place.is_outside) return;
    for (int i = 0; i < 2; ++i)
        if (const int f = axial(place.element + i); f >= 0)
            row(f) = direction.x * place.along[static_cast<std::size_t>(i)];
    each_transverse(place, [&](std::size_t i, int f) { row(f) = direction.z * place.across[i]; });
}

void Beam::close(int index, Vec2 normal, Vec2 tangent) noexcept {
    const auto i = static_cast<std::size_t>(index);
    spread(place_[i], normal, row_n_[i]);
    spread(place_[i], tangent, row_t_[i]);
    response_n_[i].noalias() = inverse_ * row_n_[i];
    response_t_[i].noalias() = inverse_ * row_t_[i];
}

void Beam::begin(Vec2 drive_m_s) noexcept {
    before_ = velocity_;
    work_.noalias() = displacement_ + time_step_s_ * theta_ * velocity_;
    sought_.noalias() = stiffness_ * work_;  // the sought axis has done its work in this step
    sought_.noalias() += damping_ * velocity_;
    work_.noalias() = -time_step_s_ * sought_ - drive_m_s.x * along_ - drive_m_s.z * up_;
    velocity_.noalias() += inverse_ * work_;
}

Local Beam::velocity(int index) const noexcept {
    const auto i = static_cast<std::size_t>(index);
    return {row_n_[i].dot(velocity_), row_t_[i].dot(velocity_)};
}

std::array<double, 4> Beam::compliance(int at, int from) const noexcept {
    const auto i = static_cast<std::size_t>(at), j = static_cast<std::size_t>(from);
    return {row_n_[i].dot(response_n_[j]), row_n_[i].dot(response_t_[j]), row_t_[i].dot(response_n_[j]),
            row_t_[i].dot(response_t_[j])};
}

void Beam::end(const std::array<Local, kContacts>& impulse, const std::array<bool, kContacts>& is_closed) noexcept {
    for (std::size_t i = 0; i < kContacts; ++i)
        if (is_closed[i]) velocity_.noalias() -= impulse[i].n * response_n_[i] + impulse[i].t * response_t_[i];
    displacement_.noalias() += time_step_s_ * theta_ * velocity_ + time_step_s_ * (1.0 - theta_) * before_;
}

}  // namespace topple::solver::contact

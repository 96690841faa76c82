// A simply supported beam as base: finite elements, contact on its deflected axis, one step of its own motion.
#pragma once

#include <Eigen/Dense>
#include <array>

#include "solver/contact_dynamics/contact.hpp"
#include "solver/specimen.hpp"

namespace topple::solver::contact {

/// Where a corner stands over the beam's axis.
struct BeamPoint {
    double gap_m = 0.0;  ///< along the normal of the axis, negative below it
    Vec2 normal{0.0, 1.0};
};

/// Euler-Bernoulli and axial elements with consistent mass, Rayleigh damping. Axial and transverse displacements (along
/// the base, upwards) and slopes are relative to the base; x = 0 is midspan. Left end pinned, right end free to move
/// along. A step takes no memory.
class Beam {
  public:
    static constexpr int kContacts = 2;  ///< the lower corners of one block

    /// At rest under its own weight and `load_n`, forces on it at the places `load_x_m`. `weight_n`: of all that stands
    /// on it, for static_deflection_ratio. Throws std::invalid_argument if the span is shorter than the places need.
    Beam(const BeamBase& description, double weight_n, double gravity_m_s2, double time_step_s, double theta);
    void settle_under(const std::array<double, kContacts>& place_m, const std::array<double, kContacts>& load_n);

    /// Contacts are sought where the beam will be after `ahead_s` at its present velocity.
    void seek(double ahead_s) noexcept;
    /// The point of the axis whose normal goes through `corner`; outside the span the level of the supports. Notes it
    /// as contact `index`.
    BeamPoint find(int index, Vec2 corner) noexcept;
    double axis_m(double x_m) const noexcept;  ///< height of the sought axis

    /// Rows and compliance of a contact that find() has placed: `normal` and `tangent` are directions in the plane.
    void close(int index, Vec2 normal, Vec2 tangent) noexcept;
    /// Begins a step: velocities without contacts. `drive_m_s` as for Scheme::step.
    void begin(Vec2 drive_m_s) noexcept;
    Local velocity(int index) const noexcept;  ///< of the axis at a closed contact, in its axes
    /// d velocity of contact `at` per unit impulse of contact `from` on the beam: nn, nt, tn, tt.
    std::array<double, 4> compliance(int at, int from) const noexcept;
    /// Ends the step: impulses of the closed contacts on the block (the beam gets the opposite).
    void end(const std::array<Local, kContacts>& impulse, const std::array<bool, kContacts>& is_closed) noexcept;

    double midspan_m() const noexcept { return height_at(0.5 * length_m_, displacement_); }
    double modulus_pa() const noexcept { return modulus_pa_; }
    double frequency_rad_s(int mode) const noexcept { return frequencies_rad_s_[mode - 1]; }  ///< undamped, from 1

  private:
    struct Place {
        int element = 0;
        double share = 0.0;  // of the element, 0..1
        bool is_outside = false;
        std::array<double, 2> along{};   // shape functions of the axial displacement
        std::array<double, 4> across{};  // of the transverse one
    };
    void assemble(const BeamBase& description);
    void damp(const BeamBase& description);
    Place place_at(double x_m) const noexcept;
    double height_at(double x_m, const Eigen::VectorXd& displacement) const noexcept;
    double slope_at(const Place& place, const Eigen::VectorXd& displacement) const noexcept;
    double curvature_at(const Place& place, const Eigen::VectorXd& displacement) const noexcept;
    void spread(const Place& place, Vec2 direction, Eigen::VectorXd& row) const noexcept;
    int axial(int node) const noexcept;       // -1: held
    int transverse(int node) const noexcept;  // -1: held
    int slope(int node) const noexcept;
    template <class Each>
    void each_transverse(const Place& place, const Each& each) const noexcept;

    double length_m_, element_m_, section_m2_, second_moment_m4_, density_kg_m3_, modulus_pa_;
    double gravity_m_s2_, time_step_s_, theta_;
    int elements_, freedoms_;
    Eigen::MatrixXd mass_, stiffness_, damping_, inverse_;  // inverse of M + dt th C + (dt th)^2 K
    Eigen::VectorXd along_, up_;                            // M times a unit motion of the base
    Eigen::VectorXd displacement_, velocity_, before_, sought_, work_;
    Eigen::VectorXd frequencies_rad_s_;
    std::array<Place, kContacts> place_;
    std::array<Eigen::VectorXd, kContacts> row_n_, row_t_, response_n_, response_t_;
};

}  // namespace topple::solver::contact

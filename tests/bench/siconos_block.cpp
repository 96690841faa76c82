#include "tests/bench/siconos_block.hpp"

#ifdef TOPPLE_WITH_SICONOS
#include <Friction_cst.h>
#include <SolverOptions.h>
#include <SiconosKernel.hpp>

#include <cmath>
#include <ctime>

namespace topple::bench {
namespace {

/// One lower corner against the floor; rotation clockwise as everywhere here.
class Corner : public LagrangianScleronomousR {
  public:
    Corner(double x_m, double z_m) : x_m_(x_m), z_m_(z_m) {}
    void initialize(Interaction& contact) override {
        LagrangianR::initialize(contact);
        if (!_jachq) _jachq.reset(new SimpleMatrix(2, 3));
    }
    void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
        y(0) = q(1) + arm_z(q(2));
        y(1) = q(0) + arm_x(q(2));
    }
    void computeJachq(const BlockVector& q, BlockVector&) override {
        const double normal[] = {0.0, 1.0, -arm_x(q(2))}, tangent[] = {1.0, 0.0, arm_z(q(2))};
        for (unsigned i = 0; i < 3; ++i) {
            _jachq->setValue(0, i, normal[i]);
            _jachq->setValue(1, i, tangent[i]);
        }
    }

  private:
    double arm_x(double turn) const { return x_m_ * std::cos(turn) + z_m_ * std::sin(turn); }
    double arm_z(double turn) const { return z_m_ * std::cos(turn) - x_m_ * std::sin(turn); }
    double x_m_, z_m_;
};

}  // namespace

std::optional<PeerRun> siconos_free_rocking(double width_m, double height_m, double mass_kg, double friction,
                                            double rotation_rad, double time_step_s) {
    constexpr double kEnd_s = 2.0, kGravity_m_s2 = 9.81;
    const double side = rotation_rad > 0.0 ? 0.5 * width_m : -0.5 * width_m;
    SP::SiconosVector q(new SiconosVector(3)), v(new SiconosVector(3)), weight(new SiconosVector(3));
    (*q)(1) = 0.5 * height_m * std::cos(rotation_rad) + side * std::sin(rotation_rad);
    (*q)(2) = rotation_rad;
    (*weight)(1) = -mass_kg * kGravity_m_s2;
    SP::SimpleMatrix mass(new SimpleMatrix(3, 3));
    mass->setValue(0, 0, mass_kg);
    mass->setValue(1, 1, mass_kg);
    mass->setValue(2, 2, mass_kg * (width_m * width_m + height_m * height_m) / 12.0);
    SP::LagrangianLinearTIDS block(new LagrangianLinearTIDS(q, v, mass));
    block->setFExtPtr(weight);
    SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0.0, kEnd_s));
    system->insertDynamicalSystem(block);
    SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(0.0, 0.0, friction, 2));
    for (const double x_m : {-0.5 * width_m, 0.5 * width_m}) {
        SP::Relation corner(new Corner(x_m, -0.5 * height_m));
        SP::Interaction contact(new Interaction(law, corner));
        system->link(contact, block);
    }
    SP::FrictionContact solver(new FrictionContact(2, SICONOS_FRICTION_2D_NSGS));
    solver->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    solver->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 2000;
    SP::MoreauJeanOSI scheme(new MoreauJeanOSI(1.0));
    scheme->setGamma(1.0);  // contacts are sought at the end of the step
    SP::TimeDiscretisation steps(new TimeDiscretisation(0.0, time_step_s));
    SP::TimeStepping run(new TimeStepping(system, steps, scheme, solver));
    PeerRun result;
    double count = 0.0;
    const std::clock_t start = std::clock();
    while (run->hasNextEvent()) {
        run->computeOneStep();
        run->nextStep();
        count += 1.0;
        const double rotation = (*block->q())(2);
        if (rotation * rotation_rad < 0.0)
            result.first_peak_rad = std::fmax(result.first_peak_rad, std::fabs(rotation));
    }
    result.steps_per_s = count * CLOCKS_PER_SEC / static_cast<double>(std::clock() - start);
    return result;
}

}  // namespace topple::bench

#else

namespace topple::bench {

std::optional<PeerRun> siconos_free_rocking(double, double, double, double, double, double) { return std::nullopt; }

}  // namespace topple::bench

#endif

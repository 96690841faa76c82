// The linearised or quasi-linear block advanced in time: closed forms between events, impacts and lift-off located.
#pragma once

#include "solver/laws/single_block_run.hpp"
#include "solver/laws/small_rotation.hpp"
#include "solver/numerics/dop853.hpp"

namespace topple::solver {

class SmallRotationRun final : public SingleBlockRun {
  public:
    SmallRotationRun(const Specimen& specimen, const SolverOptions& options);
    std::unique_ptr<Impl> clone() const override { return std::make_unique<SmallRotationRun>(*this); }

  private:
    struct Event {
        bool impact = false, fall = false;
        double sigma = 1.0;
    };

    RestBand band(double vertical_m_s2) const noexcept override;
    void leave_rest(bool above, const Excitation& excitation) override;
    void step(const Excitation& excitation, double until_s) override;
    bool decided_moving(const Drive& still) const noexcept override;
    SlideRockResponse contact(const Drive& drive) const noexcept override;

    SmallRotationEquation equation(int support, const Drive& drive) const noexcept;
    double acceleration_rad_s2(const Drive& drive) const noexcept;
    double threshold_m_s2(int support, double vertical_m_s2) const noexcept;
    template <class Flow>
    void finish_step(Flow&& flow, double step_s, double until_s, const Excitation& excitation);
    template <class At>
    Event first_event(At&& at) const;
    template <class At>
    double gap_closes(At&& at, double sigma, double step_s) const noexcept;
    void impact(const Excitation& excitation);

    bool quasi_linear_;
    std::array<SmallRotationCorner, 2> corner_;
    Dop853<1> dop853_;
};

}  // namespace topple::solver

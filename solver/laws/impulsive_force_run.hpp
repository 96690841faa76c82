// The block whose impacts are a force concentrated about zero rotation instead of a jump of its rate, advanced in time.
#pragma once

#include "solver/laws/single_block_run.hpp"
#include "solver/numerics/dop853.hpp"
#include "solver/stack/energy_verdict.hpp"

namespace topple::solver {

/// theta'' = (rocking about the corner that touches) - A theta' |theta'| d(theta), A = -ln r, d a bell of area 1 and
/// width n alpha: Prieto et al. (65) without its factor sin(alpha)/alpha (docs/physics.md#impulsive-force). The force
/// is felt within the layer |theta| < 6 n alpha.
class ImpulsiveForceRun final : public SingleBlockRun {
  public:
    ImpulsiveForceRun(const Specimen& specimen, const SolverOptions& options);
    std::unique_ptr<Impl> clone() const override { return std::make_unique<ImpulsiveForceRun>(*this); }

  private:
    enum class EventKind { none, enters, crosses, leaves, falls };
    struct Event {
        EventKind kind = EventKind::none;
        double sigma = 1.0;
    };

    RestBand band(double vertical_m_s2) const noexcept override { return block_.rest_band(vertical_m_s2); }
    void leave_rest(bool above, const Excitation& excitation) override;
    void step(const Excitation& excitation, double until_s) override;
    bool decided_moving(const Drive& still) const noexcept override;
    SlideRockResponse contact(const Drive& drive) const noexcept override;

    double acceleration_rad_s2(const SlideRockState& state, const Drive& drive) const noexcept;
    double layer_rad() const noexcept;
    double step_limit_s(const Excitation& excitation) const noexcept;
    double guard(EventKind kind, const SlideRockState& state) const noexcept;
    template <class At>
    Event first_event(At&& at) const;
    void reset(EventKind kind, const Excitation& excitation);
    void draw_amplitude() noexcept;
    void cross(const Excitation& excitation);
    void note_impact(double rate_after_rad_s);
    void come_to_rest(const Excitation& excitation);

    StackState<1> block_;  // threshold and barriers
    double width_rad_;
    double amplitude_ = 0.0;                             // A of the present passage of the layer
    bool inside_ = false;                                // the layer
    double rate_before_rad_s_ = 0.0, crossed_s_ = -1.0;  // of a passage not yet ended; crossed_s_ < 0: none
    Dop853<1> dop853_;
};

}  // namespace topple::solver

// The sliding and rocking block advanced in time: integrates between events, finds them, changes the mode.
#pragma once

#include <array>
#include <optional>

#include "solver/laws/single_block_run.hpp"
#include "solver/laws/slide_rock_modes.hpp"
#include "solver/numerics/dop853.hpp"

namespace topple::solver {

/// The integrator's coordinates: [0] rotation, [1] slip.
inline Motion<2> to_motion(const SlideRockState& state) noexcept {
    return {{state.rotation_rad, state.slip_m}, {state.rate_rad_s, state.slip_rate_m_s}};
}
inline SlideRockState to_state(const Motion<2>& motion) noexcept {
    return {motion.phi_rad[0], motion.psi_rad_s[0], motion.phi_rad[1], motion.psi_rad_s[1]};
}

class SlideRockRun final : public SingleBlockRun {
  public:
    SlideRockRun(const Specimen& specimen, const SolverOptions& options);
    std::unique_ptr<Impl> clone() const override { return std::make_unique<SlideRockRun>(*this); }
    void fill(Prediction& prediction) const override;

  private:
    enum class EventKind { none, impact, slip_ends, foot_lets_go, fall };
    struct Event {
        EventKind kind = EventKind::none;
        double sigma = 1.0;
    };

    RestBand band(double vertical_m_s2) const noexcept override { return rest_band(body_, vertical_m_s2); }
    void look_again(const Excitation& excitation) override;
    void leave_rest(bool above, const Excitation& excitation) override;
    void step(const Excitation& excitation, double until_s) override;
    bool decided_moving(const Drive& still) const noexcept override;
    SlideRockResponse contact(const Drive& drive) const noexcept override;

    double step_limit_s(const Excitation& excitation) const noexcept;
    Event first_event(const Excitation& excitation, double step_s) const;
    bool look_closer(Event& event, double step_s) noexcept;
    double guard(EventKind kind, const Motion<2>& motion, double time_s, const Excitation& excitation) const noexcept;
    bool guarded(EventKind kind) const noexcept;
    bool closing(EventKind kind, const Motion<2>& motion, double time_s, const Excitation& excitation) const noexcept;
    void reset(EventKind kind, const Excitation& excitation);
    void impact(const Excitation& excitation);
    std::optional<double> note_impact() noexcept;
    double remaining_s(const Drive& drive) const noexcept;
    void go_on(int support, const Drive& drive) noexcept;
    void enter(SlideRockMode mode) noexcept;

    /// Time and rate after an impact; the slip counts as the rate p^2 v / g.
    struct ImpactMark {
        double time_s = 0.0, rate_rad_s = 0.0;
    };
    std::array<ImpactMark, 2> impact_marks_{};  ///< the last impact and the one before it
    Dop853<2> dop853_;
};

}  // namespace topple::solver

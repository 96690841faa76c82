// Model "slide_rock" behind RockingRun.
#include "solver/models/slide_rock_run.hpp"
#include "solver/rocking_engine.hpp"

namespace topple::solver {
namespace {

struct SlideRockEngine final : RockingRun::Impl {
    SlideRockRun slider;

    SlideRockEngine(const Specimen& specimen, const SolverOptions& options) : slider(specimen, options) {}

    std::unique_ptr<Impl> clone() const override { return std::make_unique<SlideRockEngine>(*this); }
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept override {
        slider.run(pieces, until_s, stop_when_decided);
    }
    double time_s() const noexcept override { return slider.time_s(); }
    SolverStatus status() const noexcept override { return slider.status(); }
    bool at_rest() const noexcept override { return slider.at_rest(); }
    bool uplifted() const noexcept override { return slider.uplifted(); }
    bool decided() const noexcept override { return slider.decided(); }
    double rotation_rad(std::size_t) const noexcept override {
        return slider.fallen() ? slider.trace().fallen_side(0) * kHalfPi : slider.state().rotation_rad;
    }
    double rate_rad_s(std::size_t) const noexcept override {
        return slider.fallen() ? 0.0 : slider.state().rate_rad_s;
    }
    Support support(std::size_t) const noexcept override {
        return support_name(slider.fallen() ? slider.trace().fallen_side(0) : slider.mode().support);
    }
    double slip_m() const noexcept override { return slider.state().slip_m; }
    double slip_rate_m_s() const noexcept override {
        return slider.fallen() ? 0.0 : slider.state().slip_rate_m_s;
    }
    BaseReaction base_reaction(const BaseAcceleration& base) const noexcept override {
        if (slider.fallen()) return {};
        const SlideRockResponse on_body = response(slider.body(), slider.mode(), slider.state(),
                                                   slider.drive(base));
        const double mass = slider.body().mass_kg;
        return {-mass * on_body.friction_m_s2, -mass * on_body.normal_m_s2};
    }
    void fill(Prediction& prediction) const override;
};

void SlideRockEngine::fill(Prediction& prediction) const {
    prediction.status = slider.status();
    prediction.status_time_s = slider.status_time_s();
    const bool slid = slider.slip_peak_m() >= kSlidingSlip_m;
    prediction.outcome = slider.uplifted() ? Outcome::rocking : slid ? Outcome::sliding : Outcome::translation;
    if (slider.fallen()) {
        prediction.outcome = Outcome::overturning;
        prediction.overturn_time_s = slider.trace().first_fall_s();
        prediction.direction = side_name(slider.trace().fallen_side(0));
        prediction.blocks_overturned = {0};
    } else if (slider.at_rest() && (slider.uplifted() || slider.slip_peak_m() > 0.0)) {
        prediction.settled_time_s = slider.settled_time_s();
    }
    prediction.slip = Slip{slider.slip_peak_m(), slider.state().slip_m};
    fill_from_trace(slider.trace(), 1, prediction);
    for (std::size_t i = 0; i < prediction.history.size(); ++i)
        prediction.history[i].slip_m = slider.slip_history_m()[i];
}

}  // namespace

std::unique_ptr<RockingRun::Impl> make_slide_rock_engine(const Specimen& specimen, const SolverOptions& options) {
    return std::make_unique<SlideRockEngine>(specimen, options);
}

}  // namespace topple::solver

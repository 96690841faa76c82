// A block that turns about its corners without slipping, behind RockingRun: one face for several equations.
#pragma once

#include "solver/models/small_rotation.hpp"
#include "solver/rocking_engine.hpp"

namespace topple::solver {

/// `Run` advances state() and support() with its own acceleration_rad_s2().
template <class Run>
struct SingleBlockEngine final : RockingRun::Impl {
    Run block;

    SingleBlockEngine(const Specimen& specimen, const SolverOptions& options) : block(specimen, options) {}

    std::unique_ptr<Impl> clone() const override { return std::make_unique<SingleBlockEngine>(*this); }
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept override {
        block.run(pieces, until_s, stop_when_decided);
    }
    double time_s() const noexcept override { return block.time_s(); }
    SolverStatus status() const noexcept override { return block.status(); }
    bool at_rest() const noexcept override { return block.at_rest(); }
    bool uplifted() const noexcept override { return block.uplifted(); }
    bool decided() const noexcept override { return block.decided(); }
    double rotation_rad(std::size_t) const noexcept override {
        return block.fallen() ? block.trace().fallen_side(0) * kHalfPi : block.state().rotation_rad;
    }
    double rate_rad_s(std::size_t) const noexcept override { return block.fallen() ? 0.0 : block.state().rate_rad_s; }
    Support support(std::size_t) const noexcept override {
        return support_name(block.fallen() ? block.trace().fallen_side(0) : block.support());
    }
    BaseReaction base_reaction(const BaseAcceleration& base) const noexcept override;
    void fill(Prediction& prediction) const override;
};

/// Forces of the true geometry with the equation's own angular acceleration.
template <class Run>
BaseReaction SingleBlockEngine<Run>::base_reaction(const BaseAcceleration& base) const noexcept {
    if (block.fallen()) return {};
    const Drive drive = block.drive(base);
    const double mass = block.body().mass_kg;
    if (block.support() == 0) return {-mass * drive.horizontal_m_s2, -mass * drive.vertical_m_s2};
    const Vec2 r = centre_from_corner(block.body(), block.support(), block.state().rotation_rad);
    const double a = block.acceleration_rad_s2(drive), w2 = block.state().rate_rad_s * block.state().rate_rad_s;
    return {-mass * (drive.horizontal_m_s2 + r.z * a - r.x * w2),
            -mass * (drive.vertical_m_s2 - r.x * a - r.z * w2)};
}

template <class Run>
void SingleBlockEngine<Run>::fill(Prediction& prediction) const {
    prediction.status = block.status();
    prediction.status_time_s = block.status_time_s();
    prediction.outcome = block.uplifted() ? Outcome::rocking : Outcome::translation;
    if (block.fallen()) {
        prediction.outcome = Outcome::overturning;
        prediction.overturn_time_s = block.trace().first_fall_s();
        prediction.direction = side_name(block.trace().fallen_side(0));
        prediction.blocks_overturned = {0};
    } else if (block.support() == 0 && block.uplifted()) {
        prediction.settled_time_s = block.settled_time_s();
    }
    fill_from_trace(block.trace(), 1, prediction);
}

}  // namespace topple::solver

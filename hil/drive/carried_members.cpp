#include "hil/drive/carried_members.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hil/drive/run_members.hpp"
#include "solver/lanes/body_mixture.hpp"
#include "solver/lanes/outcomes_in_lanes.hpp"

namespace topple::hil::drive {
namespace {

class LaneMembers final : public CarriedMembers {
  public:
    LaneMembers(const std::vector<solver::Specimen>& members, const solver::SolverOptions& options)
        : ensemble_(members, options) {}

    std::size_t count() const noexcept override { return ensemble_.size(); }
    void follow(const solver::MotionPiece& line) override {
        const double duration_s = line.end_s - line.start_s;
        ensemble_.follow(line.end_s, line.polynomial[0], line.polynomial[0] + line.polynomial[1] * duration_s);
    }
    std::vector<solver::BodyEnd> ends_along(const MotionAhead& motion, const RunAhead& how) const override {
        return ensemble_.ends_along(motion.shape(), how.which, how.amplitude_factors, how.delay_s);
    }
    double rotation_rad(std::size_t member, std::size_t) const noexcept override {
        return ensemble_.rotation_rad(member);
    }

    // Liu and West (2001): towards the mean, and away from it again by the difference of two others, so that mean and
    // covariance of the members' numbers stay what the weights say.
    bool resample(std::span<const std::size_t> parents, std::span<const double> weights,
                  solver::SplitMix64& random) override {
        constexpr double kJitter_ratio = 0.1;
        const double shrink = std::sqrt(1.0 - kJitter_ratio * kJitter_ratio), apart = kJitter_ratio / std::sqrt(2.0);
        std::vector<solver::WeightedBody> all;
        for (std::size_t i = 0; i < count(); ++i) all.push_back({&ensemble_.body(i), weights[i]});
        const solver::LaneBody mean = solver::mixture(all);
        const auto any_parent = [&] {
            return &ensemble_.body(parents[static_cast<std::size_t>(random.uniform() * double(parents.size()))]);
        };
        std::vector<solver::LaneBody> bodies;
        for (const std::size_t parent : parents) {
            const std::array<solver::WeightedBody, 4> of{{{&ensemble_.body(parent), shrink},
                                                          {&mean, 1.0 - shrink},
                                                          {any_parent(), apart},
                                                          {any_parent(), -apart}}};
            bodies.push_back(solver::mixture(of));
        }
        ensemble_.replace(parents, std::move(bodies));
        return true;
    }
    void keep_only(std::span<const std::size_t> members) override {
        std::vector<solver::LaneBody> bodies;
        for (const std::size_t member : members) bodies.push_back(ensemble_.body(member));
        ensemble_.replace(members, std::move(bodies));
    }

  private:
    solver::LaneEnsemble ensemble_;
};

}  // namespace

bool carried_in_lanes(const solver::Specimen& specimen, const solver::SolverOptions& options) {
    return solver::wave_lanes_cover(specimen, options);
}

bool carried_in_lanes(const std::vector<solver::Specimen>& members, const solver::SolverOptions& options) {
    return std::all_of(members.begin(), members.end(),
                       [&](const solver::Specimen& member) { return carried_in_lanes(member, options); });
}

std::unique_ptr<CarriedMembers> carry(const std::vector<solver::Specimen>& members,
                                      const solver::SolverOptions& options) {
    if (!members.empty() && carried_in_lanes(members, options)) return std::make_unique<LaneMembers>(members, options);
    return std::make_unique<RunMembers>(members, options);
}

}  // namespace topple::hil::drive

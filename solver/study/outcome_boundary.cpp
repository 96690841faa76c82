#include "solver/study/outcome_boundary.hpp"

#include <cmath>
#include <vector>

#include "solver/predict.hpp"

namespace topple::solver {
namespace {

class Walk {
  public:
    Walk(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options, MotionAxis axis,
         const BoundarySearch& search)
        : specimen_(specimen), motion_(motion), options_(options), axis_(axis), search_(search) {
        here_ = outcomes({0.0}).front();
    }

    std::optional<OutcomeBoundary> nearest() const {
        if (!here_) return std::nullopt;
        constexpr int kTogether = 8;  // steps on each side: enough to keep the solver's lanes busy
        for (int first = 1; in_bounds(first) || in_bounds(-first); first += kTogether) {
            std::optional<OutcomeBoundary> nearest;
            for (const int side : {-1, 1})
                if (const auto found = first_on_side(side, first, first + kTogether))
                    if (!nearest || std::abs(found->change_ratio) < std::abs(nearest->change_ratio)) nearest = found;
            if (nearest) return nearest;
        }
        return std::nullopt;
    }

  private:
    bool in_bounds(int step) const {
        const double rounding = 1e-9;
        const double change = step * search_.step_ratio;
        return change >= search_.low_ratio - rounding && change <= search_.high_ratio + rounding;
    }

    /// Among the steps first..end-1 to one side of the motion as it is.
    std::optional<OutcomeBoundary> first_on_side(int side, int first, int end) const {
        std::vector<double> changes;
        for (int step = first; step < end && in_bounds(side * step); ++step)
            changes.push_back(side * step * search_.step_ratio);
        const std::vector<std::optional<Outcome>> found = outcomes(changes);
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i] != here_) return bisected(changes[i] - side * search_.step_ratio, changes[i], found[i]);
        return std::nullopt;
    }

    OutcomeBoundary bisected(double same, double different, std::optional<Outcome> beyond) const {
        while (std::abs(different - same) > search_.tolerance_ratio) {
            const double middle = 0.5 * (same + different);
            const std::optional<Outcome> outcome = outcomes({middle}).front();
            if (outcome == here_)
                same = middle;
            else
                different = middle, beyond = outcome;
        }
        return {different, beyond};
    }

    std::vector<std::optional<Outcome>> outcomes(const std::vector<double>& changes) const {
        std::vector<MotionScale> scales;
        for (const double change : changes)
            scales.push_back(axis_ == MotionAxis::amplitude ? MotionScale{1.0 + change, 1.0}
                                                            : MotionScale{1.0, 1.0 + change});
        const std::vector<Specimen> specimens(changes.size(), specimen_);
        std::vector<std::optional<Outcome>> found;
        for (const Prediction& prediction : predict_outcomes(specimens, motion_, options_, scales))
            found.push_back(prediction.outcome);
        return found;
    }

    const Specimen& specimen_;
    const BaseMotion& motion_;
    const SolverOptions& options_;
    MotionAxis axis_;
    BoundarySearch search_;
    std::optional<Outcome> here_;
};

}  // namespace

std::optional<OutcomeBoundary> nearest_boundary(const Specimen& specimen, const BaseMotion& motion,
                                                const SolverOptions& options, MotionAxis axis,
                                                const BoundarySearch& search) {
    if (motion.empty()) return std::nullopt;
    return Walk(specimen, motion, options, axis, search).nearest();
}

}  // namespace topple::solver

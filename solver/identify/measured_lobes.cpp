#include "solver/identify/measured_lobes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "solver/identify/lobe_search.hpp"

namespace topple::solver {
namespace {

constexpr std::size_t kHistorySamplesMin = 20, kLobeSamplesMin = 5;
constexpr double kFirstThreshold_ratio = 0.05;  // of the largest rotation; later passes use the noise found
constexpr double kLeastThreshold_ratio = 0.003;
constexpr double kApexOverNoise = 5.0;
constexpr double kApexCeiling_ratio = 1.0 - 1e-6;  // of alpha
constexpr double kDifference_ratio = 1e-6;         // step of numeric derivatives
constexpr double kNeighbour_ratio =
    0.2;  // of the time between apexes: departure that means a lobe between is missing
constexpr int kIterationsMax = 30;

/// One lobe's part of the normal equations: apex angle, apex time; coupling to the common offset.
struct LobeEquations {
    Eigen::Matrix2d curvature = Eigen::Matrix2d::Zero();
    Eigen::Vector2d coupling = Eigen::Vector2d::Zero(), gradient = Eigen::Vector2d::Zero();
    double offset_gradient = 0.0, squares = 0.0;
    std::size_t count = 0;
};

class LobeFitter {
  public:
    LobeFitter(const RockingShape& shape, const RotationHistory& history)
        : shape_(shape), history_(history) {}

    LobeFit fit() {
        double largest = 0.0;
        for (const double value : history_.rotation_rad) largest = std::max(largest, std::abs(value));
        fit_.offset_rad.value = resting_rotation_rad(history_);
        double threshold = kFirstThreshold_ratio * largest;
        for (int pass = 0; pass < 3; ++pass) {
            fit_.lobes = search_lobes(shape_, history_, fit_.offset_rad.value, threshold);
            std::erase_if(fit_.lobes,
                          [](const MeasuredLobe& lobe) { return lobe.sample_count < kLobeSamplesMin; });
            solve();
            drop_doubtful();
            threshold = std::max(kApexOverNoise * fit_.noise_rad, kLeastThreshold_ratio * largest);
        }
        solve();
        if (fit_.lobes.size() < 2)
            throw std::invalid_argument(
                "rotation history: fewer than two excursions with enough samples above the noise");
        find_impacts();
        return fit_;
    }

  private:
    double ceiling() const { return kApexCeiling_ratio * shape_.slenderness_rad; }

    LobeEquations equations(const MeasuredLobe& lobe) const {
        LobeEquations e;
        const FreeLobe motion(shape_, lobe.apex_rad.value);
        const double step = kDifference_ratio * lobe.apex_rad.value;
        const FreeLobe lower(shape_, lobe.apex_rad.value - step);
        const double from = lobe.is_released ? lobe.apex_s : lobe.apex_s - motion.half_duration_s();
        const auto begin = std::lower_bound(history_.time_s.begin(), history_.time_s.end(), from);
        for (auto at = begin; at != history_.time_s.end() && *at < lobe.apex_s + motion.half_duration_s();
             ++at) {
            const double t = *at - lobe.apex_s, value = motion.rotation_rad(t);
            const double shifted = motion.rotation_rad(t - kDifference_ratio * motion.half_duration_s());
            const double rotation =
                history_.rotation_rad[static_cast<std::size_t>(at - history_.time_s.begin())];
            const double residual = rotation - fit_.offset_rad.value - lobe.side * value;
            const Eigen::Vector2d slope =
                lobe.side *
                Eigen::Vector2d((value - lower.rotation_rad(t)) / step,
                                (shifted - value) / (kDifference_ratio * motion.half_duration_s()));
            e.curvature += slope * slope.transpose();
            e.coupling += slope;
            e.gradient += slope * residual;
            e.offset_gradient += residual;
            e.squares += residual * residual;
            ++e.count;
        }
        return e;
    }

    /// Samples at rest after the last lobe tell the offset directly.
    LobeEquations rest_equations() const {
        LobeEquations e;
        const MeasuredLobe &first = fit_.lobes.front(), &last = fit_.lobes.back();
        // What follows loses energy at the measured pace; below 1e-6 of the first energy it counts as rest.
        const double most = lobe_energy(shape_, first.apex_rad.value);
        double energy = lobe_energy(shape_, last.apex_rad.value), from = last.apex_s + last.half_duration_s;
        const double count = static_cast<double>(fit_.lobes.size());
        const double pace = std::pow(energy / most, 1.0 / std::max(1.0, count - 1.0));
        for (int i = 0; i < 1000 && pace < 1.0 && (energy *= pace) > 1e-6 * most; ++i)
            from += 2.0 * FreeLobe(shape_, apex_of_energy(shape_, energy)).half_duration_s();
        const auto begin = std::lower_bound(history_.time_s.begin(), history_.time_s.end(), from);
        for (auto at = begin; at != history_.time_s.end(); ++at, ++e.count)
            e.offset_gradient +=
                history_.rotation_rad[static_cast<std::size_t>(at - history_.time_s.begin())] -
                fit_.offset_rad.value;
        return e;
    }

    /// Gauss-Newton over all lobes and the offset; the lobes are eliminated first.
    void solve() {
        if (fit_.lobes.empty()) return;
        for (int iteration = 0; iteration < kIterationsMax; ++iteration) {
            const LobeEquations rest = rest_equations();
            double curvature = static_cast<double>(rest.count), gradient = rest.offset_gradient;
            std::vector<LobeEquations> all;
            std::vector<Eigen::Matrix2d> inverse;
            double squares = 0.0, count = 0.0;
            for (const MeasuredLobe& lobe : fit_.lobes) {
                const LobeEquations& e = all.emplace_back(equations(lobe));
                inverse.push_back(e.count < kLobeSamplesMin ? Eigen::Matrix2d(Eigen::Matrix2d::Zero())
                                                            : Eigen::Matrix2d(e.curvature.inverse()));
                const Eigen::Vector2d reduced = inverse.back() * e.coupling;
                curvature += static_cast<double>(e.count) - e.coupling.dot(reduced);
                gradient += e.offset_gradient - reduced.dot(e.gradient);
                squares += e.squares;
                count += static_cast<double>(e.count);
            }
            const double offset_step = curvature > 1e-9 ? gradient / curvature : 0.0;
            const double freedom = count - 2.0 * static_cast<double>(fit_.lobes.size()) - 1.0;
            fit_.noise_rad = freedom > 0.0 ? std::sqrt(squares / freedom) : 0.0;
            fit_.offset_rad.value += offset_step;
            fit_.offset_rad.standard_error = curvature > 1e-9 ? fit_.noise_rad / std::sqrt(curvature) : 0.0;
            double largest_step = 0.0;
            for (std::size_t i = 0; i < fit_.lobes.size(); ++i)
                largest_step = std::max(largest_step, step(fit_.lobes[i], all[i], inverse[i], offset_step));
            if (largest_step < 1e-9) break;
        }
    }

    /// Moves one lobe; returns the step relative to its size.
    double step(MeasuredLobe& lobe, const LobeEquations& e, const Eigen::Matrix2d& inverse,
                double offset_step) const {
        const Eigen::Vector2d change = inverse * (e.gradient - e.coupling * offset_step);
        const double apex = lobe.apex_rad.value, limit = 0.3 * apex;
        lobe.apex_rad.value = std::min(apex + std::clamp(change[0], -limit, limit), 0.5 * (apex + ceiling()));
        lobe.apex_s += std::clamp(change[1], -0.3 * lobe.half_duration_s, 0.3 * lobe.half_duration_s);
        const Eigen::Vector2d reduced = inverse * e.coupling;
        lobe.apex_rad.standard_error = std::hypot(fit_.noise_rad * std::sqrt(inverse(0, 0)),
                                                  reduced[0] * fit_.offset_rad.standard_error);
        lobe.half_duration_s = FreeLobe(shape_, lobe.apex_rad.value).half_duration_s();
        lobe.sample_count = e.count;
        return std::max(std::abs(change[0]) / apex, std::abs(change[1]) / lobe.half_duration_s);
    }

    /// Lobes that too few samples or the noise leave undetermined, and runs that a gap has glued together
    /// (they fit much worse than the others).
    void drop_doubtful() {
        std::vector<double> misfit;
        for (const MeasuredLobe& lobe : fit_.lobes) {
            const LobeEquations e = equations(lobe);
            misfit.push_back(std::sqrt(e.squares / std::max<double>(1.0, static_cast<double>(e.count))));
        }
        std::vector<double> sorted = misfit;
        std::sort(sorted.begin(), sorted.end());
        const double typical = sorted.empty() ? 0.0 : sorted[sorted.size() / 2];
        std::vector<MeasuredLobe> kept;
        for (std::size_t i = 0; i < fit_.lobes.size(); ++i) {
            const MeasuredLobe& lobe = fit_.lobes[i];
            const bool is_good =
                lobe.sample_count >= kLobeSamplesMin &&
                misfit[i] <= 6.0 * typical + 1e-3 * lobe.apex_rad.value &&
                lobe.apex_rad.value > kApexOverNoise * std::max(typical, lobe.apex_rad.standard_error);
            if (is_good) kept.push_back(lobe);
        }
        fit_.lobes = std::move(kept);
        solve();
    }

    void find_impacts() {
        for (std::size_t i = 1; i < fit_.lobes.size(); ++i) {
            const MeasuredLobe &before = fit_.lobes[i - 1], &after = fit_.lobes[i];
            const double expected = before.half_duration_s + after.half_duration_s;
            if (before.side == after.side) continue;
            if (std::abs(after.apex_s - before.apex_s - expected) > kNeighbour_ratio * expected) continue;
            fit_.impacts.push_back(impact_between(before, after));
        }
    }

    MeasuredImpact impact_between(const MeasuredLobe& before, const MeasuredLobe& after) const {
        MeasuredImpact impact;
        impact.time_s = 0.5 * (before.apex_s + before.half_duration_s + after.apex_s - after.half_duration_s);
        impact.apex_before_rad = before.apex_rad.value;
        impact.apex_after_rad = after.apex_rad.value;
        const auto relative_error = [this](const MeasuredLobe& lobe) {
            return lobe.apex_rad.standard_error * std::sin(shape_.slenderness_rad - lobe.apex_rad.value) /
                   lobe_energy(shape_, lobe.apex_rad.value);
        };
        impact.ratio.value =
            std::sqrt(lobe_energy(shape_, after.apex_rad.value) / lobe_energy(shape_, before.apex_rad.value));
        impact.ratio.standard_error =
            0.5 * impact.ratio.value * std::hypot(relative_error(before), relative_error(after));
        return impact;
    }

    const RockingShape& shape_;
    const RotationHistory& history_;
    LobeFit fit_;
};

void require_usable(const RockingShape& shape, const RotationHistory& history) {
    const auto fail = [](const std::string& what) {
        throw std::invalid_argument("rotation history: " + what);
    };
    if (history.time_s.size() != history.rotation_rad.size()) fail("as many times as rotations are needed");
    if (history.time_s.size() < kHistorySamplesMin)
        fail(std::to_string(history.time_s.size()) + " samples, at least " +
             std::to_string(kHistorySamplesMin) + " are needed");
    for (std::size_t i = 0; i < history.time_s.size(); ++i) {
        const double time = history.time_s[i], rotation = history.rotation_rad[i];
        if (!std::isfinite(time) || !std::isfinite(rotation))
            fail("a number is not finite at sample " + std::to_string(i));
        if (i > 0 && !(time > history.time_s[i - 1]))
            fail("time does not increase at " + std::to_string(time) + " s");
        if (std::abs(rotation) >= 1.2 * shape.slenderness_rad)
            fail("rotation of " + std::to_string(rotation) + " rad at " + std::to_string(time) +
                 " s: a block of slenderness angle " + std::to_string(shape.slenderness_rad) +
                 " rad does not come back from there (dimensions or unit wrong?)");
    }
}

}  // namespace

LobeFit fit_lobes(const RockingShape& shape, const RotationHistory& history) {
    require_usable(shape, history);
    return LobeFitter(shape, history).fit();
}

}  // namespace topple::solver

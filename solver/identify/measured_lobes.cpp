#include "solver/identify/measured_lobes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <span>
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
constexpr double kNeighbour_ratio = 0.2;  // of the time between apexes: departure that means a lobe between is missing
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
    /// With `seat`, `history` is already freed of offset and drift.
    LobeFitter(const RockingShape& shape, const RotationHistory& history, const SensorAndSeat* seat = nullptr,
               const NoiseModel& noise = {})
        : shape_(shape), history_(history), seat_(seat), noise_(noise) {}

    LobeFit fit() {
        double largest = 0.0;
        for (const double value : history_.rotation_rad) largest = std::max(largest, std::abs(value));
        fit_.offset_rad.value = seat_ ? 0.0 : resting_rotation_rad(history_);
        double threshold = kFirstThreshold_ratio * largest;
        for (int pass = 0; pass < 3; ++pass) {
            fit_.lobes = search_lobes(shape_, history_, fit_.offset_rad.value, threshold);
            std::erase_if(fit_.lobes, [](const MeasuredLobe& lobe) { return lobe.sample_count < kLobeSamplesMin; });
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
    RockingShape shape_of(const MeasuredLobe& lobe) const {
        return seat_ ? shape_on_seat(shape_, seat_->tilt_rad, lobe.side) : shape_;
    }
    double ceiling(const MeasuredLobe& lobe) const { return kApexCeiling_ratio * shape_of(lobe).slenderness_rad; }

    LobeEquations equations(const MeasuredLobe& lobe) const {
        LobeEquations e;
        const RockingShape shape = shape_of(lobe);
        const FreeLobe motion(shape, lobe.apex_rad.value);
        const double step = kDifference_ratio * lobe.apex_rad.value;
        const double shift_s = kDifference_ratio * motion.half_duration_s();
        const double from = lobe.is_released ? lobe.apex_s : lobe.apex_s - motion.half_duration_s();
        const auto begin = std::lower_bound(history_.time_s.begin(), history_.time_s.end(), from);
        const auto end = std::lower_bound(begin, history_.time_s.end(), lobe.apex_s + motion.half_duration_s());
        const std::span<const double> time_s(begin, end);
        std::vector<double> value(time_s.size()), lower(time_s.size()), later(time_s.size());
        motion.rotations(time_s, lobe.apex_s, value);
        motion.rotations(time_s, lobe.apex_s + shift_s, later);
        FreeLobe(shape, lobe.apex_rad.value - step).rotations(time_s, lobe.apex_s, lower);
        const auto first = static_cast<std::size_t>(begin - history_.time_s.begin());
        for (std::size_t i = 0; i < time_s.size(); ++i) {
            const double residual = history_.rotation_rad[first + i] - fit_.offset_rad.value - lobe.side * value[i];
            const Eigen::Vector2d slope =
                lobe.side * Eigen::Vector2d((value[i] - lower[i]) / step, (later[i] - value[i]) / shift_s);
            e.curvature += slope * slope.transpose();
            e.coupling += slope;
            e.gradient += slope * residual;
            e.offset_gradient += residual;
            e.squares += residual * residual;
            ++e.count;
        }
        return e;
    }

    /// Samples at rest after the last lobe show the offset directly.
    LobeEquations rest_equations() const {
        LobeEquations e;
        const MeasuredLobe &first = fit_.lobes.front(), &last = fit_.lobes.back();
        // What follows loses energy at the measured pace; below 1e-6 of the first energy it counts as rest.
        const double most = lobe_energy(shape_of(first), first.apex_rad.value);
        double energy = lobe_energy(shape_of(last), last.apex_rad.value), from = last.apex_s + last.half_duration_s;
        const double count = static_cast<double>(fit_.lobes.size());
        const double pace = std::pow(energy / most, 1.0 / std::max(1.0, count - 1.0));
        for (int i = 0; i < 1000 && pace < 1.0 && (energy *= pace) > 1e-6 * most; ++i)
            from += 2.0 * FreeLobe(shape_, apex_of_energy(shape_, energy)).half_duration_s();
        const auto begin = std::lower_bound(history_.time_s.begin(), history_.time_s.end(), from);
        for (auto at = begin; at != history_.time_s.end(); ++at, ++e.count)
            e.offset_gradient +=
                history_.rotation_rad[static_cast<std::size_t>(at - history_.time_s.begin())] - fit_.offset_rad.value;
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
            const double offset_step = !seat_ && curvature > 1e-9 ? gradient / curvature : 0.0;
            const double freedom = count - 2.0 * static_cast<double>(fit_.lobes.size()) - 1.0;
            fit_.noise_rad = freedom > 0.0 ? std::sqrt(squares / freedom) : 0.0;
            fit_.offset_rad.value += offset_step;
            const bool has_offset_error = !seat_ && curvature > 1e-9;
            fit_.offset_rad.standard_error = has_offset_error ? fit_.noise_rad / std::sqrt(curvature) : 0.0;
            double largest_step = 0.0;
            for (std::size_t i = 0; i < fit_.lobes.size(); ++i)
                largest_step = std::max(largest_step, step(fit_.lobes[i], all[i], inverse[i], offset_step));
            if (largest_step < 1e-8) break;
        }
    }

    /// Standard deviation of the mean of the wander over this time.
    double mean_wander_rad(double time_s) const {
        if (noise_.wander_rad == 0.0) return 0.0;
        const double u = time_s / noise_.tau_s;
        return noise_.wander_rad * std::sqrt(u < 1e-3 ? 1.0 : 2.0 / u * (1.0 + std::expm1(-u) / u));
    }

    /// Moves one lobe; returns the step relative to its size.
    double step(MeasuredLobe& lobe, const LobeEquations& e, const Eigen::Matrix2d& inverse, double offset_step) const {
        const Eigen::Vector2d change = inverse * (e.gradient - e.coupling * offset_step);
        const double apex = lobe.apex_rad.value, limit = 0.3 * apex;
        lobe.apex_rad.value = std::min(apex + std::clamp(change[0], -limit, limit), 0.5 * (apex + ceiling(lobe)));
        lobe.apex_s += std::clamp(change[1], -0.3 * lobe.half_duration_s, 0.3 * lobe.half_duration_s);
        const Eigen::Vector2d reduced = inverse * e.coupling;
        lobe.own_error_rad = std::hypot(std::max(fit_.noise_rad, noise_.white_rad) * std::sqrt(inverse(0, 0)),
                                        reduced[0] * mean_wander_rad(2.0 * lobe.half_duration_s));
        lobe.by_offset = -reduced[0];
        lobe.apex_rad.standard_error = std::hypot(lobe.own_error_rad, reduced[0] * fit_.offset_rad.standard_error);
        lobe.half_duration_s = FreeLobe(shape_of(lobe), lobe.apex_rad.value).half_duration_s();
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
            const bool is_good = lobe.sample_count >= kLobeSamplesMin &&
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

    /// Energy of an excursion; its errors relative to it.
    struct Side {
        double energy, own_error;
        Eigen::Vector3d by_seat;
    };
    Side side_of(const MeasuredLobe& lobe) const {
        const RockingShape shape = shape_of(lobe);
        const double alpha = shape.slenderness_rad, apex = lobe.apex_rad.value;
        const double energy = lobe_energy(shape, apex), by_apex = std::sin(alpha - apex) / energy;
        const double by_alpha = (std::sin(alpha) - by_apex * energy) / energy;
        const double age_s = lobe.apex_s - history_.time_s.front();
        return {energy,
                by_apex * lobe.own_error_rad,
                {by_apex * lobe.by_offset, by_apex * lobe.by_offset * age_s, -lobe.side * by_alpha}};
    }

    MeasuredImpact impact_between(const MeasuredLobe& before, const MeasuredLobe& after) const {
        MeasuredImpact impact;
        impact.time_s = 0.5 * (before.apex_s + before.half_duration_s + after.apex_s - after.half_duration_s);
        impact.apex_before_rad = before.apex_rad.value;
        impact.apex_after_rad = after.apex_rad.value;
        const Side one = side_of(before), other = side_of(after);
        impact.ratio.value = std::sqrt(other.energy / one.energy);
        const double half = 0.5 * impact.ratio.value;
        impact.own_error = half * std::hypot(one.own_error, other.own_error);
        impact.by_seat = half * (other.by_seat - one.by_seat);
        const double shared = seat_ ? impact.by_seat.dot(seat_->covariance * impact.by_seat)
                                    : std::pow(impact.by_seat[0] * fit_.offset_rad.standard_error, 2);
        impact.ratio.standard_error = std::sqrt(impact.own_error * impact.own_error + shared);
        return impact;
    }

    const RockingShape& shape_;
    const RotationHistory& history_;
    const SensorAndSeat* seat_;
    NoiseModel noise_;  // of the whole record, if `seat` is known
    LobeFit fit_;
};

void require_usable(const RockingShape& shape, const RotationHistory& history) {
    const auto fail = [](const std::string& what) { throw std::invalid_argument("rotation history: " + what); };
    if (history.time_s.size() != history.rotation_rad.size())
        fail("the number of times must equal the number of rotations");
    if (history.time_s.size() < kHistorySamplesMin)
        fail(std::to_string(history.time_s.size()) + " samples, at least " + std::to_string(kHistorySamplesMin) +
             " are needed");
    for (std::size_t i = 0; i < history.time_s.size(); ++i) {
        const double time = history.time_s[i], rotation = history.rotation_rad[i];
        if (!std::isfinite(time) || !std::isfinite(rotation))
            fail("a number is not finite at sample " + std::to_string(i));
        if (i > 0 && !(time > history.time_s[i - 1])) fail("time does not increase at " + std::to_string(time) + " s");
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

LobeFit fit_lobes(const RockingShape& shape, const RotationHistory& history, const SensorAndSeat& seat,
                  const NoiseModel& noise) {
    require_usable(shape, history);
    RotationHistory freed = history;
    for (std::size_t i = 0; i < freed.time_s.size(); ++i)
        freed.rotation_rad[i] -= seat.offset_rad + seat.drift_rad_s * (freed.time_s[i] - freed.time_s.front());
    LobeFit fit = LobeFitter(shape, freed, &seat, noise).fit();
    fit.offset_rad = {seat.offset_rad, std::sqrt(seat.covariance(0, 0))};
    return fit;
}

}  // namespace topple::solver

#include "solver/identify/restitution_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/identify/response_fit.hpp"

namespace topple::solver {
namespace {

constexpr std::size_t kWindowSamplesMin = 10;
constexpr std::size_t kStartSamplesMax = 4000;
constexpr int kStartCount = first_impact + 1, kRatioCount = ratio + 1;  // parameters adjusted
constexpr std::size_t kLobesForSeat = 4;  // excursions before offset, drift and slope are adjusted too
constexpr int kNoisePasses = 3;

constexpr double kNoiseFloor_ratio = 1e-10;  // of the release angle: rounding of a history without noise

struct Start {
    ResponseParameters at = ResponseParameters::Zero();
    TimeWindow first_two;  ///< release to the second impact
};

Start start_of(const RockingShape& shape, const LobeFit& lobes) {
    const bool begins_well = lobes.lobes.size() >= 2 && !lobes.impacts.empty() &&
                             lobes.impacts.front().apex_before_rad == lobes.lobes.front().apex_rad.value;
    if (!begins_well)
        throw std::invalid_argument("rotation history: it does not begin with two complete neighbouring excursions");
    const MeasuredLobe &first = lobes.lobes[0], &second = lobes.lobes[1];
    Start start;
    start.at[ratio] = std::min(1.0, lobes.impacts.front().ratio.value);
    start.at[release] = first.apex_rad.value;
    start.at[first_impact] = lobes.impacts.front().time_s;
    start.at[offset] = lobes.offset_rad.value;
    start.first_two = {start.at[first_impact] - FreeLobe(shape, first.apex_rad.value).half_duration_s(),
                       second.apex_s + second.half_duration_s};
    return start;
}

RotationHistory thinned(const RotationHistory& history) {
    const std::size_t stride = (history.time_s.size() + kStartSamplesMax - 1) / kStartSamplesMax;
    RotationHistory some;
    for (std::size_t i = 0; i < history.time_s.size(); i += stride) {
        some.time_s.push_back(history.time_s[i]);
        some.rotation_rad.push_back(history.rotation_rad[i]);
    }
    return some;
}

/// The ratio of a long history has many local minima: longer and longer parts lead to the right one.
ResponseParameters roughly_adjusted(const RockingShape& shape, const RotationHistory& history, const LobeFit& lobes,
                                    const Start& start, const NoiseModel& noise, int count_of_all) {
    const RotationHistory some = thinned(history);
    const ResponseFitter fitter(shape, some, lobes.lobes.front().side);
    ResponseParameters at = fitter.adjusted(start.at, start.first_two, kStartCount, noise);
    for (std::size_t count = 2; count < lobes.lobes.size(); count += std::max<std::size_t>(1, count / 3)) {
        const MeasuredLobe& last = lobes.lobes[count - 1];
        at = fitter.adjusted(at, {start.first_two.start_s, last.apex_s + last.half_duration_s},
                             count < kLobesForSeat ? kStartCount : count_of_all, noise);
    }
    return fitter.adjusted(at, {start.first_two.start_s, history.time_s.back()}, count_of_all, noise);
}

/// Least difference between two different values: the step of a quantised sensor, or of printed digits.
double step_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    double step = std::numeric_limits<double>::max();
    const double same = 1e-9 * (values.back() - values.front());
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] - values[i - 1] > same) step = std::min(step, values[i] - values[i - 1]);
    return step < std::numeric_limits<double>::max() ? step : 0.0;
}

/// The fits of one history, from the whole to its parts.
class WindowFits {
  public:
    WindowFits(const RockingShape& shape, const RotationHistory& history, const LobeFit& lobes)
        : shape_(shape), history_(history), fitter_(shape, history, lobes.lobes.front().side) {
        const Start start = start_of(shape, lobes);
        const double floor_rad = kNoiseFloor_ratio * start.at[release];
        noise_ = {std::max(lobes.noise_rad, floor_rad), 0.0, 0.0};
        whole_ = {start.first_two.start_s, history.time_s.back()};
        first_two_ = start.first_two;
        at_ = roughly_adjusted(shape, history, lobes, start, noise_, response_parameter_count);
        leave_out_quantised_rest();
        for (int pass = 0; pass < kNoisePasses; ++pass) {
            at_ = fitter_.adjusted(at_, whole_, response_parameter_count, noise_);
            noise_ = fitter_.noise(at_, whole_, noise_);
            if (noise_.deviation_rad() < floor_rad) noise_ = {floor_rad, 0.0, 0.0};
        }
        spread_ = fitter_.spread(at_, whole_, response_parameter_count, noise_).covariance;
        // Where one ratio does not describe the block, slope and offset have taken up what it leaves.
        const double sensor_rad = std::max(lobes.noise_rad, floor_rad);
        misfit_ratio_ = left_rad() / sensor_rad;
        if (misfit_ratio_ <= kMisfitMax_ratio) return;
        fit_level(lobes, start, sensor_rad);
        misfit_ratio_ = std::max(misfit_ratio_, left_rad() / sensor_rad);
    }

    RestitutionFits fits() {
        RestitutionFits all;
        all.noise = noise_;
        all.noise.white_rad *= std::sqrt(static_cast<double>(fitter_.averaged()));
        all.resolution_rad = resolution_rad_;
        all.misfit_ratio = misfit_ratio_;
        all.whole = described(at_, whole_, spread_(ratio, ratio));
        add_parts(all);
        all.seat = {at_[offset], at_[drift], at_[tilt], spread_.bottomRightCorner(3, 3)};
        all.fitted_rad.assign(history_.time_s.size(), std::numeric_limits<double>::quiet_NaN());
        const auto [begin, end] = fitter_.samples(whole_);
        const Eigen::VectorXd seen = fitter_.expected(at_, whole_);
        std::copy(seen.begin(), seen.end(), all.fitted_rad.begin() + static_cast<std::ptrdiff_t>(begin));
        return all;
    }

  private:
    /// What the response leaves of the history, rms.
    double left_rad() const {
        const Eigen::VectorXd left = fitter_.residuals(at_, whole_);
        return std::sqrt(left.squaredNorm() / static_cast<double>(left.size()));
    }

    /// Where something else than noise is left, drift and slope would only make up for it: level seat, steady sensor,
    /// the offset that the excursions show, each fitted by itself, and in all windows errors as large as what is left.
    void fit_level(const LobeFit& lobes, const Start& start, double sensor_rad) {
        const NoiseModel white{sensor_rad, 0.0, 0.0};
        at_ = roughly_adjusted(shape_, history_, lobes, start, white, kStartCount);
        at_ = fitter_.adjusted(at_, whole_, kStartCount, white);
        noise_ = fitter_.noise(at_, whole_, white);
        const auto level = fitter_.spread(at_, whole_, kStartCount, noise_);
        const double offset_error_rad = lobes.offset_rad.standard_error;
        spread_.setZero(response_parameter_count, response_parameter_count);
        spread_(offset, offset) = offset_error_rad * offset_error_rad;
        const Eigen::Vector3d by_offset = level.by_held.col(0);
        spread_.topLeftCorner<3, 3>() = level.covariance + spread_(offset, offset) * by_offset * by_offset.transpose();
        spread_.block<3, 1>(0, offset) = spread_(offset, offset) * by_offset;
        spread_.block<1, 3>(offset, 0) = spread_.block<3, 1>(0, offset).transpose();
    }

    /// A sensor whose steps exceed its noise shows one and the same wrong angle at rest: that angle is left out.
    void leave_out_quantised_rest() {
        const double rest_s = fitter_.response(at_, whole_.end_s).rest_s();
        const TimeWindow moving{whole_.start_s, std::min(whole_.end_s, rest_s)};
        const Eigen::VectorXd r = fitter_.residuals(at_, moving);
        const double deviation = std::sqrt(r.squaredNorm() / static_cast<double>(std::max<Eigen::Index>(1, r.size())));
        const double step = step_of(history_.rotation_rad);
        if (step < deviation) return;
        resolution_rad_ = step;
        whole_ = moving;
    }

    void add_parts(RestitutionFits& all) {
        const FreeResponse motion = fitter_.response(at_, whole_.end_s);
        first_two_.end_s = motion.second_impact_s();
        ResponseParameters start = fitter_.adjusted(at_, first_two_, kStartCount, noise_);
        const auto near = fitter_.spread(start, first_two_, kStartCount, noise_);
        const Eigen::Matrix3d seat = spread_.bottomRightCorner(3, 3);
        const Eigen::Matrix3d of_start = near.covariance + near.by_held * seat * near.by_held.transpose();
        all.first_half_period = described(start, first_two_, of_start(ratio, ratio));

        const double length_s = std::min(whole_.end_s, motion.rest_s()) - whole_.start_s;
        const TimeWindow middle{whole_.start_s + 0.25 * length_s, whole_.start_s + 0.75 * length_s};
        start[ratio] = at_[ratio];
        const ResponseParameters part = fitter_.adjusted(start, middle, kRatioCount, noise_);
        const auto far = fitter_.spread(part, middle, kRatioCount, noise_);
        // release and first impact from the first excursions, offset, drift and slope from the whole
        Eigen::Matrix<double, 5, 5> held = Eigen::Matrix<double, 5, 5>::Zero();
        held.topLeftCorner(2, 2) = of_start.bottomRightCorner(2, 2);
        held.bottomRightCorner(3, 3) = seat;
        held.topRightCorner(2, 3) = near.by_held.bottomRows(2) * seat;
        held.bottomLeftCorner(3, 2) = held.topRightCorner(2, 3).transpose();
        all.middle_half =
            described(part, middle, far.covariance(0, 0) + (far.by_held * held * far.by_held.transpose())(0, 0));
    }

    RestitutionFit described(const ResponseParameters& at, TimeWindow window, double variance) const {
        const auto [begin, end] = fitter_.samples(window);
        if (end - begin < kWindowSamplesMin)
            throw std::invalid_argument("rotation history: fewer than 10 samples in the window");
        const double squares = fitter_.residuals(at, window).squaredNorm();
        return {{at[ratio], std::sqrt(variance)},
                at[release],
                at[first_impact],
                window.start_s,
                window.end_s,
                std::sqrt(squares / static_cast<double>(end - begin)),
                end - begin};
    }

    const RockingShape& shape_;
    const RotationHistory& history_;
    ResponseFitter fitter_;
    NoiseModel noise_;
    double resolution_rad_ = 0.0, misfit_ratio_ = 0.0;
    TimeWindow whole_, first_two_;
    ResponseParameters at_;
    Eigen::MatrixXd spread_;
};

}  // namespace

RestitutionFits fit_restitution(const RockingShape& shape, const RotationHistory& history, const LobeFit& lobes) {
    if (lobes.lobes.empty()) start_of(shape, lobes);  // refuses
    return WindowFits(shape, history, lobes).fits();
}

}  // namespace topple::solver

#include "solver/motion/base_motion.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/motion/piece_integrals.hpp"

namespace topple::solver {
namespace {

bool is_finite(const MotionPiece& piece) {
    const auto finite = [](double value) { return std::isfinite(value); };
    return finite(piece.start_s) && finite(piece.end_s) &&
           std::all_of(piece.polynomial.begin(), piece.polynomial.end(), finite) &&
           std::all_of(piece.harmonics.begin(), piece.harmonics.end(), [&](const HarmonicTerm& term) {
               return finite(term.angular_frequency_rad_s) && finite(term.sine_m_s2[0]) && finite(term.sine_m_s2[1]) &&
                      finite(term.cosine_m_s2[0]) && finite(term.cosine_m_s2[1]);
           });
}

[[noreturn]] void refuse(std::size_t index, const std::string& why) {
    throw std::invalid_argument("base motion, piece " + std::to_string(index) + ": " + why);
}

/// Borders of adjoining pieces may differ by rounding of their times; the later piece's start then counts.
bool meets(double end_s, double start_s) {
    return std::abs(end_s - start_s) <= 1e-12 * std::max(1.0, std::abs(start_s));
}

void validate(std::vector<MotionPiece>& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!is_finite(pieces[i])) refuse(i, "a number is not finite");
        for (const HarmonicTerm& term : pieces[i].harmonics)
            if (!(term.angular_frequency_rad_s > 0.0)) refuse(i, "an angular frequency is not above 0");
        if (i > 0) {
            if (!meets(pieces[i - 1].end_s, pieces[i].start_s)) refuse(i, "does not start where the previous one ends");
            pieces[i - 1].end_s = pieces[i].start_s;
        }
    }
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (!(pieces[i].end_s > pieces[i].start_s)) refuse(i, "has no duration");
}

BaseState coasting(double displacement_m, double velocity_m_s, double duration_s) noexcept {
    return {displacement_m + velocity_m_s * duration_s, velocity_m_s, 0.0, 0.0};
}

BaseState within(const MotionPiece& piece, double time_s, double displacement_m, double velocity_m_s) noexcept {
    const double tau = time_s - piece.start_s;
    const PieceMotion motion = evaluate(piece, tau);
    return {displacement_m + velocity_m_s * tau + motion.displacement_m, velocity_m_s + motion.velocity_m_s,
            motion.acceleration_m_s2, motion.jerk_m_s3};
}

/// The part of `motion` that acts over [start, end] (which contains no break of it), or nothing outside its pieces.
void add_part(const BaseMotion& motion, MotionPiece& sum) {
    const double middle_s = 0.5 * (sum.start_s + sum.end_s);
    if (motion.empty() || middle_s < motion.start_s() || middle_s >= motion.end_s()) return;
    const auto& pieces = motion.pieces();
    const auto next = std::upper_bound(pieces.begin(), pieces.end(), middle_s,
                                       [](double t, const MotionPiece& piece) { return t < piece.start_s; });
    const MotionPiece& piece = *std::prev(next);
    const MotionPiece part = moved_origin(piece, sum.start_s - piece.start_s, sum.start_s, sum.end_s);
    for (std::size_t k = 0; k < sum.polynomial.size(); ++k) sum.polynomial[k] += part.polynomial[k];
    sum.harmonics.insert(sum.harmonics.end(), part.harmonics.begin(), part.harmonics.end());
}

/// Sorted break times of both; those that differ by rounding only are one.
std::vector<double> breaks(const BaseMotion& first, const BaseMotion& second) {
    std::vector<double> times;
    for (const BaseMotion* motion : {&first, &second}) {
        for (const MotionPiece& piece : motion->pieces()) times.push_back(piece.start_s);
        if (!motion->empty()) times.push_back(motion->end_s());
    }
    std::sort(times.begin(), times.end());
    const auto same = [](double a, double b) { return b - a <= 1e-14 * std::max(1.0, std::abs(b)); };
    times.erase(std::unique(times.begin(), times.end(), same), times.end());
    return times;
}

}  // namespace

double MotionPiece::acceleration_m_s2(double time_s) const noexcept {
    const double tau = time_s - start_s;
    double sum = polynomial[0] + tau * (polynomial[1] + tau * (polynomial[2] + tau * polynomial[3]));
    for (const HarmonicTerm& term : harmonics) {
        const double z = term.angular_frequency_rad_s * tau;
        sum += (term.sine_m_s2[0] + term.sine_m_s2[1] * tau) * std::sin(z) +
               (term.cosine_m_s2[0] + term.cosine_m_s2[1] * tau) * std::cos(z);
    }
    return sum;
}

BaseMotion::BaseMotion(std::vector<MotionPiece> pieces, double initial_displacement_m, double initial_velocity_m_s)
    : pieces_(std::move(pieces)) {
    if (!std::isfinite(initial_displacement_m) || !std::isfinite(initial_velocity_m_s))
        throw std::invalid_argument("base motion: the initial state is not finite");
    validate(pieces_);
    displacement_m_.reserve(pieces_.size() + 1);
    velocity_m_s_.reserve(pieces_.size() + 1);
    displacement_m_.push_back(initial_displacement_m);
    velocity_m_s_.push_back(initial_velocity_m_s);
    for (const MotionPiece& piece : pieces_) {
        const BaseState end = within(piece, piece.end_s, displacement_m_.back(), velocity_m_s_.back());
        displacement_m_.push_back(end.displacement_m);
        velocity_m_s_.push_back(end.velocity_m_s);
    }
}

double BaseMotion::start_s() const noexcept { return pieces_.empty() ? 0.0 : pieces_.front().start_s; }
double BaseMotion::end_s() const noexcept { return pieces_.empty() ? 0.0 : pieces_.back().end_s; }

BaseState BaseMotion::at(double time_s) const noexcept {
    if (displacement_m_.empty()) return {};
    if (pieces_.empty() || time_s < start_s())
        return coasting(displacement_m_.front(), velocity_m_s_.front(), time_s - start_s());
    if (time_s >= end_s()) return coasting(displacement_m_.back(), velocity_m_s_.back(), time_s - end_s());
    const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), time_s,
                                       [](double t, const MotionPiece& piece) { return t < piece.start_s; });
    const auto i = static_cast<std::size_t>(next - pieces_.begin()) - 1;
    return within(pieces_[i], time_s, displacement_m_[i], velocity_m_s_[i]);
}

BaseState BaseMotion::before(double time_s) const noexcept {
    if (displacement_m_.empty()) return {};
    if (pieces_.empty() || time_s <= start_s())
        return coasting(displacement_m_.front(), velocity_m_s_.front(), time_s - start_s());
    if (time_s > end_s()) return coasting(displacement_m_.back(), velocity_m_s_.back(), time_s - end_s());
    const auto next = std::lower_bound(pieces_.begin(), pieces_.end(), time_s,
                                       [](const MotionPiece& piece, double t) { return piece.start_s < t; });
    const auto i = static_cast<std::size_t>(next - pieces_.begin()) - 1;
    return within(pieces_[i], time_s, displacement_m_[i], velocity_m_s_[i]);
}

BaseMotion BaseMotion::scaled(double factor) const {
    if (!std::isfinite(factor)) throw std::invalid_argument("base motion: the scale factor is not finite");
    if (displacement_m_.empty()) return {};
    std::vector<MotionPiece> pieces = pieces_;
    for (MotionPiece& piece : pieces) {
        for (double& coefficient : piece.polynomial) coefficient *= factor;
        for (HarmonicTerm& term : piece.harmonics)
            for (std::size_t k = 0; k < 2; ++k) term.sine_m_s2[k] *= factor, term.cosine_m_s2[k] *= factor;
    }
    return BaseMotion(std::move(pieces), factor * displacement_m_.front(), factor * velocity_m_s_.front());
}

BaseMotion BaseMotion::faster(double ratio) const {
    if (!std::isfinite(ratio) || ratio <= 0.0) throw std::invalid_argument("base motion: the ratio is not above 0");
    if (displacement_m_.empty()) return {};
    std::vector<MotionPiece> pieces = pieces_;
    for (MotionPiece& piece : pieces) {
        piece.start_s /= ratio;
        piece.end_s /= ratio;
        double power = 1.0;
        for (double& coefficient : piece.polynomial) coefficient *= power, power *= ratio;
        for (HarmonicTerm& term : piece.harmonics) {
            term.angular_frequency_rad_s *= ratio;
            term.sine_m_s2[1] *= ratio;
            term.cosine_m_s2[1] *= ratio;
        }
    }
    return BaseMotion(std::move(pieces), displacement_m_.front() / (ratio * ratio), velocity_m_s_.front() / ratio);
}

BaseMotion BaseMotion::scaled(const MotionScale& scale) const {
    if (scale.frequency == 1.0) return scaled(scale.amplitude);
    const BaseMotion quick = faster(scale.frequency);
    return scale.amplitude == 1.0 ? quick : quick.scaled(scale.amplitude);
}

BaseMotion BaseMotion::shifted(double delay_s) const {
    if (pieces_.empty()) return *this;
    std::vector<MotionPiece> pieces = pieces_;
    for (MotionPiece& piece : pieces) piece.start_s += delay_s, piece.end_s += delay_s;
    return BaseMotion(std::move(pieces), displacement_m_.front(), velocity_m_s_.front());
}

BaseMotion BaseMotion::then(const BaseMotion& next) const {
    std::vector<MotionPiece> pieces = pieces_;
    const std::vector<MotionPiece> appended = next.shifted(end_s() - next.start_s()).pieces_;
    pieces.insert(pieces.end(), appended.begin(), appended.end());
    if (displacement_m_.empty()) return BaseMotion(std::move(pieces));
    return BaseMotion(std::move(pieces), displacement_m_.front(), velocity_m_s_.front());
}

BaseMotion BaseMotion::plus(const BaseMotion& other) const {
    const std::vector<double> times = breaks(*this, other);
    std::vector<MotionPiece> pieces;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        MotionPiece sum;
        sum.start_s = times[i];
        sum.end_s = times[i + 1];
        add_part(*this, sum);
        add_part(other, sum);
        pieces.push_back(std::move(sum));
    }
    const double start_s = times.empty() ? 0.0 : times.front();
    const BaseState mine = before(start_s), theirs = other.before(start_s);
    return BaseMotion(std::move(pieces), mine.displacement_m + theirs.displacement_m,
                      mine.velocity_m_s + theirs.velocity_m_s);
}

}  // namespace topple::solver

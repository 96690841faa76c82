#include "solver/lanes/record_track.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "solver/lanes/piece_curve.hpp"
#include "solver/motion/piece_integrals.hpp"

namespace topple::solver {
namespace {

constexpr double kTwoPi = 6.283185307179586;

/// Exact: at the ends and where the slope is zero.
RecordRange range_of(const RecordPiece& piece) {
    const PieceCurve curve(piece.polynomial, 1.0);
    const double from = curve.value(0.0), to = curve.value(piece.length_s);
    RecordRange range{std::min(from, to), std::max(from, to)};
    double times[2];
    const int count = curve.turns(0.0, piece.length_s, times);
    for (int i = 0; i < count; ++i) {
        const double value = curve.value(times[i]);
        range = {std::min(range.low, value), std::max(range.high, value)};
    }
    return range;
}

using Quintic = std::array<double, kRecordTerms>;

/// The same polynomial about an origin that lies `offset` later.
Quintic moved(Quintic c, double offset) {
    for (std::size_t lowest = 0; lowest + 1 < c.size(); ++lowest)
        for (std::size_t n = c.size() - 1; n > lowest; --n) c[n - 1] += offset * c[n];
    return c;
}

/// Taylor polynomial of one term about tau.
Quintic taylor(const HarmonicTerm& term, double tau) {
    const double w = term.angular_frequency_rad_s;
    const double sine = term.sine_m_s2[0] + term.sine_m_s2[1] * tau;
    const double cosine = term.cosine_m_s2[0] + term.cosine_m_s2[1] * tau;
    Quintic c{};
    double s = std::sin(w * tau), k = std::cos(w * tau), s_before = 0.0, k_before = 0.0;  // of sin and cos
    for (std::size_t n = 0; n < c.size(); ++n) {
        c[n] = sine * s + cosine * k + term.sine_m_s2[1] * s_before + term.cosine_m_s2[1] * k_before;
        s_before = s, k_before = k;
        s = k_before * w / static_cast<double>(n + 1);
        k = -s_before * w / static_cast<double>(n + 1);
    }
    return c;
}

}  // namespace

RecordPieces::RecordPieces(const BaseMotion& motion) {
    pieces_.reserve(motion.pieces().size() + 1);
    if (motion.start_s() > 0.0) add({0.0, motion.start_s(), {}, {}});
    for (const MotionPiece& piece : motion.pieces()) {
        if (!(piece.end_s > 0.0)) continue;
        add(piece.start_s < 0.0 ? moved_origin(piece, -piece.start_s, 0.0, piece.end_s) : piece);
    }
    build_ranges();
    track_.pieces = pieces_.data();
    track_.piece_count = pieces_.size();
}

void RecordPieces::add(const MotionPiece& piece) {
    piece.harmonics.empty() ? add_polynomial(piece) : add_harmonics(piece);
}

void RecordPieces::add_polynomial(const MotionPiece& from) {
    RecordPiece piece;
    piece.start_s = from.start_s;
    piece.length_s = from.end_s - from.start_s;
    std::copy(from.polynomial.begin(), from.polynomial.end(), piece.polynomial);
    finish(piece);
}

void RecordPieces::add_harmonics(const MotionPiece& from) {
    double fastest_rad_s = 0.0;
    for (const HarmonicTerm& term : from.harmonics)
        fastest_rad_s = std::max(fastest_rad_s, term.angular_frequency_rad_s);
    track_.fastest_rad_s = std::max(track_.fastest_rad_s, fastest_rad_s);
    const double length_s = from.end_s - from.start_s;
    const double count = std::ceil(length_s * fastest_rad_s / kTwoPi * kQuinticsPerCycle);
    for (double i = 0.0; i < count; i += 1.0) {
        const double begin_s = length_s * (i / count), end_s = length_s * ((i + 1.0) / count);
        const double middle_s = 0.5 * (begin_s + end_s);
        Quintic sum{};
        std::copy(from.polynomial.begin(), from.polynomial.end(), sum.begin());
        sum = moved(sum, begin_s);
        Quintic harmonics{};
        for (const HarmonicTerm& term : from.harmonics) {
            const Quintic part = taylor(term, middle_s);
            for (std::size_t n = 0; n < part.size(); ++n) harmonics[n] += part[n];
        }
        harmonics = moved(harmonics, begin_s - middle_s);
        RecordPiece piece;
        piece.start_s = from.start_s + begin_s;
        piece.length_s = end_s - begin_s;
        for (std::size_t n = 0; n < sum.size(); ++n) piece.polynomial[n] = sum[n] + harmonics[n];
        finish(piece);
    }
}

void RecordPieces::finish(RecordPiece piece) {
    double power = 1.0;
    for (int n = 1; n < kRecordTerms; ++n) {
        piece.slope_peak += n * std::abs(piece.polynomial[n]) * power;
        power *= piece.length_s;
        if (n > 1 && piece.polynomial[n] != 0.0) track_.is_linear = false;
    }
    pieces_.push_back(piece);
}

void RecordPieces::build_ranges() {
    if (pieces_.empty()) return;
    std::vector<RecordRange>& first = ranges_.emplace_back();
    for (const RecordPiece& piece : pieces_) first.push_back(range_of(piece));
    while (ranges_.back().size() > 1) {
        std::vector<RecordRange> coarser((ranges_.back().size() + kRangeFan - 1) / kRangeFan, {1e300, -1e300});
        for (std::size_t i = 0; i < ranges_.back().size(); ++i) {
            RecordRange& of = coarser[i / kRangeFan];
            of = {std::min(of.low, ranges_.back()[i].low), std::max(of.high, ranges_.back()[i].high)};
        }
        ranges_.push_back(std::move(coarser));
    }
    track_.levels = static_cast<int>(ranges_.size());
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        track_.ranges[i] = ranges_[i].data();
        track_.range_count[i] = ranges_[i].size();
    }
}

}  // namespace topple::solver

#include "solver/lanes/record_track.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/motion/piece_integrals.hpp"

namespace topple::solver {
namespace {

double value_at(const RecordPiece& piece, double t) {
    const double(&c)[4] = piece.polynomial;
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

/// Exact: at the ends and where the slope is zero.
RecordRange range_of(const RecordPiece& piece) {
    const double from = value_at(piece, 0.0), to = value_at(piece, piece.length_s);
    RecordRange range{std::min(from, to), std::max(from, to)};
    const auto include = [&](double t) {
        if (!(t > 0.0 && t < piece.length_s)) return;
        const double value = value_at(piece, t);
        range = {std::min(range.low, value), std::max(range.high, value)};
    };
    const double a = 3.0 * piece.polynomial[3], b = 2.0 * piece.polynomial[2], c = piece.polynomial[1];
    const double under_root = b * b - 4.0 * a * c;
    if (under_root < 0.0 || (a == 0.0 && b == 0.0)) return range;
    const double q = -0.5 * (b + std::copysign(std::sqrt(under_root), b));
    if (a != 0.0) include(q / a);
    if (q != 0.0) include(c / q);
    return range;
}

}  // namespace

bool is_polynomial(const BaseMotion& motion) noexcept {
    return std::all_of(motion.pieces().begin(), motion.pieces().end(),
                       [](const MotionPiece& piece) { return piece.harmonics.empty(); });
}

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

void RecordPieces::add(const MotionPiece& from) {
    RecordPiece& piece = pieces_.emplace_back();
    piece.start_s = from.start_s;
    piece.length_s = from.end_s - from.start_s;
    double power = 1.0;
    for (std::size_t n = 0; n < 4; ++n) {
        piece.polynomial[n] = from.polynomial[n];
        if (n == 0) continue;
        piece.slope_peak += static_cast<double>(n) * std::abs(from.polynomial[n]) * power;
        power *= piece.length_s;
    }
    if (from.polynomial[2] != 0.0 || from.polynomial[3] != 0.0) track_.is_linear = false;
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

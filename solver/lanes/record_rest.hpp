// A body at rest under a record, and the instant at which the base lifts it.
#pragma once

#include "solver/lanes/piece_curve.hpp"
#include "solver/lanes/record_kernel.hpp"

namespace topple::solver {
namespace {

/// Base acceleration over g, towards -side, above which the body leaves rest to that side.
inline double lifting_ratio(const LaneBody& body, int side) {
    return body.seat_cosine * body.sides[side].sine / body.sides[side].cosine - sign_of(side) * body.seat_sine;
}

/// What decides over its rest; in units of the record: above `lift_above` and below `lift_below` it does not stay.
void RecordKernel::set_thresholds(int l) {
    RecordBook& b = book_[l];
    for (int side = 0; side < 2; ++side) {
        const LaneSide& of = b.body.sides[side];
        b.lifting_ratio[side] = topple::solver::lifting_ratio(b.body, side);
        b.seat_push[side] = of.stiffness_ratio * of.cosine;
        b.stiffness = fmax(b.stiffness, of.stiffness_ratio);
        b.lost_ratio = fmin(b.lost_ratio, 1.0 - of.restitution);
    }
    const double left = b.lifting_ratio[0], right = -b.lifting_ratio[1], a = b.amplitude;
    b.side_above = a > 0.0 ? 0 : 1;
    b.lift_above = a > 0.0 ? left / a : a < 0.0 ? right / a : 1e300;
    b.lift_below = a > 0.0 ? right / a : a < 0.0 ? left / a : -1e300;
}

/// First piece from `from` on in which the base lifts the body, or the number of pieces.
size_t RecordKernel::next_lifting_piece(int l, size_t from) const {
    const double above = book_[l].lift_above, below = book_[l].lift_below;
    const auto lifts = [&](int level, size_t i) {
        const RecordRange& range = track_.ranges[level][i];
        return range.high > above || range.low < below;
    };
    int level = 0;
    size_t i = from;
    while (true) {
        if (i >= track_.range_count[level]) return track_.piece_count;
        if (lifts(level, i)) {
            if (level == 0) return i;
            --level;
            i *= kRangeFan;
            continue;
        }
        ++i;
        // All of a stretch seen: on among the longer ones.
        while (i % kRangeFan == 0 && level + 1 < track_.levels) {
            i /= kRangeFan;
            ++level;
        }
    }
}

/// Leaves rest: by a jump of the base acceleration, or where it crosses the threshold (there u'' = 0).
void RecordKernel::lift(int l, int side, bool by_crossing) {
    RecordBook& b = book_[l];
    enter_side(l, side);
    s_.rate.lane[l] = 0.0;
    s_.rate_slope_kept.lane[l] = by_crossing ? 0.0 : 1.0;
    b.fresh = b.lifted = true;
}

/// From the present place in the present piece on.
bool RecordKernel::find_uplift_in_piece(int l) {
    const RecordBook& b = book_[l];
    const RecordPiece& piece = track_.pieces[b.piece];
    const double x = s_.passed.lane[l], a = base_at(l, x);
    const double margin = b.amplitude == 0.0 ? 0.0 : kRecordUpliftTolerance / fabs(b.amplitude);
    if (a > b.lift_above + margin) return lift(l, b.side_above, false), true;
    if (a < b.lift_below - margin) return lift(l, 1 - b.side_above, false), true;
    const double end = piece.length_s;
    const double up = PieceCurve(piece.polynomial, 1.0).first_above(x, end, b.lift_above, margin);
    const double down = PieceCurve(piece.polynomial, -1.0).first_above(x, end, -b.lift_below, margin);
    if (up < 0.0 && down < 0.0) return false;
    const bool goes_up = down < 0.0 || (up >= 0.0 && up <= down);
    s_.passed.lane[l] = goes_up ? up : down;
    s_.left.lane[l] = fmax(0.0, piece.length_s - s_.passed.lane[l]);
    lift(l, goes_up ? b.side_above : 1 - b.side_above, true);
    return true;
}

/// The body rests: go to its next uplift, or to the end of the record.
void RecordKernel::rest(int l) {
    RecordBook& b = book_[l];
    while (!find_uplift_in_piece(l)) {
        const size_t next = next_lifting_piece(l, b.piece + 1);
        if (next >= track_.piece_count) return finish(l, b.lifted ? LaneEnd::rocking : LaneEnd::rest, 0);
        enter_piece(l, next);
    }
}

}  // namespace
}  // namespace topple::solver

// A body at rest under a record, and the instant at which the base lifts it.
#pragma once

#include "solver/lanes/piece_curve.hpp"
#include "solver/lanes/record_kernel.hpp"

namespace topple::solver {
namespace {

/// Takes up what decides over rest and hops on a face; in units of the record: above `lift_above` and below
/// `lift_below` the body does not stay.
void RecordKernel::enter_face(int l, int face) {
    RecordBook& b = book_[l];
    if (b.face == face) return;
    b.face = face;
    b.reach_rad = 1e300;
    for (int place = 0; place < 2; ++place) {
        const FaceCorner of = face_corner(*b.body, face, place);
        b.lifting_ratio[place] = b.body->seat_cosine * of.sine / of.cosine - sign_of(place) * b.body->seat_sine;
        b.seat_push[place] = of.stiffness_ratio / b.frequency_squared * of.cosine;
        b.restitution[place] = of.restitution;
        b.reach_rad = fmin(b.reach_rad, of.reach_rad);
    }
    const double livelier = fmax(0.0, fmax(b.restitution[0], b.restitution[1]));
    b.lost_ratio = 1.0 - livelier;
    if (livelier > 1.0) b.lost_ratio = (1.0 - b.restitution[0] * b.restitution[1]) / (1.0 + livelier);
    const double left = b.lifting_ratio[0], right = -b.lifting_ratio[1], a = b.amplitude;
    b.place_above = a > 0.0 ? 0 : 1;
    b.lift_above = a > 0.0 ? left / a : a < 0.0 ? right / a : 1e300;
    b.lift_below = a > 0.0 ? right / a : a < 0.0 ? left / a : -1e300;
}

/// A base that does not accelerate lets it rest on its face.
bool RecordKernel::stays_without_push(int l) const {
    return fmin(book_[l].lifting_ratio[0], book_[l].lifting_ratio[1]) >= 0.0;
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
void RecordKernel::lift(int l, int place, bool by_crossing) {
    RecordBook& b = book_[l];
    enter_corner(l, place);
    s_.rate.lane[l] = 0.0;
    s_.rate_slope_kept.lane[l] = by_crossing ? 0.0 : 1.0;
    b.impacts = 0;
    b.fresh = b.lifted = true;
}

/// From the present place in the present piece on.
bool RecordKernel::find_uplift_in_piece(int l) {
    const RecordBook& b = book_[l];
    const RecordPiece& piece = track_.pieces[b.piece];
    const double x = s_.passed.lane[l], a = base_at(l, x);
    const double margin = b.amplitude == 0.0 ? 0.0 : kRecordUpliftTolerance / fabs(b.amplitude);
    if (a > b.lift_above + margin) return lift(l, b.place_above, false), true;
    if (a < b.lift_below - margin) return lift(l, 1 - b.place_above, false), true;
    const double end = piece.length_s;
    const double up = PieceCurve(piece.polynomial, 1.0).first_above(x, end, b.lift_above, margin);
    const double down = PieceCurve(piece.polynomial, -1.0).first_above(x, end, -b.lift_below, margin);
    if (up < 0.0 && down < 0.0) return false;
    const bool goes_up = down < 0.0 || (up >= 0.0 && up <= down);
    s_.passed.lane[l] = goes_up ? up : down;
    s_.left.lane[l] = fmax(0.0, piece.length_s - s_.passed.lane[l]);
    lift(l, goes_up ? b.place_above : 1 - b.place_above, true);
    return true;
}

/// What held it on its face ends with the record.
void RecordKernel::lift_at_end(int l) {
    s_.rate.lane[l] = 0.0;
    book_[l].lifted = true;
    end_of_record(l);
}

/// The body rests: go to its next uplift, or to the end of the record.
void RecordKernel::rest(int l) {
    RecordBook& b = book_[l];
    while (!find_uplift_in_piece(l)) {
        const size_t next = next_lifting_piece(l, b.piece + 1);
        if (next >= track_.piece_count) {
            if (!stays_without_push(l)) return lift_at_end(l);
            return finish(l, b.lifted ? LaneEnd::rocking : LaneEnd::rest, 0);
        }
        enter_piece(l, next);
    }
}

}  // namespace
}  // namespace topple::solver

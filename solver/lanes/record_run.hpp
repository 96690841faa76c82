// The life of a record lane: it takes a run, is stepped until the run has ended, and takes the next.
#pragma once

#include "solver/lanes/record_events.hpp"
#include "solver/lanes/record_rest.hpp"
#include "solver/lanes/record_step.hpp"

namespace topple::solver {
namespace {

double RecordKernel::base_at(int l, double passed) const {
    const double(&c)[kRecordTerms] = track_.pieces[book_[l].piece].polynomial;
    if (track_.is_linear) return c[0] + c[1] * passed;
    double sum = 0.0;
    for (int n = kRecordTerms - 1; n >= 0; --n) sum = sum * passed + c[n];
    return sum;
}

void RecordKernel::enter_piece(int l, size_t piece) {
    const RecordPiece& of = track_.pieces[piece];
    book_[l].piece = piece;
    s_.passed.lane[l] = 0.0;
    s_.left.lane[l] = of.length_s;
    for (int n = 0; n < (track_.is_linear ? 2 : kRecordTerms); ++n) s_.base[n].lane[l] = of.polynomial[n];
}

/// From the face that it met last onto the corner at this place of it, with its rate as it is.
void RecordKernel::enter_corner(int l, int place) {
    RecordBook& b = book_[l];
    b.place = place;
    turn_about(l, b.face + place, side_of(*b.body, b.face + place) == place);
}

/// From the lower or the upper end of a corner on.
void RecordKernel::turn_about(int l, int corner, bool from_low) {
    RecordBook& b = book_[l];
    const LaneSide& of = corners_of(*b.body)[corner];
    const int side = side_of(*b.body, corner);
    const bool is_faster = b.frequency_squared != 1.0;  // a division that costs
    const double stiffness = is_faster ? of.stiffness_ratio / b.frequency_squared : of.stiffness_ratio;
    b.corner = corner;
    b.side = side;
    s_.rotation.lane[l] = 0.0;
    s_.origin.lane[l] = from_low ? of.low_rad : of.high_rad;
    s_.low.lane[l] = from_low ? 0.0 : of.low_rad - of.high_rad;
    s_.high.lane[l] = from_low ? of.high_rad - of.low_rad : 0.0;
    s_.sine.lane[l] = from_low ? -of.sine : of.high_sine;
    s_.cosine.lane[l] = from_low ? of.cosine : of.high_cosine;
    s_.push.lane[l] = -sign_of(side) * stiffness * b.amplitude;
    s_.tilt.lane[l] = sign_of(side) * stiffness * b.body->seat_sine;
    s_.gravity.lane[l] = stiffness * b.body->seat_cosine;
    s_.inverse_alpha.lane[l] = b.inverse_alpha[side];
}

/// Leans so far on a corner, with its rate as it is.
void RecordKernel::release(int l, int corner, double rotation) {
    turn_about(l, corner, true);
    const double u = rotation - corners_of(*book_[l].body)[corner].slenderness_rad;
    s_.rotation.lane[l] = rotation - s_.origin.lane[l];
    s_.sine.lane[l] = ::sin(u);
    s_.cosine.lane[l] = ::cos(u);
    s_.peak.lane[l] = rotation * s_.inverse_alpha.lane[l];
}

/// Gives a lane the next run that needs integration; runs that are answered at once are answered here.
void RecordKernel::refill(int l) {
    while (!book_[l].busy && next_ < count_) {
        RecordBook& b = book_[l];
        b = RecordBook{};
        b.run = next_++;
        const RecordRun& from = runs_[b.run];
        b.body = from.body;
        b.frequency_squared = from.frequency * from.frequency;
        b.amplitude = from.amplitude;
        b.busy = true;
        ++busy_;
        s_.rate_slope_kept.lane[l] = 1.0;
        s_.rate.lane[l] = s_.peak.lane[l] = 0.0;
        for (int i = 0; i < b.body->corner_count; ++i)
            b.stiffness = fmax(b.stiffness, corners_of(*b.body)[i].stiffness_ratio);
        b.stiffness /= b.frequency_squared;
        for (int side = 0; side < 2; ++side) b.inverse_alpha[side] = 1.0 / b.body->sides[side].slenderness_rad;
        s_.rate_unit.lane[l] = ::sqrt(b.stiffness);
        s_.quickest.lane[l] = fmax(s_.rate_unit.lane[l], track_.fastest_rad_s);
        s_.step_max.lane[l] = kRecordStepMax / s_.quickest.lane[l];
        enter_piece(l, 0);
        begin(l);
    }
}

/// Released from a lean, or at rest on a face.
void RecordKernel::begin(int l) {
    RecordBook& b = book_[l];
    const double start = b.body->initial_rotation_rad, rotation = fabs(start);
    const int side = start < 0.0 ? 0 : 1;
    int corner = b.body->standing_face + side;
    const int last = side == 0 ? 0 : b.body->corner_count - 1;
    while (corner != last && rotation >= corners_of(*b.body)[corner].high_rad) corner += sign_of(side);
    b.lifted = start != 0.0;
    enter_face(l, side == 0 ? corner : corner - 1);
    if (rotation != corners_of(*b.body)[corner].low_rad) return release(l, corner, rotation);
    enter_corner(l, 0);
    s_.peak.lane[l] = rotation * s_.inverse_alpha.lane[l];
    if (b.amplitude == 0.0 && !stays_without_push(l))
        return finish(l, LaneEnd::unsolved, 0);  // its seat is so steep that it does not stay on it
    const size_t next = next_lifting_piece(l, 0);
    if (next < track_.piece_count) enter_piece(l, next);
    rest(l);
}

void RecordKernel::finish(int l, LaneEnd end, int side) {
    RecordBook& b = book_[l];
    RecordRunEnd& to = ends_[b.run];
    to.end = end;
    to.side = static_cast<signed char>(end == LaneEnd::overturning ? sign_of(side) : 0);
    to.lifted = b.lifted;
    to.peak_ratio = s_.peak.lane[l];
    to.time = b.since;
    to.face = b.face < 0 ? b.face : b.face + b.body->first_face;
    to.impacts = end == LaneEnd::overturning ? b.impacts : 0;
    to.looks = b.looks;
    b.busy = false;
    --busy_;
    make_idle(l);
}

/// An idle lane is stepped along with the others: keep it harmless.
void RecordKernel::make_idle(int l) {
    s_.rotation.lane[l] = s_.cosine.lane[l] = 1.0;
    s_.origin.lane[l] = s_.low.lane[l] = 0.0;
    s_.high.lane[l] = kHalfPi;
    s_.rate_unit.lane[l] = s_.quickest.lane[l] = s_.step_max.lane[l] = 1.0;
    s_.rate.lane[l] = s_.sine.lane[l] = s_.push.lane[l] = s_.tilt.lane[l] = s_.gravity.lane[l] = 0.0;
    s_.passed.lane[l] = s_.peak.lane[l] = s_.inverse_alpha.lane[l] = 0.0;
    s_.left.lane[l] = 1e300;
    for (LaneArray& coefficient : s_.base) coefficient.lane[l] = 0.0;
}

/// The base moves at constant velocity for good: the energy decides.
void RecordKernel::end_of_record(int l) {
    RecordBook& b = book_[l];
    const RecordPiece& last = track_.pieces[track_.piece_count - 1];
    const Coasting end = Coast(*b.body, track_.tells_all, b.frequency_squared)
                             .from(b.corner, s_.rotation.lane[l] + s_.origin.lane[l], s_.rate.lane[l]);
    b.since = last.start_s + last.length_s + end.duration;
    b.face = end.face;
    b.impacts += end.impacts;
    s_.peak.lane[l] = fmax(s_.peak.lane[l], end.peak_ratio);
    finish(l, end.falls ? LaneEnd::overturning : LaneEnd::rocking, end.side);
}

void RecordKernel::run() {
    for (int l = 0; l < kLanes; ++l) {
        make_idle(l);
        refill(l);
    }
    while (busy_ > 0) track_.is_linear ? step_all<true>() : step_all<false>();
}

}  // namespace
}  // namespace topple::solver

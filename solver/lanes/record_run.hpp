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

void RecordKernel::enter_side(int l, int side) {
    RecordBook& b = book_[l];
    const LaneSide& of = b.body.sides[side];
    b.side = side;
    s_.rotation.lane[l] = 0.0;
    s_.sine.lane[l] = -of.sine;
    s_.cosine.lane[l] = of.cosine;
    s_.push.lane[l] = -sign_of(side) * of.stiffness_ratio * b.amplitude;
    s_.tilt.lane[l] = sign_of(side) * of.stiffness_ratio * b.body.seat_sine;
    s_.gravity.lane[l] = of.stiffness_ratio * b.body.seat_cosine;
    s_.inverse_alpha.lane[l] = 1.0 / of.slenderness_rad;
}

/// Leans so far on its side, with its rate as it is.
void RecordKernel::place(int l, double rotation) {
    const double u = rotation - book_[l].body.sides[book_[l].side].slenderness_rad;
    s_.rotation.lane[l] = rotation;
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
        b.body = *from.body;
        for (LaneSide& side : b.body.sides) side.stiffness_ratio /= from.frequency * from.frequency;
        b.amplitude = from.amplitude;
        b.busy = true;
        ++busy_;
        s_.rate_slope_kept.lane[l] = 1.0;
        s_.rate.lane[l] = s_.peak.lane[l] = 0.0;
        set_thresholds(l);
        s_.rate_unit.lane[l] = ::sqrt(b.stiffness);
        s_.quickest.lane[l] = fmax(s_.rate_unit.lane[l], track_.fastest_rad_s);
        s_.step_max.lane[l] = kRecordStepMax / s_.quickest.lane[l];
        enter_piece(l, 0);
        begin(l);
    }
}

void RecordKernel::begin(int l) {
    RecordBook& b = book_[l];
    const double start = b.body.initial_rotation_rad;
    if (start != 0.0) {
        b.lifted = true;
        enter_side(l, start < 0.0 ? 0 : 1);
        return place(l, fabs(start));
    }
    enter_side(l, 0);
    if (b.amplitude == 0.0 && fmin(b.lifting_ratio[0], b.lifting_ratio[1]) < 0.0)
        return finish(l, LaneEnd::unsolved, 0);  // its seat is so steep that it does not stay on it
    const size_t next = next_lifting_piece(l, 0);
    if (next >= track_.piece_count) return finish(l, LaneEnd::rest, 0);
    enter_piece(l, next);
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
    to.looks = b.looks;
    b.busy = false;
    --busy_;
    make_idle(l);
}

/// An idle lane is stepped along with the others: keep it harmless.
void RecordKernel::make_idle(int l) {
    s_.rotation.lane[l] = s_.cosine.lane[l] = 1.0;
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
    const Coasting end = Coast(b.body, true).from(b.side, s_.rotation.lane[l], s_.rate.lane[l]);
    b.since = last.start_s + last.length_s + end.duration;
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

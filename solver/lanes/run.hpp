// The life of a lane: it takes a point, is stepped until the point is answered, and takes the next.
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

/// Gives a lane the next point that needs integration; points that are answered at once are answered here.
void Kernel::refill(int l) {
    while (!book_[l].busy && next_ < count_) {
        LaneBook& b = book_[l];
        b = LaneBook{};
        b.point = next_++;
        b.body = &p_.bodies[points_[b.point].body];
        s_.seat_sine.lane[l] = b.body->seat_sine;
        b.busy = true;
        ++busy_;
        b.frequency_ratio = points_[b.point].frequency_ratio;
        b.amplitude = points_[b.point].amplitude_ratio * p_.amplitude_unit;
        s_.rate_slope_kept.lane[l] = 1.0;
        s_.rate.lane[l] = 0.0;
        const bool moving = start_piece(l);
        if (p_.from != nullptr) {
            resume(l, moving);
            continue;
        }
        if (body(l).initial_rotation_rad == 0.0) {
            enter_side(l, 0);
            if (moving)
                rest(l);
            else
                finish(l, LaneEnd::rest, 0);
            continue;
        }
        const int side = body(l).initial_rotation_rad < 0.0 ? 0 : 1;
        enter_side(l, side);
        set_rotation(l, fabs(body(l).initial_rotation_rad));
        b.lifted = true;
        if (!moving) end_of_wave(l);
    }
}

void Kernel::finish(int l, LaneEnd end, int side) {
    LaneBook& b = book_[l];
    LaneOutcome& to = outcomes_[b.point];
    if (p_.to != nullptr) keep(l, end, side);
    to.end = end;
    to.time = b.since;
    to.steps = b.steps;
    const bool fell = end == LaneEnd::overturning;
    to.side = static_cast<signed char>(fell ? sign_of(side) : 0);
    to.impacts = fell ? b.impacts : 0;
    b.busy = false;
    --busy_;
    make_idle(l);
}

/// An idle lane is stepped along with the others: keep it harmless.
void Kernel::make_idle(int l) {
    s_.rotation.lane[l] = 1.0;
    s_.rate.lane[l] = s_.sine.lane[l] = s_.base.lane[l] = s_.base_slope.lane[l] = 0.0;
    s_.cosine.lane[l] = 1.0;
    s_.time_left.lane[l] = 1.0;
}

/// Rest of the step's work of one lane: events, end of piece, end of wave, certain escape.
void Kernel::after_step(int l) {
    LaneBook& b = book_[l];
    ++b.steps;
    double time = step_.lane[l];
    s_.rate_slope_kept.lane[l] = 1.0;
    if (!(doubt_.lane[l] < 0.0) && !(b.fresh && stays_up(l))) {  // also NaN
        const Event event = first_event(l, time);
        if (event == Event::fallen) {
            b.since = now(l) + time;
            return finish(l, LaneEnd::overturning, b.side);
        }
        if (event == Event::impact) {
            double a = 0.0, da = 0.0, rate = 0.0;
            for (int n = kOrder; n >= 0; --n) {
                a = a * time + c_.base[n].lane[l];
                da = da * time + c_.slope[n].lane[l];
                rate = rate * time + c_.rate[n].lane[l];
            }
            s_.base.lane[l] = a;
            s_.base_slope.lane[l] = da;
            s_.time_left.lane[l] -= time;
            b.piece_time += time;
            impact(l, rate);
            if (b.busy && s_.time_left.lane[l] <= 0.0 && !next_piece(l)) end_of_wave(l);
            return;
        }
    }
    b.fresh = false;
    s_.rotation.lane[l] = end_rotation_.lane[l];
    s_.rate.lane[l] = end_rate_.lane[l];
    s_.sine.lane[l] = end_sine_.lane[l];
    s_.cosine.lane[l] = end_cosine_.lane[l];
    s_.base.lane[l] = end_base_.lane[l];
    s_.base_slope.lane[l] = end_slope_.lane[l];
    s_.time_left.lane[l] -= time;
    b.piece_time += time;
    if (!(fabs(s_.rotation.lane[l]) < 10.0) || b.steps > kStepsMax) return finish(l, LaneEnd::unsolved, 0);
    if (escapes(l)) return finish(l, LaneEnd::overturning, b.side);
    if (s_.time_left.lane[l] <= 0.0 && !next_piece(l)) end_of_wave(l);
}

/// True if the fall is certain.
bool Kernel::escapes(int l) const {
    if (p_.to != nullptr || p_.tells_times) return false;  // what follows the pieces is not known, or it is followed
    const LaneBook& b = book_[l];
    // Even if the base pushed back with its strongest acceleration until the end, it would reach pi/2: the
    // energy rate^2/2k + cos(seat) cos u + B sin u does not fall while moving out, and it is above the
    // barrier.
    const double k = body(l).sides[b.side].stiffness_ratio, rate = s_.rate.lane[l];
    return rate > 0.0 &&
           0.5 * rate * rate / k + body(l).seat_cosine * s_.cosine.lane[l] + s_.escape_push.lane[l] * s_.sine.lane[l] >
               s_.escape_energy.lane[l];
}

void Kernel::run() {
    for (int l = 0; l < kLanes; ++l) {
        make_idle(l);
        refill(l);
    }
    while (busy_ > 0) {
        expand();
        choose_step();
        advance();
        for (int l = 0; l < kLanes; ++l) {
            if (!book_[l].busy) continue;
            after_step(l);
            if (!book_[l].busy) refill(l);
        }
    }
}

}  // namespace
}  // namespace topple::solver

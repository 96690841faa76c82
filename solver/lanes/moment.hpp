// A lane that goes on from where its body is, and leaves behind where it is when the pieces end.
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

void Kernel::set_rotation(int l, double rotation) {
    const double u = rotation - body(l).sides[book_[l].side].slenderness_rad;
    s_.rotation.lane[l] = rotation;
    s_.sine.lane[l] = ::sin(u);
    s_.cosine.lane[l] = ::cos(u);
}

void Kernel::resume(int l, bool base_moves) {
    LaneBook& b = book_[l];
    const LaneMoment& from = p_.from[points_[b.point].body];
    b.lifted = from.lifted;
    b.since = from.since;
    b.impacts = from.impacts;
    switch (from.stand) {
        case LaneStand::fallen: return finish(l, LaneEnd::overturning, from.side);
        case LaneStand::unsolved: return finish(l, LaneEnd::unsolved, 0);
        case LaneStand::rests:
            enter_side(l, 0);
            if (base_moves) return rest(l);
            return finish(l, b.lifted ? LaneEnd::rocking : LaneEnd::rest, 0);
        case LaneStand::rocks: break;
    }
    enter_side(l, from.side);
    set_rotation(l, from.rotation_rad);
    s_.rate.lane[l] = from.rate;
    b.fresh = from.fresh;
    if (!base_moves) end_of_wave(l);
}

void Kernel::end_of_wave(int l) {
    if (p_.to == nullptr) return decide(l);
    finish(l, LaneEnd::under_way, 0);
}

void Kernel::keep(int l, LaneEnd end, int side) {
    const LaneBook& b = book_[l];
    LaneMoment& to = p_.to[points_[b.point].body];
    to = LaneMoment{};
    to.lifted = b.lifted;
    to.since = b.since;
    switch (end) {
        case LaneEnd::rest:
        case LaneEnd::rocking: return;  // it rests
        case LaneEnd::unsolved: to.stand = LaneStand::unsolved; return;
        case LaneEnd::overturning: to.stand = LaneStand::fallen; break;
        case LaneEnd::under_way: to.stand = LaneStand::rocks; break;
    }
    const bool rocks = to.stand == LaneStand::rocks;
    to.side = static_cast<unsigned char>(rocks ? b.side : side);
    to.impacts = b.impacts;
    if (!rocks) return;
    to.fresh = b.fresh;
    to.rotation_rad = s_.rotation.lane[l];
    to.rate = s_.rate.lane[l];
}

}  // namespace
}  // namespace topple::solver

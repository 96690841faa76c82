// The end of a wave: what becomes of one lane follows from its energy.
#pragma once

#include "solver/lanes/coasting.hpp"
#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

/// The base moves at constant velocity for good.
void Kernel::decide(int l) {
    LaneBook& b = book_[l];
    const Coasting end = Coast(body(l), p_.tells_times).from(b.side, s_.rotation.lane[l], s_.rate.lane[l]);
    b.impacts += end.impacts;
    if (p_.tells_times) b.since = now(l) + end.duration;
    finish(l, end.falls ? LaneEnd::overturning : LaneEnd::rocking, end.side);
}

}  // namespace
}  // namespace topple::solver

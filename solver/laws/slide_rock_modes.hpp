// Guards and resets of the sliding and rocking block: which mode follows, and what an impact leaves.
#pragma once

#include "solver/laws/sliding_body.hpp"

namespace topple::solver {

/// Friction that sticking needs less what there is, per mass: > 0 means the foot slips (Yang (14)).
double stick_deficit_m_s2(const SlidingBody& body, int support, const SlideRockState& state,
                          const Drive& drive) noexcept;

/// Base acceleration band within which the body rests: friction and tipping, whichever comes first (Yang (2), (4)).
RestBand rest_band(const SlidingBody& body, double vertical_m_s2) noexcept;

/// The mode that follows from this state under this drive; called wherever something is not smooth (start, jump of the
/// base acceleration, impact, end of slip). Sticking is preferred wherever it is possible.
SlideRockMode decide_mode(const SlidingBody& body, int support, const SlideRockState& state,
                          const Drive& drive) noexcept;
/// The mode that follows a rest or sticking that ends smoothly at its threshold; `towards` is the sign of the drive
/// (from rest) or of the friction (from rocking).
SlideRockMode leave_rest(const SlidingBody& body, int towards) noexcept;
SlideRockMode let_go(const SlidingBody& body, int support, const SlideRockState& state, int friction_sign) noexcept;

/// Does friction wedge the foot that slips in this mode?
bool is_jammed(const SlidingBody& body, SlideRockMode mode, const SlideRockState& state, const Drive& drive) noexcept;
/// The foot stopped dead by an impulse at this corner, about which the angular momentum stays; energy only falls.
SlideRockState stopped_slip(const SlidingBody& body, int support, const SlideRockState& state) noexcept;

/// What an impact of the other corner leaves: velocities and the new corner (0: it stays in full contact).
struct SlideRockImpact {
    int support = 0;
    double rate_rad_s = 0.0, slip_rate_m_s = 0.0;
};
/// Impact of a body that turned about `support` and comes down with these velocities; Yang (24)-(26) with the vertical
/// impulse where it gives the body's ratio when the foot sticks (at the new corner for Housner's ratio). Sticking is
/// tried first, then slip as before, then reversed slip; kinetic energy never rises.
SlideRockImpact slide_rock_impact(const SlidingBody& body, int support, double rate_rad_s,
                                  double slip_rate_m_s) noexcept;

}  // namespace topple::solver

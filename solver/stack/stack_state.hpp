// The hybrid state of a stack and its resets: impact, opening, a block gone.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "solver/engine/law.hpp"
#include "solver/stack/impact.hpp"
#include "solver/stack/opening.hpp"
#include "solver/stack/random_ratio.hpp"

namespace topple::solver {

/// Of five blocks and more, also when some of them have fallen: there every hop sets off hops above and below, and
/// their number grows with each decade. Hops at this rate are 1e-8 rad high.
inline constexpr double kRestRateTall = 1e-4;
inline constexpr int kTallStack = 5;
/// After so many impacts of a tall stack its faces rest at ten times that rate (hops of 1e-6 rad): a bound of the work.
inline constexpr int kManyImpacts = 10000;

/// Drive at which a stack that rests in full contact opens: towards the left pivot above `high`, towards
/// the right one below `low` (thesis 6.106 and 6.107 generalised), and which interface then opens.
struct StackRestBand : RestBand {
    int low_interface = 0, high_interface = 0;
};

/// Geometry, impact law and present state. The mode is `table.s`; closed interfaces have phi = psi = 0
/// exactly.
template <int N>
struct StackState {
    StackGeometry<N> stack;
    StackGeometry<N> impact_stack;       ///< pivots of the impact law (k b/2); else the same
    ImpactLaw<N> law;                    ///< with a random ratio: that of the mean
    RandomRatio random;                  ///< of the coming impacts, single block only
    double p_rad_s = 1.0;                ///< of one block of the total height (docs/physics.md#stacks)
    double rest_rate_rad_s = kRestRate;  ///< of the whole specimen, also when some of its blocks are gone
    int impacts_to_coarser = 0;          ///< of a tall stack: what is left of kManyImpacts; 0: the rest rate stays

    State<N> motion;
    SupportTable<N> table;
    int standing = N;                   ///< blocks not yet gone
    double lost_momentum_kg_m_s = 0.0;  ///< along x, relative to the base, of the blocks that are gone
    bool contacts_solved = true;        ///< false once no admissible state of the contacts was found: go no further

    void set_supports(const Supports<N>& supports) noexcept { table = make_support_table(stack, supports); }
    /// Blocks that stand; a constant for the single block so that the compiler unrolls.
    int size() const noexcept { return stack.size(); }
    bool all_full() const noexcept { return table.open_count == 0; }
    double rotation_rad(int block) const noexcept {
        double theta = 0.0;
        for (int i = 0; i <= block; ++i) theta += motion.q[i];
        return theta;
    }
    double rate_rad_s(int block) const noexcept {
        double rate = 0.0;
        for (int i = 0; i <= block; ++i) rate += motion.q_rate[i];
        return rate;
    }

    /// Of block `lowest` and those above it, along x and relative to the base.
    double momentum_above_kg_m_s(int lowest) const noexcept;

    StackRestBand rest_band(double vertical_m_s2) const noexcept;
    /// Try all full interfaces together; returns true if one opened.
    bool decide(const Drive& drive) noexcept;
    /// Impact of the interfaces in `impacted`; afterwards rest, chatter's end and openings. Returns the time
    /// until the rest of the decaying sequence that this impact closed, 0 if it closed none; `psi_after`
    /// before any was stopped.
    double impact(const InterfaceSet<N>& impacted, const Drive& drive, Row<N>& psi_after) noexcept;
    /// Full interface k opens and turns about its left (-1) or right (+1) corner.
    void open(int k, int about) noexcept;
    /// Blocks from `lowest` upwards are gone.
    void remove_from(int lowest) noexcept;
    /// Rotation-rate ratio of the next impact of a single block on the given pivot.
    double single_ratio(int support) const noexcept;
    /// Rate ratio of an impact of interface k leaving the given pivot while all other interfaces stay full.
    double locked_ratio(int k, int support) const noexcept;

  private:
    bool take(const ContactStates<N>& states) noexcept;  ///< true if a support changed
    double remaining_s(int k, int support, double psi_rad_s, const Drive& drive) const noexcept;
    double virtual_impact(int k, int support, double psi_rad_s, const Drive& drive, double& flight_s) const noexcept;
};

template <int N>
StackRestBand StackState<N>::rest_band(double vertical_m_s2) const noexcept {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    StackRestBand band{{-kNever, kNever}, 0, 0};
    double mass = 0.0, height_moment = 0.0;
    for (int i = size() - 1; i >= 0; --i) {
        const BlockGeometry& block = stack.block[i];
        height_moment += mass * block.height_m + block.mass_kg * block.centre_m[1].z;
        mass += block.mass_kg;
        const double high = -vertical_m_s2 * mass * block.corner_left_m / height_moment;
        const double low = -vertical_m_s2 * mass * block.corner_right_m / height_moment;
        if (high < band.high_m_s2) band.high_m_s2 = high, band.high_interface = i;
        if (low > band.low_m_s2) band.low_m_s2 = low, band.low_interface = i;
    }
    return band;
}

template <int N>
bool StackState<N>::decide(const Drive& drive) noexcept {
    const InterfaceSet<N> closed = full_interfaces<N>(table.s, size());
    if (closed.size == 0) return false;
    return take(decide_supports(stack, table.s, motion, drive, closed, p_rad_s));
}

template <int N>
bool StackState<N>::take(const ContactStates<N>& states) noexcept {
    contacts_solved = contacts_solved && states.solved;
    if (!states.solved || states.support == table.s) return false;
    set_supports(states.support);
    return true;
}

template <int N>
void StackState<N>::open(int k, int about) noexcept {
    Supports<N> supports = table.s;
    supports[k] = about;
    set_supports(supports);
}

template <int N>
double StackState<N>::momentum_above_kg_m_s(int lowest) const noexcept {
    if (standing == 0) return 0.0;
    const Attitude<N> a = attitude(motion, size());
    double pivot_m_s = 0.0, momentum = 0.0;
    for (int i = 0; i < size(); ++i) {
        const auto along_x = [&](Vec2 arm) {
            return a.rate_rad_s[i] * perpendicular(turned(arm, a.sine[i], a.cosine[i])).x;
        };
        if (i >= lowest) momentum += stack.block[i].mass_kg * (pivot_m_s + along_x(table.c[i]));
        pivot_m_s += along_x(table.d[i]);
    }
    return momentum;
}

template <int N>
void StackState<N>::remove_from(int lowest) noexcept {
    lost_momentum_kg_m_s += momentum_above_kg_m_s(lowest);
    Supports<N> supports = table.s;
    for (int i = lowest; i < standing; ++i) supports[i] = 0, motion.q[i] = 0.0, motion.q_rate[i] = 0.0;
    standing = lowest;
    stack.count = impact_stack.count = lowest;
    set_supports(supports);
}

template <int N>
double StackState<N>::impact(const InterfaceSet<N>& impacted, const Drive& drive, Row<N>& psi_after) noexcept {
    for (int i = 0; i < impacted.size; ++i) motion.q[impacted.index[i]] = 0.0;
    InterfaceSet<N> closed;
    for (int i = 0; i < size(); ++i)
        if (table.s[i] == 0 || impacted.contains(i)) closed.add(i);
    if (impacts_to_coarser > 0 && --impacts_to_coarser == 0) rest_rate_rad_s *= 10.0;
    [[maybe_unused]] const double energy_before_j = kinetic_energy_j(table, motion, size());
    ImpactLaw<N> now = law;
    if (random.in_use()) now.fixed_ratio.fill(random.next());
    const ImpactResult<N> result = resolve_impact(impact_stack, now, table.s, motion, impacted);
    if (!result.solved) {
        contacts_solved = false;
        return 0.0;
    }
    motion.q_rate = psi_after = result.q_rate;
    assert(law.fixed || kinetic_energy_j(make_support_table(stack, result.supports), motion, size()) <=
                            energy_before_j * (1.0 + 1e-9));

    InterfaceSet<N> resting;
    Supports<N> supports = result.supports;
    for (bool grew = true; grew;) {
        grew = false;
        for (int i = 0; i < closed.size; ++i) {
            const int k = closed.index[i];
            if (resting.contains(k) || std::abs(motion.q_rate[k]) > rest_rate_rad_s) continue;
            resting.add(k);
            grew = true;
        }
        if (grew && resting.size > 0) motion.q_rate = stop(stack, result.supports, motion, resting);
    }
    for (int i = 0; i < closed.size; ++i) {
        const int k = closed.index[i];
        supports[k] = resting.contains(k) ? 0 : motion.q_rate[k] < 0.0 ? -1 : 1;
    }
    set_supports(supports);
    if (resting.size == 0) return 0.0;
    if (all_full() && impacted.size == 1) {
        const int k = impacted.index[0];
        const double remaining = remaining_s(k, result.supports[k], psi_after[k], drive);
        decide(drive);
        return remaining;
    }
    take(decide_supports(stack, table.s, motion, drive, resting, p_rad_s));
    return 0.0;
}

template <int N>
double StackState<N>::single_ratio(int support) const noexcept {
    State<N> fall;
    fall.q_rate[0] = -support;
    Supports<N> supports{};
    supports[0] = support;
    InterfaceSet<N> base;
    base.add(0);
    return std::abs(resolve_impact(impact_stack, law, supports, fall, base).q_rate[0]);
}

template <int N>
double StackState<N>::locked_ratio(int k, int support) const noexcept {
    if (law.fixed) return law.material[k] * law.fixed_ratio[support > 0 ? 1 : 0];
    State<N> fall;
    fall.q_rate[k] = -support;
    Supports<N> supports{};
    supports[k] = support;
    const SupportTable<N> before = make_support_table(impact_stack, supports);
    supports[k] = -support;
    const SupportTable<N> after = make_support_table(impact_stack, supports);
    const Attitude<N> a = attitude(fall, size());
    Matrix<N> mass = mass_matrix(after, a, size());
    sum_from_above<N>(mass, size());
    const double ratio = carried_momentum(impact_stack, before, after, a)[k] / mass[k][k] / fall.q_rate[k];
    return law.material[k] * std::max(0.0, ratio);
}

/// Flight of interface k alone, leaving with psi; returns the rate with which it leaves after the next
/// impact.
template <int N>
double StackState<N>::virtual_impact(int k, int support, double psi_rad_s, const Drive& drive,
                                     double& flight_s) const noexcept {
    Supports<N> supports{};
    supports[k] = support;
    State<N> fall;
    const double down = -support * relative_accelerations(make_support_table(stack, supports), fall, drive, size())[k];
    flight_s = down > 0.0 ? 2.0 * std::abs(psi_rad_s) / down : 0.0;
    fall.q_rate[k] = -psi_rad_s;
    InterfaceSet<N> impacted;
    impacted.add(k);
    const ImpactResult<N> result = resolve_impact(impact_stack, law, supports, fall, impacted);
    return result.supports[k] == -support ? result.q_rate[k] : 0.0;
}

/// Sum of the remaining flights of a decaying sequence at interface k alone: geometric, because at small
/// angles each pair of flights repeats the last one scaled by the product of the two impact ratios.
template <int N>
double StackState<N>::remaining_s(int k, int support, double psi_rad_s, const Drive& drive) const noexcept {
    if (psi_rad_s == 0.0 || support == 0) return 0.0;
    double flight_out = 0.0, flight_back = 0.0;
    const double returned = virtual_impact(k, support, psi_rad_s, drive, flight_out);
    if (returned == 0.0) return flight_out;
    const double again = virtual_impact(k, -support, returned, drive, flight_back);
    return decaying_sequence_s(flight_out + flight_back, std::abs(again / psi_rad_s));
}

}  // namespace topple::solver

// Nearest velocities (or accelerations) that contacts admit: a linear complementarity problem with two unknowns per
// contact, the corners of its face, solved by exchanging corners that are in the wrong state.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "solver/stack/equations.hpp"

namespace topple::solver {

/// What an interface may do at this instant.
enum class Joint {
    hinge,    ///< open: turns freely about its pivot
    rigid,    ///< full and left so
    contact,  ///< phi = 0: each corner of the face stays (pushed) or leaves (not pushed)
};

/// Minimise 1/2 d.H d + load.d over d = y - start, y admissible. Entry 2k of y is the relative rotation rate of
/// interface k, entry 2k+1 the rate at which a contact's face parts at its middle: the corner at x leaves with
/// y_(2k+1) - x y_(2k), both corners >= 0. H d + load are the moment about the middle and the normal impulse.
template <int N>
struct ContactProblem {
    int n = 0;
    std::array<Joint, static_cast<std::size_t>(N)> joint{};
    Row<N> corner_left_m{}, corner_right_m{};
    Matrix<2 * N> mass{};
    Row<2 * N> start{}, load{};
    double rate_noise = 0.0;         ///< relative rotation rates up to this count as none
    double impulse_tolerance = 0.0;  ///< impulses up to this count as none
};

/// Supports of all contacts: 0 both corners stay, -1 the left one, +1 the right one. `solved` is false if no state
/// fitted within the exchanges allowed (numbers that are not finite): then the supports mean nothing.
template <int N>
struct ContactStates {
    Supports<N> support{};
    bool solved = false;
};

/// Solves one ContactProblem. Faces whose corners would both leave have no support state (the blocks would jump):
/// there each corner in turn is made to stay, and the nearest of these solutions is taken. Mirrored problems have
/// mirrored solutions bit by bit.
template <int N>
class ContactSolver {
  public:
    explicit ContactSolver(const ContactProblem<N>& problem) noexcept : p_(problem) {
        for (int i = 0; i < 2 * p_.n && leading_side_ == 0; i += 2)
            leading_side_ = sign_of(p_.start[i]) != 0 ? sign_of(p_.start[i]) : sign_of(p_.load[i]);
    }

    ContactStates<N> solve() noexcept {
        broken_ = false;
        found_ = false;
        search(Corners{});
        best_.solved = found_ && !broken_;
        return best_;
    }

  private:
    static constexpr int kExchangesMax = 2000;  // some ten are usual; then the problem is not one
    static constexpr int kPatience = 6;         // exchanges of all wrong corners without fewer of them
    static constexpr auto kSize = static_cast<std::size_t>(N);
    /// Two flags per interface, [0] left corner, [1] right one.
    using Corners = std::array<std::array<bool, 2>, kSize>;

    struct Solution {
        Corners stays;  ///< of contacts
        Row<2 * N> y{}, impulse{};
        double distance = 0.0;
    };

    static int sign_of(double x) noexcept { return x > 0.0 ? 1 : x < 0.0 ? -1 : 0; }
    double corner_m(int k, int side) const noexcept { return side == 0 ? p_.corner_left_m[k] : p_.corner_right_m[k]; }
    double width_m(int k) const noexcept { return p_.corner_right_m[k] - p_.corner_left_m[k]; }
    double leaving_rate(const Solution& s, int k, int side) const noexcept {
        return s.y[2 * k + 1] - corner_m(k, side) * s.y[2 * k];
    }
    double push(const Solution& s, int k, int side) const noexcept {
        const double moment = s.impulse[2 * k], normal = s.impulse[2 * k + 1];
        return side == 0 ? (normal * p_.corner_right_m[k] + moment) / width_m(k)
                         : (-normal * p_.corner_left_m[k] - moment) / width_m(k);
    }

    /// Nearest solution in which the corners of `held` stay, whatever pulls at them.
    void search(const Corners& held) noexcept {
        Solution s;
        if (!relax(held, s)) {
            broken_ = true;
            return;
        }
        if (found_ && !(s.distance < best_distance_)) return;  // its branches are farther still
        const int jumping = first_jump(s);
        if (jumping < 0) {
            found_ = true;
            best_distance_ = s.distance;
            for (int k = 0; k < p_.n; ++k)
                best_.support[k] = s.stays[k][0] == s.stays[k][1] ? 0 : s.stays[k][0] ? -1 : 1;
            return;
        }
        // The corner that leaves more slowly first: probably the nearer one.
        const double left = leaving_rate(s, jumping, 0), right = leaving_rate(s, jumping, 1);
        const int first = left < right ? 0 : right < left ? 1 : leading_side_ > 0 ? 1 : 0;
        for (const int side : {first, 1 - first}) {
            Corners more = held;
            more[jumping][side] = true;
            search(more);
        }
    }

    int first_jump(const Solution& s) const noexcept {
        for (int k = 0; k < p_.n; ++k)
            if (p_.joint[k] == Joint::contact && !s.stays[k][0] && !s.stays[k][1]) return k;
        return -1;
    }

    /// The complementarity problem with the corners of `held` made bilateral. All wrong corners are exchanged at
    /// once while that makes them fewer, else the last one only, which cannot cycle (Murty).
    bool relax(const Corners& held, Solution& s) const noexcept {
        for (int k = 0; k < p_.n; ++k) s.stays[k] = {true, true};
        int least = 4 * N, patience = kPatience;
        for (int exchange = 0; exchange < kExchangesMax; ++exchange) {
            if (!evaluate(s)) return false;
            Corners wrong{};
            int wrong_count = 0;
            for (int k = 0; k < p_.n; ++k)
                for (int side = 0; side < 2 && p_.joint[k] == Joint::contact; ++side) {
                    wrong[k][side] = is_wrong(s, held, k, side);
                    wrong_count += wrong[k][side] ? 1 : 0;
                }
            if (wrong_count == 0) return settle_ties(s);
            const bool fewer = wrong_count < least;
            if (fewer) least = wrong_count;
            patience = fewer ? kPatience : patience - 1;
            if (patience < 0) keep_last(wrong);
            for (int k = 0; k < p_.n; ++k)
                for (int side = 0; side < 2; ++side)
                    if (wrong[k][side]) s.stays[k][side] = !s.stays[k][side];
        }
        return false;
    }

    bool is_wrong(const Solution& s, const Corners& held, int k, int side) const noexcept {
        if (held[k][side]) return false;
        if (s.stays[k][side]) return push(s, k, side) < -p_.impulse_tolerance;
        return leaving_rate(s, k, side) < -p_.rate_noise * width_m(k);
    }

    void keep_last(Corners& wrong) const noexcept {
        const int last_side = leading_side_ > 0 ? 0 : 1;
        bool kept = false;
        for (int k = p_.n - 1; k >= 0; --k)
            for (const int side : {last_side, 1 - last_side}) {
                wrong[k][side] = wrong[k][side] && !kept;
                kept = kept || wrong[k][side];
            }
    }

    /// A corner that leaves no faster than rounding stays: full is preferred where it makes no difference.
    bool settle_ties(Solution& s) const noexcept {
        for (int k = 0; k < p_.n; ++k)
            for (int side = 0; side < 2 && p_.joint[k] == Joint::contact; ++side)
                s.stays[k][side] = s.stays[k][side] || leaving_rate(s, k, side) <= p_.rate_noise * width_m(k);
        return true;
    }

    /// Fills y, impulses and distance for the corners that stay; false if they are not finite.
    bool evaluate(Solution& s) const noexcept {
        // Where a corner stays, two rates per contact become one or none: d = fixed + sum of z along directions.
        std::array<std::array<double, 2>, 2 * kSize> direction{};
        std::array<int, 2 * kSize> owner{}, all{};
        int size = 0;
        Row<2 * N> d{};
        const auto add = [&](int k, double rotation, double middle) {
            direction[size] = {rotation, middle};
            owner[size] = k;
            all[size] = size;
            ++size;
        };
        for (int k = 0; k < p_.n; ++k) {
            const bool left = s.stays[k][0], right = s.stays[k][1];
            if (p_.joint[k] == Joint::hinge || (p_.joint[k] == Joint::contact && !left && !right)) add(k, 1.0, 0.0);
            if (p_.joint[k] != Joint::contact) continue;
            if (!left && !right) add(k, 0.0, 1.0);
            if (left && right) d[2 * k] = -p_.start[2 * k], d[2 * k + 1] = -p_.start[2 * k + 1];
            if (left != right) {
                const double x = corner_m(k, left ? 0 : 1);
                add(k, 1.0, x);
                d[2 * k + 1] = x * p_.start[2 * k] - p_.start[2 * k + 1];
            }
        }
        Matrix<2 * N> reduced{};
        Row<2 * N> right_side{};
        const Row<2 * N> held_back = impulses(d);
        for (int i = 0; i < size; ++i) {
            const int k = 2 * owner[i];
            right_side[i] = -(direction[i][0] * held_back[k] + direction[i][1] * held_back[k + 1]);
            for (int j = 0; j < size; ++j) {
                const int l = 2 * owner[j];
                const double rotation = p_.mass[k][l] * direction[j][0] + p_.mass[k][l + 1] * direction[j][1];
                const double middle = p_.mass[k + 1][l] * direction[j][0] + p_.mass[k + 1][l + 1] * direction[j][1];
                reduced[i][j] = direction[i][0] * rotation + direction[i][1] * middle;
            }
        }
        const Row<2 * N> z = size > 0 ? solve_reduced<2 * N>(reduced, right_side, all, size) : Row<2 * N>{};
        for (int i = 0; i < size; ++i) {
            d[2 * owner[i]] += direction[i][0] * z[i];
            d[2 * owner[i] + 1] += direction[i][1] * z[i];
        }
        s.impulse = impulses(d);
        s.distance = 0.0;
        for (int i = 0; i < 2 * p_.n; ++i) {
            s.y[i] = p_.start[i] + d[i];
            s.distance += 0.5 * (s.impulse[i] + p_.load[i]) * d[i];
        }
        return std::isfinite(s.distance);
    }

    Row<2 * N> impulses(const Row<2 * N>& d) const noexcept {
        Row<2 * N> impulse = p_.load;
        for (int i = 0; i < 2 * p_.n; ++i)
            for (int j = 0; j < 2 * p_.n; ++j) impulse[i] += p_.mass[i][j] * d[j];
        return impulse;
    }

    const ContactProblem<N>& p_;
    int leading_side_ = 0;
    ContactStates<N> best_;
    double best_distance_ = 0.0;
    bool found_ = false, broken_ = false;
};

}  // namespace topple::solver

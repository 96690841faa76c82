// Body-fixed geometry of a stack: pivots, mass centres and the tables that a support state makes of them.
#pragma once

#include <array>
#include <cstddef>

#include "solver/engine/law.hpp"
#include "solver/numerics/state.hpp"

namespace topple::solver {

inline constexpr int kBlocksMax = 8;  ///< largest stack; sizes of the fixed storage

/// Plane vector in a block's own axes or in the base's: x right, z up.
struct Vec2 {
    double x = 0.0, z = 0.0;
};
constexpr Vec2 operator+(Vec2 a, Vec2 b) noexcept { return {a.x + b.x, a.z + b.z}; }
constexpr Vec2 operator-(Vec2 a, Vec2 b) noexcept { return {a.x - b.x, a.z - b.z}; }
constexpr Vec2 operator*(double k, Vec2 a) noexcept { return {k * a.x, k * a.z}; }
constexpr double dot(Vec2 a, Vec2 b) noexcept { return a.x * b.x + a.z * b.z; }
constexpr double cross(Vec2 a, Vec2 b) noexcept { return a.x * b.z - a.z * b.x; }
/// Velocity of the tip of u per unit clockwise rotation rate.
constexpr Vec2 perpendicular(Vec2 u) noexcept { return {u.z, -u.x}; }
/// Clockwise moment of force f acting at u.
constexpr double moment(Vec2 u, Vec2 f) noexcept { return u.z * f.x - u.x * f.z; }
/// u turned clockwise by the angle with this sine and cosine.
constexpr Vec2 turned(Vec2 u, double sine, double cosine) noexcept {
    return {u.x * cosine + u.z * sine, -u.x * sine + u.z * cosine};
}

/// One block seen from its lower face: x from the point of the face below the mass centre.
struct BlockGeometry {
    double mass_kg = 0.0;
    double inertia_kg_m2 = 0.0;    ///< about the mass centre
    double height_m = 0.0;         ///< lower to upper face
    double corner_left_m = 0.0;    ///< x of the lower left corner, < 0
    double corner_right_m = 0.0;   ///< x of the lower right corner, > 0
    std::array<Vec2, 3> centre_m;  ///< from left corner, face middle, right corner to the mass centre

    double pivot_m(int support) const noexcept {
        return support < 0 ? corner_left_m : support > 0 ? corner_right_m : 0.0;
    }
};

/// The blocks standing, from the bottom; `count` falls when blocks topple off.
template <int N>
struct StackGeometry {
    int count = N;
    std::array<BlockGeometry, static_cast<std::size_t>(N)> block;

    /// Blocks left; a constant for the single block so that the compiler unrolls it.
    int size() const noexcept {
        if constexpr (N == 1)
            return 1;
        else
            return count;
    }
};

/// What depends on the support state only (symbols as in docs/physics.md#stacks).
template <int N>
struct SupportTable {
    Supports<N> s{};
    std::array<Vec2, static_cast<std::size_t>(N)> c{}, d{}, p{};  ///< p_i = m_i c_i + mu_i d_i
    Row<N> diagonal{};                                            ///< M_ii
    std::array<Row<N>, static_cast<std::size_t>(N)> k{}, x{};     ///< M_ij = k cos + x sin, i < j
    std::array<int, static_cast<std::size_t>(N)> open{};          ///< interfaces that are open, ascending
    int open_count = 0;
};

template <int N>
SupportTable<N> make_support_table(const StackGeometry<N>& stack, const Supports<N>& supports) noexcept {
    SupportTable<N> table;
    table.s = supports;
    const int n = stack.size();
    double mass_above = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        const BlockGeometry& block = stack.block[i];
        const double own_pivot = block.pivot_m(supports[i]);
        table.c[i] = block.centre_m[supports[i] + 1];
        if (i + 1 < n) table.d[i] = {stack.block[i + 1].pivot_m(supports[i + 1]) - own_pivot, block.height_m};
        table.p[i] = block.mass_kg * table.c[i] + mass_above * table.d[i];
        table.diagonal[i] = block.inertia_kg_m2 + block.mass_kg * dot(table.c[i], table.c[i]) +
                            mass_above * dot(table.d[i], table.d[i]);
        mass_above += block.mass_kg;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            table.k[i][j] = dot(table.d[i], table.p[j]);
            table.x[i][j] = cross(table.d[i], table.p[j]);
        }
        if (supports[i] != 0) table.open[table.open_count++] = i;
    }
    return table;
}

}  // namespace topple::solver

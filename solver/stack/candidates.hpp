// Enumeration of the support states that a set of interfaces can take.
#pragma once

#include <array>
#include <cstddef>

#include "solver/stack/geometry.hpp"

namespace topple::solver {

/// Up to this many closed interfaces their 3^n support states are tried one by one; beyond, complementarity is faster.
inline constexpr int kTriedOneByOne = 2;

/// Indices of some interfaces, ascending.
template <int N>
struct InterfaceSet {
    std::array<int, static_cast<std::size_t>(N)> index{};
    int size = 0;

    void add(int interface_index) noexcept { index[size++] = interface_index; }
    void insert(int interface_index) noexcept {  ///< wherever it belongs
        int place = size++;
        for (; place > 0 && index[place - 1] > interface_index; --place) index[place] = index[place - 1];
        index[place] = interface_index;
    }
    bool contains(int interface_index) const noexcept {
        for (int i = 0; i < size; ++i)
            if (index[i] == interface_index) return true;
        return false;
    }
};

/// All interfaces of `supports` that are full.
template <int N>
InterfaceSet<N> full_interfaces(const Supports<N>& supports, int n) noexcept {
    InterfaceSet<N> set;
    for (int i = 0; i < n; ++i)
        if (supports[i] == 0) set.add(i);
    return set;
}

/// Step `supports` to the next of the 3^size states of the set; start with all full. False after the last
/// one.
template <int N>
bool next_candidate(Supports<N>& supports, const InterfaceSet<N>& set) noexcept {
    for (int i = 0; i < set.size; ++i) {
        int& s = supports[set.index[i]];
        if (s == 0) {
            s = -1;
            return true;
        }
        if (s == -1) {
            s = 1;
            return true;
        }
        s = 0;
    }
    return false;
}

}  // namespace topple::solver

// How near the edges of full faces are to letting go.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/stack/contact_forces.hpp"

namespace topple::solver {

/// Edge force of a full interface over the sum of both; negative: the edge would have to pull. `about`: pivot that
/// stays if the edge lifts, -1 left, +1 right.
template <int N>
double edge_share(const ContactForces<N>& contact, int k, int about) noexcept {
    const double scale = std::abs(contact.edge_left_n[k]) + std::abs(contact.edge_right_n[k]);
    if (scale == 0.0) return 1.0;
    return (about > 0 ? contact.edge_left_n[k] : contact.edge_right_n[k]) / scale;
}

/// The full interface whose edge is nearest to lifting.
struct EdgeMargin {
    double margin = 1.0;  ///< edge force / normal force; negative: it would have to pull
    int interface_index = -1;
    int opens_about = 0;  ///< pivot that stays if it lifts: -1 left, +1 right
};

template <int N>
EdgeMargin edge_margin(const ContactForces<N>& contact, const Supports<N>& supports, int n) noexcept {
    EdgeMargin least;
    for (int k = 0; k < n; ++k) {
        if (supports[k] != 0) continue;
        const double left = edge_share(contact, k, 1), right = edge_share(contact, k, -1);
        if (std::min(left, right) < least.margin) least = {std::min(left, right), k, right < left ? -1 : 1};
    }
    return least;
}

}  // namespace topple::solver

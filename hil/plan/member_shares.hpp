// What the members of an ensemble count together, each by its weight. Members of equal weight 1 give exact counts.
#pragma once

#include <vector>

#include "hil/plan/prediction.hpp"

namespace topple::hil::plan {

/// Of the members for which `is` holds.
template <typename Is>
double weight_of(const std::vector<EnsembleMember>& members, const Is& is) {
    double weight = 0.0;
    for (const EnsembleMember& member : members)
        if (is(member)) weight += member.weight;
    return weight;
}
inline double weight_of(const std::vector<EnsembleMember>& members) {
    return weight_of(members, [](const EnsembleMember&) { return true; });
}
/// Those whose solution did not fail.
inline double sound_weight(const std::vector<EnsembleMember>& members) {
    return weight_of(members, [](const EnsembleMember& member) { return member.outcome.has_value(); });
}
template <typename Is>
double share_of(const std::vector<EnsembleMember>& members, const Is& is) {
    const double all = weight_of(members);
    return all > 0.0 ? weight_of(members, is) / all : 0.0;
}

/// (sum of weights)^2 / (sum of their squares), after Kish: the members themselves where all count alike.
inline double effective_count(const std::vector<EnsembleMember>& members) {
    double sum = 0.0, squares = 0.0;
    for (const EnsembleMember& member : members) {
        sum += member.weight;
        squares += member.weight * member.weight;
    }
    return squares > 0.0 ? sum * sum / squares : 0.0;
}
inline bool is_weighted(const std::vector<EnsembleMember>& members) {
    for (const EnsembleMember& member : members)
        if (member.weight != 1.0) return true;
    return false;
}

}  // namespace topple::hil::plan

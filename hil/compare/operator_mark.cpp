#include "hil/compare/operator_mark.hpp"

#include <map>

namespace topple::hil::compare {

std::vector<OperatorMark> effective_marks(const std::vector<OperatorMark>& marks) {
    std::map<std::size_t, OperatorMark> by_specimen;
    for (const OperatorMark& mark : marks) {
        const auto [place, is_first] = by_specimen.try_emplace(mark.specimen, mark);
        if (is_first) continue;
        OperatorMark merged = mark;
        if (!mark.outcome) {
            merged.outcome = place->second.outcome;
            merged.blocks_overturned = place->second.blocks_overturned;
            if (!mark.side) merged.side = place->second.side;
        }
        if (!mark.discard_reason) merged.discard_reason = place->second.discard_reason;
        place->second = merged;
    }
    std::vector<OperatorMark> effective;
    for (const auto& [specimen, mark] : by_specimen) effective.push_back(mark);
    return effective;
}

}  // namespace topple::hil::compare

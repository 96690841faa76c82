#include "hil/text/nearest_word.hpp"

#include <algorithm>
#include <numeric>

namespace topple::hil::text {
namespace {

/// Levenshtein distance where a swap of neighbours counts as one (restricted Damerau).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> older(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({change, previous[j] + 1, current[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], older[j - 2] + 1);
        }
        std::swap(older, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
    constexpr std::size_t kLongestWord = 64;  // longer ones are no misspellings of a key
    if (word.empty() || word.size() > kLongestWord) return {};
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        std::size_t distance = edit_distance(word, candidate);
        // A key without its unit, or with another one: "width" for "width_m".
        if (candidate.size() > word.size() && candidate.starts_with(word) && candidate[word.size()] == '_')
            distance = 1;
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace topple::hil::text

// The word that was perhaps meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::text {

/// The entry of `known` nearest to `word` if it is near enough to be a misspelling (edit distance), else empty.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace topple::hil::text

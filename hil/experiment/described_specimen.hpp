// A specimen as its experiment file describes it, in numbers: what is learned of it is good for no other one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/specimen.hpp"

namespace topple::hil::experiment {

/// One number of a specimen's description. What is learned is a departure from it.
struct DescribedNumber {
    std::string key;  ///< as in a learned file's [specimen], e.g. "block_0_width_m"
    double value = 0.0;
};

struct DescribedSpecimen {
    std::string law;  ///< of restitution, as law_of
    std::vector<DescribedNumber> numbers;
};

/// Sizes, masses, pivots, corners, restitution, friction and slope of the seat as described; not how the test starts.
std::vector<DescribedNumber> described_numbers(const solver::Specimen& specimen);
/// "housner", "improved", "fixed" or "random".
std::string_view law_of(const solver::Specimen& specimen) noexcept;
DescribedSpecimen described(const solver::Specimen& specimen);

/// Why `specimen` is not the one described there: "block_0_height_m = 0.135 there, 0.27 here"; empty if it is, to the
/// digits that a file keeps.
std::string difference(const DescribedSpecimen& there, const solver::Specimen& specimen);

}  // namespace topple::hil::experiment

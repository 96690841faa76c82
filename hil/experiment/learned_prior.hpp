// What earlier tests taught of a specimen: the file that `topple fit` writes and [uncertainty] prior names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "solver/specimen.hpp"
#include "solver/study/uncertainty.hpp"

namespace topple::hil::experiment {

inline constexpr const char* kLearnedSchema = "topple.learned/1";

/// Every parameter that tests can teach, in the order of the files.
inline constexpr solver::SpecimenParameter kLearnable[] = {
    solver::SpecimenParameter::restitution, solver::SpecimenParameter::impulse_position,
    solver::SpecimenParameter::width,       solver::SpecimenParameter::height,
    solver::SpecimenParameter::tilt_rad,    solver::SpecimenParameter::friction};
/// Its key in [uncertainty] and in a learned file: "restitution", "k", "width", "height", "tilt_rad", "friction".
std::string_view key_of(solver::SpecimenParameter parameter) noexcept;

/// One number of a specimen's description. What is learned is a departure from it, and so good for no other one.
struct DescribedNumber {
    std::string key;  ///< as in a learned file's [specimen], e.g. "block_0_width_m"
    double value = 0.0;
};
/// Sizes, masses, pivots, restitution, friction and slope of the seat as described; not how the test starts.
std::vector<DescribedNumber> described_numbers(const solver::Specimen& specimen);
/// "housner", "improved", "fixed" or "random".
std::string_view law_of(const solver::Specimen& specimen) noexcept;

struct LearnedPrior {
    std::string file;    ///< as the experiment file names it
    std::string sha256;  ///< of its content
    bool is_informative = true;
    std::size_t runs_used = 0;
    std::vector<std::string> run_sha256;             ///< logs that went into it, those of its own prior included
    std::vector<solver::SpecimenParameter> learned;  ///< whose distributions `of` holds
    solver::Uncertainty of;                          ///< everything else fixed
    std::string law;
    std::vector<DescribedNumber> specimen;
};

/// Throws InputError for what is no learned file.
LearnedPrior read_learned_prior(const std::filesystem::path& file);

/// Why what was learned is not of this specimen: "block_0_height_m = 0.135 there, 0.27 here"; empty if it is.
std::string not_of(const LearnedPrior& prior, const solver::Specimen& specimen);

/// "learned.toml (SHA-256 0123456789ab..., from 5 runs)"
std::string prior_words(const LearnedPrior& prior);

}  // namespace topple::hil::experiment

// The results of a study as text, CSV, JSON, figures and page.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "hil/fragility/results.hpp"
#include "hil/fragility/study.hpp"

namespace topple::hil::fragility {

/// A study as far as it has come.
struct Evaluated {
    const Study& study;
    std::vector<SpecimenResult> specimens;
    std::size_t chunks_done = 0;  ///< of study.chunk_count(): fewer make a partial result

    bool is_partial() const noexcept { return chunks_done < study.chunk_count(); }
};

/// "pga, m/s2", "sa(0.5 s), m/s2": the axis of the study.
std::string intensity_label(const experiment::FragilitySection& section);
/// "of 0.06 m x 0.27 m"-like words for a specimen: its number.
std::string specimen_words(const Evaluated& evaluated, std::size_t specimen);

/// How many resamplings had no fit of their own; empty: all had.
std::string resampling_words(const SpecimenResult& result);
/// How many motions the efficiency is of, and of how many only a bound is known.
std::string efficiency_words(const SpecimenResult& result);

/// What is printed: a paragraph per specimen.
std::string study_text(const Evaluated& evaluated);
std::string summary_json(const Evaluated& evaluated);
/// Columns are named with their units; docs/fragility.md lists them.
std::string curves_csv(const Evaluated& evaluated);  ///< fragility and IDA fractiles, per specimen and value
std::string counts_csv(const Evaluated& evaluated, const std::vector<Tally>& tallies);  ///< per motion and value
std::string motions_csv(const Evaluated& evaluated);                                    ///< per specimen and motion
std::string efficiency_csv(const Evaluated& evaluated);                                 ///< per specimen and measure

/// Draw into `file` (.svg or .png); false if there is nothing to draw. Throw OutputError.
bool draw_fragility(const Evaluated& evaluated, std::size_t specimen, const std::filesystem::path& file);
bool draw_ida(const Evaluated& evaluated, const Tally& tally, std::size_t specimen, const std::filesystem::path& file);
bool draw_efficiency(const Evaluated& evaluated, std::size_t specimen, const std::filesystem::path& file);

/// `figures` are HTML, one text per specimen.
std::string page(const Evaluated& evaluated, const std::vector<std::string>& figures);

}  // namespace topple::hil::fragility

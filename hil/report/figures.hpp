// The figures of a run: data as CSV, a gnuplot script per figure that can be restyled for a paper, and the
// SVG.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::report {

struct Figure {
    std::string name;     ///< file stem: figures/<name>.gp, .svg; data in figures/<data>.csv
    std::string caption;  ///< plain text
    std::string alt;      ///< what it shows, with its numbers
    std::string data;     ///< stem of its CSV
    std::string script;   ///< gnuplot, run in the figures folder
};

/// A CSV file of the figures.
struct FigureData {
    std::string name;  ///< file stem
    std::string text;
};

struct FigureSet {
    std::vector<FigureData> data;
    std::vector<Figure> figures;
};

/// Nothing is written; figures without data (no achieved motion, no specimen, no timing) are left out.
FigureSet describe_figures(const compare::Conclusion& conclusion);

/// Writes data and scripts into `folder` (created), then runs gnuplot. Throws OutputError: what is written
/// stays.
void make_figures(const FigureSet& set, const std::filesystem::path& folder);

}  // namespace topple::hil::report

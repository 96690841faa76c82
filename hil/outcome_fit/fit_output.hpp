// What a table taught, for people, for programs, and for [uncertainty].
#pragma once

#include <filesystem>
#include <string>

#include "hil/outcome_fit/table_fit.hpp"

namespace topple::hil::outcome_fit {

/// For the terminal: parameters, convergence, held-out scores, rows that were not used, remarks.
std::string fit_text(const TableFit& fit);
/// The document of schema topple.outcome_fit/1; ends with a newline.
std::string fit_json(const TableFit& fit);
/// Whether [uncertainty] prior takes its learned file; if not, the members table alone holds what was learned.
bool is_prior(const SpecimenFit& specimen);
/// "[uncertainty] prior = \"x/learned.toml\" or members = \"x/learned_members.csv\"", by the names of the two files.
std::string use_words(const SpecimenFit& specimen, const std::string& learned_file, const std::string& members_file);

/// The learned file (topple.learned/1) of one specimen. `members_file`: its members table beside it, as it is named.
std::string learned_toml(const TableFit& fit, const SpecimenFit& specimen, const std::string& members_file,
                         const std::string& created_utc);
/// Its members table for [uncertainty] members: of which specimen, a header of keys, a row for each member.
std::string members_csv(const SpecimenFit& specimen);
/// Every test with the probability that the prior and the other tests give its outcome.
std::string tests_csv(const TableFit& fit);

/// "learned.toml", or "learned_<name>.toml" of several specimens; "learned_members.csv" in the same way.
std::string learned_name(const SpecimenFit& specimen);
std::string members_name(const SpecimenFit& specimen);

/// Learned files and members tables, summary.json, tests.csv, table.csv (as read), study.toml (the template, with
/// copies of the files it names), figures, index.html. `folder` must exist. Returns why figures are missing; empty if
/// none is. Throws OutputError.
std::string write_fit_folder(const TableFit& fit, const std::filesystem::path& folder, const std::string& created_utc);

// Words that text and page share. Only for the sources of this room.

/// Tests whose outcome both the others and the prior found unlikely (below kUnlikely), at most `most` of them.
struct UnlikelyTest {
    const ForetoldTest* test = nullptr;
    double probability = 0.0;  ///< of what was seen, foretold from the others
};
std::vector<UnlikelyTest> unlikely_tests(const TableFit& fit, std::size_t most);
inline constexpr double kUnlikely = 0.05;
std::string convergence_words(const Convergence& convergence);
std::string held_out_words(const TableFit& fit);

}  // namespace topple::hil::outcome_fit

// report.html: one self-contained page about a test, verdict first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hil/compare/conclusion.hpp"
#include "hil/report/summary_json.hpp"

namespace topple::hil::report {

/// A figure ready to be put into the page.
struct ReportFigure {
    std::string svg;  ///< the file's text
    std::string caption;
    std::string alt{};  ///< what it shows, with its numbers, for those who do not see it
};

struct ReportFiles {
    std::string experiment_toml, machine_toml;
    std::string photo{};  ///< bytes of the set-up's picture; empty: none
};

/// The page; every text from outside is escaped, nothing refers to anything outside of it.
std::string html_report(const compare::Conclusion& conclusion, const RunIdentity& identity, const ReportFiles& files,
                        const std::vector<ReportFigure>& figures);

}  // namespace topple::hil::report

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "hil/outcome_fit/fit_output.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::outcome_fit {
namespace {

constexpr std::size_t kListedMost = 10;

std::string loss_words(const scores::MeanLoss& loss) {
    if (!loss.interval) return fmt::format("{:+.4f}", loss.value);
    return fmt::format("{:+.4f} (95 %: {:+.4f} to {:+.4f})", loss.value, loss.interval->low, loss.interval->high);
}

void add_parameters(std::string& text, const SpecimenFit& fit) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "  {:<14} {:>24}   {:>24}\n", "departure", "prior 5 to 95 %", "posterior 5 to 95 %");
    for (const FittedParameter& one : fit.learned) {
        const learn::Marginal& of = one.marginal;
        fmt::format_to(out, "  {:<14} {:>+11.5f} to {:>+9.5f}   {:>+11.5f} to {:>+9.5f}   mean {:+.5f} ± {:.5f}{}\n",
                       one.parameter.key, of.prior_low, of.prior_high, of.low, of.high, of.mean, of.deviation,
                       of.is_informative ? "" : "   uninformative: keeps its prior");
    }
    std::string per_test;
    for (const std::size_t i : fit.parameters.per_test())
        per_test += (per_test.empty() ? "" : ", ") + fit.parameters.all()[i].key;
    if (!per_test.empty()) fmt::format_to(out, "  drawn anew for each test: {}\n", per_test);
    fmt::format_to(out, "  converged: {}\n", convergence_words(fit.convergence));
}

std::string score_cell(const scores::Reference& reference) {
    return reference.missing.empty() ? fmt::format("{:.4f}", reference.brier.value) : "-";
}

void add_scores(std::string& text, const TableFit& fit) {
    auto out = std::back_inserter(text);
    const scores::OverturningScores &learned = fit.by_others.overturning, &prior = fit.by_prior.overturning;
    fmt::format_to(out, "{}\n", held_out_words(fit));
    if (!fit.by_others.uninformative.empty()) fmt::format_to(out, "uninformative: {}\n", fit.by_others.uninformative);
    if (learned.tests == 0) return;
    fmt::format_to(out, "  {:<26} {:>10} {:>10} {:>22} {:>26}\n", "overturning, mean loss", "learned", "prior",
                   "base rate of others", "logistic fit over velocity");
    fmt::format_to(out, "  {:<26} {:>10.4f} {:>10.4f} {:>22} {:>26}\n", "Brier score", learned.brier.value,
                   prior.brier.value, score_cell(learned.base_rate), score_cell(learned.peak_velocity));
    fmt::format_to(out, "  {:<26} {:>10.4f} {:>10.4f}\n", "log score", learned.log_score.value, prior.log_score.value);
    if (fit.by_others.classes.tests > 0)
        fmt::format_to(out, "  {:<26} {:>10.4f} {:>10.4f} {:>22}\n", "Brier score of all classes",
                       fit.by_others.classes.brier.value, fit.by_prior.classes.brier.value,
                       score_cell(fit.by_others.classes.base_rate));
    fmt::format_to(out, "  learned less prior: Brier {}, log {}: {}\n", loss_words(fit.gain.brier),
                   loss_words(fit.gain.log_score), scores::name(fit.gain.verdict));
}

void add_unused(std::string& text, const TableFit& fit) {
    auto out = std::back_inserter(text);
    if (fit.tests.unused.empty()) return;
    fmt::format_to(out, "not used: {} row{}\n", fit.tests.unused.size(), fit.tests.unused.size() == 1 ? "" : "s");
    for (std::size_t i = 0; i < std::min(kListedMost, fit.tests.unused.size()); ++i) {
        const UnusedRow& one = fit.tests.unused[i];
        fmt::format_to(out, "  line {}{}: {}\n", fit.tests.table.rows[one.row].line,
                       one.column.empty() ? "" : ", column " + text::one_line(one.column), text::one_line(one.reason));
    }
    if (fit.tests.unused.size() > kListedMost)
        fmt::format_to(out, "  and {} more, in summary.json\n", fit.tests.unused.size() - kListedMost);
}

}  // namespace

std::vector<UnlikelyTest> unlikely_tests(const TableFit& fit, std::size_t most) {
    std::vector<UnlikelyTest> unlikely;
    for (const SpecimenFit& one : fit.specimens)
        for (const ForetoldTest& test : one.foretold) {
            const auto p = scores::overturning_probability(test.by_others);
            if (!p) continue;
            const double of_seen = test.by_others.observed.overturned ? *p : 1.0 - *p;
            if (of_seen < kUnlikely) unlikely.push_back({&test, of_seen});
        }
    std::stable_sort(unlikely.begin(), unlikely.end(),
                     [](const UnlikelyTest& a, const UnlikelyTest& b) { return a.probability < b.probability; });
    if (unlikely.size() > most) unlikely.resize(most);
    return unlikely;
}

std::string convergence_words(const Convergence& of) {
    return fmt::format(
        "{:.0f} effective of {} draws in {} stages of two searches, largest weight {:.1f} %, potential scale reduction "
        "{:.3f}, ln evidence {:.2f} (searches differ by {:.2f})",
        of.effective, of.draws, of.stages, 100.0 * of.largest_weight, of.potential_scale, of.log_evidence,
        of.evidence_gap);
}

std::string held_out_words(const TableFit& fit) {
    const char* unit = fit.tests.units_are_motions ? "motion" : "test with its repeats";
    const std::string how =
        fit.folds == fit.tests.units
            ? fmt::format("every {} foretold from the others", unit)
            : fmt::format("{} folds, each {} with the tests of its fold foretold from the others", fit.folds, unit);
    return fmt::format(
        "held out: {} ({} units{}); no score below is of tests that were fitted", how, fit.tests.units,
        fit.searched_anew > 0 ? fmt::format(", {} tests by a search of their own", fit.searched_anew) : "");
}

std::string fit_text(const TableFit& fit) {
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{}: {} tests of {} specimen{} ({} rows); a test contradicts any model with probability {:g}\n",
                   text::one_line(fit.tests.table.file.filename().string()), fit.tests.count(), fit.specimens.size(),
                   fit.specimens.size() == 1 ? "" : "s", fit.tests.table.rows.size(), fit.request.likelihood.lapse);
    for (const SpecimenFit& one : fit.specimens) {
        fmt::format_to(out, "{}{} tests{}\n", one.name.empty() ? "" : one.name + ": ", one.tests,
                       one.is_informative ? "" : "   uninformative: they teach nothing, the posterior is the prior");
        add_parameters(text, one);
    }
    add_scores(text, fit);
    for (const UnlikelyTest& one : unlikely_tests(fit, kListedMost))
        fmt::format_to(out, "  unlikely: line {} ({}): {}, foretold with {:.1f} %\n",
                       fit.tests.table.rows[one.test->row].line, text::one_line(one.test->by_others.name),
                       one.test->by_others.observed.overturned ? "overturned" : "stood", 100.0 * one.probability);
    add_unused(text, fit);
    for (const std::string& remark : fit.remarks) fmt::format_to(out, "note: {}\n", remark);
    return text;
}

}  // namespace topple::hil::outcome_fit

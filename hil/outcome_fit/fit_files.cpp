// The files of a fit that programs read: learned file, members table, tests, summary.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hil/experiment/members_specimen.hpp"
#include "hil/experiment/toml_text.hpp"
#include "hil/files/csv_cells.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/learn/learned_parts.hpp"
#include "hil/outcome_fit/fit_output.hpp"
#include "hil/scores/scores_output.hpp"

namespace topple::hil::outcome_fit {
namespace {

using Eigen::Index;
using experiment::toml_string;
using Json = nlohmann::ordered_json;

/// Those that [uncertainty] prior has a place for, and their correlation.
struct KnownParameters {
    std::vector<learn::LearnedParameter> parameters;
    Eigen::MatrixXd correlation;
};

KnownParameters known_of(const SpecimenFit& fit) {
    KnownParameters known;
    std::vector<Index> places;
    // In the order of a learned file, whose rows of the correlation are read in it.
    for (const solver::SpecimenParameter kind : experiment::kLearnable)
        for (std::size_t i = 0; i < fit.learned.size(); ++i) {
            if (fit.learned[i].parameter.kind != kind) continue;
            learn::LearnedParameter one;
            static_cast<learn::Marginal&>(one) = fit.learned[i].marginal;
            one.parameter = kind;
            one.prior = fit.learned[i].parameter.prior;
            one.posterior = fit.learned[i].posterior;
            known.parameters.push_back(std::move(one));
            places.push_back(static_cast<Index>(i));
        }
    const Index n = static_cast<Index>(places.size());
    known.correlation.resize(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            known.correlation(i, j) = fit.is_informative ? fit.correlation(places[static_cast<std::size_t>(i)],
                                                                           places[static_cast<std::size_t>(j)])
                                                         : (i == j ? 1.0 : 0.0);
    return known;
}

std::string loss_toml(const scores::MeanLoss& loss) { return learn::toml_number(loss.value); }

std::string outcomes_part(const TableFit& fit, const SpecimenFit& one) {
    const Convergence& of = one.convergence;
    std::string text = fmt::format(
        "\n[outcomes]    # what was learned from, and how well it foretells tests that it was not fitted to\n"
        "table = {}\ntests = {}\nlapse = {:g}\ndraws_per_test = {}\nlearn_from = \"{}\"\n"
        "largest_weight = {:.4g}\npotential_scale_reduction = {:.4g}\nlog_evidence = {:.6g}\n"
        "log_evidence_gap = {:.4g}\n",
        toml_string(fit.tests.table.file.filename().string()), one.tests, fit.request.likelihood.lapse,
        fit.request.likelihood.draws_per_test,
        fit.request.likelihood.learn_from == LearnFrom::classes ? "classes" : "overturning", of.largest_weight,
        of.potential_scale, of.log_evidence, of.evidence_gap);
    for (const FittedParameter& each : one.learned)
        text += fmt::format(
            "\n[[outcomes.parameter]]\nkey = \"{}\"\ninformative = {}\nmean = {:.6g}\ndeviation = {:.6g}\n"
            "interval_90 = [{:.6g}, {:.6g}]\nprior_interval_90 = [{:.6g}, {:.6g}]\n",
            each.parameter.key, each.marginal.is_informative, each.marginal.mean, each.marginal.deviation,
            each.marginal.low, each.marginal.high, each.marginal.prior_low, each.marginal.prior_high);
    return text;
}

std::string held_out_part(const TableFit& fit) {
    std::string text = fmt::format("\n[held_out]    # {}; all specimens of the table together\n", held_out_words(fit));
    if (!fit.by_others.uninformative.empty())
        text += fmt::format("uninformative = {}\n", toml_string(fit.by_others.uninformative));
    const auto &learned = fit.by_others.overturning, &prior = fit.by_prior.overturning;
    if (learned.tests == 0) return text;
    text += fmt::format(
        "units = {}\nfolds = {}\ntests = {}\nbrier = {}\nbrier_prior = {}\nlog_score = {}\nlog_score_prior = {}\n"
        "against_prior = \"{}\"\n",
        fit.tests.units, fit.folds, learned.tests, loss_toml(learned.brier), loss_toml(prior.brier),
        loss_toml(learned.log_score), loss_toml(prior.log_score), scores::name(fit.gain.verdict));
    if (learned.base_rate.missing.empty())
        text += fmt::format("brier_base_rate = {}\n", loss_toml(learned.base_rate.brier));
    if (learned.peak_velocity.missing.empty())
        text += fmt::format("brier_peak_velocity = {}\n", loss_toml(learned.peak_velocity.brier));
    return text;
}

Json distribution_json(const solver::Distribution& of) {
    return {{"kind", solver::name(of.kind)}, {"centre", of.centre}, {"spread", of.spread}};
}

Json loss_json(const scores::MeanLoss& loss) {
    Json json{{"value", loss.value}, {"interval_95", nullptr}};
    if (loss.interval) json["interval_95"] = {loss.interval->low, loss.interval->high};
    return json;
}

Json specimen_json(const SpecimenFit& fit) {
    Json parameters = Json::object();
    for (const FittedParameter& one : fit.learned)
        parameters[one.parameter.key] = {{"unit", one.parameter.unit.empty() ? "1" : one.parameter.unit},
                                         {"prior", distribution_json(one.parameter.prior)},
                                         {"posterior", distribution_json(one.posterior)},
                                         {"mean", one.marginal.mean},
                                         {"deviation", one.marginal.deviation},
                                         {"interval_90", {one.marginal.low, one.marginal.high}},
                                         {"prior_interval_90", {one.marginal.prior_low, one.marginal.prior_high}},
                                         {"informative", one.marginal.is_informative}};
    Json per_test = Json::array();
    for (const std::size_t i : fit.parameters.per_test()) per_test.push_back(fit.parameters.all()[i].key);
    Json correlation = Json::array();
    for (Index i = 0; i < fit.correlation.rows(); ++i) {
        Json row = Json::array();
        for (Index j = 0; j < fit.correlation.cols(); ++j) row.push_back(fit.correlation(i, j));
        correlation.push_back(row);
    }
    const Convergence& of = fit.convergence;
    return {{"name", fit.name},
            {"tests", fit.tests},
            {"verdict", fit.is_informative ? "learned" : "uninformative"},
            {"prior", fit.prior_source},
            {"learned_file", learned_name(fit)},
            {"learned_file_is_prior", is_prior(fit)},
            {"members_file", members_name(fit)},
            {"members", fit.members.size()},
            {"parameters", parameters},
            {"per_test", per_test},
            {"correlation", correlation},
            {"convergence",
             {{"samples", of.draws},
              {"stages", of.stages},
              {"effective_samples", of.effective},
              {"largest_weight", of.largest_weight},
              {"potential_scale_reduction", of.potential_scale},
              {"log_evidence", of.log_evidence},
              {"log_evidence_gap", of.evidence_gap}}}};
}

Json held_out_json(const TableFit& fit) {
    return {{"unit", fit.tests.units_are_motions ? "motion" : "experiment"},
            {"units", fit.tests.units},
            {"folds", fit.folds},
            {"tests_searched_anew", fit.searched_anew},
            {"learned", scores::scores_json(fit.by_others)},
            {"prior", scores::scores_json(fit.by_prior)},
            {"learned_less_prior",
             {{"brier", loss_json(fit.gain.brier)},
              {"log_score", loss_json(fit.gain.log_score)},
              {"verdict", scores::name(fit.gain.verdict)}}}};
}

}  // namespace

std::string learned_name(const SpecimenFit& specimen) {
    return specimen.name.empty() ? "learned.toml" : "learned_" + specimen.name + ".toml";
}

std::string members_name(const SpecimenFit& specimen) {
    return specimen.name.empty() ? "learned_members.csv" : "learned_members_" + specimen.name + ".csv";
}

bool is_prior(const SpecimenFit& specimen) {
    return std::any_of(specimen.learned.begin(), specimen.learned.end(),
                       [](const FittedParameter& one) { return one.parameter.kind.has_value(); });
}

std::string use_words(const SpecimenFit& specimen, const std::string& learned_file, const std::string& members_file) {
    const std::string members = "members = " + toml_string(members_file);
    return "[uncertainty] " + (is_prior(specimen) ? "prior = " + toml_string(learned_file) + " or " + members
                                                  : members + " (prior has no place for what was learned)");
}

std::string learned_toml(const TableFit& fit, const SpecimenFit& one, const std::string& members_file,
                         const std::string& created_utc) {
    const KnownParameters known = known_of(one);
    const std::string used_as = is_prior(one) ? learn::kAsPrior : "members = " + toml_string(members_file);
    std::string text =
        learn::head_part("What outcomes of tests taught of a specimen", used_as, one.is_informative, created_utc);
    text += learn::specimen_part(one.specimen);
    text += learn::prior_part(one.prior_source, known.parameters);
    text += learn::prior_data_part(one.prior_sha256);
    text += fmt::format("\n[[data]]\nrun = {}\nsha256 = \"{}\"\nkind = \"table\"\nused = true\ntests = {}\n",
                        toml_string(fit.tests.table.file.filename().string()), fit.table_sha256, one.tests);
    text +=
        learn::posterior_part(known.parameters, known.correlation, one.convergence.draws, one.convergence.effective);
    text += fmt::format(
        "\n[members]    # the posterior itself, with its shape: [uncertainty] members = \"{0}\"\nfile = {1}\n"
        "sha256 = \"{2}\"\nrows = {3}\n",
        members_file, toml_string(members_file), files::sha256_hex(members_csv(one)), one.members.size());
    text += outcomes_part(fit, one);
    text += held_out_part(fit);
    return text;
}

std::string members_csv(const SpecimenFit& specimen) {
    std::vector<std::size_t> columns;
    const auto& all = specimen.parameters.all();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].has_column && all[i].role != Role::fixed) columns.push_back(i);
    std::string text =
        "# What outcomes of tests taught of one specimen, for [uncertainty] members = \"<this file>\".\n" +
        experiment::specimen_comment(specimen.specimen) + "weight";
    for (const std::size_t i : columns) text += "," + all[i].key;
    text += "\n";
    for (const auto& member : specimen.members) {
        text += "1";
        for (const std::size_t i : columns) text += fmt::format(",{:.9g}", member[i]);
        text += "\n";
    }
    return text;
}

std::string tests_csv(const TableFit& fit) {
    std::string text =
        "line,test,specimen,unit,observed,observed_overturned,p_overturning_prior,p_overturning_held_out,"
        "effective_draws,searched_anew\n";
    const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : ""; };
    for (const SpecimenFit& one : fit.specimens)
        for (const ForetoldTest& test : one.foretold) {
            const auto& row = fit.tests.table.rows[test.row];
            const scores::Observation& seen = test.by_others.observed;
            text += fmt::format(
                "{},{},{},{},{},{},{},{},{:.1f},{}\n", row.line, files::csv_cell(row.test), files::csv_cell(one.name),
                files::csv_cell(row.settings), seen.outcome ? solver::name(*seen.outcome) : std::string_view(),
                seen.overturned ? 1 : 0, number(scores::overturning_probability(test.by_prior)),
                number(scores::overturning_probability(test.by_others)), test.effective, test.searched_anew ? 1 : 0);
        }
    return text;
}

std::string fit_json(const TableFit& fit) {
    Json unused = Json::array();
    for (const UnusedRow& one : fit.tests.unused)
        unused.push_back({{"line", fit.tests.table.rows[one.row].line},
                          {"column", one.column.empty() ? Json(nullptr) : Json(one.column)},
                          {"reason", one.reason},
                          {"refused", one.is_refused}});
    Json specimens = Json::array();
    for (const SpecimenFit& one : fit.specimens) specimens.push_back(specimen_json(one));
    const Json json{{"schema", "topple.outcome_fit/1"},
                    {"topple_version", host::version()},
                    {"verdict", fit.is_informative() ? "learned" : "uninformative"},
                    {"table", {{"file", fit.tests.table.file.filename().string()}, {"sha256", fit.table_sha256}}},
                    {"rows", fit.tests.table.rows.size()},
                    {"tests", fit.tests.count()},
                    {"lapse", fit.request.likelihood.lapse},
                    {"draws_per_test", fit.request.likelihood.draws_per_test},
                    {"learn_from", fit.request.likelihood.learn_from == LearnFrom::classes ? "classes" : "overturning"},
                    {"seed", fit.request.sampling.seed},
                    {"specimens", specimens},
                    {"held_out", held_out_json(fit)},
                    {"unused_rows", unused},
                    {"remarks", fit.remarks}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::outcome_fit

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hil/host/version.hpp"
#include "hil/learn/learned_document.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::learn {
namespace {

using experiment::key_of;
using Json = nlohmann::ordered_json;

double share_of(std::size_t covered, std::size_t all) {
    return all == 0 ? 0.0 : static_cast<double>(covered) / static_cast<double>(all);
}

struct HeldOutSum {
    std::size_t runs = 0, better = 0, features = 0, covered = 0, covered_by_prior = 0;
    double gain = 0.0;
};

HeldOutSum sum_of(const Learning& learning) {
    HeldOutSum sum;
    for (const HeldOut& one : learning.held_out) {
        if (!one.not_possible.empty()) continue;
        ++sum.runs;
        sum.better += one.log_score_gain > 0.0 ? 1 : 0;
        sum.features += one.features;
        sum.covered += one.covered;
        sum.covered_by_prior += one.covered_by_prior;
        sum.gain += one.log_score_gain;
    }
    return sum;
}

void add_data(std::string& text, const Learning& learning) {
    auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < learning.runs.size(); ++i) {
        const RunEvidence& run = learning.runs[i];
        fmt::format_to(out, "  {:<40} ", text::one_line(run.folder.string()));
        if (!run.left_out.empty())
            fmt::format_to(out, "left out: {}\n", text::one_line(run.left_out));
        else if (run.kind == EvidenceKind::mark)
            fmt::format_to(out, "operator's mark alone\n");
        else
            fmt::format_to(out, "{} features, best draw {:.2g} errors off, likelihood to the power {:.2g}\n",
                           run.features.size(), learning.misfit[i], learning.power[i]);
        for (const std::string& note : run.notes) fmt::format_to(out, "    note: {}\n", text::one_line(note));
    }
}

void add_parameters(std::string& text, const Learning& learning) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "  {:<12} {:>24}   {:>24}\n", "departure", "prior 5 to 95 %", "posterior 5 to 95 %");
    for (const LearnedParameter& one : learning.parameters)
        fmt::format_to(out, "  {:<12} {:>+11.5f} to {:>+9.5f}   {:>+11.5f} to {:>+9.5f}   mean {:+.5f} ± {:.5f}{}\n",
                       key_of(one.parameter), one.prior_low, one.prior_high, one.low, one.high, one.mean, one.deviation,
                       one.is_informative ? "" : "   uninformative");
}

void add_held_out(std::string& text, const Learning& learning) {
    auto out = std::back_inserter(text);
    if (!learning.held_out_not_possible.empty()) {
        fmt::format_to(out, "held out      not possible: {}\n", learning.held_out_not_possible);
        return;
    }
    const HeldOutSum sum = sum_of(learning);
    for (const HeldOut& one : learning.held_out)
        if (!one.not_possible.empty())
            fmt::format_to(out, "  {}: not held out: {}\n", text::one_line(learning.runs[one.run].folder.string()),
                           one.not_possible);
    if (sum.runs == 0) return;
    fmt::format_to(out,
                   "held out      each of {} runs foretold from the others: log score {:+.2f} against the prior, {} of "
                   "{} better\n",
                   sum.runs, sum.gain, sum.better, sum.runs);
    if (sum.features > 0)
        fmt::format_to(out, "              {:.0f} % of {} features within 5 to 95 % (by the prior {:.0f} %)\n",
                       100.0 * share_of(sum.covered, sum.features), sum.features,
                       100.0 * share_of(sum.covered_by_prior, sum.features));
    if (sum.gain < 0.0)
        fmt::format_to(out,
                       "WARNING: the prior foretells the held-out runs better than what was learned: do not use it "
                       "before you know why\n");
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json run_json(const Learning& learning, std::size_t i) {
    const RunEvidence& run = learning.runs[i];
    Json features = Json::array();
    for (const Feature& feature : run.features)
        features.push_back(
            {{"name", name(feature)}, {"unit", unit(feature)}, {"value", feature.value}, {"error", feature.error}});
    return {{"run", run.folder.string()},
            {"sha256", run.sha256},
            {"kind", name(run.kind)},
            {"used", run.left_out.empty()},
            {"left_out", run.left_out.empty() ? Json(nullptr) : Json(run.left_out)},
            {"notes", run.notes},
            {"features", features},
            {"misfit_errors", number_json(learning.misfit[i])},
            {"likelihood_power", learning.power[i]}};
}

Json distribution_json(const solver::Distribution& of) {
    return {{"kind", solver::name(of.kind)}, {"centre", of.centre}, {"spread", of.spread}};
}

Json parameter_json(const LearnedParameter& one) {
    return {{"prior", distribution_json(one.prior)},
            {"posterior", distribution_json(one.posterior)},
            {"mean", one.mean},
            {"deviation", one.deviation},
            {"interval_90", {one.low, one.high}},
            {"prior_interval_90", {one.prior_low, one.prior_high}},
            {"informative", one.is_informative}};
}

Json held_out_json(const Learning& learning) {
    if (!learning.held_out_not_possible.empty()) return {{"not_possible", learning.held_out_not_possible}};
    const HeldOutSum sum = sum_of(learning);
    Json runs = Json::array();
    for (const HeldOut& one : learning.held_out)
        runs.push_back({{"run", learning.runs[one.run].folder.string()},
                        {"not_possible", one.not_possible.empty() ? Json(nullptr) : Json(one.not_possible)},
                        {"log_score_gain", number_json(one.log_score_gain)},
                        {"features", one.features},
                        {"covered", one.covered},
                        {"covered_by_prior", one.covered_by_prior},
                        {"effective_samples", one.effective}});
    return {{"log_score_gain", number_json(sum.gain)}, {"runs", runs}};
}

}  // namespace

std::string learning_text(const Learning& learning) {
    std::string text = fmt::format("{}\nprior         {}\ndata\n", plan::describe(learning.runs.front().specimen()),
                                   text::one_line(learning.prior_source));
    add_data(text, learning);
    text += fmt::format("draws         {} in {} stages, {:.0f} effective\n", learning.draws, learning.stages,
                        learning.effective);
    if (!learning.is_informative)
        text += "uninformative: these runs teach nothing of the specimen; the posterior is the prior\n";
    add_parameters(text, learning);
    add_held_out(text, learning);
    for (const std::string& remark : learning.remarks) text += fmt::format("note: {}\n", text::one_line(remark));
    return text;
}

std::string learning_json(const Learning& learning) {
    Json parameters = Json::object(), runs = Json::array(), correlation = Json::array();
    for (std::size_t i = 0; i < learning.parameters.size(); ++i) {
        parameters[std::string(key_of(learning.parameters[i].parameter))] = parameter_json(learning.parameters[i]);
        Json row = Json::array();
        for (std::size_t j = 0; j < learning.parameters.size(); ++j)
            row.push_back(learning.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
        correlation.push_back(row);
    }
    for (std::size_t i = 0; i < learning.runs.size(); ++i) runs.push_back(run_json(learning, i));
    const Json document{{"schema", "topple.learning/1"},
                        {"verdict", learning.is_informative ? "learned" : "uninformative"},
                        {"specimen", plan::describe(learning.runs.front().specimen())},
                        {"prior", learning.prior_source},
                        {"data", runs},
                        {"parameters", parameters},
                        {"correlation", correlation},
                        {"samples", learning.draws},
                        {"effective_samples", learning.effective},
                        {"stages", learning.stages},
                        {"held_out", held_out_json(learning)},
                        {"remarks", learning.remarks},
                        {"topple_version", host::version()}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::learn

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "hil/experiment/toml_text.hpp"
#include "hil/host/version.hpp"
#include "hil/learn/learned_document.hpp"
#include "hil/learn/learned_parts.hpp"
#include "hil/plan/prediction_text.hpp"

namespace topple::hil::learn {
namespace {

using Eigen::Index;
using experiment::key_of;

std::string quoted(const std::string& text) { return experiment::toml_string(text); }

void add_data(std::string& text, const Learning& learning) {
    text += prior_data_part(learning.prior_runs);
    for (std::size_t i = 0; i < learning.runs.size(); ++i) {
        const RunEvidence& run = learning.runs[i];
        text += fmt::format("\n[[data]]\nrun = {}\nsha256 = \"{}\"\nkind = \"{}\"\nused = {}\n",
                            quoted(run.folder.string()), run.sha256, name(run.kind), run.left_out.empty());
        if (!run.left_out.empty()) text += fmt::format("left_out = {}\n", quoted(run.left_out));
        for (const std::string& note : run.notes) text += fmt::format("# {}\n", quoted(note));
        if (run.left_out.empty())
            text += fmt::format("features = {}\nlikelihood_power = {:.4g}\nmisfit_errors = {:.3g}\n",
                                run.features.size(), learning.power[i], learning.misfit[i]);
    }
}

void add_held_out(std::string& text, const Learning& learning) {
    text += "\n[held_out]    # each run foretold from the others\n";
    if (!learning.held_out_not_possible.empty())
        text += fmt::format("not_possible = {}\n", quoted(learning.held_out_not_possible));
    for (const HeldOut& one : learning.held_out) {
        text += fmt::format("\n[[held_out.runs]]\nrun = {}\n", quoted(learning.runs[one.run].folder.string()));
        if (!one.not_possible.empty())
            text += fmt::format("not_possible = {}\n", quoted(one.not_possible));
        else
            text += fmt::format(
                "log_score_gain = {:.4f}\nfeatures = {}\ncovered = {}\ncovered_by_prior = {}\n"
                "effective_samples = {:.1f}\n",
                one.log_score_gain, one.features, one.covered, one.covered_by_prior, one.effective);
    }
}

}  // namespace

std::string toml_number(double value) { return fmt::format("{}", value); }

std::string head_part(const std::string& what, const std::string& used_as, bool is_informative,
                      const std::string& created_utc) {
    return fmt::format(
        "# {}, written by `topple fit`. An experiment of the same specimen uses it with\n"
        "# [uncertainty] {}. docs/learning.md says how it was found and what it leaves out.\n"
        "schema = \"{}\"\nverdict = \"{}\"{}\ntopple_version = \"{}\"\ncreated_utc = \"{}\"\n",
        what, used_as, experiment::kLearnedSchema, is_informative ? "learned" : "uninformative",
        is_informative ? "" : "    # the data taught nothing: the posterior is the prior", host::version(),
        created_utc);
}

std::string specimen_part(const solver::Specimen& specimen) {
    std::string text = fmt::format(
        "\n[specimen]    # the numbers below are departures from this description and of no other block\n"
        "description = {}\nrestitution_law = \"{}\"\n",
        quoted(plan::describe(specimen)), experiment::law_of(specimen));
    for (const auto& described : experiment::described_numbers(specimen))
        text += fmt::format("{} = {}\n", described.key, toml_number(described.value));
    return text;
}

std::string prior_part(const std::string& source, std::span<const LearnedParameter> parameters) {
    std::string text = fmt::format("\n[prior]    # what was believed before these data\nsource = {}\n", quoted(source));
    for (const LearnedParameter& one : parameters)
        text += fmt::format("{} = {{ kind = \"{}\", centre = {}, spread = {} }}\n", key_of(one.parameter),
                            solver::name(one.prior.kind), toml_number(one.prior.centre), toml_number(one.prior.spread));
    return text;
}

std::string prior_data_part(const std::vector<std::string>& sha256) {
    std::string text;
    for (const std::string& one : sha256)
        text += fmt::format(
            "\n[[data]]    # already in the prior\nrun = \"\"\nkind = \"prior\"\nused = true\nsha256 = \"{}\"\n", one);
    return text;
}

std::string posterior_part(std::span<const LearnedParameter> parameters, const Eigen::MatrixXd& correlation,
                           std::size_t draws, double effective) {
    std::string text = fmt::format(
        "\n[posterior]    # what [uncertainty] prior = \"this file\" uses\nsamples = {}\n"
        "effective_samples = {:.1f}\n",
        draws, effective);
    for (const LearnedParameter& one : parameters)
        text += fmt::format(
            "\n[posterior.{}]    # {}\nkind = \"{}\"\ncentre = {}\nspread = {}\ninformative = {}\nmean = {:.6g}\n"
            "deviation = {:.6g}\ninterval_90 = [{:.6g}, {:.6g}]\n",
            key_of(one.parameter),
            one.parameter == solver::SpecimenParameter::tilt_rad ? "rad, added to the slope of the seat"
                                                                 : "a factor's distance from 1",
            solver::name(one.posterior.kind), toml_number(one.posterior.centre), toml_number(one.posterior.spread),
            one.is_informative, one.mean, one.deviation, one.low, one.high);
    text += "\n[posterior.correlation]    # one row per parameter, in this order\n";
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        text += fmt::format("{} = [", key_of(parameters[i].parameter));
        for (std::size_t j = 0; j < parameters.size(); ++j) {
            const auto row = static_cast<Index>(std::max(i, j)), column = static_cast<Index>(std::min(i, j));
            text += fmt::format("{}{}", j > 0 ? ", " : "", i == j ? "1.0" : toml_number(correlation(row, column)));
        }
        text += "]\n";
    }
    return text;
}

std::string learned_toml(const Learning& learning, const std::string& created_utc) {
    std::string text = head_part("What runs taught of a specimen", kAsPrior, learning.is_informative, created_utc);
    text += specimen_part(learning.runs.front().specimen());
    text += prior_part(learning.prior_source, learning.parameters);
    add_data(text, learning);
    text += posterior_part(learning.parameters, learning.correlation, learning.draws, learning.effective);
    add_held_out(text, learning);
    return text;
}

}  // namespace topple::hil::learn

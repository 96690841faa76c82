#include "hil/plan/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::plan {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kImpactsShown = 3;

/// The name of the file in front of a refusal says nothing here.
std::string without_file(const std::string& reason, const experiment::Experiment& experiment) {
    const std::string file = experiment.source.string() + ": ";
    return reason.starts_with(file) ? reason.substr(file.size()) : reason;
}

std::string row(const std::string& model, const SpecimenPrediction& specimen) {
    const solver::Prediction& p = specimen.prediction;
    std::string outcome(solver::name(p.outcome));
    if (p.direction) outcome += fmt::format(" {}", solver::name(*p.direction));
    std::string peaks, impacts;
    for (const double peak : p.peak_rotation_rad) peaks += fmt::format("{}{:.5f}", peaks.empty() ? "" : ", ", peak);
    for (std::size_t i = 0; i < std::min(p.impacts.size(), kImpactsShown); ++i)
        impacts += fmt::format("{}{:.4f}", i == 0 ? "" : ", ", p.impacts[i].time_s);
    const std::string rest = p.settled_time_s ? fmt::format("{:.3f}", *p.settled_time_s) : "-";
    std::string text = fmt::format("  {:<17} {:<24} {:<26}  {:<24}  {:>8}", model, outcome, peaks,
                                   impacts.empty() ? "none" : impacts, rest);
    if (p.slip && p.slip->peak_m > 0.0) text += fmt::format("  slips {:.2f} mm", 1e3 * p.slip->peak_m);
    if (specimen.model != model) text += "  as " + specimen.model;
    if (p.contact && p.contact->half_step && !p.contact->half_step->is_confirmed)
        text += "  not confirmed by half the step";
    if (specimen.bouncing && specimen.bouncing->rounding.parts_from_s)
        text += fmt::format("  chaotic from {:.2f} s", *specimen.bouncing->rounding.parts_from_s);
    return text + "\n";
}

Json specimen_json(const SpecimenPrediction& specimen) {
    const solver::Prediction& p = specimen.prediction;
    Json times = Json::array();
    for (std::size_t i = 0; i < std::min(p.impacts.size(), kImpactsShown); ++i) times.push_back(p.impacts[i].time_s);
    return {{"model", specimen.model},
            {"outcome", name_or_null(p.outcome)},
            {"direction", name_or_null(p.direction)},
            {"peak_rotation_rad", p.peak_rotation_rad},
            {"impacts_count", p.impacts.size()},
            {"impact_times_s", std::move(times)},
            {"settled_time_s", or_null(p.settled_time_s)},
            {"overturn_time_s", or_null(p.overturn_time_s)},
            {"status", solver::name(p.status)}};
}

}  // namespace

std::vector<ModelAnswer> predict_by_all_models(const experiment::Experiment& experiment) {
    if (experiment.assembly)
        throw files::InputError("--model all: an assembly has equations of its own and no other model");
    std::vector<ModelAnswer> answers;
    for (const std::string& name : experiment::model_names()) {
        ModelAnswer answer{name, {}, {}};
        try {
            PredictionRequest request;
            request.model = name;
            answer.specimens = predict_experiment(experiment, request).specimens;
        } catch (const files::InputError& error) {
            answer.refused = without_file(error.what(), experiment);
        }
        answers.push_back(std::move(answer));
    }
    if (std::all_of(answers.begin(), answers.end(), [](const ModelAnswer& one) { return !one.refused.empty(); }))
        throw files::InputError(
            fmt::format("{}: no model covers it; full: {}", experiment.source.string(), answers.front().refused));
    return answers;
}

std::string side_by_side_text(const experiment::Experiment& experiment, const std::vector<ModelAnswer>& answers) {
    std::string text = text::one_line(experiment.name) + "\n";
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        text += fmt::format("  {}{}\n  {:<17} {:<24} {:<26}  {:<24}  {:>8}\n",
                            experiment.specimens.size() > 1 ? fmt::format("specimen {}: ", i) : "",
                            describe(experiment.specimens[i]), "model", "outcome", "peak rotation / rad",
                            "first impacts / s", "rest / s");
        for (const ModelAnswer& answer : answers)
            if (answer.refused.empty()) text += row(answer.model, answer.specimens.at(i));
    }
    for (const ModelAnswer& answer : answers)
        if (!answer.refused.empty()) text += fmt::format("  {:<17} not used: {}\n", answer.model, answer.refused);
    return text;
}

std::string side_by_side_json(const experiment::Experiment& experiment, const std::vector<ModelAnswer>& answers) {
    Json models = Json::array();
    for (const ModelAnswer& answer : answers) {
        Json specimens = Json::array();
        for (const SpecimenPrediction& specimen : answer.specimens) specimens.push_back(specimen_json(specimen));
        models.push_back(
            {{"model", answer.model}, {"refused", text_or_null(answer.refused)}, {"specimens", std::move(specimens)}});
    }
    const Json document{{"schema", "topple.models/1"}, {"name", experiment.name}, {"models", std::move(models)}};
    return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::plan

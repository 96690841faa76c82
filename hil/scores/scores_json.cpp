#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/scores/scores_output.hpp"

namespace topple::hil::scores {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Share& share) {
    if (share.total == 0) return nullptr;
    return {{"count", share.count},
            {"total", share.total},
            {"share", share.value()},
            {"low", share.interval.low},
            {"high", share.interval.high}};
}

Json json_of(const MeanLoss& loss) {
    const auto end = [&](double Interval::*member) {
        return loss.interval ? Json((*loss.interval).*member) : Json(nullptr);
    };
    return {{"value", loss.value}, {"low", end(&Interval::low)}, {"high", end(&Interval::high)}};
}

Json json_of(const Reference& reference) {
    if (!reference.missing.empty()) return {{"missing", reference.missing}, {"verdict", name(reference.verdict)}};
    return {{"missing", nullptr},
            {"tests", reference.tests},
            {"brier", json_of(reference.brier)},
            {"prediction_brier", json_of(reference.prediction)},
            {"difference", json_of(reference.difference)},
            {"skill", or_null(reference.skill)},
            {"verdict", name(reference.verdict)}};
}

Json json_of(const Confusion& confusion) {
    Json classes = Json::array();
    for (const solver::Outcome one : confusion.classes) classes.push_back(solver::name(one));
    return {{"classes", classes},
            {"counts", confusion.counts},
            {"failed", confusion.failed},
            {"class_unknown", confusion.class_unknown},
            {"sliding_is_translation", confusion.sliding_is_translation}};
}

Json json_of(const OverturningScores& scores) {
    Json bins = Json::array();
    for (const ReliabilityBin& bin : scores.reliability)
        bins.push_back({{"low", bin.low},
                        {"high", bin.high},
                        {"mean_probability", bin.mean_probability},
                        {"overturned", json_of(bin.overturned)}});
    Json velocity = json_of(scores.peak_velocity);
    if (scores.velocity_fit) {
        const auto half = scores.velocity_fit->half();
        velocity["intercept"] = scores.velocity_fit->intercept;
        velocity["slope"] = scores.velocity_fit->slope;
        velocity["half_m_s"] = half ? Json(std::exp(*half)) : Json(nullptr);
        velocity["folds"] = scores.velocity_fit_in_folds ? "20" : "one_by_one";
    }
    return {{"counts", {{"stood", scores.counts[0]}, {"overturned", scores.counts[1]}}},
            {"right", json_of(scores.right)},
            {"brier", scores.tests > 0 ? json_of(scores.brier) : Json(nullptr)},
            {"expected_brier", scores.tests > 0 ? Json(scores.expected_brier) : Json(nullptr)},
            {"log_score", scores.tests > 0 ? json_of(scores.log_score) : Json(nullptr)},
            {"base_rate", json_of(scores.base_rate)},
            {"peak_velocity_fit", velocity},
            {"reliability", bins}};
}

Json json_of(const ClassScores& scores) {
    if (scores.tests == 0) return nullptr;
    return {{"tests", scores.tests},
            {"right", json_of(scores.right)},
            {"brier", json_of(scores.brier)},
            {"log_score", json_of(scores.log_score)},
            {"base_rate", json_of(scores.base_rate)}};
}

Json json_of(const PeakSpread& peak) {
    if (peak.tests == 0) return nullptr;
    return {{"tests", peak.tests},
            {"median_rad", peak.median_rad},
            {"least_rad", peak.least_rad},
            {"most_rad", peak.most_rad},
            {"standard_deviation_rad", peak.standard_deviation_rad}};
}

}  // namespace

Json scores_json(const Scores& scores) {
    const OverturningScores& fall = scores.overturning;
    return {{"schema", "topple.scores/1"},
            {"tests", fall.tests},
            {"different_tests", fall.groups},
            {"overturned", fall.overturned},
            {"without_prediction", scores.without_prediction},
            {"uninformative", text_or_null(scores.uninformative)},
            {"confusion", json_of(scores.confusion)},
            {"overturning", json_of(fall)},
            {"classes", json_of(scores.classes)},
            {"remarks", scores.remarks}};
}

Json repeats_json(std::span<const RepeatGroup> groups) {
    Json all = Json::array();
    for (const RepeatGroup& group : groups) {
        Json outcomes = Json::object();
        for (std::size_t code = 0; code < kOutcomes; ++code)
            if (group.outcomes[code] > 0)
                outcomes[std::string(solver::name(solver::outcome_of_code(static_cast<unsigned>(code))))] =
                    group.outcomes[code];
        all.push_back({{"group", group.group},
                       {"tests", group.tests},
                       {"outcomes", outcomes},
                       {"class_unknown", group.class_unknown},
                       {"overturned", json_of(group.overturned)},
                       {"most_common", json_of(group.most_common)},
                       {"pairs_alike", group.pairs_alike},
                       {"predicted_overturning", or_null(group.predicted_overturning)},
                       {"peak_rotation", json_of(group.peak)}});
    }
    return all;
}

}  // namespace topple::hil::scores

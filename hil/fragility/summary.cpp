// The results of a study in words and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hil/fragility/outputs.hpp"
#include "hil/host/version.hpp"

namespace topple::hil::fragility {
namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const std::optional<Interval>& interval) {
    const auto end = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    return interval ? Json::array({end(interval->low), end(interval->high)}) : Json(nullptr);
}

Json fit_json(const SpecimenResult& result) {
    const LognormalFit& fit = result.fit;
    Json json{{"state", name(fit.state)}};
    if (!is_informative(fit.state)) return json;
    json["median"] = fit.median;
    json["dispersion"] = fit.dispersion;
    json["median_5_95"] = interval_json(result.median_band);
    json["dispersion_5_95"] = interval_json(result.dispersion_band);
    json["bootstrap"] = {{"resamplings", result.resamplings},
                         {"none_fell", result.none_fell},
                         {"all_fell", result.all_fell},
                         {"without_a_curve", result.uninformative}};
    if (fit.state == FitState::step) {
        json["bracket"] = Json::array({fit.bracket_low, fit.bracket_high});
        return json;
    }
    json["deviance"] = fit.deviance;
    json["degrees_of_freedom"] = fit.degrees;
    json["probability_if_motions_were_independent"] = fit.probability;
    json["overdispersion"] = fit.degrees > 0 ? Json(fit.deviance / static_cast<double>(fit.degrees)) : Json(nullptr);
    return json;
}

Json efficiency_json(const SpecimenResult& result) {
    Json list = Json::array();
    for (const Efficiency& one : result.efficiency)
        list.push_back({{"measure", one.measure.name},
                        {"unit", one.measure.unit},
                        {"median_at_overturning", one.median},
                        {"dispersion", one.dispersion}});
    return list;
}

Json limits_json(const Study& study) {
    Json list = Json::array();
    for (const BeyondLimit& one : beyond_limit(study))
        list.push_back({{"motion", study.motions[one.motion].listed.name},
                        {"scale_least", one.least},
                        {"scale_largest", one.largest},
                        {"values", one.values}});
    return list;
}

std::string fit_words(const SpecimenResult& result, const std::string& unit) {
    const LognormalFit& fit = result.fit;
    if (!is_informative(fit.state)) return fmt::format("  fragility   {}\n", name(fit.state));
    std::string text =
        fmt::format("  fragility   median {:.4g} {}, dispersion {:.3f}", fit.median, unit, fit.dispersion);
    if (fit.state == FitState::step)
        text += fmt::format(" (a step between {:.4g} and {:.4g})", fit.bracket_low, fit.bracket_high);
    if (result.median_band)
        text += fmt::format("; over resampled motions 5-95 %: median {:.4g} to {:.4g}, dispersion {:.3f} to {:.3f}",
                            result.median_band->low, result.median_band->high, result.dispersion_band->low,
                            result.dispersion_band->high);
    text += '\n';
    if (fit.state == FitState::extrapolated) text += "  extrapolated: the median is outside the values\n";
    if (const std::string words = resampling_words(result); !words.empty()) text += "  bands       " + words + "\n";
    if (fit.degrees > 0)
        text += fmt::format(
            "  fit         deviance {:.1f} over {} degrees of freedom (probability {:.2g} if motions were "
            "independent at each value)\n",
            fit.deviance, fit.degrees, fit.probability);
    return text;
}

}  // namespace

std::string resampling_words(const SpecimenResult& result) {
    if (result.none_fell + result.all_fell + result.uninformative == 0) return {};
    return fmt::format("of {} resamplings nothing fell in {}, all fell in {}, {} have no curve and do not count",
                       result.resamplings, result.none_fell, result.all_fell, result.uninformative);
}

std::string efficiency_words(const SpecimenResult& result) {
    if (result.judged() == result.crossed) return fmt::format("{}", result.crossed);
    return fmt::format("{} ({} cross half within the values, {} above, {} below: known as bounds)", result.judged(),
                       result.crossed, result.above, result.below);
}

std::string specimen_words(const Evaluated& evaluated, std::size_t specimen) {
    return evaluated.specimens.size() > 1 ? fmt::format("specimen {}", specimen) : std::string("the specimen");
}

std::string study_text(const Evaluated& evaluated) {
    const Study& study = evaluated.study;
    std::string text;
    if (evaluated.is_partial())
        text += fmt::format("PARTIAL: {} of {} chunks are done; the numbers are of these\n", evaluated.chunks_done,
                            study.chunk_count());
    text += fmt::format("{} motions, {} values of {}, {} members: {} runs\n", study.motions.size(), study.value_count(),
                        intensity_label(study.section), study.member_count(), study.run_count());
    for (std::size_t s = 0; s < evaluated.specimens.size(); ++s) {
        const SpecimenResult& result = evaluated.specimens[s];
        text += specimen_words(evaluated, s) + "\n" +
                fit_words(result, std::string(experiment::unit(study.section.measure)));
        if (!result.efficiency.empty()) {
            text += fmt::format("  efficiency  dispersion at overturning over {} motions:", efficiency_words(result));
            for (std::size_t k = 0; k < std::min<std::size_t>(4, result.efficiency.size()); ++k)
                text += fmt::format("{} {} {:.3f}", k > 0 ? "," : "", result.efficiency[k].measure.name,
                                    result.efficiency[k].dispersion);
            text += '\n';
        }
        std::uint64_t failed = 0;
        for (const ValueResult& value : result.values) failed += value.failed;
        if (failed > 0) text += fmt::format("  {} solutions failed and do not count\n", failed);
    }
    return text;
}

std::string summary_json(const Evaluated& evaluated) {
    const Study& study = evaluated.study;
    Json json{{"schema", "topple.fragility/1"},
              {"topple", host::version()},
              {"name", study.experiment.name},
              {"study_sha256", study.fingerprint},
              {"partial", evaluated.is_partial()},
              {"chunks_done", evaluated.chunks_done},
              {"chunks", study.chunk_count()},
              {"runs", study.run_count()},
              {"motions", study.motions.size()},
              {"members", study.member_count()},
              {"intensity_measure", experiment::name(study.section.measure)},
              {"period_s", study.section.period_s > 0.0 ? Json(study.section.period_s) : Json(nullptr)},
              {"unit", experiment::unit(study.section.measure)},
              {"values", study.section.values},
              {"scale_limit", study.section.scale_limit},
              {"beyond_scale_limit", limits_json(study)}};
    Json specimens = Json::array();
    for (const SpecimenResult& result : evaluated.specimens)
        specimens.push_back({{"fragility", fit_json(result)},
                             {"motions_that_overturn_it", result.crossed},
                             {"motions_above_the_values", result.above},
                             {"motions_below_the_values", result.below},
                             {"efficiency", efficiency_json(result)}});
    json["specimens"] = specimens;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::fragility

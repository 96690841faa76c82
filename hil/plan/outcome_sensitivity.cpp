#include "hil/plan/outcome_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/plan/json_or_null.hpp"

namespace topple::hil::plan {
namespace {

constexpr const char* kAsGiven = "as_given";

/// "gain_low" reads "gain low at 2 standard errors".
std::string words(std::string name) {
    const bool is_crossover = name.starts_with("crossover");
    std::replace(name.begin(), name.end(), '_', ' ');
    return name + (is_crossover ? "" : " at 2 standard errors");
}

}  // namespace

bool OutcomeSensitivity::stands() const noexcept {
    return std::all_of(motions.begin(), motions.end(), [&](const MotionOutcome& one) {
        return one.motion == kAsGiven || one.outcome == motions.front().outcome;
    });
}

bool OutcomeSensitivity::holds_as_given() const noexcept {
    return std::all_of(motions.begin(), motions.end(), [&](const MotionOutcome& one) {
        return one.motion != kAsGiven || one.outcome == motions.front().outcome;
    });
}

std::string describe(const OutcomeSensitivity& sensitivity) {
    if (sensitivity.motions.empty()) return {};
    const auto named = [](std::optional<solver::Outcome> outcome) { return std::string(solver::name(outcome)); };
    std::string changed, as_given;
    for (const MotionOutcome& one : sensitivity.motions) {
        if (one.motion == kAsGiven)
            as_given = fmt::format("; the acceleration as it was given: {}", named(one.outcome));
        else if (one.outcome != sensitivity.motions.front().outcome)
            changed += fmt::format("{}{} with {}", changed.empty() ? "" : ", ", named(one.outcome), words(one.motion));
    }
    const std::string fused = named(sensitivity.motions.front().outcome);
    if (!changed.empty())
        return fmt::format("the outcome DEPENDS on the calibration: {} with the fused motion, {}{}", fused, changed,
                           as_given);
    const std::string within = fmt::format(
        "{} also with gain, bias and time shift at ±2 standard errors, and with half "
        "and double the crossover",
        fused);
    // A reader who takes the file at its word would have predicted something else: that is as much the news.
    return sensitivity.holds_as_given()
               ? fmt::format("the outcome stands: {}{}", within, as_given)
               : fmt::format("the outcome stands ONLY with the calibration: {}{}", within, as_given);
}

nlohmann::ordered_json sensitivity_json(const OutcomeSensitivity& sensitivity) {
    nlohmann::ordered_json json{{"stands", sensitivity.stands()}, {"holds_as_given", sensitivity.holds_as_given()}};
    json["motions"] = nlohmann::ordered_json::array();
    for (const MotionOutcome& one : sensitivity.motions)
        json["motions"].push_back({{"motion", one.motion},
                                   {"outcome", name_or_null(one.outcome)},
                                   {"peak_rotation_rad", one.peak_rotation_rad}});
    return json;
}

nlohmann::ordered_json fusion_json(const fused_motion::Calibration& c, double residual_m) {
    return {{"sign", c.sign},
            {"gain", c.gain},
            {"gain_standard_error", c.gain_error_m_s2_per_reading},
            {"bias_m_s2", c.gain * c.bias_reading},
            {"bias_standard_error_m_s2", c.gain * c.bias_error_reading},
            {"offset_s", c.shift_s},
            {"offset_standard_error_s", c.shift_error_s},
            {"correlation", c.correlation},
            {"band_hz", {c.band_low_hz, c.band_high_hz}},
            {"crossover_hz", c.crossover_hz},
            {"acceleration_noise_m_s2_per_root_hz", c.acceleration_noise_m_s2_per_root_hz},
            {"displacement_noise_m_per_root_hz", c.displacement_noise_m_per_root_hz},
            {"residual_m", residual_m},
            {"close_to_unity", fused_motion::is_close_to_unity(c)},
            {"unit_mixed_up", text_or_null(c.unit_mixed_up)}};
}

}  // namespace topple::hil::plan

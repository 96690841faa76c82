// Why a test went as predicted, or not: table, model, parameters or chance. The rule is docs/report.md#why.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/compare/agreement.hpp"
#include "hil/compare/attribution.hpp"
#include "hil/compare/model_comparison.hpp"

namespace topple::hil::compare {

enum class Cause {
    not_judged,           ///< no verdict: nothing to explain
    as_predicted,         ///< measured what was likeliest, before and after
    chance,               ///< within the spread of the prediction, but not its likeliest outcome
    other_plan,           ///< the test was not of the plan that was predicted blind: protected, or files changed since
    table,                ///< the blind prediction missed, the one from the achieved motion agrees
    model,                ///< no member does what was measured, another model does
    model_or_parameters,  ///< the prediction from the achieved motion is contradicted
};
std::string_view name(Cause cause) noexcept;

struct Why {
    Cause cause = Cause::not_judged;
    std::string text;  ///< one short paragraph
};

/// What the rule looks at.
struct WhyFacts {
    const Agreement& blind;
    const Agreement& achieved;
    const std::vector<plan::EnsembleMember>& blind_members;
    const std::vector<plan::EnsembleMember>& achieved_members;
    std::optional<solver::Outcome> measured;
    const Attribution& attribution;
    const ModelComparison& models;
};

Why explain_why(const WhyFacts& facts);

}  // namespace topple::hil::compare

#include "hil/compare/model_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hil/compare/predicted_rotation.hpp"
#include "hil/host/for_each_index.hpp"
#include "solver/predict.hpp"

namespace topple::hil::compare {
namespace {

using solver::Model;
using solver::Outcome;
using solver::RestitutionModel;
using solver::Specimen;
using Variant = std::optional<ModelVariant>;

constexpr std::size_t kImpactsListed = 3;

bool is_single_block(const Specimen& specimen) {
    return specimen.blocks.size() == 1 && !specimen.pivots && !specimen.foot;
}

Variant as_described(const Specimen& specimen) { return ModelVariant{specimen, Model::automatic, {}}; }

Variant housner(const Specimen& specimen) {
    if (specimen.pivots || specimen.restitution.model == RestitutionModel::housner) return {};
    ModelVariant variant{specimen, Model::automatic, {}};
    variant.specimen.restitution = {};
    return variant;
}

Variant improved(const Specimen& specimen) {
    if (!is_single_block(specimen) || specimen.restitution.model == RestitutionModel::improved) return {};
    ModelVariant variant{specimen, Model::automatic,
                         fmt::format("k = {} assumed, not measured on this specimen", kTypicalImpulsePosition)};
    variant.specimen.restitution = {};
    variant.specimen.restitution.model = RestitutionModel::improved;
    variant.specimen.restitution.impulse_position_k = kTypicalImpulsePosition;
    return variant;
}

Variant with_friction(const Specimen& specimen) {
    if (!is_single_block(specimen) || specimen.friction) return {};
    ModelVariant variant{specimen, Model::slide_rock,
                         fmt::format("friction {} static, {} kinetic assumed, not measured on this specimen",
                                     kTypicalFriction.static_ratio, kTypicalFriction.kinetic_ratio)};
    variant.specimen.friction = kTypicalFriction;
    return variant;
}

Variant without_friction(const Specimen& specimen, Model equations) {
    ModelVariant variant{specimen, equations, specimen.friction ? "the foot never slips" : ""};
    variant.specimen.friction.reset();
    return variant;
}

Variant without_slip(const Specimen& specimen) {
    if (!is_single_block(specimen) || !specimen.friction) return {};  // a stack's friction is only watched
    return without_friction(specimen, Model::rocking);
}

Variant with_equations(const Specimen& specimen, Model equations) {
    if (!is_single_block(specimen)) return {};
    return without_friction(specimen, equations);
}
Variant quasi_linear(const Specimen& specimen) { return with_equations(specimen, Model::quasi_linear); }
Variant linearised(const Specimen& specimen) { return with_equations(specimen, Model::linearised); }
Variant impulsive_force(const Specimen& specimen) { return with_equations(specimen, Model::impulsive_force); }

std::optional<ModelPrediction> predict_by(const ModelEntry& entry, const Specimen& specimen,
                                          const AchievedMotion& motion, const solver::BaseMotion& planned,
                                          double gravity_m_s2) {
    const Variant variant = entry.apply(specimen);
    if (!variant) return {};
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    options.model = variant->equations;
    try {
        const solver::Prediction p = motion.empty() ? solver::predict(variant->specimen, planned, options)
                                                    : predict_along(variant->specimen, motion, options);
        ModelPrediction one{.name = std::string(entry.name),
                            .what = std::string(entry.what),
                            .note = variant->note,
                            .outcome = p.outcome,
                            .direction = p.direction,
                            .peak_rotation_rad = p.peak_rotation_rad,
                            .impacts_s = {},
                            .overturn_time_s = p.overturn_time_s,
                            .settled_time_s = p.settled_time_s};
        for (std::size_t i = 0; i < std::min(kImpactsListed, p.impacts.size()); ++i)
            one.impacts_s.push_back(p.impacts[i].time_s);
        return one;
    } catch (const std::invalid_argument&) {  // the model does not cover this specimen or motion
        return {};
    }
}

}  // namespace

const std::vector<ModelEntry>& model_list() {
    static const std::vector<ModelEntry> list = {
        {"as described", "the specimen and model of the experiment file", as_described},
        {"housner", "restitution by conservation of angular momentum about the new corner", housner},
        {"improved", "impulse at k times half the width", improved},
        {"slide_rock", "rocks and slides with Coulomb friction", with_friction},
        {"rocking", "full equations of rocking", without_slip},
        {"quasi_linear", "small rotations", quasi_linear},
        {"linearised", "slender block, small rotations", linearised},
        {"impulsive_force", "impacts by a concentrated force, without a given restitution", impulsive_force},
    };
    return list;
}

bool ModelComparison::disagree() const noexcept {
    std::optional<Outcome> first;
    for (const ModelPrediction& model : models) {
        if (!model.outcome) continue;
        if (first && *first != *model.outcome) return true;
        first = model.outcome;
    }
    return false;
}

std::string ModelComparison::outcomes_text() const {
    std::vector<Outcome> outcomes;
    for (const ModelPrediction& model : models)
        if (model.outcome && std::find(outcomes.begin(), outcomes.end(), *model.outcome) == outcomes.end())
            outcomes.push_back(*model.outcome);
    std::vector<std::string> parts;
    for (const Outcome outcome : outcomes)
        parts.push_back(fmt::format("{} ({})", name(outcome), fmt::join(with(outcome), ", ")));
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> ModelComparison::with(Outcome outcome) const {
    std::vector<std::string> names;
    for (const ModelPrediction& model : models)
        if (model.outcome == outcome) names.push_back(model.name);
    return names;
}

ModelComparison compare_models(const Specimen& specimen, const AchievedMotion& motion,
                               const solver::BaseMotion& planned, double gravity_m_s2) {
    const std::vector<ModelEntry>& list = model_list();
    std::vector<std::optional<ModelPrediction>> found(list.size());
    host::for_each_index(list.size(), 0, [&](std::size_t i) {
        found[i] = predict_by(list[i], specimen, motion, planned, gravity_m_s2);
    });
    ModelComparison comparison{.along_achieved = !motion.empty(), .models = {}};
    for (std::optional<ModelPrediction>& model : found)
        if (model) comparison.models.push_back(std::move(*model));
    return comparison;
}

}  // namespace topple::hil::compare

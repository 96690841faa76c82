#include "hil/experiment/described_specimen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace topple::hil::experiment {
namespace {

constexpr double kSame_ratio = 1e-9;  // digits that a file keeps

}  // namespace

std::string_view law_of(const solver::Specimen& specimen) noexcept {
    switch (specimen.restitution.model) {
        case solver::RestitutionModel::housner: return "housner";
        case solver::RestitutionModel::improved: return "improved";
        case solver::RestitutionModel::fixed: return "fixed";
        case solver::RestitutionModel::random: return "random";
    }
    return "";
}

std::vector<DescribedNumber> described_numbers(const solver::Specimen& specimen) {
    std::vector<DescribedNumber> numbers;
    const auto add = [&](std::string key, double value) { numbers.push_back({std::move(key), value}); };
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) {
        add(fmt::format("block_{}_width_m", i), specimen.blocks[i].width_m);
        add(fmt::format("block_{}_height_m", i), specimen.blocks[i].height_m);
        add(fmt::format("block_{}_mass_kg", i), specimen.blocks[i].mass_kg);
    }
    if (const auto& pivots = specimen.pivots) {
        add("alpha_left_rad", pivots->alpha_left_rad);
        add("alpha_right_rad", pivots->alpha_right_rad);
        add("radius_left_m", pivots->radius_left_m);
        add("radius_right_m", pivots->radius_right_m);
        add("inertia_kg_m2", pivots->inertia_kg_m2);
    }
    if (const auto& foot = specimen.foot) {
        for (std::size_t i = 0; i < foot->corners_m.size(); ++i) {
            add(fmt::format("foot_corner_{}_x_m", i), foot->corners_m[i][0]);
            add(fmt::format("foot_corner_{}_z_m", i), foot->corners_m[i][1]);
        }
        add("inertia_kg_m2", foot->inertia_kg_m2);
        add("yaw_rad", specimen.yaw_rad);
    }
    const solver::Restitution& restitution = specimen.restitution;
    add("restitution_k", restitution.impulse_position_k);
    add("restitution_left_to_right", restitution.fixed_left_to_right);
    add("restitution_right_to_left", restitution.fixed_right_to_left);
    for (std::size_t i = 0; i < restitution.fixed_faces.size(); ++i) {
        add(fmt::format("restitution_face_{}_left_to_right", i), restitution.fixed_faces[i][0]);
        add(fmt::format("restitution_face_{}_right_to_left", i), restitution.fixed_faces[i][1]);
    }
    for (std::size_t i = 0; i < restitution.material.size(); ++i)
        add(fmt::format("restitution_material_{}", i), restitution.material[i]);
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i)
        if (const auto friction = solver::friction_at(specimen, i)) {
            add(fmt::format("friction_{}_static", i), friction->static_ratio);
            add(fmt::format("friction_{}_kinetic", i), friction->kinetic_ratio);
        }
    add("initial_tilt_rad", specimen.initial_tilt_rad);
    return numbers;
}

DescribedSpecimen described(const solver::Specimen& specimen) {
    return {std::string(law_of(specimen)), described_numbers(specimen)};
}

std::string difference(const DescribedSpecimen& there, const solver::Specimen& specimen) {
    if (there.law != law_of(specimen))
        return fmt::format("restitution_law = \"{}\" there, \"{}\" here", there.law, law_of(specimen));
    const std::vector<DescribedNumber> here = described_numbers(specimen);
    const auto find = [](const std::vector<DescribedNumber>& list, const std::string& key) {
        return std::find_if(list.begin(), list.end(), [&](const DescribedNumber& one) { return one.key == key; });
    };
    for (const DescribedNumber& number : here) {
        const auto other = find(there.numbers, number.key);
        if (other == there.numbers.end()) return fmt::format("{} is missing there", number.key);
        if (std::abs(other->value - number.value) > kSame_ratio * std::max(std::abs(other->value), 1e-3))
            return fmt::format("{} = {:g} there, {:g} here", number.key, other->value, number.value);
    }
    for (const DescribedNumber& number : there.numbers)
        if (find(here, number.key) == here.end()) return fmt::format("{} is missing here", number.key);
    return {};
}

}  // namespace topple::hil::experiment

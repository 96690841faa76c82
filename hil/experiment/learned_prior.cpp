#include "hil/experiment/learned_prior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/experiment/toml_table.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"

namespace topple::hil::experiment {
namespace {

using solver::Distribution;
using solver::DistributionKind;
using solver::SpecimenParameter;

constexpr std::size_t kBytesMax = 4 << 20;
constexpr double kSame_ratio = 1e-9;  // digits that a file keeps

bool is_of(const std::vector<SpecimenParameter>& list, SpecimenParameter parameter) {
    return std::find(list.begin(), list.end(), parameter) != list.end();
}

/// Limits as those of [uncertainty]; a factor stays above 0 within 4 spreads.
Distribution read_one(TomlTable table, SpecimenParameter parameter) {
    const bool is_tilt = parameter == SpecimenParameter::tilt_rad;
    const std::string kind = is_tilt ? table.one_of("kind", {"normal", "uniform"})
                                     : table.one_of("kind", {"normal", "lognormal", "uniform"});
    Distribution of;
    of.kind = kind == "normal"      ? DistributionKind::normal
              : kind == "lognormal" ? DistributionKind::lognormal
                                    : DistributionKind::uniform;
    const bool is_logarithm = of.kind == DistributionKind::lognormal;
    of.centre = table.number("centre", is_tilt        ? between(-0.4, 0.4)
                                       : is_logarithm ? between(-2.0, 2.0)
                                                      : between(-0.9, 2.0));
    of.spread = table.number("spread", is_tilt ? between(0.0, 0.4) : between(0.0, 1.0));
    const double reach = of.kind == DistributionKind::normal ? 4.0 * of.spread : of.spread;
    if (!is_tilt && !is_logarithm && !(1.0 + of.centre - reach > 0.0))
        table.fail("spread", "a factor would reach 0: allowed: 1 + centre above 4 spreads (normal) or one (uniform)");
    return of;  // what else stands there is for the reader
}

solver::CorrelationFactor factor_of(const std::vector<SpecimenParameter>& learned,
                                    const std::vector<std::vector<double>>& correlation, const TomlTable& where) {
    solver::CorrelationFactor matrix{};
    for (std::size_t i = 0; i < solver::kSpecimenParameters; ++i) matrix[i][i] = 1.0;
    const auto place = [&](std::size_t i) { return static_cast<std::size_t>(learned[i]); };
    for (std::size_t i = 0; i < learned.size(); ++i)
        for (std::size_t j = 0; j < learned.size(); ++j) {
            if (std::abs(correlation[i][j] - correlation[j][i]) > 1e-9)
                where.fail_here("not symmetric: allowed: the correlation of a with b is that of b with a");
            matrix[place(i)][place(j)] = correlation[i][j];
        }
    solver::CorrelationFactor factor{};  // Cholesky
    for (std::size_t i = 0; i < solver::kSpecimenParameters; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double left = matrix[i][j];
            for (std::size_t k = 0; k < j; ++k) left -= factor[i][k] * factor[j][k];
            if (i == j && !(left > 0.0))
                where.fail_here("no matrix of correlations: allowed: 1 on the diagonal, positive definite");
            factor[i][j] = i == j ? std::sqrt(left) : left / factor[j][j];
        }
    return factor;
}

void read_correlation(TomlTable& posterior, LearnedPrior& prior) {
    if (!posterior.has("correlation")) return;
    TomlTable table = posterior.table("correlation");
    std::vector<std::vector<double>> rows;
    for (const SpecimenParameter parameter : prior.learned) {
        const std::string_view key = key_of(parameter);
        rows.push_back(table.numbers(key, between(-1.0, 1.0), prior.learned.size()));
        if (rows.back().size() != prior.learned.size())
            table.fail(key, fmt::format("allowed: {} numbers, one for each learned parameter", prior.learned.size()));
        if (rows.back()[rows.size() - 1] != 1.0) table.fail(key, "allowed: 1 with itself");
    }
    table.finish();
    prior.of.correlation = factor_of(prior.learned, rows, table);
}

void read_posterior(TomlTable posterior, LearnedPrior& prior) {
    for (const char* key : {"samples", "effective_samples"}) posterior.has(key);
    for (const SpecimenParameter parameter : kLearnable) {
        if (!posterior.has(key_of(parameter))) continue;
        prior.learned.push_back(parameter);
        distribution_of(prior.of, parameter) = read_one(posterior.table(key_of(parameter)), parameter);
    }
    posterior.has("correlation");
    posterior.finish();  // a misspelled parameter would make its row of the correlation too long
    read_correlation(posterior, prior);
}

/// The members table that a fit of outcomes wrote beside it; empty if there is none.
std::string members_of(TomlTable& file) {
    if (!file.has("members")) return {};
    TomlTable members = file.table("members");
    return members.has("file") ? members.text("file") : std::string();
}

void read_data(TomlTable& file, LearnedPrior& prior) {
    for (TomlTable& run : file.tables("data")) {
        if (!run.boolean_or("used", false)) continue;
        ++prior.runs_used;
        prior.run_sha256.push_back(run.text("sha256"));
    }
}

}  // namespace

std::string_view key_of(SpecimenParameter parameter) noexcept {
    switch (parameter) {
        case SpecimenParameter::restitution: return "restitution";
        case SpecimenParameter::impulse_position: return "k";
        case SpecimenParameter::width: return "width";
        case SpecimenParameter::height: return "height";
        case SpecimenParameter::tilt_rad: return "tilt_rad";
        case SpecimenParameter::friction: return "friction";
    }
    return "";
}

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
        if (foot->overturned_rad != solver::kLyingDown_rad) add("overturned_rad", foot->overturned_rad);
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

LearnedPrior read_learned_prior(const std::filesystem::path& path) {
    const std::string text = files::read_text_file(path, kBytesMax);
    LearnedPrior prior;
    prior.file = path.string();
    prior.sha256 = files::sha256_hex(text);
    for (const SpecimenParameter parameter : kLearnable) distribution_of(prior.of, parameter) = {};
    prior.of.amplitude = {};
    TomlTable file = TomlTable::parse(text, path.string());
    file.one_of("schema", {kLearnedSchema});
    prior.is_informative = file.one_of("verdict", {"learned", "uninformative"}) == "learned";
    for (const char* key : {"topple_version", "created_utc", "prior", "held_out", "remarks", "outcomes"}) file.has(key);
    const std::string members = members_of(file);
    TomlTable specimen = file.table("specimen");
    prior.law = specimen.text("restitution_law");
    for (const std::string& key : specimen.keys()) {
        if (key == "restitution_law" || key == "description") continue;
        prior.specimen.push_back({key, specimen.number(key, NumberRange{})});
    }
    read_data(file, prior);
    read_posterior(file.table("posterior"), prior);
    if (prior.learned.empty())
        file.fail("posterior",
                  members.empty() ? "holds no parameter that [uncertainty] knows"
                                  : fmt::format("holds no parameter that [uncertainty] prior has a place for; allowed: "
                                                "[uncertainty] members = \"{}\", which holds them",
                                                members));
    file.finish();
    return prior;
}

std::string not_of(const LearnedPrior& prior, const solver::Specimen& specimen) {
    if (prior.law != law_of(specimen))
        return fmt::format("restitution_law = \"{}\" there, \"{}\" here", prior.law, law_of(specimen));
    const std::vector<DescribedNumber> here = described_numbers(specimen);
    const auto find = [](const std::vector<DescribedNumber>& list, const std::string& key) {
        return std::find_if(list.begin(), list.end(), [&](const DescribedNumber& one) { return one.key == key; });
    };
    for (const DescribedNumber& number : here) {
        const auto there = find(prior.specimen, number.key);
        if (there == prior.specimen.end()) return fmt::format("{} is missing there", number.key);
        if (std::abs(there->value - number.value) > kSame_ratio * std::max(std::abs(there->value), 1e-3))
            return fmt::format("{} = {:g} there, {:g} here", number.key, there->value, number.value);
    }
    for (const DescribedNumber& number : prior.specimen)
        if (find(here, number.key) == here.end()) return fmt::format("{} is missing here", number.key);
    if (solver::foot_count(specimen) > 1)
        for (const SpecimenParameter parameter : {SpecimenParameter::width, SpecimenParameter::height})
            if (is_of(prior.learned, parameter))
                return fmt::format("{} there, but this specimen has several feet", key_of(parameter));
    return {};
}

std::string prior_words(const LearnedPrior& prior) {
    return fmt::format("{} (SHA-256 {}..., from {} run{} or table{} of tests{})", prior.file,
                       prior.sha256.substr(0, 12), prior.runs_used, prior.runs_used == 1 ? "" : "s",
                       prior.runs_used == 1 ? "" : "s",
                       prior.is_informative ? "" : ", which taught nothing: the prior before them");
}

}  // namespace topple::hil::experiment

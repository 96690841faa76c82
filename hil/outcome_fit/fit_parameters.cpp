#include "hil/outcome_fit/fit_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "hil/learn/open_parameters.hpp"
#include "solver/study/standing_pose.hpp"

namespace topple::hil::outcome_fit {
namespace {

using learn::has_friction;
using learn::is_open;
using solver::Distribution;
using solver::MemberDraw;
using solver::SpecimenParameter;

FitParameter factor(std::string key, const Distribution& prior, void (*apply)(MemberDraw&, std::size_t, double)) {
    FitParameter one;
    one.key = std::move(key);
    one.prior = prior;
    one.apply = apply;
    return one;
}

void set_width(MemberDraw& draw, std::size_t foot, double value) { draw.perturbation.width_factors[foot] = value; }
void set_height(MemberDraw& draw, std::size_t foot, double value) { draw.perturbation.height_factors[foot] = value; }

}  // namespace

void FitParameters::add(FitParameter parameter) { all_.push_back(std::move(parameter)); }

/// One size for one foot, one for each side, or one for each block.
void FitParameters::add_sizes(const solver::Specimen& specimen) {
    const bool has_sides = feet_ == 2 && specimen.blocks.size() == 1;
    for (const auto& [name, prior, apply, kind] :
         {std::tuple{"width", prior_.width, &set_width, SpecimenParameter::width},
          std::tuple{"height", prior_.height, &set_height, SpecimenParameter::height}})
        for (std::size_t foot = 0; foot < feet_; ++foot) {
            const bool is_of_whole = specimen.foot && kind == SpecimenParameter::height;  // over the standing face
            if (is_of_whole && foot > 0) break;
            FitParameter one = factor(name, prior, apply);
            one.index = foot;
            if (has_sides && !is_of_whole)
                one.key += foot == 0 ? "_left" : "_right";
            else if (feet_ > 1 && !has_sides)
                one.key += fmt::format("_block_{}", foot), one.has_column = false;
            else if (feet_ == 1)
                one.kind = kind;
            add(std::move(one));
        }
}

/// How a single body stands, and what each of its faces does.
void FitParameters::add_pose() {
    if (faces_ == 0) return;
    const auto added = [](std::string key, const char* unit, const Distribution& prior,
                          void (*apply)(MemberDraw&, std::size_t, double)) {
        FitParameter one = factor(std::move(key), prior, apply);
        one.unit = unit;
        return one;
    };
    add(added("yaw_rad", "rad", prior_.yaw_rad,
              [](MemberDraw& draw, std::size_t, double value) { draw.perturbation.yaw_rad = value; }));
    add(added("seat_m", "m", prior_.seat_m,
              [](MemberDraw& draw, std::size_t, double value) { draw.perturbation.seat_m = value; }));
    FitParameter wear = added("wear_m", "m", prior_.wear_m,
                              [](MemberDraw& draw, std::size_t, double value) { draw.perturbation.wear_m = value; });
    wear.is_one_sided = true;
    add(std::move(wear));
    for (std::size_t face = 0; face < faces_; ++face) {
        FitParameter one = factor(
            fmt::format("restitution_face_{}", face), prior_.restitution_face,
            [](MemberDraw& draw, std::size_t index, double value) { draw.perturbation.face_factors[index] = value; });
        one.index = face;
        add(std::move(one));
    }
}

FitParameters::FitParameters(const solver::Uncertainty& prior, const solver::Specimen& specimen,
                             const std::vector<std::string>& learned)
    : prior_(prior), feet_(solver::foot_count(specimen)), faces_(solver::face_count(specimen)) {
    FitParameter restitution =
        factor("restitution", prior.restitution,
               [](MemberDraw& draw, std::size_t, double value) { draw.perturbation.restitution_factor = value; });
    restitution.kind = SpecimenParameter::restitution;
    add(restitution);
    if (specimen.restitution.model == solver::RestitutionModel::improved) {
        FitParameter k = factor("k", prior.impulse_position, [](MemberDraw& draw, std::size_t, double value) {
            draw.perturbation.impulse_position_factor = value;
        });
        k.kind = SpecimenParameter::impulse_position;
        add(k);
    }
    add_sizes(specimen);
    FitParameter tilt = factor("tilt_rad", prior.tilt_rad,
                               [](MemberDraw& draw, std::size_t, double value) { draw.perturbation.tilt_rad = value; });
    tilt.kind = SpecimenParameter::tilt_rad;
    tilt.unit = "rad";
    add(tilt);
    if (has_friction(specimen)) {
        FitParameter friction = factor("friction", prior.friction, [](MemberDraw& draw, std::size_t, double value) {
            draw.perturbation.friction_factor = value;
        });
        friction.kind = SpecimenParameter::friction;
        add(friction);
    }
    add_pose();
    FitParameter amplitude = factor("amplitude", prior.amplitude,
                                    [](MemberDraw& draw, std::size_t, double value) { draw.motion.amplitude = value; });
    FitParameter frequency = factor("frequency", prior.frequency,
                                    [](MemberDraw& draw, std::size_t, double value) { draw.motion.frequency = value; });
    amplitude.is_of_motion = frequency.is_of_motion = true;
    add(amplitude);
    add(frequency);
    take_roles(learned);
}

void FitParameters::take_roles(const std::vector<std::string>& learned) {
    for (const std::string& key : learned) {
        const auto one =
            std::find_if(all_.begin(), all_.end(), [&](const FitParameter& each) { return each.key == key; });
        std::vector<std::string_view> allowed;
        for (const FitParameter& each : all_)
            if (is_open(each.prior) && !each.is_of_motion && each.has_column) allowed.push_back(each.key);
        if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
        throw std::invalid_argument(
            fmt::format("{}: {}; allowed, with distributions in [uncertainty]: {}", key,
                        one == all_.end()   ? "no parameter of this specimen"
                        : one->is_of_motion ? "belongs to the motion, and is drawn anew for each test"
                        : !one->has_column  ? "one size of a block of a stack is varied, not learned"
                                            : "fixed in [uncertainty]",
                        allowed.empty() ? std::string("none") : fmt::format("{}", fmt::join(allowed, ", "))));
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
        FitParameter& one = all_[i];
        if (!is_open(one.prior)) continue;
        const bool is_named = std::find(learned.begin(), learned.end(), one.key) != learned.end();
        one.role = one.is_of_motion              ? Role::per_test
                   : !one.has_column             ? Role::varied
                   : learned.empty() || is_named ? Role::learned
                                                 : Role::per_test;
        (one.role == Role::per_test ? per_test_ : common_).push_back(i);
        if (one.role == Role::per_test && !one.is_of_motion) varies_specimen_per_test_ = true;
    }
}

std::vector<double> FitParameters::values(std::span<const double> common, std::span<const double> per_test) const {
    std::vector<double> standard(all_.size(), 0.0);
    for (std::size_t i = 0; i < common_.size(); ++i) standard[common_[i]] = common[i];
    for (std::size_t i = 0; i < per_test_.size(); ++i) standard[per_test_[i]] = per_test[i];
    if (prior_.correlation) {
        solver::StandardDraw together{};
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i].kind) together[static_cast<std::size_t>(*all_[i].kind)] = standard[i];
        together = solver::correlated(prior_, together);
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i].kind) standard[i] = together[static_cast<std::size_t>(*all_[i].kind)];
    }
    for (std::size_t i = 0; i < all_.size(); ++i) standard[i] = all_[i].value(standard[i]);
    return standard;
}

solver::MemberDraw FitParameters::member(std::span<const double> values) const {
    MemberDraw draw;
    draw.perturbation.width_factors.assign(feet_, 1.0);
    draw.perturbation.height_factors.assign(feet_, 1.0);
    const bool has_faces = std::any_of(all_.begin(), all_.end(), [](const FitParameter& one) {
        return one.role != Role::fixed && one.key.starts_with("restitution_face");
    });
    if (has_faces) draw.perturbation.face_factors.assign(faces_, 1.0);
    for (std::size_t i = 0; i < all_.size(); ++i)
        if (all_[i].apply && (has_faces || !all_[i].key.starts_with("restitution_face")))
            all_[i].apply(draw, all_[i].index, values[i]);
    return draw;
}

}  // namespace topple::hil::outcome_fit

#include "hil/study/key_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "hil/files/errors.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::study {
namespace {

using experiment::Experiment;
using files::InputError;

constexpr double kValueMax = 1e15;
constexpr double kTwoPi = 2.0 * std::numbers::pi;

constexpr const char* kDuration = "p_ta";
constexpr const char* kSlenderness = "slenderness";
constexpr const char* kSize = "size_m";
constexpr const char* kFrequencyRatio = "frequency_ratio";
constexpr const char* kAmplitudeRatio = "amplitude_ratio";

struct Named {
    const char* key;  ///< whole, or the last part of it
    const char* plain;
    const char* figure;
};
constexpr Named kNames[] = {
    {kDuration, "p ta", "p t_a"},
    {kSlenderness, "h/b", "h / b"},
    {kSize, "R", "R"},
    {kFrequencyRatio, "omega/p", "ω / p"},
    {kAmplitudeRatio, "a0/(g tan alpha)", "a_0 / (g tan α)"},
    {"excitation.gap_m", "BD", "BD"},
    {"excitation.peak_velocity_m_s", "vpeak", "v_{peak}"},
    {"excitation.base_friction", "mu_b", "μ_b"},
    {"excitation.rise_time_s", "tr", "t_r"},
    {"excitation.stopper_rebound_ratio", "es", "e_s"},
    {"excitation.duration_s", "ta", "t_a"},
    {"excitation.displacement_m", "u0", "u_0"},
    {"amplitude_m_s2", "a0", "a_0"},
    {"amplitude_g", "a0/g", "a_0 / g"},
    {"frequency_hz", "f", "f"},
    {"angular_frequency_rad_s", "omega", "ω"},
    {"cycles", "n", "n"},
    {"width_m", "b", "b"},
    {"height_m", "h", "h"},
    {"mass_kg", "m", "m"},
    {"friction", "mu", "μ"},
    {"static", "mu_s", "μ_s"},
    {"kinetic", "mu_k", "μ_k"},
    {"restitution", "e", "e"},
    {"value", "r", "r"},
    {"material", "eta_m", "η_m"},
    {"k", "k", "k"},
    {"stiffness_ratio", "k1/k2", "k_1 / k_2"},
    {"exponent", "n", "n"},
    {"initial_rotation_rad", "theta0", "θ_0"},
    {"initial_tilt_rad", "beta", "β"},
    {"gravity_m_s2", "g", "g"},
    {"time_step_s", "dt", "Δt"},
};

std::string unit_of(const std::string& key) {
    static const std::array<std::pair<const char*, const char*>, 10> units{{{"_m_s2", "m/s2"},
                                                                            {"_m_s", "m/s"},
                                                                            {"_rad_s", "rad/s"},
                                                                            {"_rad", "rad"},
                                                                            {"_hz", "Hz"},
                                                                            {"_kg", "kg"},
                                                                            {"_pa", "Pa"},
                                                                            {"_kg_m3", "kg/m3"},
                                                                            {"_m", "m"},
                                                                            {"_s", "s"}}};
    for (const auto& [ending, unit] : units)
        if (key.ends_with(ending)) return unit;
    return {};
}

AxisSymbol symbol_of(const std::string& key) {
    const std::string last = key.substr(key.rfind('.') == std::string::npos ? 0 : key.rfind('.') + 1);
    for (const Named& named : kNames)
        if (key == named.key || last == named.key) return {named.plain, named.figure, unit_of(key)};
    return {last, "", unit_of(key)};
}

bool is_key(const std::string& key) {
    return !key.empty() && key.front() != '.' && key.back() != '.' && std::all_of(key.begin(), key.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
    });
}

/// The key under which all that sets the same number of the file goes.
std::string set_by(const std::string& key) {
    if (key == kFrequencyRatio || key == "excitation.angular_frequency_rad_s") return "excitation.frequency_hz";
    if (key == kAmplitudeRatio || key == "excitation.amplitude_g") return "excitation.amplitude_m_s2";
    return key == kDuration ? "excitation.duration_s" : key;
}

solver::Block outline(const Experiment& experiment) {
    if (experiment.specimens.empty() || experiment.specimens[0].blocks.empty()) return {};
    const solver::Specimen& specimen = experiment.specimens[0];
    solver::Block block = specimen.blocks[0];
    for (std::size_t i = 1; i < specimen.blocks.size(); ++i) block.height_m += specimen.blocks[i].height_m;
    return block;
}

std::optional<solver::SpecimenScale> standing_scale(const Experiment& experiment) {
    if (experiment.specimens.empty()) return std::nullopt;
    const solver::Specimen& specimen = experiment.specimens[0];
    if (!specimen.pivots && !specimen.foot) return std::nullopt;
    return solver::scale_of(specimen, experiment.gravity_m_s2);
}

}  // namespace

const std::vector<DerivedAxis>& derived_axes() {
    static const std::vector<DerivedAxis> all{
        {kDuration, "p ta of a constant pulse"},
        {kSlenderness, "h/b of a single block, its half-diagonal unchanged"},
        {kSize, "half-diagonal R of a single block, its h/b unchanged"},
        {kFrequencyRatio, "omega/p"},
        {kAmplitudeRatio, "a0/(g tan alpha)"},
    };
    return all;
}

std::string KeyAxis::label() const {
    const std::string of = symbol.unit.empty() ? ""
                                               : " / " + (symbol.unit == "m/s"    ? "(m/s)"
                                                          : symbol.unit == "m/s2" ? "(m/s²)"
                                                                                  : symbol.unit);
    // A key has underscores, which are no subscripts.
    std::string name;
    for (const char c : key) name += c == '_' ? std::string("\\_") : std::string(1, c);
    return fmt::format("{}  {}{}", name, symbol.figure, of);
}

KeyAxis parse_key_axis(const std::string& option, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    if (equals == std::string::npos || !is_key(key))
        throw InputError(
            fmt::format("{} \"{}\"; allowed: KEY=LO:HI:N, KEY a number of the file such as "
                        "excitation.frequency_hz or specimen.height_m",
                        option, text::one_line(text)));
    return {key, parse_range(option + " " + key, text.substr(equals + 1), -kValueMax, kValueMax), symbol_of(key)};
}

KeyNumbers::KeyNumbers(const Experiment& experiment)
    : text_(experiment.text, experiment.source.string()),
      file_(experiment.source.string()),
      gravity_m_s2_(experiment.gravity_m_s2),
      shape_(outline(experiment)),
      standing_(standing_scale(experiment)),
      is_single_(experiment.specimens.size() == 1 && experiment.specimens[0].blocks.size() == 1 &&
                 !experiment.specimens[0].pivots && !experiment.specimens[0].foot && text_.has("specimen.width_m")) {}

bool KeyNumbers::is_shape(const std::string& key) { return key == kSlenderness || key == kSize; }

void KeyNumbers::require_shape(const std::string& key) const {
    if (is_shape(key) && !is_single_)
        throw InputError(fmt::format("{}: {} is of a single block with width_m and height_m", file_, key));
}

std::string KeyNumbers::amplitude_key() const {
    return text_.has("excitation.amplitude_g") ? "excitation.amplitude_g" : "excitation.amplitude_m_s2";
}

std::string KeyNumbers::frequency_key() const {
    return text_.has("excitation.angular_frequency_rad_s") ? "excitation.angular_frequency_rad_s"
                                                           : "excitation.frequency_hz";
}

double KeyNumbers::unit_of_amplitude(const std::string& key) const {
    return key == "excitation.amplitude_g" ? gravity_m_s2_ : 1.0;
}

solver::SpecimenScale KeyNumbers::scale(const solver::Block& shape) const {
    if (standing_) return *standing_;
    if (!(shape.height_m > 0.0)) return {};
    return {shape.slenderness_rad(), shape.frequency_parameter_rad_s(gravity_m_s2_)};
}

double KeyNumbers::own(const std::string& key) const {
    const auto [alpha_rad, p_rad_s] = scale(shape_);
    const double turn = frequency_key() == "excitation.frequency_hz" ? kTwoPi : 1.0;
    if (key == kDuration) return p_rad_s * text_.number("excitation.duration_s");
    if (key == kSlenderness) return shape_.height_m / shape_.width_m;
    if (key == kSize) return shape_.half_diagonal_m();
    if (key == kFrequencyRatio) return turn * text_.number(frequency_key()) / p_rad_s;
    if (key == kAmplitudeRatio)
        return text_.number(amplitude_key()) * unit_of_amplitude(amplitude_key()) /
               (gravity_m_s2_ * std::tan(alpha_rad));
    if (key == "excitation.amplitude_g" || key == "excitation.amplitude_m_s2")
        return text_.number(amplitude_key()) * unit_of_amplitude(amplitude_key()) / unit_of_amplitude(key);
    if (key == "excitation.frequency_hz") return turn * text_.number(frequency_key()) / kTwoPi;
    if (key == "excitation.angular_frequency_rad_s") return turn * text_.number(frequency_key());
    return text_.number(key);
}

void KeyNumbers::reshape(const Number& number, solver::Block& shape) const {
    const double ratio = number.key == kSlenderness ? number.value : shape.height_m / shape.width_m;
    const double diagonal_m = 2.0 * (number.key == kSize ? number.value : shape.half_diagonal_m());
    shape.width_m = diagonal_m / std::hypot(1.0, ratio);
    shape.height_m = ratio * shape.width_m;
}

void KeyNumbers::change(const Number& number, const solver::Block& shape, Changes& changes) const {
    const std::string& key = number.key;
    const auto [alpha_rad, p_rad_s] = scale(shape);
    const double value = number.value, turn = frequency_key() == "excitation.frequency_hz" ? kTwoPi : 1.0;
    if (is_shape(key)) return;
    if (key == kDuration)
        changes.push_back({"excitation.duration_s", value / p_rad_s});
    else if (key == kFrequencyRatio)
        changes.push_back({frequency_key(), value * p_rad_s / turn});
    else if (key == kAmplitudeRatio)
        changes.push_back(
            {amplitude_key(), value * gravity_m_s2_ * std::tan(alpha_rad) / unit_of_amplitude(amplitude_key())});
    else if (key == "excitation.amplitude_g" || key == "excitation.amplitude_m_s2")
        changes.push_back({amplitude_key(), value * unit_of_amplitude(key) / unit_of_amplitude(amplitude_key())});
    else if (key == "excitation.frequency_hz")
        changes.push_back({frequency_key(), value * kTwoPi / turn});
    else if (key == "excitation.angular_frequency_rad_s")
        changes.push_back({frequency_key(), value / turn});
    else
        changes.push_back({key, value});
}

std::string KeyNumbers::text_with(std::span<const Number> numbers) const {
    solver::Block shape = shape_;
    Changes changes;
    bool reshaped = false;
    for (const Number& number : numbers) {
        require_shape(number.key);
        if (!is_shape(number.key)) continue;
        reshape(number, shape);
        reshaped = true;
    }
    if (reshaped) changes = {{"specimen.width_m", shape.width_m}, {"specimen.height_m", shape.height_m}};
    for (const Number& number : numbers) change(number, shape, changes);
    return text_.with(changes);
}

KeyAxes::KeyAxes(const Experiment& experiment, KeyAxis x, KeyAxis y)
    : numbers_(experiment), x_(std::move(x)), y_(std::move(y)) {
    if (set_by(x_.key) == set_by(y_.key))
        throw InputError(x_.key == y_.key
                             ? fmt::format("--x and --y: both vary {}", x_.key)
                             : fmt::format("--x and --y: {} and {} set the same number of the file", x_.key, y_.key));
    for (const KeyAxis* axis : {&x_, &y_}) {
        numbers_.require_shape(axis->key);
        own(*axis);  // throws if it is not there
        for (const KeyAxis* other : {&x_, &y_})
            if (KeyNumbers::is_shape(axis->key) &&
                (other->key == "specimen.width_m" || other->key == "specimen.height_m"))
                throw InputError(fmt::format("--x and --y: {} changes {} already", axis->key, other->key));
    }
}

std::string KeyAxes::text_at(double x, double y) const {
    const KeyNumbers::Number numbers[] = {{x_.key, x}, {y_.key, y}};
    return numbers_.text_with(numbers);
}

}  // namespace topple::hil::study

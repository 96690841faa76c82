#include "hil/ground_motion/units.hpp"

#include <utility>

#include "hil/ground_motion/record.hpp"
#include "hil/ground_motion/text_lines.hpp"

namespace topple::hil::ground_motion {
namespace {

const Unit kG{"g", kUnitG_m_s2}, kCm{"cm/s2", 0.01}, kM{"m/s2", 1.0}, kMm{"mm/s2", 0.001};

/// Without blanks, in lower case, "sec" as "s".
const std::pair<std::string_view, const Unit*> kSpellings[] = {
    {"g", &kG},       {"gs", &kG},      {"g's", &kG},           {"gal", &kCm},        {"gals", &kCm},
    {"cm/s2", &kCm},  {"cm/s^2", &kCm}, {"cm/s**2", &kCm},      {"cm/s/s", &kCm},     {"cms/s/s", &kCm},
    {"cms/s2", &kCm}, {"cm/ss", &kCm},  {"cm/s\xC2\xB2", &kCm}, {"m/s2", &kM},        {"m/s^2", &kM},
    {"m/s**2", &kM},  {"m/s/s", &kM},   {"m/ss", &kM},          {"m/s\xC2\xB2", &kM}, {"mps2", &kM},
    {"mm/s2", &kMm},  {"mm/s^2", &kMm}, {"mm/s/s", &kMm},       {"mm/s**2", &kMm},
};

/// Of the words that stand behind "units of": up to a blank that is no part of the unit, brackets taken off.
std::string_view first_word(std::string_view text) {
    text = trimmed(text);
    while (!text.empty() && std::string_view("([{=:").find(text.front()) != std::string_view::npos)
        text = trimmed(text.substr(1));
    const std::size_t end = text.find_first_of(" \t,;)]}");
    std::string_view word = text.substr(0, end);
    while (!word.empty() && word.back() == '.') word.remove_suffix(1);
    return word;
}

}  // namespace

std::optional<Unit> unit_of(std::string_view word) {
    std::string plain;
    for (const char c : lower(word))
        if (c != ' ' && c != '\t') plain += c;
    for (std::size_t at; (at = plain.find("sec")) != std::string::npos;) plain.erase(at + 1, 2);
    for (const auto& [text, unit] : kSpellings)
        if (plain == text) return *unit;
    if (plain == "g/10") return Unit{"g/10", 0.1 * kUnitG_m_s2};
    if (plain == "mg") return Unit{"mg", 1e-3 * kUnitG_m_s2};
    if (plain == "in/s2" || plain == "in/s/s" || plain == "in/s^2") return Unit{"in/s2", 0.0254};
    if (plain == "ft/s2" || plain == "ft/s/s" || plain == "ft/s^2") return Unit{"ft/s2", 0.3048};
    return std::nullopt;
}

std::optional<Unit> unit_in(std::string_view line) {
    for (std::string_view words : {"units of", "units are", "unit is", "units:", "units =", "units=", "unit:", "unit=",
                                   "unit =", "acceleration in", "accel in", "accel. in", "acc in", "acc. in", "units ",
                                   "acceleration history in", "time history in"}) {
        const std::size_t found = find_words(line, words);
        if (found == std::string_view::npos) continue;
        if (auto unit = unit_of(first_word(line.substr(found + words.size())))) return unit;
    }
    if (!holds(line, "acc") && !holds(line, "unit")) return std::nullopt;
    for (std::size_t open = line.find_first_of("(["); open != std::string_view::npos;
         open = line.find_first_of("([", open + 1)) {
        const std::size_t close = line.find_first_of(")]", open);
        if (close == std::string_view::npos) break;
        if (auto unit = unit_of(line.substr(open + 1, close - open - 1))) return unit;
    }
    return std::nullopt;
}

std::optional<Unit> unit_of_name(std::string_view name) {
    const std::string small = lower(trimmed(name));
    if (small.ends_with("_cm_s2")) return kCm;
    if (small.ends_with("_mm_s2")) return kMm;
    if (small.ends_with("_m_s2")) return kM;
    if (small.ends_with("_gal")) return kCm;
    if (small.ends_with("_g")) return kG;
    const std::size_t open = small.find_first_of("([");
    if (open != std::string::npos) {
        const std::size_t close = small.find_first_of(")]", open);
        if (close != std::string::npos) return unit_of(std::string_view(small).substr(open + 1, close - open - 1));
    }
    const std::size_t comma = small.find_last_of(",/ ");
    return comma != std::string::npos && small[comma] != '/' ? unit_of(std::string_view(small).substr(comma + 1))
                                                             : std::nullopt;
}

}  // namespace topple::hil::ground_motion

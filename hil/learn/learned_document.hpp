// What was learned, for a person and for [uncertainty] prior.
#pragma once

#include <filesystem>
#include <string>

#include "hil/learn/learning.hpp"

namespace topple::hil::learn {

/// The learned file (topple.learned/1, TOML); `created_utc` is written into it.
std::string learned_toml(const Learning& learning, const std::string& created_utc);
/// topple.learning/1
std::string learning_json(const Learning& learning);
/// For the terminal: data, posterior, held-out runs, what to do next.
std::string learning_text(const Learning& learning);
/// Prior and posterior density of every parameter. Throws OutputError.
void draw_learning(const Learning& learning, const std::filesystem::path& figure);

}  // namespace topple::hil::learn

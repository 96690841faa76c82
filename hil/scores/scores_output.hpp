// Scores for people and programs: text, JSON, HTML, figures.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "hil/scores/repeats.hpp"
#include "hil/scores/scores.hpp"

namespace topple::hil::scores {

/// Confusion matrix, accuracy, Brier score beside its references, log score, reliability, remarks; each line ends.
std::string scores_text(const Scores& scores);
/// The groups whose repeats ended differently, and how many others there are; empty without groups.
std::string repeats_text(std::span<const RepeatGroup> groups);

/// The object of schema topple.scores/1, to be embedded; numbers at full precision, what is not known null.
nlohmann::ordered_json scores_json(const Scores& scores);
nlohmann::ordered_json repeats_json(std::span<const RepeatGroup> groups);

/// Sections of a page (report/html.hpp), without the figures.
std::string scores_html(const Scores& scores);
std::string repeats_html(std::span<const RepeatGroup> groups);

/// Observed share over predicted probability of overturning, with intervals and, below, how many tests. FILE ends in
/// .svg or .png. Throws OutputError. False, and nothing is drawn, without tests.
bool draw_reliability(const Scores& scores, const std::filesystem::path& file);
/// The tests over the peak velocity of the base with the logistic fit and the predicted probabilities. False without a
/// fit.
bool draw_velocity_fit(const Scores& scores, const std::filesystem::path& file);

}  // namespace topple::hil::scores

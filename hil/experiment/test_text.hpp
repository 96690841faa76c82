// The experiment file of one test of a campaign, made from the campaign's.
#pragma once

#include <cstdint>
#include <string>

namespace topple::hil::experiment {

/// The text without the lines of [campaign] and its sub-tables (comments stay), with [campaign_test] number = `number`
/// in their place. Lines stay where they are. Throws InputError for what is no TOML, and unless [campaign] is written
/// as a section of at least two lines.
std::string text_of_one_test(const std::string& text, const std::string& file, std::uint64_t number);

}  // namespace topple::hil::experiment

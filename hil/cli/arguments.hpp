// What may stand on the command line. Every option and positional is looked at before a command begins: whoever adds a
// number gives it one of these; that nothing is empty is seen to for all (require_values).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace topple::hil::cli {

// Give these to Option::transform(): the text is then also what CLI11 understands by it (no octal numbers).

/// A finite number; with ends, which are included.
CLI::Validator number_between(double low, double high);
CLI::Validator any_number();
CLI::Validator number_above_zero();
/// Decimal digits without a sign.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
/// Numbers between `low` and `high`, neither included, with commas between them: at least one, none of them empty.
CLI::Validator numbers_by_commas(double low, double high);
/// The numbers of a text that has passed it.
std::vector<double> split_numbers(const std::string& text);

/// One of these words, upper or lower case as written. The validator's name is the words with "|" between them, which
/// the completion in a shell offers (hil/package).
CLI::Validator one_of(std::vector<std::string> words);
/// Whatever `read` takes without throwing.
CLI::Validator readable(std::function<void(const std::string&)> read);

/// Of `app` and all its commands: a value is never empty, blank or, by mistake, the next option; a flag takes none.
void require_values(CLI::App& app);

/// The first "--name=" without a value, which CLI11 would give the next argument; empty if there is none.
std::string unfinished_option(int argc, const char* const* argv);

}  // namespace topple::hil::cli

#include "hil/package/description.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <set>

#include "hil/cli/commands.hpp"

namespace topple::hil::package {
namespace {

using Texts = std::vector<std::string>;

Texts split(const std::string& text, char separator) {
    Texts all;
    for (std::size_t from = 0;;) {
        const std::size_t end = text.find(separator, from);
        all.push_back(text.substr(from, end - from));
        if (end == std::string::npos) return all;
        from = end + 1;
    }
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

Texts names_of(const CLI::Option& option) {
    if (!option.nonpositional()) return {option.get_name(true)};
    Texts names;
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    return names;
}

/// Of the validator that allows one of some words; a validator without a name is about something else.
Texts allowed_words(CLI::Option& option) {
    for (int i = 0;; ++i) {
        try {
            const std::string name = option.get_validator(i)->get_name();
            if (!name.empty()) return split(name, '|');
        } catch (const CLI::OptionNotFound&) {
            return {};
        }
    }
}

/// "sim: | serial:/dev/ttyACM0 | tcp:HOST:PORT; ..." begins devices with sim:, serial:, tcp:.
Texts device_words(const std::string& text) {
    Texts words;
    for (std::string part : split(text.substr(0, text.find(';')), '|')) {
        part.erase(0, part.find_first_not_of(' '));
        const std::size_t colon = part.find(':');
        const bool is_scheme = colon != std::string::npos && colon > 0 &&
                               std::all_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(colon),
                                           [](unsigned char letter) { return std::islower(letter) != 0; });
        if (!is_scheme) continue;
        const std::string word = part.substr(0, colon + 1);
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    return words;
}

/// By name: CLI11 keeps them by address, which differs from run to run.
Texts sorted_names(const std::set<CLI::Option*>& options) {
    Texts names;
    for (const CLI::Option* option : options) names.push_back(option->get_name());
    std::sort(names.begin(), names.end());
    return names;
}

Option described(CLI::Option& from) {
    Option option;
    option.names = names_of(from);
    option.is_positional = !from.nonpositional();
    option.is_required = from.get_required();
    option.is_repeated = !is_flag(from) && from.get_expected_max() > 1;
    if (!is_flag(from)) {
        // CLI11 adds what a validator says after a colon; ours begin with a blank.
        option.value = from.get_type_name();
        const std::size_t limits = option.value.find(": ");
        if (limits != std::string::npos) option.limits = option.value.substr(limits + 2);
        option.value.erase(std::min(limits, option.value.size()));
        option.usual = from.get_default_str();
    }
    option.text = from.get_description();
    option.words = option.value == "URI" ? device_words(option.text) : allowed_words(from);
    option.needed = sorted_names(from.get_needs());
    option.others = sorted_names(from.get_excludes());
    return option;
}

Command described(CLI::App& from, const Texts& path, const std::string& notes_above) {
    Command command;
    command.path = path;
    command.text = from.get_description();
    for (CLI::Option* option : from.get_options()) command.options.push_back(described(*option));
    if (from.get_footer() != notes_above) command.notes = from.get_footer();
    for (CLI::App* sub : from.get_subcommands({})) {
        Texts below = path;
        below.push_back(sub->get_name());
        command.commands.push_back(described(*sub, below, from.get_footer()));
    }
    return command;
}

}  // namespace

Command describe_topple() {
    CLI::App app;
    cli::describe_program(app, {});
    return described(app, {}, {});
}

}  // namespace topple::hil::package

#include "hil/package/bash_completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace topple::hil::package {
namespace {

/// What the shell needs to know of every command, in two tables; the rest is the same for all.
struct Tables {
    std::string commands;  ///< by path
    std::string words;     ///< by path and option
};

void append_words(Tables& tables, const Command& command, const Option& option) {
    if (option.words.empty()) return;
    for (const std::string& name : option.names)
        tables.words += fmt::format("        '{} {}') words='{}' ;;\n", fmt::join(command.path, " "), name,
                                    fmt::join(option.words, " "));
}

void append_command(Tables& tables, const Command& command) {
    std::vector<std::string> below, options, valued;
    bool takes_arguments = false;
    for (const Command& next : command.commands) below.push_back(next.path.back());
    for (const Option& option : command.options) {
        takes_arguments = takes_arguments || option.is_positional;
        if (option.is_positional) continue;
        options.insert(options.end(), option.names.begin(), option.names.end());
        if (!option.value.empty()) valued.insert(valued.end(), option.names.begin(), option.names.end());
        append_words(tables, command, option);
    }
    tables.commands += fmt::format(
        "        '{}')\n            commands='{}' arguments={}\n            options='{}'\n"
        "            valued=' {} ' ;;\n",
        fmt::join(command.path, " "), fmt::join(below, " "), takes_arguments ? "yes" : "no", fmt::join(options, " "),
        fmt::join(valued, " "));
    for (const Command& next : command.commands) append_command(tables, next);
}

// Only the words before the cursor are looked at. They are split at blanks here, because bash also splits at ":" and
// "=". Where nothing is offered, bash itself completes the name of a file (complete -o default).
constexpr const char* kScript = R"(
_topple() {
    local path='' commands='' arguments=no options='' valued='' words='' before=() now='' word='' i
    read -ra before <<<"${COMP_LINE:0:COMP_POINT}"
    if [[ ${COMP_LINE:0:COMP_POINT} != *[[:blank:]] ]]; then
        now=${before[-1]}
        unset 'before[-1]'
    fi
    COMPREPLY=()
    _topple_command "$path"
    for ((i = 1; i < ${#before[@]}; ++i)); do
        word=${before[i]}
        if [[ $valued == *" $word "* ]]; then
            ((++i))
        elif [[ $word != -* && " $commands " == *" $word "* ]]; then
            path+=${path:+ }$word
            _topple_command "$path"
        fi
    done
    word=${before[-1]-}
    if [[ $now == --*=* ]]; then
        word=${now%%=*}
        now=${now#*=}
    elif [[ $valued != *" $word "* ]]; then
        if [[ $now == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$now")
        else
            mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$now")
            if [[ $arguments == yes && ${#COMPREPLY[@]} -gt 0 ]]; then
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$now")
                compopt -o filenames 2>/dev/null
            fi
        fi
        return
    fi
    _topple_values "$path $word"
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$now")
    # "serial:" goes on.
    [[ ${COMPREPLY[0]-} != *: ]] || compopt -o nospace 2>/dev/null
} &&
    complete -o default -F _topple topple
)";

}  // namespace

std::string bash_completion(const Command& program) {
    Tables tables;
    append_command(tables, program);
    return fmt::format(
               "# Completion of topple in bash, written by the build from the program's own description of its "
               "commands.\n"
               "# shellcheck shell=bash\n\n"
               "# Sets commands, arguments, options and valued (options that take a value) of the caller.\n"
               "_topple_command() {{\n    case $1 in\n{}    esac\n}}\n\n"
               "# Sets the words that the value of an option may be.\n_topple_values() {{\n    words=''\n    case $1 "
               "in\n{}"
               "    esac\n}}\n",
               tables.commands, tables.words) +
           kScript;
}

}  // namespace topple::hil::package

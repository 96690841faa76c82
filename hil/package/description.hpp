// The command line of `topple` as plain text: what its manual page and its completion are written from.
#pragma once

#include <string>
#include <vector>

namespace topple::hil::package {

/// An option or a positional argument.
struct Option {
    std::vector<std::string> names;  ///< "--out", "-h"; of a positional its one name, "FILE"
    bool is_positional = false;
    bool is_required = false;
    bool is_repeated = false;         ///< takes any number of values
    std::string value;                ///< what stands for its value, "OUT.csv"; empty: a flag
    std::string limits;               ///< of a number, "1 to 1024"; often empty
    std::string usual;                ///< value if it is not given; often empty
    std::string text;                 ///< what it does
    std::vector<std::string> words;   ///< values to offer; empty: any, mostly a file
    std::vector<std::string> needed;  ///< what must be given with it
    std::vector<std::string> others;  ///< what may not be given with it
};

struct Command {
    std::vector<std::string> path;  ///< "table", "move"; empty: the program itself
    std::string text;               ///< one line
    std::vector<Option> options;    ///< in the order of --help
    std::string notes;              ///< the end of its --help; empty if it has none of its own
    std::vector<Command> commands;
};

/// The program, as `topple --help` and every `topple COMMAND --help` know it.
Command describe_topple();

}  // namespace topple::hil::package

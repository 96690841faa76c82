#include "hil/package/man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace topple::hil::package {
namespace {

/// Text that groff prints as it is: a hyphen stays a hyphen that can be copied into a shell.
std::string plain(const std::string& text) {
    std::string safe;
    for (const char letter : text) {
        const bool begins_line = safe.empty() || safe.back() == '\n';
        if (begins_line && (letter == '.' || letter == '\'')) safe += "\\&";
        if (letter == '\\')
            safe += "\\e";
        else if (letter == '-')
            safe += "\\-";
        else
            safe += letter;
    }
    return safe;
}

/// Inside the words of a macro a quotation mark needs another name.
std::string quoted(const std::string& text) {
    std::string safe;
    for (const char letter : plain(text)) safe += letter == '"' ? std::string("\\(dq") : std::string(1, letter);
    return '"' + safe + '"';
}

std::string value_text(const Option& option) {
    if (option.value.empty()) return {};
    return fmt::format(" \\fI{}\\fR{}", plain(option.value), option.is_repeated ? " ..." : "");
}

/// The words of "--out OUT.csv", or of a positional.
std::string head_of(const Option& option) {
    if (option.is_positional)
        return fmt::format("\\fI{}\\fR{}", plain(option.names.front()), option.is_repeated ? " ..." : "");
    std::string head;
    for (const std::string& name : option.names)
        head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", plain(name));
    return head + value_text(option);
}

/// What it does, and in brackets what may stand there.
std::string text_of(const Option& option) {
    std::vector<std::string> remarks;
    if (!option.limits.empty()) remarks.push_back(option.limits);
    // Words that the description does not name already.
    std::vector<std::string> unnamed;
    for (const std::string& word : option.words)
        if (option.value != "URI" && (option.value + ' ' + option.text).find(word) == std::string::npos)
            unnamed.push_back(word);
    if (!unnamed.empty()) remarks.push_back(fmt::format("one of {}", fmt::join(option.words, ", ")));
    if (!option.usual.empty()) remarks.push_back("default " + option.usual);
    if (option.is_positional && !option.is_required) remarks.push_back("may be left out");
    if (!option.is_positional && option.is_required) remarks.push_back("required");
    if (!option.needed.empty()) remarks.push_back(fmt::format("only with {}", fmt::join(option.needed, ", ")));
    if (!option.others.empty()) remarks.push_back(fmt::format("not with {}", fmt::join(option.others, ", ")));
    return plain(option.text) + (remarks.empty() ? "" : plain(fmt::format(" ({})", fmt::join(remarks, "; "))));
}

std::string options_text(const Command& command) {
    std::string text;
    for (const bool positional : {true, false})
        for (const Option& option : command.options)
            if (option.is_positional == positional)
                text += fmt::format(".TP\n{}\n{}\n", head_of(option), text_of(option));
    return text;
}

std::string positional_names(const Command& command) {
    std::string names;
    for (const Option& option : command.options)
        if (option.is_positional) {
            const std::string name = head_of(option);
            names += option.is_required ? ' ' + name : fmt::format(" [{}]", name);
        }
    return names;
}

/// Lines that begin with blanks are examples.
std::string notes_text(const std::string& notes) {
    std::string text;
    bool is_example = false;
    for (std::size_t from = 0; from < notes.size();) {
        const std::size_t end = std::min(notes.find('\n', from), notes.size());
        const std::string line = notes.substr(from, end - from);
        const bool is_indented = line.starts_with(' ');
        if (is_indented != is_example) text += is_indented ? ".PP\n.EX\n" : ".EE\n";
        if (!is_indented && from == 0) text += ".PP\n";
        is_example = is_indented;
        text += plain(line) + '\n';
        from = end + 1;
    }
    return is_example ? text + ".EE\n" : text;
}

void append_command(std::string& page, const Command& command) {
    const std::string name = fmt::format("topple {}", fmt::join(command.path, " "));
    page += fmt::format(".SS {}\n{}.\n.PP\n\\fB{}\\fR [\\fIOPTIONS\\fR]{}{}\n", quoted(name), plain(command.text),
                        plain(name), positional_names(command), command.commands.empty() ? "" : " [\\fICOMMAND\\fR]");
    page += options_text(command) + notes_text(command.notes);
    for (const Command& below : command.commands) append_command(page, below);
}

constexpr const char* kEnding = R"(.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
The command ran, but a log, a report or another file could not be written.
.TP
.B 2
Bad or infeasible experiment, or bad arguments; nothing has moved.
.TP
.B 3
Device missing, wrong protocol, port lost, stop or fault.
.TP
.B 4
Only of \fBtopple predict\fR: the solution failed, and a specimen has no outcome.
.SH SAFETY
Topple is not a safety function. A hardware emergency stop that cuts drive power is required on every real table.
On a device that does not report itself as simulated, nothing moves until the operator has typed \fBmove\fR, or
\fB\-\-yes\fR was given.
.SH FILES
.TP
.I runs/
New run folders, below the current folder, unless \fB\-\-out\fR names another place.
.TP
.I /usr/share/doc/topple/
Documentation and examples, if Topple was installed from its Debian package.
.SH SEE ALSO
.BR gnuplot (1),
which draws the figures.
)";

}  // namespace

std::string man_page(const Command& program, const std::string& version) {
    std::string page = fmt::format(
        ".TH TOPPLE 1 \"\" {} \"User Commands\"\n.SH NAME\ntopple \\- shaking\\-table tests of rocking blocks, "
        "predicted "
        "and measured\n.SH SYNOPSIS\n.B topple\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n{}\n.PP\n"
        "Results go to standard output, progress, warnings and errors to standard error.\n.SH OPTIONS\n{}.SH "
        "COMMANDS\n",
        quoted("Topple " + version), plain(program.text), options_text(program));
    for (const Command& command : program.commands) append_command(page, command);
    return page + kEnding;
}

}  // namespace topple::hil::package

// Figures by gnuplot: a script in a file, run beside its data; the one way of a text into a script.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace topple::hil::files {

/// Any text as a string of a gnuplot script, with its quotes: single ones, in which gnuplot runs and replaces nothing,
/// on one line, a single quote inside as the apostrophe U+2019. Every text that is not the program's own goes through
/// it, followed by `noenhanced` where it is shown, so that ^ _ { } & ~ @ are signs and not commands.
std::string gnuplot_text(std::string_view text);

/// How every drawing begins: text in UTF-8, the terminal with its options, the file it draws to.
std::string gnuplot_head(std::string_view terminal, std::string_view output);

/// Runs `gnuplot script` in the script's folder and waits for it. Throws OutputError with gnuplot's own words if it
/// fails, or a clear message if gnuplot is not installed.
void run_gnuplot(const std::filesystem::path& script);

}  // namespace topple::hil::files

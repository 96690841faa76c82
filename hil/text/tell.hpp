// The only way to the terminal: results on standard output, messages on standard error, both made visible
// (visible_text.hpp).
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace topple::hil::text {

/// Writes to standard error at once. A message that cannot be written (terminal hung up, disk full, stream
/// closed) is lost; it never throws for that, because a test continues without its spectators.
void tell_text(std::string_view text);
/// Replaces the line that the cursor is on by the text, cut to the width of the terminal. For progress on a terminal
/// only.
void tell_over(std::string_view text);
/// Writes a result to standard output. What cannot be written is told at the end
/// of the command (command_line.cpp).
void print_text(std::string_view text);

template <typename... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    tell_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <typename... Arguments>
void print_out(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace topple::hil::text

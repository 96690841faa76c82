// Text from files, devices and arguments made fit to be shown: what it says, never what it does.
#pragma once

#include <string>
#include <string_view>

namespace topple::hil::text {

/// For a terminal: valid UTF-8 in which nothing acts on it. Control characters (C0 but tab and newline, DEL, C1), marks
/// of writing direction, invisible and unassigned-by-design characters become \uXXXX (JSON's notation, so that a JSON
/// text stays the same document); a byte that is not UTF-8 becomes \xXX; "\r\n" becomes a newline.
std::string visible(std::string_view text);

/// The same on one line: newline and tab are escaped too. For a name inside of a sentence, a table or a figure.
std::string one_line(std::string_view text);

/// A word for a file or folder name: ASCII letters, digits, '-' and every other script's letters as they are, anything
/// else
/// '_'; at most `bytes_max` bytes, never cut inside of a character.
std::string folder_word(std::string_view text, std::size_t bytes_max);

}  // namespace topple::hil::text

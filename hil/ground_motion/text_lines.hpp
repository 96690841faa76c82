// A text file of unknown making as lines: encodings, line ends and end-of-file marks of every system.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::ground_motion {

/// The lines of a file, decoded; views into its own text.
class TextLines {
  public:
    /// UTF-8 or UTF-16 (by its mark, or by the zeros that ASCII leaves in it); LF, CR LF, CR CR LF or CR end a line;
    /// Ctrl-Z and zero bytes count as blanks. `file` is used in messages. Throws InputError for a binary file and for
    /// more than three million lines.
    TextLines(std::string file, std::string bytes);
    TextLines(const TextLines&) = delete;
    TextLines& operator=(const TextLines&) = delete;

    std::size_t size() const noexcept { return lines_.size(); }
    /// Empty beyond the last line.
    std::string_view operator[](std::size_t index) const noexcept {
        return index < lines_.size() ? lines_[index] : std::string_view();
    }
    std::size_t bytes() const noexcept { return text_.size(); }
    const std::string& file() const noexcept { return file_; }
    bool was_utf16() const noexcept { return was_utf16_; }
    /// Throws InputError "FILE, line N: why"; lines are counted from 0 here, from 1 in the message.
    [[noreturn]] void fail(std::size_t index, const std::string& why) const;
    [[noreturn]] void fail(const std::string& why) const;  ///< "FILE: why"
    /// First line from `from`, before `end`, that holds `words` (lower case) in any case; size() if there is none.
    std::size_t find(std::string_view words, std::size_t from = 0, std::size_t end = ~std::size_t{0}) const;

  private:
    std::string file_, text_;
    std::vector<std::string_view> lines_;
    bool was_utf16_ = false;
};

std::string_view trimmed(std::string_view text) noexcept;
std::string lower(std::string_view text);
/// Does `text` hold `words`, which are in lower case, in any case?
bool holds(std::string_view text, std::string_view words) noexcept;
/// Place of `words` (lower case) in `text` in any case; npos.
std::size_t find_words(std::string_view text, std::string_view words, std::size_t from = 0) noexcept;
/// What stands after `words`, trimmed; empty if they are not there.
std::string_view after(std::string_view text, std::string_view words) noexcept;

}  // namespace topple::hil::ground_motion

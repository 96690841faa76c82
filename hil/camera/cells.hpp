// The cells of a table of text, and the numbers in them: nothing is guessed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::camera {

/// Rows of cells of one file. Empty lines and lines that begin with '#' are no rows.
class Cells {
  public:
    /// Separator: the semicolon, the tab or the comma, whichever the file has first in this order. `decimal` is the
    /// operator's word. Throws InputError, as vendor_files::text_of.
    Cells(std::string_view bytes, std::string file, std::optional<char> decimal);
    Cells(const Cells&) = delete;
    Cells& operator=(const Cells&) = delete;

    const std::string& file() const noexcept { return file_; }
    const std::string& preface() const noexcept { return preface_; }  ///< the '#' lines
    std::size_t size() const noexcept { return rows_.size(); }
    const std::vector<std::string_view>& row(std::size_t index) const { return rows_[index]; }
    std::string where(std::size_t row) const;  ///< "FILE, line N"

    /// Rows below `header` must have as many cells, and numbers whose decimal sign is beyond doubt. Throws InputError
    /// with the question where it is not.
    void require_clear_numbers(std::size_t header) const;
    /// NaN for an empty cell, one that is missing at the end of its row, "nan" and "-". Throws InputError.
    double number(std::size_t row, std::size_t column, std::string_view name) const;
    /// Is there a number in it?
    bool is_number(std::string_view cell) const;

  private:
    std::string text_, file_, preface_;
    std::vector<std::vector<std::string_view>> rows_;
    std::vector<std::size_t> line_numbers_;
    char separator_ = ',';
    std::optional<char> decimal_;
};

}  // namespace topple::hil::camera

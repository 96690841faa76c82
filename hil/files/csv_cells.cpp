#include "hil/files/csv_cells.hpp"

namespace topple::hil::files {

std::string csv_cell(std::string_view cell) {
    if (cell.find_first_of(",;\"\t\r\n") == std::string_view::npos) return std::string(cell);
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

std::vector<std::string> csv_cells(std::string_view line) {
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += '"';
            ++i;
        } else if (c == '"') {
            is_quoted = !is_quoted;
        } else if (c == ',' && !is_quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

}  // namespace topple::hil::files

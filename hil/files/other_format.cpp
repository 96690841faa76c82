#include "hil/files/other_format.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>
#include <vector>

#include "hil/text/number_text.hpp"

namespace topple::hil::files {
namespace {

constexpr std::size_t kLookedAt = 4096;  // bytes: every known head is shorter

struct Sign {
    std::string_view text, says;
};

// Binary files, by their first bytes.
constexpr Sign kMagic[] = {
    {"\xFF\xFE", "it is UTF-16 text: save it as UTF-8 or plain CSV"},
    {"\xFE\xFF", "it is UTF-16 text: save it as UTF-8 or plain CSV"},
    {"PK\x03\x04", "it is a spreadsheet or another ZIP archive: export the sheet as CSV"},
    {"\xD0\xCF\x11\xE0", "it is an old spreadsheet (.xls): export the sheet as CSV"},
    {"MATLAB ", "it is a MATLAB file: export its columns as CSV (writetable)"},
    {"\x89HDF", "it is an HDF5 file: export its columns as CSV"},
    {"\x89MCAP", "it is a log (MCAP): topple export RUN --format csv converts it to CSV files"},
    {"\x1F\x8B", "it is compressed (gzip): decompress it first"},
    {"%PDF", "it is a PDF"},
};

// Records of ground motion, by words in capitals that stand in their heads. The first that fits.
constexpr Sign kWords[] = {
    {"NPTS", "it seems to be a PEER record (AT2)"},
    {"STATION CODE", "it seems to be a K-NET or KiK-net record"},
    {"EVENT_NAME:", "it seems to be an ESM record (ASC)"},
    {"COSMOS", "it seems to be a COSMOS record (V1, V2)"},
    {"CORRECTED ACCELEROGRAM", "it seems to be a CSMIP, CDMG or SMC record"},
    {"RESPONSE SPECTRA", "it seems to be a file of response spectra (V3), not a record"},
};
constexpr std::string_view kWriteColumns =
    ": Topple does not read that format; convert it to CSV with the columns time_s and acceleration_g (or _m_s2, "
    "_cm_s2)";

std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> words;
    std::istringstream stream(line);
    std::string word;
    while (separator == ' ' ? static_cast<bool>(stream >> word)
                            : static_cast<bool>(std::getline(stream, word, separator)))
        words.push_back(word);
    return words;
}

std::string trimmed(const std::string& word) {
    const std::size_t first = word.find_first_not_of(" \t\r\"");
    return first == std::string::npos ? "" : word.substr(first, word.find_last_not_of(" \t\r\"") - first + 1);
}

/// All words of a line are numbers, at least one of them with a decimal comma.
bool has_decimal_commas(const std::string& line, char separator) {
    const auto words = split(line, separator);
    bool has_comma = false;
    for (const std::string& raw : words) {
        std::string word = trimmed(raw);
        if (word.find('.') != std::string::npos) return false;
        has_comma = has_comma || word.find(',') != std::string::npos;
        std::replace(word.begin(), word.end(), ',', '.');
        if (!text::parse_number(word)) return false;
    }
    return words.size() > 1 && has_comma;
}

std::string by_its_rows(std::string_view head) {
    std::istringstream lines{std::string(head)};
    std::string line;
    while (std::getline(lines, line)) {
        for (const char separator : {';', '\t', ' '})
            if (has_decimal_commas(line, separator))
                return "its numbers have decimal commas: write them with decimal points (import --channel reads them "
                       "as they are)";
        if (line.find_first_of(",;\t") != std::string::npos) continue;
        const auto words = split(line, ' ');
        if (words.size() > 1 && std::all_of(words.begin(), words.end(), [](const std::string& word) {
                return text::parse_number(word).has_value();
            }))
            return "its columns are separated by blanks: separate them by commas, semicolons or tabs";
    }
    return {};
}

/// "2026-11-28" or "12:34:56" at the beginning of a row.
bool holds_dates(std::string_view head) {
    std::istringstream lines{std::string(head)};
    for (std::string line; std::getline(lines, line);) {
        std::string shape;
        for (const char c : trimmed(line).substr(0, 8)) shape += std::isdigit(static_cast<unsigned char>(c)) ? '9' : c;
        for (const char* date : {"9999-99-", "9999/99/", "99.99.99", "99/99/99", "99:99:99"})
            if (shape == date) return true;
    }
    return false;
}

}  // namespace

std::string other_format(std::string_view content) {
    for (const Sign& sign : kMagic)
        if (content.starts_with(sign.text)) return std::string(sign.says);
    const std::string_view head = content.substr(0, kLookedAt);
    const auto zeros = std::count(head.begin(), head.end(), '\0');
    if (zeros > 0)
        return static_cast<std::size_t>(zeros) * 3 > head.size() ? "it is UTF-16 text: save it as UTF-8 or plain CSV"
                                                                 : "it is a binary file, not CSV";
    if (head.find('\n') == std::string_view::npos && head.find('\r') != std::string_view::npos)
        return "its lines end with CR only, as on an old Macintosh: save it with Unix or Windows line ends";
    if (holds_dates(head)) return "its times are dates: write the time in seconds from the start, as time_s";
    std::string capitals(head);
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (const Sign& sign : kWords)
        if (capitals.find(sign.text) != std::string::npos) return std::string(sign.says).append(kWriteColumns);
    return by_its_rows(head);
}

}  // namespace topple::hil::files

// Is a page or a figure well-formed? Enough of a parser for what the program writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace topple::tests {

/// Valid UTF-8 (by length and continuation) without the control characters that XML forbids, FFFE and FFFF.
inline bool has_xml_characters_only(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x20 && lead != '\n' && lead != '\t' && lead != '\r') return false;
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || i + length > text.size()) return false;
        for (std::size_t k = 1; k < length; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0u) != 0x80) return false;
        const std::string_view character = text.substr(i, length);
        if (character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf") return false;
        i += length;
    }
    return true;
}

// End of the tag that starts at `at`, quotes respected; npos if there is none.
inline std::size_t tag_end(const std::string& text, std::size_t at) {
    char quote = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        if (quote != 0)
            quote = text[i] == quote ? 0 : quote;
        else if (text[i] == '"' || text[i] == '\'')
            quote = text[i];
        else if (text[i] == '>')
            return i;
    }
    return std::string::npos;
}

// Every element that is opened is closed in order; <meta> and <!DOCTYPE> stand alone; the style sheet is no
// markup.
inline bool is_well_formed(std::string text) {
    if (!has_xml_characters_only(text)) return false;
    if (const std::size_t style = text.find("<style>"); style != std::string::npos)
        text.erase(style, text.find("</style>") + 8 - style);
    if (text.find("]]>") != std::string::npos) return false;  // XML 1.0, 2.4: not in character data
    std::vector<std::string> open;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        const std::size_t end = tag_end(text, at);
        if (end == std::string::npos) return false;
        const bool closing = text[at + 1] == '/';
        const std::size_t start = at + (closing ? 2 : 1);
        const std::string element = text.substr(start, text.find_first_of(" \t\n/>", start) - start);
        if (element == "meta" || element[0] == '!' || text[end - 1] == '/') continue;
        if (!closing) {
            open.push_back(element);
        } else {
            if (open.empty() || open.back() != element) return false;
            open.pop_back();
        }
        at = end;
    }
    return open.empty();
}

/// A whole SVG file: its head, then one element.
inline bool is_well_formed_file(const std::string& svg) {
    const std::size_t start = svg.find("<svg");
    return start != std::string::npos && is_well_formed(svg.substr(start));
}

}  // namespace topple::tests

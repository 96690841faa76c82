// Small pieces of HTML: escaped text, tables, sections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::report {

/// & < > " ' as entities, everything else as visible() shows it: well-formed in HTML and XML.
std::string escape_html(std::string_view text);
/// The same for the program's own sentences, with m/s2 as the page writes it: m/s².
std::string html_words(std::string_view text);

/// Rows of already escaped cells; the first cell of each row is its heading.
struct HtmlTable {
    std::vector<std::string> header;  ///< empty: no header row
    std::vector<std::vector<std::string>> rows;
};
std::string html_table(const HtmlTable& table, std::string_view css_class = {});

/// <section> with a heading; `body` is HTML.
std::string html_section(std::string_view heading, std::string_view body);
/// Closed <details> with preformatted, escaped text.
std::string html_file(std::string_view file_name, std::string_view text);
/// An SVG document as an inline element: prolog and comments removed; empty if it is not an SVG. `alt` becomes its text
/// for those who do not see it.
std::string inline_svg(std::string_view svg, std::string_view alt = {});
/// The whole page, with its style sheet.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace topple::hil::report

#include "hil/report/html.hpp"

#include <fmt/format.h>

#include "hil/text/visible_text.hpp"

namespace topple::hil::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root{--ink:#1d2733;--soft:#5b6875;--line:#dde2e7;--paper:#fff;--wash:#f5f7f9;--good:#1b7f3b;--bad:#c0341d;--open:#6b7580;--blue:#1565c0}
*{box-sizing:border-box}
body{margin:0;background:var(--wash);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
main{max-width:1000px;margin:0 auto;padding:28px 32px 48px;background:var(--paper)}
h1{font-size:26px;line-height:1.2;margin:0 0 2px}
h2{font-size:18px;margin:34px 0 10px;padding-bottom:4px;border-bottom:1px solid var(--line)}
h3{font-size:15px;margin:18px 0 6px}
p{margin:6px 0}.soft{color:var(--soft)}
.verdict{margin:18px 0 8px;padding:16px 20px;border-left:8px solid var(--open);background:var(--wash)}
.verdict strong{display:block;font-size:24px;line-height:1.25}
.verdict.consistent{border-color:var(--good)}.verdict.consistent strong{color:var(--good)}
.verdict.inconsistent,.verdict.failed{border-color:var(--bad)}.verdict.inconsistent strong,.verdict.failed strong{color:var(--bad)}
.verdict ul{margin:6px 0 0;padding-left:20px}
.lead th{width:36%;font-weight:400}.lead td:last-child{text-align:right;color:var(--soft)}.verdict .lead{margin:6px 0 10px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(135px,1fr));gap:10px;margin:14px 0}
.card{border:1px solid var(--line);padding:10px 12px}.card b{display:block;font-size:18px;white-space:nowrap;line-height:1.3;font-variant-numeric:tabular-nums}
.card span{color:var(--soft);font-size:13px}
table{border-collapse:collapse;width:100%;margin:8px 0;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:5px 10px 5px 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;font-size:13px}
tbody th{font-weight:500}
.yes{color:var(--good);font-weight:600}.no{color:var(--bad);font-weight:600}
code,pre{font:12.5px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.hash td{font:12px ui-monospace,Menlo,Consolas,monospace;word-break:break-all}
pre{background:var(--wash);padding:12px;overflow:auto;white-space:pre-wrap}
figure{margin:14px 0 22px;break-inside:avoid}figure svg{width:100%;height:auto;display:block}
figcaption{color:var(--soft);font-size:13.5px}
details{margin:6px 0;border:1px solid var(--line);padding:6px 12px}summary{cursor:pointer;font-weight:500}
.note{border-left:4px solid #d9a400;padding:4px 12px;margin:6px 0;background:#fffaf0}
.photo img{max-width:100%;max-height:420px;width:auto;height:auto;display:block}
@page{size:A4;margin:15mm 14mm}
@media print{body{background:#fff;font-size:10pt;line-height:1.4}main{max-width:none;padding:0}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
h1,h2,h3,h4{break-after:avoid}p,li{orphans:3;widows:3}tr,figure,.verdict,.cards,.note{break-inside:avoid}
table{break-inside:avoid;font-size:9pt}table.hash{break-inside:auto}thead{display:table-header-group}
figure svg{max-height:235mm;max-width:100%}.photo img{max-height:80mm}}
)css";

}  // namespace

std::string escape_html(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text::visible(text)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string html_words(std::string_view text) {
    constexpr std::string_view kPlain = "m/s2", kSign = "m/s²";
    std::string out = escape_html(text);
    for (std::size_t at = out.find(kPlain); at != std::string::npos; at = out.find(kPlain, at + kSign.size()))
        out.replace(at, kPlain.size(), kSign);
    return out;
}

std::string html_table(const HtmlTable& table, std::string_view css_class) {
    std::string out = css_class.empty() ? "<table>" : fmt::format("<table class=\"{}\">", css_class);
    if (!table.header.empty()) {
        out += "<thead><tr>";
        for (const std::string& cell : table.header) out += "<th scope=\"col\">" + cell + "</th>";
        out += "</tr></thead>";
    }
    out += "<tbody>";
    for (const auto& row : table.rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            out += i == 0 ? "<th scope=\"row\">" + row[i] + "</th>" : "<td>" + row[i] + "</td>";
        out += "</tr>\n";
    }
    return out + "</tbody></table>\n";
}

std::string html_section(std::string_view heading, std::string_view body) {
    return fmt::format("<section><h2>{}</h2>\n{}</section>\n", escape_html(heading), body);
}

std::string html_file(std::string_view file_name, std::string_view text) {
    return fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", escape_html(file_name),
                       escape_html(text));
}

std::string inline_svg(std::string_view svg, std::string_view alt) {
    const std::size_t start = svg.find("<svg"), end = svg.rfind("</svg>");
    if (start == std::string_view::npos || end == std::string_view::npos || end < start) return {};
    std::string out(svg.substr(start, end + 6 - start));
    for (std::size_t at = out.find("<!--"); at != std::string::npos; at = out.find("<!--", at)) {
        const std::size_t stop = out.find("-->", at);
        if (stop == std::string::npos) return {};
        out.erase(at, stop + 3 - at);
    }
    if (!alt.empty()) out.insert(4, fmt::format(" role=\"img\" aria-label=\"{}\"", escape_html(alt)));
    return out;
}

std::string html_page(std::string_view title, std::string_view body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, "
        "initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body><main>\n{}</main></"
        "body>\n</html>\n",
        escape_html(title), kStyle, body);
}

}  // namespace topple::hil::report

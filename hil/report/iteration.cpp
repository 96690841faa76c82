#include "hil/report/iteration.hpp"

#include <fmt/format.h>

#include "hil/report/html.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::report {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& pass, const char* key) {
    const auto found = pass.find(key);
    return found != pass.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::string words(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? text::one_line(found->get<std::string>()) : std::string();
}

std::string pass_text(const Json& pass) {
    return fmt::format("{:.3f} mm, {:.2f} %", 1e3 * number(pass, "peak_error_m"),
                       100.0 * number(pass, "acceleration_nrmse"));
}

std::string origin_text(const Json& json) {
    const std::string from = words(json, "reused_from"), payload = words(json, "payload");
    if (!from.empty()) return fmt::format("drive learned before with {}, used again from {}", payload, from);
    return fmt::format("drive learned with {}; largest error and rms error of acceleration of each pass:", payload);
}

}  // namespace

Json iteration_json(const std::string& learned_drive_json) {
    if (learned_drive_json.empty()) return nullptr;
    Json json = Json::parse(learned_drive_json, nullptr, false);
    if (!json.is_object() || !json.contains("passes") || !json["passes"].is_array()) return nullptr;
    const auto correction = json.find("correction");
    json["corrected"] = correction != json.end() && correction->is_object() && correction->contains("displacement_m") &&
                        !(*correction)["displacement_m"].empty();
    json.erase("correction");
    json.erase("schema");
    return json;
}

std::string iteration_lines(const std::string& learned_drive_json) {
    const Json json = iteration_json(learned_drive_json);
    if (json.is_null()) return {};
    std::string text = fmt::format("{:<12}{}\n", "iteration", origin_text(json));
    std::size_t count = 0;
    for (const Json& pass : json["passes"]) text += fmt::format("{:<12}pass {}: {}\n", "", ++count, pass_text(pass));
    if (const std::string why = words(json, "text"); !why.empty()) text += fmt::format("{:<12}{}\n", "", why);
    if (!json["corrected"].get<bool>()) text += fmt::format("{:<12}the planned motion itself was driven\n", "");
    return text;
}

std::string iteration_section(const std::string& learned_drive_json) {
    const Json json = iteration_json(learned_drive_json);
    if (json.is_null()) return {};
    HtmlTable table;
    table.header = {"pass", "largest error", "rms error of acceleration", "largest correction", "force asked for"};
    std::size_t count = 0;
    for (const Json& pass : json["passes"])
        table.rows.push_back({std::to_string(++count), fmt::format("{:.3f} mm", 1e3 * number(pass, "peak_error_m")),
                              fmt::format("{:.2f} %", 100.0 * number(pass, "acceleration_nrmse")),
                              fmt::format("{:.3f} mm, {:.2f} m/s2", 1e3 * number(pass, "correction_peak_m"),
                                          number(pass, "correction_peak_m_s2")),
                              fmt::format("{:.0f} N", number(pass, "force_n"))});
    std::string text = fmt::format("<p>{}</p>", escape_html(origin_text(json))) + html_table(table);
    if (const std::string why = words(json, "text"); !why.empty())
        text += fmt::format("<p class=\"note\">{}</p>", escape_html(why));
    text += fmt::format("<p class=\"soft\">As encoder and accelerometer saw it, 60 Hz band. {}</p>",
                        json["corrected"].get<bool>()
                            ? "The test was driven with the learned drive: its tracking is against the planned motion."
                            : "The planned motion itself was driven.");
    return html_section("Drive iteration", text);
}

}  // namespace topple::hil::report

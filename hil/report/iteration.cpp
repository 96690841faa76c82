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
    return fmt::format("drive learned with {}", payload);
}

// Nothing of files written earlier, which do not tell it.
std::string goal_text(const Json& json) {
    const double peak_m = number(json, "goal_peak_error_m");
    if (!(peak_m > 0.0)) return {};
    return fmt::format("largest error at most {:.3f} mm, rms error of acceleration at most {:.2f} %", 1e3 * peak_m,
                       100.0 * number(json, "goal_acceleration_nrmse"));
}

// Why the learning of an axis ended: its text, or the end's name in files written earlier.
std::string end_text(const Json& axis) {
    const std::string why = words(axis, "text");
    return why.empty() ? words(axis, "end") : why;
}

bool corrected(const Json& axis) {
    const auto correction = axis.find("correction");
    return correction != axis.end() && correction->is_object() && correction->contains("displacement_m") &&
           !(*correction)["displacement_m"].empty();
}

bool has_passes(const Json& axis) { return axis.is_object() && axis.contains("passes") && axis["passes"].is_array(); }

// The axes of the file, each with `corrected` in place of its correction; empty for a damaged one.
Json axes_of(const Json& json) {
    Json axes = Json::array();
    if (!json.contains("axes")) {
        if (!has_passes(json)) return axes;
        Json axis{{"axis", std::string("x")}};
        for (const char* key : {"end", "text", "drive_was_passed", "passes", "correction"})
            if (json.contains(key)) axis[key] = json[key];
        axes.push_back(std::move(axis));
    } else {
        for (const Json& axis : json["axes"]) {
            if (!has_passes(axis)) return Json::array();
            axes.push_back(axis);
        }
    }
    for (Json& axis : axes) {
        axis["corrected"] = corrected(axis);
        axis.erase("correction");
    }
    return axes;
}

// "axis x, ", where there are two.
std::string axis_label(const Json& json, const Json& axis) {
    return json["axes"].size() > 1 ? fmt::format("axis {}, ", words(axis, "axis")) : "";
}

HtmlTable table_of_passes(const Json& axis) {
    HtmlTable table;
    table.header = {"pass", "largest error", "rms error of acceleration", "largest correction", "force asked for"};
    std::size_t count = 0;
    for (const Json& pass : axis["passes"])
        table.rows.push_back({std::to_string(++count), fmt::format("{:.3f} mm", 1e3 * number(pass, "peak_error_m")),
                              fmt::format("{:.2f} %", 100.0 * number(pass, "acceleration_nrmse")),
                              fmt::format("{:.3f} mm, {:.2f} m/s2", 1e3 * number(pass, "correction_peak_m"),
                                          number(pass, "correction_peak_m_s2")),
                              fmt::format("{:.0f} N", number(pass, "force_n"))});
    return table;
}

}  // namespace

Json iteration_json(const std::string& learned_drive_json) {
    if (learned_drive_json.empty()) return nullptr;
    Json json = Json::parse(learned_drive_json, nullptr, false);
    if (!json.is_object()) return nullptr;
    Json axes = axes_of(json);
    if (axes.empty()) return nullptr;
    bool some = false;
    for (const Json& axis : axes) some = some || axis["corrected"].get<bool>();
    json["axes"] = std::move(axes);
    json["corrected"] = some;
    json.erase("correction");
    json.erase("schema");
    return json;
}

std::string iteration_lines(const std::string& learned_drive_json) {
    const Json json = iteration_json(learned_drive_json);
    if (json.is_null()) return {};
    std::string text = fmt::format("{:<12}{}\n", "iteration", origin_text(json));
    if (const std::string goal = goal_text(json); !goal.empty()) text += fmt::format("{:<12}goal: {}\n", "", goal);
    for (const Json& axis : json["axes"]) {
        const std::string label = axis_label(json, axis);
        std::size_t count = 0;
        for (const Json& pass : axis["passes"])
            text += fmt::format("{:<12}{}pass {}: {}\n", "", label, ++count, pass_text(pass));
        text += fmt::format("{:<12}{}ended: {}\n", "", label, end_text(axis));
    }
    if (!json["corrected"].get<bool>()) text += fmt::format("{:<12}the planned motion itself was driven\n", "");
    return text;
}

std::string iteration_section(const std::string& learned_drive_json) {
    const Json json = iteration_json(learned_drive_json);
    if (json.is_null()) return {};
    const std::string goal = goal_text(json);
    std::string text =
        fmt::format("<p>{}{}</p>", escape_html(origin_text(json)), goal.empty() ? "" : "; goal: " + escape_html(goal));
    for (const Json& axis : json["axes"]) {
        if (json["axes"].size() > 1) text += fmt::format("<h3>Axis {}</h3>", escape_html(words(axis, "axis")));
        if (!axis["passes"].empty()) text += html_table(table_of_passes(axis));
        text += fmt::format("<p class=\"note\">ended: {}</p>", escape_html(end_text(axis)));
    }
    text += fmt::format(
        "<p class=\"soft\">Of the passes: where encoder and accelerometer together see the platen, its acceleration "
        "low-passed at 60 Hz, to 0.2 s behind the end. Tracking, below, is of the test: the encoder's position, "
        "low-passed "
        "at 60 Hz, to 0.1 s behind the end. {}</p>",
        json["corrected"].get<bool>()
            ? "The test was driven with the learned drive: its tracking is against the planned motion."
            : "The planned motion itself was driven.");
    return html_section("Drive iteration", text);
}

}  // namespace topple::hil::report

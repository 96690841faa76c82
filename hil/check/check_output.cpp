#include "hil/check/check_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/host/version.hpp"

namespace topple::hil::check {
namespace {

using nlohmann::ordered_json;

std::string number_text(double number, const std::string& unit) {
    const std::string digits = std::abs(number) >= 1000.0 && std::abs(number) < 1e7 ? fmt::format("{:.0f}", number)
                                                                                    : fmt::format("{:.3g}", number);
    return unit.empty() ? digits : digits + " " + unit;
}

std::string bound_text(const CheckResult& result) {
    if (!result.limit) return "";
    const std::string limit = number_text(*result.limit, result.unit);
    switch (result.bound) {
        case Bound::none: return "";
        case Bound::at_most: return "at most " + limit;
        case Bound::at_least: return "at least " + limit;
        case Bound::magnitude_at_most: return "within ±" + limit;
        case Bound::equal: return "should be " + limit;
    }
    return "";
}

std::string found_text(const CheckResult& result) {
    if (!result.number) return result.found;
    const std::string number = number_text(*result.number, result.unit);
    return result.found.empty() ? number : fmt::format("{} ({})", number, result.found);
}

ordered_json number_or_null(const std::optional<double>& number) {
    return number && std::isfinite(*number) ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json result_json(const CheckResult& result) {
    return {{"name", result.name},   {"verdict", name(result.verdict)}, {"number", number_or_null(result.number)},
            {"unit", result.unit},   {"bound", name(result.bound)},     {"limit", number_or_null(result.limit)},
            {"found", result.found}, {"advice", result.advice}};
}

ordered_json device_json(const CheckReport& report) {
    if (!report.device) return nullptr;
    return {{"name", report.device->device},
            {"serial_number", report.device->serial_number},
            {"firmware_version", report.device->firmware_version},
            {"simulated", report.device->simulated}};
}

}  // namespace

std::string check_line(const CheckResult& result) {
    const std::string limit = bound_text(result);
    std::string line = fmt::format("{:<8}{:<30}{}", name(result.verdict), result.name, found_text(result));
    if (result.verdict == Verdict::skipped) return line + (result.number ? ": " : "") + result.advice + "\n";
    if (!limit.empty()) line += ", " + limit;
    line += "\n";
    if (!result.advice.empty()) line += fmt::format("{:<8}-> {}\n", "", result.advice);
    return line;
}

std::string latency_line(const CheckReport& report) {
    std::string line;
    for (const LatencyBin& bin : report.latency) {
        if (bin.count == 0) continue;
        const std::string range =
            bin.to_ms ? fmt::format("{:g}-{:g}", bin.from_ms, *bin.to_ms) : fmt::format("over {:g}", bin.from_ms);
        line += fmt::format("{}{} ms: {}", line.empty() ? "" : ", ", range, bin.count);
    }
    return line.empty() ? line : "frames later than the fastest by " + line + "\n";
}

std::string summary_line(const CheckReport& report) {
    const CheckCounts counts = count(report.results);
    return fmt::format("{} passed, {} warned, {} failed, {} skipped{}\n", counts.pass, counts.warn, counts.fail,
                       counts.skipped, report.moved ? "" : "; the table was not moved");
}

std::string check_json(const CheckReport& report, const std::string& uri, const std::string& machine) {
    const CheckCounts counts = count(report.results);
    ordered_json checks = ordered_json::array(), bins = ordered_json::array();
    for (const CheckResult& result : report.results) checks.push_back(result_json(result));
    for (const LatencyBin& bin : report.latency)
        bins.push_back({{"from_ms", bin.from_ms}, {"to_ms", number_or_null(bin.to_ms)}, {"count", bin.count}});
    const ordered_json document{
        {"schema", "topple.check/1"},
        {"verdict", name(counts.verdict())},
        {"counts", {{"pass", counts.pass}, {"warn", counts.warn}, {"fail", counts.fail}, {"skipped", counts.skipped}}},
        {"uri", uri},
        {"device", device_json(report)},
        {"machine", machine},
        {"moved", report.moved},
        {"checks", std::move(checks)},
        {"latency_histogram", std::move(bins)},
        {"topple_version", host::version()}};
    return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::check

#include "hil/experiment/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "hil/experiment/sections.hpp"
#include "hil/experiment/toml_text.hpp"
#include "hil/text/number_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kDayLength = 10;  // 2026-03-01

bool is_day(std::string_view text) {
    if (text.size() != kDayLength || text[4] != '-' || text[7] != '-') return false;
    const auto year = text::parse_whole_number(text.substr(0, 4)), month = text::parse_whole_number(text.substr(5, 2)),
               day = text::parse_whole_number(text.substr(8, 2));
    if (!year || !month || !day) return false;
    return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                       std::chrono::month(static_cast<unsigned>(*month)),
                                       std::chrono::day(static_cast<unsigned>(*day)))
        .ok();
}

// What stands behind the day is a time of day with or without its zone; only its signs are looked at.
bool is_time(std::string_view text) {
    constexpr std::string_view kSigns = "0123456789:.+-TtZz ";
    return text.empty() || ((text.front() == 'T' || text.front() == ' ') && text.size() >= 6 &&
                            text.find_first_not_of(kSigns) == std::string_view::npos);
}

std::string word(TomlTable& table, std::string_view key) {
    const std::string text = table.text(key);
    if (text.size() > kCalibrationTextMax)
        table.fail(key, fmt::format("must be at most {} bytes long", kCalibrationTextMax));
    if (std::all_of(text.begin(), text.end(), [](char letter) { return letter == ' ' || letter == '\t'; }))
        table.fail(key, "must not be blank");
    return text;
}

}  // namespace

std::string calibration_date_defect(const std::string& date) {
    const std::string_view text = date;
    if (is_day(text.substr(0, kDayLength)) && is_time(text.substr(std::min(kDayLength, text.size())))) return {};
    return "must be a day of the calendar, \"2026-03-01\", or a day and a time, \"2026-03-01T14:02:11+01:00\"";
}

std::string describe(const Calibration& calibration) {
    const std::string method = calibration.method.empty() ? "" : " (" + calibration.method + ")";
    return text::one_line(fmt::format("{} by {}, serial number {}{}", calibration.date.substr(0, kDayLength),
                                      calibration.author, calibration.serial_number, method));
}

std::string calibration_toml(const Calibration& calibration) {
    std::string text = "[calibration]                                   # of the numbers above\n";
    const auto line = [&](std::string_view key, const std::string& value) {
        text += fmt::format("{} = {}\n", key, toml_string(value));
    };
    line("date", calibration.date);
    line("author", calibration.author);
    line("serial_number", calibration.serial_number);
    if (!calibration.method.empty()) line("method", calibration.method);
    return text;
}

std::optional<Calibration> read_calibration(TomlTable& machine) {
    if (!machine.has("calibration")) return std::nullopt;
    TomlTable table = machine.table("calibration");
    Calibration calibration;
    calibration.date = table.scalar_text("date");  // a date of TOML's own is one too
    if (const std::string defect = calibration_date_defect(calibration.date); !defect.empty())
        table.fail("date", defect);
    calibration.author = word(table, "author");
    calibration.serial_number = word(table, "serial_number");
    if (table.has("method")) calibration.method = word(table, "method");
    table.finish();
    return calibration;
}

}  // namespace topple::hil::experiment

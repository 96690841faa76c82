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

/// Takes two digits, at most `most`, from the front of `text`. False: there are none.
bool take_two_digits(std::string_view& text, unsigned most) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return false;
    const auto value = static_cast<unsigned>(10 * (text[0] - '0') + (text[1] - '0'));
    text.remove_prefix(2);
    return value <= most;
}

bool take(std::string_view& text, std::string_view one_of) {
    if (text.empty() || one_of.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

bool take_hours_and_minutes(std::string_view& text) {
    return take_two_digits(text, 23) && take(text, ":") && take_two_digits(text, 59);
}

// What stands behind the day: nothing, or a time of day, with or without seconds and their fraction, and its zone.
bool is_time(std::string_view text) {
    if (text.empty()) return true;
    if (!take(text, "Tt ") || !take_hours_and_minutes(text)) return false;
    if (take(text, ":")) {
        if (!take_two_digits(text, 60)) return false;  // 60: a leap second
        if (take(text, ".")) {
            const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            if (digits == 0) return false;
            text.remove_prefix(digits);
        }
    }
    if (text.empty() || text == "Z" || text == "z") return true;
    return take(text, "+-") && take_hours_and_minutes(text) && text.empty();
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

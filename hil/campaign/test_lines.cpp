#include "hil/campaign/test_lines.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hil/campaign/test_table.hpp"
#include "hil/files/csv_cells.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/number_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::campaign {
namespace {

using files::InputError;

constexpr std::string_view kBefore[] = {"test", "specimen_index", "run", "status"};
constexpr std::string_view kAfter[] = {"outcome",
                                       "side",
                                       "discarded",
                                       "source",
                                       "peak_rotation_rad",
                                       "peak_velocity_m_s",
                                       "predicted",
                                       "p_translation",
                                       "p_sliding",
                                       "p_rocking",
                                       "p_overturning",
                                       "p_partial_overturning",
                                       "p_total_overturning",
                                       "members",
                                       "verdict",
                                       "began_utc",
                                       "took_s",
                                       "why"};

constexpr solver::Outcome kColumns[] = {
    solver::Outcome::translation,
    solver::Outcome::sliding,
    solver::Outcome::rocking,
    solver::Outcome::overturning,
    solver::Outcome::partial_overturning,
    solver::Outcome::total_overturning,
};

std::string cell(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }
std::string cell(const std::optional<solver::Outcome>& outcome) {
    return outcome ? std::string(solver::name(*outcome)) : "";
}

/// One line, cell by cell.
class Line {
  public:
    Line(std::string_view line, const std::string& where) : cells_(files::csv_cells(line)), where_(where) {}

    std::size_t count() const noexcept { return cells_.size(); }
    const std::string& next() { return cells_.at(at_++); }
    double number() {
        const std::string& text = next();
        const auto value = text::parse_number(text);
        if (!value || !std::isfinite(*value)) refuse(text, "a number");
        return *value;
    }
    std::optional<double> optional_number() {
        if (!cells_.at(at_).empty()) return number();
        ++at_;
        return std::nullopt;
    }
    std::uint64_t whole_number() {
        const std::string& text = next();
        const auto value = text::parse_whole_number(text);
        if (!value) refuse(text, "a whole number");
        return *value;
    }
    std::optional<solver::Outcome> outcome() {
        const std::string& text = next();
        if (text.empty()) return std::nullopt;
        for (const solver::Outcome outcome : kColumns)
            if (text == solver::name(outcome)) return outcome;
        refuse(text, "an outcome");
    }
    [[noreturn]] void refuse(const std::string& text, const std::string& allowed) const {
        throw InputError(fmt::format("{}, column {}: \"{}\" is not {}", where_, at_, text, allowed));
    }

  private:
    std::vector<std::string> cells_;
    const std::string& where_;
    std::size_t at_ = 0;
};

std::optional<solver::Side> side_of(Line& line) {
    const std::string& text = line.next();
    if (text.empty()) return std::nullopt;
    if (text == solver::name(solver::Side::left)) return solver::Side::left;
    if (text == solver::name(solver::Side::right)) return solver::Side::right;
    line.refuse(text, "left or right");
}

SpecimenRecord read_specimen(Line& line, TestRecord& test) {
    SpecimenRecord specimen;
    specimen.outcome = line.outcome();
    specimen.side = side_of(line);
    test.reason = line.next();
    specimen.source = line.next();
    specimen.peak_rotation_rad = line.optional_number();
    test.peak_velocity_m_s = line.number();
    specimen.predicted = line.outcome();
    for (const solver::Outcome outcome : kColumns)
        specimen.probability.at(solver::outcome_code(outcome)) = line.optional_number().value_or(0.0);
    specimen.members = static_cast<std::size_t>(line.whole_number());
    specimen.verdict = line.next();
    test.began_utc = line.next();
    test.took_s = line.number();
    test.why = line.next();
    return specimen;
}

}  // namespace

std::string test_header(const std::vector<std::string>& keys) {
    std::string header;
    for (const std::string_view name : kBefore) header += fmt::format("{}{}", header.empty() ? "" : ",", name);
    for (const std::string& key : keys) header += "," + key;
    for (const std::string_view name : kAfter) header += fmt::format(",{}", name);
    return header + "\n";
}

std::string test_lines(const TestRecord& test) {
    std::string lines;
    for (std::size_t i = 0; i < test.specimens.size(); ++i) {
        const SpecimenRecord& s = test.specimens[i];
        lines += fmt::format("{},{},{},{}", test.number, i, run_name(test.number), name(test.status));
        for (const double value : test.setting) lines += fmt::format(",{}", value);
        lines += fmt::format(",{},{},{},{},{},{},{}", cell(s.outcome), s.side ? solver::name(*s.side) : "",
                             files::csv_cell(text::one_line(test.reason)), s.source, cell(s.peak_rotation_rad),
                             test.peak_velocity_m_s, cell(s.predicted));
        for (const solver::Outcome outcome : kColumns)
            lines += "," + (s.members == 0 ? "" : fmt::format("{}", s.probability.at(solver::outcome_code(outcome))));
        lines += fmt::format(",{},{},{},{:.1f},{}\n", s.members, s.verdict, test.began_utc, test.took_s,
                             files::csv_cell(text::one_line(test.why)));
    }
    return lines;
}

std::vector<TestRecord> read_test_lines(std::string_view text, const TestTableForm& form) {
    std::vector<TestRecord> tests;
    const std::string header = test_header(form.keys);
    if (!text.empty() && !text.starts_with(header))
        throw InputError(fmt::format("{}: not the tests of this campaign: its first line must be {}", form.file,
                                     std::string_view(header).substr(0, header.size() - 1)));
    const std::size_t columns = std::size(kBefore) + form.keys.size() + std::size(kAfter);
    std::size_t number_of_line = 1;
    for (std::size_t begin = header.size(); begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        const std::string where = fmt::format("{}, line {}", form.file, ++number_of_line);
        Line line(text.substr(begin, end - begin), where);
        begin = end + 1;
        if (line.count() != columns)
            throw InputError(fmt::format("{}: {} cells; {} are needed", where, line.count(), columns));
        TestRecord test;
        test.number = line.whole_number();
        const std::uint64_t index = line.whole_number();
        line.next();  // the folder follows from the number
        const std::string& status = line.next();
        if (!status_named(status)) line.refuse(status, "done, discarded, interrupted or refused");
        test.status = *status_named(status);
        for (std::size_t i = 0; i < form.keys.size(); ++i) test.setting.push_back(line.number());
        SpecimenRecord specimen = read_specimen(line, test);
        const bool is_open = !tests.empty() && tests.back().specimens.size() < form.specimens;
        if (index == 0 && !is_open)
            tests.push_back(test);
        else if (tests.empty() || tests.back().number != test.number || tests.back().specimens.size() != index)
            throw InputError(fmt::format("{}: specimen {} of test {} is out of its place", where, index, test.number));
        tests.back().specimens.push_back(std::move(specimen));
    }
    return tests;
}

}  // namespace topple::hil::campaign

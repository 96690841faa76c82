#include "hil/experiment/members_specimen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hil/experiment/learned_prior.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/text/number_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kBytesMax = std::size_t{64} << 20;
constexpr std::string_view kStart = "# specimen.", kLaw = "restitution_law", kEquals = " = ";

/// One line without its start.
void take_line(const std::string& line, const std::string& where, LearnedPrior& described) {
    const std::size_t equals = line.find(kEquals);
    const std::string key = line.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : line.substr(equals + kEquals.size());
    if (key == kLaw) {
        described.law = value;
        return;
    }
    const auto number = text::parse_number(value);
    if (!number)
        throw files::InputError(
            fmt::format("{}: \"{}{}\": allowed: \"{}KEY = NUMBER\" as `topple fit` wrote it, or no such line", where,
                        kStart, text::one_line(line), kStart));
    described.specimen.push_back({key, *number});
}

}  // namespace

std::string specimen_comment(const solver::Specimen& specimen) {
    std::string text = fmt::format("{}{}{}{}\n", kStart, kLaw, kEquals, law_of(specimen));
    for (const DescribedNumber& one : described_numbers(specimen))
        text += fmt::format("{}{}{}{}\n", kStart, one.key, kEquals, one.value);
    return text;
}

std::string members_not_of(const std::filesystem::path& file, std::span<const solver::Specimen> specimens) {
    LearnedPrior described;
    bool is_described = false;
    std::istringstream lines(files::read_text_file(file, kBytesMax));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!line.starts_with(kStart)) continue;
        is_described = true;
        line.erase(line.find_last_not_of(" \t\r,;") + 1);  // what a spreadsheet leaves behind
        take_line(line.substr(std::min(line.size(), kStart.size())), fmt::format("{}:{}", file.string(), number),
                  described);
    }
    if (!is_described) return {};
    for (std::size_t i = 0; i < specimens.size(); ++i)
        if (const std::string why = not_of(described, specimens[i]); !why.empty())
            return fmt::format("learned on another specimen than number {}: {}", i, why);
    return {};
}

}  // namespace topple::hil::experiment

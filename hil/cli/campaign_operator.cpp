#include "hil/cli/campaign_operator.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <sstream>
#include <string>

#include "hil/cli/terminal_question.hpp"
#include "hil/conclude/mark_file.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/number_text.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using campaign::Preparation;
using campaign::Seen;
using campaign::TestRecord;
using experiment::Experiment;
using files::InputError;
using text::tell;

std::string time_words(double seconds) {
    return seconds < 90.0 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60.0);
}

bool prepare(const Preparation& next) {
    tell("\ntest {}: {}\n  why: {}\n", next.number, next.setting, next.why);
    if (next.expected_left > 0)
        tell("  {} made, about {} to come{}\n", next.made, next.expected_left,
             next.left_s > 0.0 ? fmt::format(", about {}", time_words(next.left_s)) : std::string());
    if (next.blocks_fell) tell("  Something fell in the last test: look at blocks, edges and base before you go on.\n");
    tell("  Drive off or emergency stop pressed: place and align every block, hands off, everybody back.\n{}",
         next.by_hand ? "  Set the apparatus to the values above; make the test after your answer.\n" : "");
    for (;;) {
        const std::string answer = ask("Type ready when everything stands (quit ends the campaign): ");
        if (answer == "ready") return true;
        if (answer == "quit") return false;
        tell("\"{}\": type ready or quit\n", answer);
    }
}

std::string choices(const solver::Specimen& specimen) {
    return specimen.blocks.size() > 1 ? "T, R, P (partial) or D (total overturning)" : "T, R or O";
}

// "O right", "P 1,2 left", "discard the camera fell"; Enter: as the sensor has it.
Seen parse(const std::string& answer, const solver::Specimen& specimen) {
    Seen seen;
    std::istringstream words(answer);
    std::string word;
    words >> word;
    if (word == "discard") {
        std::string reason;
        std::getline(words >> std::ws, reason);
        if (reason.empty()) throw InputError("discard needs a reason: discard WHY");
        seen.discard = reason;
        return seen;
    }
    compare::OperatorMark mark{
        .specimen = 0, .outcome = conclude::parse_outcome(word), .side = {}, .discard_reason = {}};
    while (words >> word) {
        if (std::isdigit(static_cast<unsigned char>(word[0]))) {
            std::istringstream list(word);
            for (std::string block; std::getline(list, block, ',');) {
                const auto index = text::parse_whole_number(block);
                if (!index) throw InputError(fmt::format("\"{}\" is no block number", block));
                mark.blocks_overturned.push_back(static_cast<std::size_t>(*index));
            }
        } else {
            mark.side = conclude::parse_side(word);
        }
    }
    conclude::require_possible(mark, specimen);
    seen.outcome = mark.outcome;
    seen.side = mark.side;
    seen.blocks_overturned = mark.blocks_overturned;
    return seen;
}

Seen look_at(const Experiment& experiment, std::size_t index, const campaign::SpecimenRecord& record) {
    const solver::Specimen& specimen = experiment.specimens[index];
    const std::string which = experiment.specimens.size() > 1 ? fmt::format("specimen {}: ", index) : std::string();
    const std::string sensed =
        record.outcome ? fmt::format(" (Enter: as the sensor has it, {})", name(*record.outcome)) : std::string();
    for (;;) {
        const std::string answer = ask(fmt::format(
            "{}what happened? {}, with left or right; or discard REASON{}: ", which, choices(specimen), sensed));
        if (answer.empty() && record.outcome) return {};
        try {
            return parse(answer, specimen);
        } catch (const InputError& error) {
            tell("{}\n", error.what());
        }
    }
}

}  // namespace

campaign::Operator operator_at_terminal(const Experiment& experiment) {
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        throw InputError(
            "a campaign needs a person who places the blocks before every test and says what happened, but here is no "
            "terminal: run it in one (on the simulated table nobody is asked)");
    campaign::Operator person;
    person.is_person = true;
    if (const auto noted = experiment.notes.find("operator"); noted != experiment.notes.end())
        person.name = noted->second;
    person.prepare = prepare;
    person.look = [&experiment](const TestRecord& test, const std::string& setting) {
        std::vector<Seen> seen;
        tell("\ntest {}: {}{}\n", test.number, setting,
             experiment.campaign->driven_by == experiment::CampaignDrive::hand
                 ? " (if it was never made: discard not made)"
                 : "");
        for (std::size_t i = 0; i < test.specimens.size(); ++i)
            seen.push_back(look_at(experiment, i, test.specimens[i]));
        return seen;
    };
    return person;
}

campaign::Operator nobody() {
    campaign::Operator simulated;
    simulated.name = "simulation";
    return simulated;
}

}  // namespace topple::hil::cli

#include "hil/conclude/mark_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/host/host_identity.hpp"

namespace topple::hil::conclude {
namespace {

using compare::OperatorMark;
using files::InputError;
using Json = nlohmann::json;
constexpr const char* kFileName = "mark.json";

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

OperatorMark from_json(const Json& entry) {
    OperatorMark mark{
        .specimen = entry.at("specimen").get<std::size_t>(), .outcome = {}, .side = {}, .discard_reason = {}};
    if (!entry.at("outcome").is_null()) mark.outcome = parse_outcome(entry.at("outcome").get<std::string>());
    if (!entry.at("side").is_null()) mark.side = parse_side(entry.at("side").get<std::string>());
    if (!entry.at("discard").is_null()) mark.discard_reason = entry.at("discard").get<std::string>();
    const auto text = [&](const char* key) {
        return entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : std::string();
    };
    if (entry.contains("blocks_overturned"))
        mark.blocks_overturned = entry.at("blocks_overturned").get<std::vector<std::size_t>>();
    mark.time = text("time");
    mark.marked_by = text("operator");
    mark.machine = text("machine");
    mark.computer = text("computer");
    return mark;
}

Json to_json(const OperatorMark& mark) {
    Json entry{{"specimen", mark.specimen}, {"outcome", nullptr}, {"side", nullptr}, {"discard", nullptr}};
    if (mark.outcome) entry["outcome"] = name(*mark.outcome);
    if (mark.side) entry["side"] = name(*mark.side);
    if (mark.discard_reason) entry["discard"] = *mark.discard_reason;
    if (!mark.blocks_overturned.empty()) entry["blocks_overturned"] = mark.blocks_overturned;
    const auto text = [&](const char* key, const std::string& value) {
        entry[key] = value.empty() ? Json(nullptr) : Json(value);
    };
    text("time", mark.time);
    text("operator", mark.marked_by);
    text("machine", mark.machine);
    text("computer", mark.computer);
    return entry;
}

}  // namespace

void stamp(OperatorMark& mark, const std::string& marked_by) {
    const host::HostIdentity host = host::host_identity();
    mark.time = host::iso_time_now();
    mark.marked_by = marked_by.empty() ? host.user : marked_by;
    mark.computer = host.computer;
}

solver::Outcome parse_outcome(const std::string& text) {
    const std::string word = lower(text);
    if (word == "t" || word == "translation") return solver::Outcome::translation;
    if (word == "r" || word == "rocking") return solver::Outcome::rocking;
    if (word == "o" || word == "overturning") return solver::Outcome::overturning;
    if (word == "s" || word == "sliding") return solver::Outcome::sliding;
    if (word == "p" || word == "partial_overturning") return solver::Outcome::partial_overturning;
    if (word == "d" || word == "total_overturning") return solver::Outcome::total_overturning;
    throw InputError(fmt::format(
        "outcome \"{}\": allowed: T (translation), S (sliding), R (rocking), O (overturning); of a stack P (partial "
        "overturning) and D (total overturning) in place of O",
        text));
}

solver::Side parse_side(const std::string& text) {
    const std::string word = lower(text);
    if (word == "left") return solver::Side::left;
    if (word == "right") return solver::Side::right;
    throw InputError(fmt::format("side \"{}\": allowed: left or right (right is +x)", text));
}

void require_possible(const OperatorMark& mark, const solver::Specimen& specimen) {
    using solver::Outcome;
    const std::size_t count = specimen.blocks.size();
    const bool is_of_stack = mark.outcome == Outcome::partial_overturning || mark.outcome == Outcome::total_overturning;
    if (is_of_stack && count < 2)
        throw InputError(
            fmt::format("outcome {}: of a stack only; a single body is marked O (overturning)", name(*mark.outcome)));
    if (mark.outcome == Outcome::overturning && count > 1)
        throw InputError(
            "outcome overturning: of a stack say how much of it fell: P (partial) or D (total overturning)");
    if (mark.outcome == Outcome::translation && mark.side)
        throw InputError("--side: a block that only translates has no side");
    const std::vector<std::size_t>& fell = mark.blocks_overturned;
    if (fell.empty()) return;
    if (!solver::is_overturning(mark.outcome))
        throw InputError("blocks that fell: only with an outcome in which something overturned");
    for (std::size_t i = 0; i < fell.size(); ++i) {
        if (fell[i] >= count)
            throw InputError(
                fmt::format("block {}: the specimen has {}, counted from 0 at the bottom", fell[i], count));
        if (std::count(fell.begin(), fell.end(), fell[i]) > 1)
            throw InputError(fmt::format("block {}: is named twice", fell[i]));
    }
    if (mark.outcome == Outcome::total_overturning && fell.size() != count)
        throw InputError(
            fmt::format("outcome total_overturning: all {} blocks fell, but {} are named", count, fell.size()));
    if (mark.outcome == Outcome::partial_overturning && fell.size() >= count)
        throw InputError("outcome partial_overturning: every block is named; that is D, total overturning");
}

void require_possible(const OperatorMark& mark, const experiment::Experiment& experiment) {
    const std::size_t count = experiment.specimens.size();
    if (mark.specimen >= count)
        throw InputError(fmt::format("--specimen {}: the test has {} specimens, counted from 0", mark.specimen, count));
    require_possible(mark, experiment.specimens[mark.specimen]);
}

std::vector<OperatorMark> read_marks(const std::filesystem::path& run_folder) {
    const std::filesystem::path file = run_folder / kFileName;
    std::vector<OperatorMark> marks;
    if (!std::filesystem::exists(file)) return marks;
    try {
        const Json content = Json::parse(files::read_text_file(file));
        for (const Json& entry : content.at("marks")) marks.push_back(from_json(entry));
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
    return marks;
}

void write_marks(const std::filesystem::path& run_folder, const std::vector<OperatorMark>& marks) {
    Json content{{"schema", "topple.mark/2"}, {"marks", Json::array()}};
    for (const OperatorMark& each : marks) content["marks"].push_back(to_json(each));
    files::write_durably(run_folder / kFileName, content.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool is_unrecorded(const std::filesystem::path& run_folder) {
    return !std::filesystem::exists(run_folder / "run.mcap") && std::filesystem::exists(run_folder / kFileName);
}

void mark_unrecorded(const std::filesystem::path& run_folder, const OperatorMark& mark) {
    const experiment::Experiment experiment = experiment::read_experiment(run_folder / "experiment.toml");
    require_possible(mark, experiment);
    std::vector<OperatorMark> marks = read_marks(run_folder);
    marks.push_back(mark);
    write_marks(run_folder, marks);
}

}  // namespace topple::hil::conclude

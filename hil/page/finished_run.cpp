#include "hil/page/finished_run.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "hil/conclude/test_files.hpp"
#include "hil/files/input_file.hpp"
#include "hil/live/run_channels.hpp"
#include "hil/plan/test_json.hpp"

namespace topple::hil::page {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Content of a file of the folder; nothing if it is not there. What is wrong with it goes to `problems`.
std::optional<std::string> text_of(const fs::path& file, std::vector<std::string>& problems) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::nullopt;
    try {
        return files::read_text_file(file);
    } catch (const std::exception& error) {
        problems.emplace_back(error.what());
        return std::nullopt;
    }
}

Json at(const Json& json, std::initializer_list<const char*> keys) {
    const Json* here = &json;
    for (const char* key : keys) {
        if (!here->is_object() || !here->contains(key)) return nullptr;
        here = &(*here)[key];
    }
    return *here;
}

/// Of summary.json what the page shows.
Json result_json(const Json& summary) {
    if (!summary.is_object()) return nullptr;
    return {{"status", at(summary, {"status"})},
            {"status_reason", at(summary, {"status_reason"})},
            {"outcome", at(summary, {"measured", "outcome"})},
            {"side", at(summary, {"measured", "side"})},
            {"peak_rotation_rad", at(summary, {"measured", "peak_rotation_rad"})},
            {"predicted", at(summary, {"predicted", "planned", "outcome"})},
            {"verdict", at(summary, {"verdict"})},
            {"caveat", at(summary, {"caveat"})}};
}

Json test_of(const fs::path& folder, std::int64_t anchor_ns, FinishedRun& run) {
    try {
        const experiment::Experiment experiment = conclude::read_experiment_as_run(folder);
        plan::ShownTest shown;
        shown.prediction_json = text_of(folder / "prediction.json", run.problems).value_or("");
        shown.log_time_anchor_ns = anchor_ns;
        run.is_anything = true;
        return Json::parse(plan::test_json(experiment, shown));
    } catch (const std::exception& error) {
        run.problems.emplace_back(error.what());
        return Json::object();
    }
}

std::int64_t read_log(const fs::path& log, FinishedRun& run) {
    std::error_code ignored;
    if (!fs::exists(log, ignored)) {
        run.problems.emplace_back("there is no run.mcap: nothing was recorded");
        return 0;
    }
    try {
        const StoredLog stored = read_stored_log(log);
        run.problems.insert(run.problems.end(), stored.problems.begin(), stored.problems.end());
        if (stored.message_count() == 0) return 0;
        run.log = std::make_shared<SharedLog>(log);
        run.is_anything = true;
        return stored.log_time_anchor_ns;
    } catch (const std::exception& error) {
        run.problems.emplace_back(error.what());
        return 0;
    }
}

}  // namespace

FinishedRun finished_run(const fs::path& path, const std::string& label) {
    FinishedRun run;
    std::error_code ignored;
    const bool is_folder = fs::is_directory(path, ignored);
    const fs::path folder = is_folder ? path : path.parent_path();
    const std::int64_t anchor_ns = read_log(is_folder ? path / "run.mcap" : path, run);
    const bool has_test = is_folder || fs::exists(folder / "experiment.toml", ignored);
    Json json = has_test ? test_of(folder, anchor_ns, run) : Json::object();
    json["label"] = label;
    if (!json.contains("name")) json["name"] = label;
    json["recorded"] = run.log != nullptr;
    json["folder"] = fs::absolute(folder, ignored).lexically_normal().string();
    if (has_test)
        if (const auto summary = text_of(folder / "summary.json", run.problems)) {
            json["result"] = result_json(Json::parse(*summary, nullptr, false));
            json["device"] = at(Json::parse(*summary, nullptr, false), {"machine"});
            if (json["result"].is_null()) run.problems.emplace_back("summary.json cannot be read");
        }
    json["problems"] = run.problems;
    run.description = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return run;
}

std::vector<live::Channel> channels_of(const FinishedRun& run, const std::string& prefix) {
    std::vector<live::Channel> channels = live::run_channels(prefix);
    for (std::size_t topic = 0; topic < channels.size(); ++topic) {
        channels[topic].is_kept = false;
        channels[topic].stored = [log = run.log, topic] {
            return log ? log->source(topic) : live::MessageSource([](live::Message&) { return false; });
        };
    }
    return channels;
}

}  // namespace topple::hil::page

#include "hil/conclude/conclude_run.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "hil/conclude/mark_file.hpp"
#include "hil/conclude/test_files.hpp"
#include "hil/experiment/photo.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/files/sha256.hpp"
#include "hil/report/figures.hpp"
#include "hil/report/html_report.hpp"
#include "hil/report/iteration.hpp"
#include "hil/report/text_summary.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::conclude {
namespace {

using experiment::Experiment;
using files::InputError;
using files::read_text_file;
using files::sha256_hex;
using report::ReportFigure;
using report::RunIdentity;
using run_log::RunData;

namespace fs = std::filesystem;

std::string read_if_there(const fs::path& file) { return fs::exists(file) ? read_text_file(file) : std::string(); }

std::optional<KeptPositions> positions_of(const fs::path& folder, const ConcludeOptions& options,
                                          const Experiment& experiment) {
    if (!options.positions) return read_kept_positions(folder);
    require_assembly(options.positions->file, experiment);
    require_no_positions(folder, options.positions->overwrite);
    return KeptPositions{read_camera_positions(options.positions->file, options.positions->rate_hz),
                         options.positions->setup};
}

void judge_positions(compare::Conclusion& conclusion, const KeptPositions& positions) {
    if (!conclusion.assembly)
        throw InputError("positions.csv: the experiment has no assembly whose blocks could be seen");
    try {
        compare::judge_assembly(conclusion, positions.seen, positions.setup);
    } catch (const std::invalid_argument& error) {
        throw InputError(error.what());
    }
}

std::optional<compare::CameraInput> camera_of(const fs::path& folder, const ConcludeOptions& options,
                                              const Experiment& experiment) {
    if (!options.rotation) return read_kept_camera(folder, experiment);
    require_no_camera(folder, options.rotation->overwrite);
    return read_camera(*options.rotation, experiment);
}

/// What a conclusion takes into account besides experiment, log and marks.
struct Besides {
    const std::vector<std::string>& changed;
    const std::optional<compare::CameraInput>& camera;
    std::size_t members = plan::kTestEnsemble;
};

compare::Conclusion concluded(const Experiment& experiment, const RunData& run,
                              const std::vector<compare::OperatorMark>& marks, const Besides& besides) {
    try {
        return compare::conclude(experiment, run, compare::effective_marks(marks), besides.changed,
                                 besides.camera ? &*besides.camera : nullptr, besides.members);
    } catch (const std::invalid_argument& error) {
        if (!besides.camera) throw;
        throw InputError(error.what());
    }
}

std::string revealed_before(const fs::path& folder) {
    const auto summary = nlohmann::ordered_json::parse(read_if_there(folder / "summary.json"), nullptr, false);
    if (!summary.is_object() || !summary.contains("truth") || summary["truth"].is_null()) return {};
    return summary["truth"].dump();
}

RunIdentity identify(const fs::path& folder, const RunData& run) {
    RunIdentity identity;
    identity.metadata = run.metadata;
    for (const char* file : {"experiment.toml", "machine.toml", "prediction.json", "learned_drive.json", "mark.json",
                             "positions.csv", "positions.json", "camera.csv", "camera.json", "run.mcap"})
        if (fs::exists(folder / file)) identity.sha256[file] = sha256_hex(read_text_file(folder / file));
    identity.flight_files = files::find_flight_files(folder);
    for (const std::string& file : identity.flight_files)
        identity.sha256[file] = sha256_hex(read_text_file(folder / file));
    identity.learned_drive_json = read_if_there(folder / "learned_drive.json");
    identity.prediction_json = read_if_there(folder / "prediction.json");
    identity.prediction_is_frozen =
        !identity.prediction_json.empty() && sha256_hex(identity.prediction_json) == run.prediction_sha256;
    if (run.torn)
        identity.log_damage = "the log ends abruptly: the program was killed (`topple recover` repairs the file)";
    for (const std::string& damage : run.damage)
        identity.log_damage += (identity.log_damage.empty() ? "" : "; ") + damage;
    return identity;
}

// What the prediction says of itself, and whether the log proves it.
compare::BlindRecord check_blind_record(const fs::path& folder, const RunData& run) {
    compare::PredictionFile file;
    const std::string text = read_if_there(folder / "prediction.json");
    if (!text.empty()) file.sha256 = sha256_hex(text);
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_object() && json.contains("created_utc") && json["created_utc"].is_string())
        file.created_utc = json["created_utc"].get<std::string>();
    return compare::check_blind_record(file, run);
}

// SVG files of the set; empty with the reason in `missing` if they cannot be made.
std::vector<ReportFigure> draw(const compare::Conclusion& conclusion, const fs::path& folder, std::string& missing) {
    std::vector<ReportFigure> drawn;
    const report::FigureSet set = report::describe_figures(conclusion);
    try {
        report::make_figures(set, folder);
        for (const report::Figure& figure : set.figures)
            drawn.push_back({read_text_file(folder / (figure.name + ".svg")), figure.caption, figure.alt});
    } catch (const std::runtime_error& error) {
        missing = error.what();
        drawn.clear();
    }
    return drawn;
}

}  // namespace

compare::Conclusion read_conclusion(const fs::path& folder) {
    const RunData run = run_log::read_run_log(folder);
    const std::vector<std::string> changed = check_files_of_test(folder, run);
    const Experiment experiment = read_experiment_as_run(folder);
    const std::optional<compare::CameraInput> camera = read_kept_camera(folder, experiment);
    return concluded(experiment, run, read_marks(folder), {changed, camera});
}

std::string read_summary(const fs::path& folder) {
    const RunData run = run_log::read_run_log(folder);
    const std::vector<std::string> changed = check_files_of_test(folder, run);
    const Experiment experiment = read_experiment_as_run(folder);
    const std::optional<KeptPositions> positions = read_kept_positions(folder);
    const std::optional<compare::CameraInput> camera = read_kept_camera(folder, experiment);
    compare::Conclusion conclusion = concluded(experiment, run, read_marks(folder), {changed, camera});
    conclusion.blind_record = check_blind_record(folder, run);
    if (positions) judge_positions(conclusion, *positions);
    RunIdentity identity = identify(folder, run);
    identity.truth_json = revealed_before(folder);
    return report::summary_json(conclusion, identity);
}

ConcludedRun conclude_run(const fs::path& folder, const ConcludeOptions& options) {
    const RunData run = run_log::read_run_log(folder);
    const std::vector<std::string> changed = check_files_of_test(folder, run);
    const Experiment experiment = read_experiment_as_run(folder);
    std::vector<compare::OperatorMark> marks = read_marks(folder);
    const std::optional<KeptPositions> positions = positions_of(folder, options, experiment);
    const std::optional<compare::CameraInput> camera = camera_of(folder, options, experiment);
    ConcludedRun result;
    result.damage = run.damage;
    for (const compare::OperatorMark& mark : options.marks) {
        require_possible(mark, experiment);
        marks.push_back(mark);
        if (marks.back().machine.empty()) marks.back().machine = compare::origin_of(experiment, run).machine;
    }
    result.conclusion = concluded(experiment, run, marks, {changed, camera, options.members});
    result.conclusion.blind_record = check_blind_record(folder, run);
    if (positions) judge_positions(result.conclusion, *positions);
    if (!options.marks.empty()) write_marks(folder, marks);
    if (options.positions) keep_positions(folder, *options.positions);
    if (options.rotation) keep_camera(folder, *options.rotation);
    RunIdentity identity = identify(folder, run);
    std::vector<ReportFigure> figures;
    if (options.figures) figures = draw(result.conclusion, folder / "figures", result.figures_missing);
    // Only here, with every judgement made, does the hidden truth come in.
    identity.truth_json = options.truth_json ? *options.truth_json : revealed_before(folder);
    identity.figures_missing = result.figures_missing;
    files::write_file(folder / "summary.json", report::summary_json(result.conclusion, identity),
                      files::Overwrite::allow);
    const auto photo = experiment.notes.find(experiment::kPhotoKey);
    const report::ReportFiles files{
        experiment.text, read_if_there(folder / "machine.toml"),
        photo == experiment.notes.end() ? std::string() : experiment::read_photo(folder / photo->second)};
    files::write_file(folder / "report.html", report::html_report(result.conclusion, identity, files, figures),
                      files::Overwrite::allow);
    result.text = report::text_summary(result.conclusion, folder, result.figures_missing);
    result.text += report::iteration_lines(identity.learned_drive_json);
    for (const std::string& file : identity.flight_files)
        result.text += fmt::format("{:<12}{}: the last ticks before the stop\n", "", (folder / file).string());
    return result;
}

}  // namespace topple::hil::conclude

#include "hil/fragility/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hil/experiment/axis_motions.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/plan/prediction.hpp"

namespace topple::hil::fragility {
namespace {

using experiment::Experiment;
using files::InputError;

constexpr std::size_t kRunsMax = 100'000'000'000;
// A chunk is what a killed worker loses, and a file: some hundreds of runs of a small study, 65,536 of a huge one.
constexpr std::size_t kChunksAimed = 500, kChunkRunsLeast = 128, kChunkRunsMost = 65'536;

[[noreturn]] void refuse(const Experiment& experiment, const std::string& why) {
    throw InputError(fmt::format("{}: [fragility]: {}", experiment.source.string(), why));
}

void require_covered(const Experiment& experiment, const std::string& model, const solver::SolverOptions& options) {
    if (experiment.assembly) refuse(experiment, "an assembly does not overturn: not allowed");
    if (experiment.specimens.empty()) refuse(experiment, "there is no specimen");
    if (experiment.vertical_excitation.type != "none")
        refuse(experiment, "not together with [vertical_excitation], which no intensity measure counts");
    if (experiment.excitation_y) refuse(experiment, "not together with [excitation_y]: every motion is along one axis");
    if (experiment.excitation.coupled) refuse(experiment, "a coupled air track has no motion to scale");
    try {
        for (const solver::Specimen& specimen : experiment.specimens) solver::model_for(specimen, options.model);
    } catch (const std::invalid_argument& error) {
        refuse(experiment, fmt::format("model \"{}\": {}", model, error.what()));
    }
}

std::vector<plan::EnsembleDraw> draw_members(const Experiment& experiment, std::size_t specimen, std::size_t count) {
    if (count == 0) return {{experiment.specimens[specimen]}};
    std::vector<plan::EnsembleDraw> members;
    for (const std::size_t i : plan::equal_members(experiment.uncertainty, count))
        members.push_back(
            plan::draw_member(experiment.specimens[specimen], experiment.uncertainty, i, plan::MotionIs::planned));
    return members;
}

/// This Topple, text, referenced files, model and motions: what the results depend on.
std::string fingerprint_of(const Study& study, const std::string& model) {
    const experiment::PortableExperiment portable = experiment::make_portable(study.experiment);
    std::string all =
        fmt::format("topple.fragility/1\ntopple {}\nmodel {}\n{}\n", host::version(), model, portable.text);
    for (const auto& file : portable.files) all += fmt::format("{} {}\n", file.name, files::sha256_hex(file.text));
    for (const StudyMotion& motion : study.motions) all += fmt::format("{} {}\n", motion.listed.name, motion.sha256);
    return files::sha256_hex(all);
}

RunResult result_of(const solver::SuiteRun& run, bool has_peaks) {
    RunResult result{run.outcome, run.direction, has_peaks && run.uplifted};
    if (has_peaks && run.outcome && !solver::is_overturning(run.outcome))
        result.peak = static_cast<unsigned>(std::lround(run.peak_rotation_ratio / kPeakUnit));
    return result;
}

}  // namespace

std::size_t Study::run_count() const noexcept {
    return members.size() * motions.size() * value_count() * member_count();
}

std::size_t Study::values_per_chunk() const noexcept {
    const std::size_t runs = std::clamp(run_count() / kChunksAimed, kChunkRunsLeast, kChunkRunsMost);
    return std::clamp<std::size_t>(runs / member_count(), 1, value_count());
}

std::size_t Study::chunks_per_motion() const noexcept {
    return (value_count() + values_per_chunk() - 1) / values_per_chunk();
}

std::size_t Study::chunk_count() const noexcept { return members.size() * motions.size() * chunks_per_motion(); }

Chunk Study::chunk(std::size_t index) const {
    const std::size_t of_motion = index / chunks_per_motion(), first = index % chunks_per_motion() * values_per_chunk();
    return {index, of_motion / motions.size(), of_motion % motions.size(), first,
            std::min(values_per_chunk(), value_count() - first)};
}

Study make_study(const Experiment& experiment, const std::string& model, unsigned threads) {
    const std::string used = model.empty() ? experiment.model : model;
    Study study{experiment, experiment::read_fragility(experiment).value(), plan::solver_options(experiment, used)};
    require_covered(experiment, used, study.options);
    study.motions = read_motions(experiment, study.section, threads);
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        study.sense.push_back(experiment::sense_in_plane(experiment, i, "a fragility study"));
        study.members.push_back(draw_members(experiment, i, study.section.members));
    }
    if (study.run_count() > kRunsMax)
        refuse(experiment, fmt::format("{} runs; at most {} are allowed", study.run_count(), kRunsMax));
    study.fingerprint = fingerprint_of(study, used);
    return study;
}

std::vector<RunResult> solve(const Study& study, const Chunk& chunk, MotionShelf& shelf) {
    const std::shared_ptr<const solver::RecordSuite> suite = shelf.take(chunk.motion);
    const std::vector<plan::EnsembleDraw>& drawn = study.members[chunk.specimen];
    std::vector<solver::Specimen> specimens;
    for (const plan::EnsembleDraw& member : drawn) specimens.push_back(member.specimen);
    std::vector<solver::SuitePoint> points;
    for (std::size_t v = 0; v < chunk.value_count; ++v) {
        const double scale = study.sense[chunk.specimen] * study.scale(chunk.motion, chunk.first_value + v);
        for (std::size_t m = 0; m < drawn.size(); ++m)
            points.push_back({m, {scale * drawn[m].amplitude_factor, drawn[m].frequency_factor}});
    }
    std::vector<solver::SuiteRun> runs(points.size());
    suite->solve(specimens, points, runs);
    std::vector<RunResult> results;
    results.reserve(runs.size());
    for (const solver::SuiteRun& run : runs) results.push_back(result_of(run, study.section.has_peaks));
    return results;
}

std::vector<BeyondLimit> beyond_limit(const Study& study) {
    std::vector<BeyondLimit> found;
    for (std::size_t m = 0; m < study.motions.size(); ++m) {
        BeyondLimit one{m, study.scale(m, 0), study.scale(m, study.value_count() - 1), 0};
        for (std::size_t v = 0; v < study.value_count(); ++v) {
            if (study.scale(m, v) > study.section.scale_limit) ++one.values;
        }
        if (one.values > 0) found.push_back(one);
    }
    return found;
}

}  // namespace topple::hil::fragility

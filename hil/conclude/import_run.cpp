#include "hil/conclude/import_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "hil/conclude/motion_start.hpp"
#include "hil/conclude/second_channel.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/experiment/start_marker.hpp"
#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/run_log/run_log_writer.hpp"
#include "hil/signal/even_grid.hpp"

namespace topple::hil::conclude {
namespace {

using experiment::Experiment;
using files::DeclaredColumns;
using firmware_iface::Feedback;
using run_log::EventKind;
using run_log::RunData;
constexpr double kCountsPerMetre = 1e9;
constexpr const char* kMotionStartKey = "motion_start_s";

RotationRequest camera_request(const ImportRequest& request) {
    RotationRequest rotation;
    rotation.file = *request.rotation;
    rotation.how = request.rotation_how;
    rotation.how.rate_hz = request.rotation_rate_hz;
    rotation.setup.start_s = request.rotation_start_s;
    rotation.setup.correlate = request.rotation_correlate;
    rotation.setup.sign_is_known = rotation.how.sign.has_value();
    return rotation;
}

double motion_start_s(const RunData& run) {
    const std::string& start = run.metadata.at(kMotionStartKey);
    double start_s = 0.0;
    std::from_chars(start.data(), start.data() + start.size(), start_s);
    return start_s;
}

/// Blocks that rock have rotations, blocks in a basin positions.
void require_fitting_measurement(const ImportRequest& request, const Experiment& experiment) {
    if (request.rotation) require_rocking_blocks(*request.rotation, experiment);
    if (request.rotation && request.from_camera) read_camera(camera_request(request), experiment);
    if (!request.positions) return;
    require_assembly(request.positions->file, experiment);
    read_camera_positions(request.positions->file, request.positions->rate_hz);  // before a folder is made
}

ConcludeOptions conclude_options(const ImportRequest& request, const RunData& run) {
    ConcludeOptions options;
    options.positions = request.positions;
    if (options.positions && !request.positions_start_given) options.positions->setup.start_s = motion_start_s(run);
    if (!request.rotation || !request.from_camera) return options;
    options.rotation = camera_request(request);
    if (!options.rotation->setup.start_s && !request.rotation_correlate)
        options.rotation->setup.start_s = motion_start_s(run);
    return options;
}

/// Columns as chosen; what was chosen goes into `said`.
DeclaredColumns read_chosen(const ImportRequest& request, std::vector<std::string>& said) {
    const vendor_files::RawTable table = vendor_files::read_raw_table(request.motion);
    vendor_files::ChosenColumns chosen = vendor_files::choose_channels(table, request.channels, request.motion_rate_hz);
    said.push_back(
        fmt::format("{}: {}, {} columns", request.motion.filename().string(), table.format, table.columns.size()));
    said.insert(said.end(), chosen.said.begin(), chosen.said.end());
    said.insert(said.end(), table.notes.begin(), table.notes.end());
    return std::move(chosen.columns);
}

DeclaredColumns read_motion(const ImportRequest& request, double planned_s, std::vector<std::string>& said) {
    constexpr double kSpareMax_s = 1200.0;  // before and after the motion
    DeclaredColumns motion = request.channels.empty()
                                 ? files::read_declared_columns(request.motion, request.motion_rate_hz)
                                 : read_chosen(request, said);
    if (motion.displacement_m.empty() && motion.acceleration_m_s2.empty())
        files::refuse_missing(request.motion, "displacement_<unit>, position_<unit> or acceleration_<unit>", motion);
    if (motion.time_s.size() < 16) throw files::InputError(request.motion.string() + ": fewer than 16 rows");
    const double duration_s = motion.time_s.back() - motion.time_s.front();
    if (duration_s > planned_s + kSpareMax_s)
        throw files::InputError(
            fmt::format("{}: lasts {:.6g} s, the motion {:.4g} s: is the unit of time right? At most "
                        "{:g} s more than the motion are allowed: cut the file",
                        request.motion.string(), duration_s, planned_s, kSpareMax_s));
    return motion;
}

// Rotations with time from the first setpoint; empty if there are none.
DeclaredColumns read_rotation(const ImportRequest& request, const DeclaredColumns& motion, double motion_start_s,
                              std::size_t blocks) {
    DeclaredColumns rotation;
    double start_s = motion_start_s;
    if (request.rotation && request.from_camera) return rotation;
    if (request.rotation) {
        camera::RotationHistory read = camera::read_rotation(*request.rotation, camera_request(request).how, blocks);
        if (read.zero_is_rest)
            throw files::InputError(
                fmt::format("{}: its rotations count from how the blocks rested, as those of a camera do: add --camera",
                            request.rotation->string()));
        start_s = request.rotation_start_s.value_or(motion_start_s);
        rotation.time_s = std::move(read.time_s);
        rotation.rotation_rad = std::move(read.rotation_rad);
    } else {
        rotation.time_s = motion.time_s;
        rotation.rotation_rad = motion.rotation_rad;
    }
    if (!rotation.rotation_rad.empty() && rotation.rotation_rad.size() != blocks)
        throw files::InputError(
            fmt::format("{} rotation columns for {} blocks: each block needs one, or no block may have one",
                        rotation.rotation_rad.size(), blocks));
    for (double& time_s : rotation.time_s) time_s -= start_s;
    return rotation;
}

// NaN outside of what was measured: nothing is extrapolated.
double rotation_at(const DeclaredColumns& rotation, std::size_t block, double time_s) {
    if (rotation.time_s.empty() || time_s < rotation.time_s.front() || time_s > rotation.time_s.back())
        return std::nan("");
    const auto right = std::upper_bound(rotation.time_s.begin(), rotation.time_s.end(), time_s);
    if (right == rotation.time_s.end()) return rotation.rotation_rad[block].back();
    const auto i = static_cast<std::size_t>(right - rotation.time_s.begin());
    const double share = (time_s - rotation.time_s[i - 1]) / (rotation.time_s[i] - rotation.time_s[i - 1]);
    return rotation.rotation_rad[block][i - 1] +
           share * (rotation.rotation_rad[block][i] - rotation.rotation_rad[block][i - 1]);
}

std::map<std::string, std::string> metadata_of(const DeclaredColumns& motion, const ImportRequest& request) {
    std::string channels = motion.displacement_m.empty() ? "" : "displacement";
    if (!motion.acceleration_m_s2.empty()) channels += channels.empty() ? "acceleration" : ",acceleration";
    return {{"imported", "true"},
            {"simulated", "false"},
            {"motion_channels", channels},
            {"motion_file", request.motion.filename().string()},
            {"rotation_file", request.rotation ? request.rotation->filename().string() : ""},
            {"rotation_source", request.from_camera ? "camera" : "sensor"},
            {"topple_version", std::string(host::version())}};
}

void write_log(const RunData& run, const std::filesystem::path& file,
               const firmware_iface::MachineDescription& machine) {
    run_log::RunLogOptions options;
    options.synchronous = true;
    options.metadata = run.metadata;
    for (const auto& [key, value] : run_log::machine_metadata(machine)) options.metadata[key] = value;
    options.scales = run_log::sensor_scales(machine);
    if (run.metadata.at("motion_channels").find("displacement") == std::string::npos) options.scales.m_per_count = 0.0;
    run_log::RunLog log(file, options);
    for (const run_log::EventRecord& event : run.events) log.push(event);
    for (const Feedback& feedback : run.feedback) log.push(feedback);
    log.close();
    if (log.failed()) throw files::OutputError(fmt::format("{}: {}", file.string(), log.failure()));
}

/// The experiment's machine with sensors as imported: 1e9 counts per metre, signs and scale +1.
firmware_iface::MachineDescription imported_machine(const firmware_iface::MachineDescription& machine) {
    firmware_iface::MachineDescription imported = machine;
    imported.counts_per_m = kCountsPerMetre;
    imported.encoder_sign = imported.accelerometer_sign = 1;
    imported.accelerometer_scale = 1.0;
    return imported;
}

std::string residual_text(const std::optional<double>& residual_ratio) {
    return residual_ratio ? fmt::format(", residual {:.2g} % rms", 100.0 * *residual_ratio) : std::string();
}

/// Where t = 0 is in the motion file, and how that is known.
struct Alignment {
    double start_s = 0.0;
    MotionStart found;  ///< by the planned motion itself
    std::string how;
};

/// By the marker: first roughly with the whole of marker, rest and motion, so that nothing else is taken for it.
Alignment align_by_marker(const Experiment& experiment, const DeclaredColumns& motion) {
    constexpr double kLeastCorrelation = 0.7, kSureCorrelation = 0.9;
    const solver::BaseMotion& planned = experiment.excitation.planned_motion();
    const experiment::StartMarker start = experiment::start_marker(experiment);
    const MotionStart rough = find_motion_start(motion, experiment::with_marker(start, planned));
    const MotionStart marker = motion_start_near(motion, start.marker, rough.time_s);
    if (std::abs(marker.correlation) < kLeastCorrelation)
        throw files::InputError(fmt::format(
            "--marker: no start marker is recognised in the motion file (correlation {:.2f} at {:.3f} s; at "
            "least {} is wanted): leave it out to find the start by the motion itself",
            marker.correlation, marker.time_s, kLeastCorrelation));
    Alignment aligned;
    aligned.start_s = marker.time_s + start.lead_s;
    if (aligned.start_s > motion.time_s.back())
        throw files::InputError(fmt::format(
            "--marker: the motion would begin at {:.3f} s, after the end of the motion file at {:.3f} s: it "
            "holds no start marker",
            aligned.start_s, motion.time_s.back()));
    aligned.found = motion_start_near(motion, planned, aligned.start_s);
    const double late_ms = 1e3 * (aligned.found.time_s - aligned.start_s);
    aligned.how = fmt::format("by the start marker, correlation {:.3f}{}; the motion itself fits best {:.1f} ms {}",
                              std::abs(marker.correlation),
                              std::abs(marker.correlation) < kSureCorrelation ? " (LOW: the start is uncertain)" : "",
                              std::abs(late_ms), late_ms < 0.0 ? "earlier" : "later");
    return aligned;
}

Alignment align(const Experiment& experiment, const DeclaredColumns& motion, const ImportRequest& request) {
    if (request.marker) return align_by_marker(experiment, motion);
    const solver::BaseMotion& planned = experiment.excitation.planned_motion();
    Alignment aligned;
    aligned.found =
        request.start_s ? motion_start_near(motion, planned, *request.start_s) : find_motion_start(motion, planned);
    aligned.start_s = request.start_s.value_or(aligned.found.time_s);
    aligned.how = request.start_s ? "as given" : "where the planned motion was found";
    return aligned;
}

}  // namespace

/// What must have been recorded of the planned motion. Of a record, what was appended to bring it to rest is in no
/// recording of it; that of the record itself may lack a sample at either end.
double needed_end_s(const experiment::Excitation& excitation, double end_s, double step_s) {
    if (!excitation.record) return end_s;
    return std::min(end_s, excitation.lead_in_s + excitation.motion.end_s()) - 2.0 * step_s;
}

RunData imported_run(const Experiment& experiment, const ImportRequest& request) {
    std::vector<std::string> said;
    DeclaredColumns motion = read_motion(request, experiment.excitation.planned_motion().end_s(), said);
    const double displacement_rate_hz = request.displacement ? add_displacement(motion, request) : 0.0;
    const Alignment aligned = align(experiment, motion, request);
    const MotionStart& found = aligned.found;
    const double start_s = aligned.start_s;
    const DeclaredColumns rotation = read_rotation(request, motion, start_s, block_count(experiment));
    RunData run;
    run.metadata = metadata_of(motion, request);
    run.metadata.merge(displacement_check_metadata(motion, request, displacement_rate_hz));
    run.metadata["motion_start"] =
        fmt::format("t = 0 at {:.4f} s of the motion file, {} (correlation of planned and recorded motion {:.3f}{})",
                    start_s, aligned.how, found.correlation,
                    residual_text(alignment_residual(motion, experiment.excitation.planned_motion(), start_s)));
    for (std::size_t i = 0; i < said.size(); ++i) run.metadata[fmt::format("motion_channel_{:02}", i)] = said[i];
    run.metadata[kMotionStartKey] = fmt::format("{}", start_s);
    run.metadata["motion_correlation"] = fmt::format("{:.6f}", found.correlation);
    // Device time begins one second before the file, so that times before t = 0 stay positive.
    const double origin_s = 1.0 + std::max(0.0, start_s - motion.time_s.front());
    const auto device_time_us = [&](double time_s) {
        return static_cast<std::uint64_t>(std::llround(1e6 * (origin_s + time_s)));
    };
    for (std::size_t i = 0; i < motion.time_s.size(); ++i) {
        const double time_s = motion.time_s[i] - start_s;
        Feedback feedback;
        feedback.device_time_us = device_time_us(time_s);
        if (!motion.displacement_m.empty())
            feedback.axes[0].encoder_count = std::llround(kCountsPerMetre * motion.displacement_m[i]);
        if (!motion.acceleration_m_s2.empty()) feedback.acceleration_x_m_s2 = motion.acceleration_m_s2[i];
        for (std::size_t block = 0; block < rotation.rotation_rad.size(); ++block)
            feedback.rotation_rad[feedback.rotation_count++] = rotation_at(rotation, block, time_s);
        run.feedback.push_back(feedback);
    }
    // What only one of the files saw is not part of the test.
    double last_s = motion.time_s.back() - start_s;
    if (!rotation.rotation_rad.empty()) last_s = std::min(last_s, rotation.time_s.back());
    const double end_s = std::max(0.0, experiment.excitation.planned_motion().end_s());
    const double needed_s = needed_end_s(experiment.excitation, end_s, signal::typical_step_s(motion.time_s));
    run.events = {{run.feedback.front().device_time_us, EventKind::recording_start, "imported"},
                  {device_time_us(0.0), EventKind::motion_start, run.metadata["motion_start"]}};
    if (needed_s <= last_s)  // else the test is incomplete: nobody knows what happened in the rest of the excitation
        run.events.push_back(
            {device_time_us(std::min(end_s, last_s)), EventKind::motion_done, "planned end of the excitation"});
    run.events.push_back({device_time_us(last_s), EventKind::recording_end, "end of the shorter file"});
    return run;
}

namespace {

/// The run folder while its log is written: hidden, so that what is left of an import that was killed is in nobody's
/// way; gone if the import fails.
class PartialFolder {
  public:
    PartialFolder(const std::filesystem::path& wanted, const std::string& name) : target_(wanted), path_(wanted) {
        if (wanted.empty()) {  // its name is new each time
            target_ = path_ = files::create_default_run_folder(name);
            return;
        }
        if (!target_.has_filename()) target_ = target_.parent_path();
        require_free();
        path_ = target_.parent_path() / fmt::format(".{}.{}.partial", target_.filename().string(), ::getpid());
        files::create_run_folder(path_);
    }
    ~PartialFolder() {
        std::error_code ignored;
        if (!is_placed_) std::filesystem::remove_all(path_, ignored);
    }
    PartialFolder(const PartialFolder&) = delete;
    PartialFolder& operator=(const PartialFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path put_in_place() {
        std::error_code error;
        if (path_ != target_) {
            require_free();
            std::filesystem::rename(path_, target_, error);
        }
        if (error) throw files::OutputError(fmt::format("{}: cannot be made: {}", target_.string(), error.message()));
        is_placed_ = true;
        return target_;
    }

  private:
    void require_free() const {
        std::error_code error;
        if (std::filesystem::exists(std::filesystem::symlink_status(target_, error)))
            throw files::InputError(fmt::format(
                "{}: already exists; a run never overwrites a folder, choose another --out", target_.string()));
    }
    std::filesystem::path target_, path_;
    bool is_placed_ = false;
};

}  // namespace

ConcludedRun import_run(const ImportRequest& request) {
    const Experiment experiment = experiment::read_experiment(request.experiment);
    experiment::require_drivable(experiment);
    if (experiment.table.description.y)
        throw files::InputError(fmt::format(
            "{}: a recorded motion is that of axis x: to import it, take a machine file without a table [y]",
            experiment.source.string()));
    require_fitting_measurement(request, experiment);
    RunData run = imported_run(experiment, request);
    const experiment::PortableExperiment portable = experiment::make_portable(experiment);
    const firmware_iface::MachineDescription machine = imported_machine(experiment.table.description);
    require_calibration(run, machine, request);
    run.metadata["experiment_sha256"] = files::sha256_hex(portable.text);
    run.metadata["machine_sha256"] = files::sha256_hex(experiment::machine_toml(machine));
    run.metadata.merge(portable.hashes());
    PartialFolder partial(request.out, experiment.name);
    experiment::write_portable(portable, partial.path());
    files::write_durably(partial.path() / "machine.toml", experiment::machine_toml(machine));
    write_log(run, partial.path() / "run.mcap", machine);
    const std::filesystem::path folder = partial.put_in_place();
    const ConcludeOptions options = conclude_options(request, run);
    const auto advice = [&](const std::exception& error, const char* how) {
        return fmt::format("{}. The run folder {} is there: go on with `topple compare`{}", error.what(),
                           folder.string(), how);
    };
    try {
        return conclude_run(folder, options);
    } catch (const files::InputError& error) {
        if (!options.rotation) throw;
        throw files::InputError(advice(error, " and --rotation"));
    } catch (const files::OutputError& error) {
        throw files::OutputError(advice(error, ""));
    }
}

}  // namespace topple::hil::conclude

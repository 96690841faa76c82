// The log of a run while it is written: records pushed by the real-time tick, run.mcap filled by another thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"
#include "hil/files/log_file.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::run_log {

/// A record as the log has it. `data` is valid during the call only.
struct LoggedRecord {
    std::uint16_t channel = 0;   ///< id in the file: a run_log::Topic
    std::uint32_t sequence = 0;  ///< within its channel, from 0
    std::uint64_t log_time_ns = 0, publish_time_ns = 0;
    std::span<const std::uint8_t> data;
};
/// Called for every record, in the order of the file, by the thread that writes the file. Must neither wait nor throw.
using RecordObserver = std::function<void(const LoggedRecord&)>;

struct RunLogOptions {
    /// Lockstep on a virtual clock: push() writes in the caller's thread and log times count from device time 0,
    /// so that two runs with one seed differ in the "topple.clock" record only.
    bool synchronous = false;
    std::int64_t wall_clock_anchor_ns = 0;  ///< Unix time at device time 0
    std::uint64_t reserve_bytes = 0;        ///< disk space claimed before motion; log_bytes_for() of the planned run
    std::size_t queue_records = 1 << 16;    ///< that a stalled disk may hold up; log_records_for() of the planned run
    std::string prediction_sha256;          ///< hex; of prediction.json, or empty
    SensorScales scales;                    ///< with them the log carries SI beside what the sensors report
    std::map<std::string, std::string>
        metadata;               ///< record "topple.run": versions, seeds, hashes; nothing by the clock
    RecordObserver observer{};  ///< whoever watches the run while it is written; empty: nobody
};

/// Records that the planned run will push: setpoint, feedback, timing and one prediction per specimen each period.
std::size_t log_records_for(double duration_s, double rate_hz, std::size_t specimen_count = 1) noexcept;
/// Bytes of its log, with a margin.
std::uint64_t log_bytes_for(double duration_s, double rate_hz, std::size_t rotation_count,
                            std::size_t specimen_count = 1) noexcept;
/// Entries for RunLogOptions::metadata from which `topple export` turns counts into metres.
std::map<std::string, std::string> machine_metadata(const firmware_iface::MachineDescription& machine);

/// The scales that belong to it.
SensorScales sensor_scales(const firmware_iface::MachineDescription& machine) noexcept;

/// All pushes come from one thread at a time. push() never blocks; unless synchronous it never allocates either.
/// It returns false for a record that is lost: queue full (latched in failed()) or log closed.
class RunLog {
  public:
    /// Creates the file, reserves its space, writes and syncs everything in front of the first chunk.
    /// Throws OutputError if the file exists, cannot be written or there is no room for the run.
    RunLog(const std::filesystem::path& path, const RunLogOptions& options);
    /// The same on a file that is open already.
    RunLog(std::unique_ptr<files::LogFile> file, const RunLogOptions& options);
    ~RunLog();  ///< closes
    RunLog(const RunLog&) = delete;
    RunLog& operator=(const RunLog&) = delete;

    bool push(const firmware_iface::Setpoint& setpoint) noexcept;
    bool push(const firmware_iface::Feedback& feedback) noexcept;
    bool push(const PredictionRecord& prediction) noexcept;  ///< at most kRotationSensorsMax blocks
    bool push(const EventNote& event) noexcept;              ///< text cut at 240 bytes
    bool push(const EventRecord& event) noexcept;            ///< the same
    bool push(const TimingRecord& timing) noexcept;

    /// Latched: something of the run is or may be missing in the log; the table should stop in a controlled way.
    bool failed() const noexcept;
    firmware_iface::Wording failure_wording() const noexcept;         ///< what failed first; empty if nothing
    std::string failure() const { return failure_wording().text(); }  ///< not on the tick path
    /// Writes what is queued, index and summary, syncs. Failures: failed(). Further calls do nothing.
    void close() noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace topple::hil::run_log

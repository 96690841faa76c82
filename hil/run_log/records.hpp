// What a run leaves behind, record by record: the meaning of the topics of run.mcap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firmware_iface/samples.hpp"
#include "firmware_iface/wording.hpp"

namespace topple::hil::run_log {

/// Topic /event: the marks that give a log its meaning. Numbers are never reused.
enum class EventKind : std::uint32_t {
    recording_start = 1,
    positioning_start = 2,  ///< gentle move to the start position; not part of the test
    motion_start = 3,       ///< t = 0: device time of the first setpoint of the motion
    motion_done = 4,        ///< the final setpoint is held
    settled = 5,            ///< recording ends because everything rests
    recording_end = 6,      ///< end of the test's data
    return_start = 7,       ///< gentle move back; not part of the test
    return_done = 8,
    stop_requested = 9,  ///< text: by whom
    fault = 10,          ///< code in text
    link_lost = 11,
    remark = 12,
    clock_jump = 13,         ///< the device's clock stepped against the host's; text: by how much
    time_skip = 14,          ///< no frame was lost and yet an instant of feedback is missing; text: by how much
    recording_cut = 15,      ///< after the motion the operator wished the recording to end; the test counts
    protective_ending = 16,  ///< from here the motion is not the planned one: it ends so that the specimens stand
};
std::string_view name(EventKind kind) noexcept;

/// How the text of the remark begins that says how the tick's thread is scheduled.
inline constexpr const char* kTickThread = "tick thread: ";

/// Metadata of a log: "true" if what was sent is not the planned motion but what makes the platen do it.
inline constexpr const char* kLearnedDriveKey = "learned_drive";

struct EventRecord {
    std::uint64_t device_time_us = 0;
    EventKind kind = EventKind::remark;
    std::string text;
};

/// The same as the tick notes it: its texts must live until the log is closed.
struct EventNote {
    std::uint64_t device_time_us = 0;
    EventKind kind = EventKind::remark;
    firmware_iface::Wording wording;
};

/// Topic /timing: one host cycle on the host's monotonic clock (virtual in lockstep).
struct TimingRecord {
    std::uint64_t device_time_us = 0;  ///< of the newest feedback in this cycle
    std::uint64_t cycle = 0;
    std::int64_t deadline_ns = 0;     ///< scheduled start
    std::int64_t wake_late_ns = 0;    ///< actual start - deadline
    std::int64_t busy_ns = 0;         ///< duration of the cycle's work
    std::uint32_t cycles_missed = 0;  ///< deadlines skipped before this one
    std::uint32_t queue_level = 0;    ///< setpoints waiting in the device
};

/// How a specimen will end, by an ensemble that has followed the measured motion of the base.
struct Forecast {
    static constexpr std::size_t kOutcomes = 6;
    std::array<double, kOutcomes> probability{};  ///< by solver::outcome_code(); what is missing to 1: solutions failed
    double overturning_left_probability = 0.0;    ///< part of the probabilities of overturning, fallen towards -x first
    /// Since the start of the motion; of the most likely outcome: median time of the fall, or since when it rests.
    double expected_time_s = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known, or it never moves
    std::uint32_t members = 0;            ///< carried along; 0: no ensemble (a log of an earlier program)
    std::uint32_t members_run_ahead = 0;  ///< of them, to the end of the motion: as many as the time allows
    double effective_members = 0.0;  ///< of equal weight that would be worth as much; all without a rotation sensor
};
double overturning_probability(const Forecast& forecast) noexcept;  ///< of any block

/// Topic /prediction: state of the predictor that runs beside the test, as seen by one tick.
struct PredictionRecord {
    std::uint64_t device_time_us = 0;  ///< of the measurement it is based on
    std::uint64_t age_us = 0;  ///< tick's device time minus that of the measurement the outcome was forecast from
    std::uint32_t specimen = 0;
    std::uint32_t outcome = 0;         ///< solver::outcome_code() of the likeliest end of the test
    std::vector<double> rotation_rad;  ///< per block, now, of the specimen as described
    Forecast forecast;
};

/// How the sensors read, with their signs, as the machine file says; 0: not known.
struct SensorScales {
    double m_per_count = 0.0;
    double true_per_reported = 0.0;  ///< acceleration
    /// Of axis y.
    double m_per_count_y = 0.0, true_per_reported_y = 0.0;
};

/// CRC-32 in hex over the entries of a metadata record, which have no checksum in the file.
std::string metadata_checksum(const std::map<std::string, std::string>& entries);

/// Everything of a run, in memory.
struct RunData {
    std::map<std::string, std::string> metadata;  ///< "topple.run" metadata record: versions, hashes, seed
    std::string prediction_sha256;                ///< hex, from the first record
    std::vector<firmware_iface::Setpoint> setpoints;
    std::vector<firmware_iface::Feedback> feedback;
    std::vector<EventRecord> events;
    std::vector<TimingRecord> timing;
    std::vector<PredictionRecord> predictions;

    std::map<std::string, std::string> clock;  ///< "topple.clock": wall_clock_anchor_ns, log_time_anchor_ns
    bool torn = false;                ///< the file has no end: its writer was killed; `topple recover` mends it
    std::vector<std::string> damage;  ///< what could not be read, with offsets; empty for a sound file
    bool data_whole = true;           ///< no record is known or feared to be missing; a lost index does not count

    std::optional<std::uint64_t> event_time_us(EventKind kind) const noexcept;  ///< first of its kind
};

}  // namespace topple::hil::run_log

// A drive that was learned for one machine, one waveform and one payload, and when it may be used again.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controller/iteration/drive_iteration.hpp"
#include "firmware_iface/device_info.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::iteration {

/// What a learned drive is good for. SHA-256 each, as hex.
struct DriveIdentity {
    std::string machine_sha256;   ///< machine file as run, and what the table says of itself
    std::string waveform_sha256;  ///< targets of all axes at the feedback's instants, where they start, and that period
    std::string payload_sha256;   ///< of `payload`
    std::string payload;          ///< what stood on the platen while it was learned, in words
};

/// `targets`, of axis x and, where there is one, y, on the effective machine of `experiment`.
DriveIdentity identity_of(const experiment::Experiment& experiment, std::span<const controller::Profile> targets,
                          const firmware_iface::DeviceInfo& device);
/// What keeps a drive learned for `stored` from being used for `wanted`: "the machine file or the table", "the
/// waveform", "what stands on the platen", with commas; empty if nothing does.
std::string difference(const DriveIdentity& wanted, const DriveIdentity& stored);

/// An axis that rests has no pass and this end.
inline constexpr const char* kAtRest = "at_rest";

/// What was learned of one axis.
struct LearnedAxis {
    controller::Correction correction;
    std::vector<controller::PassResult> passes;
    std::string end;                ///< name of the controller::IterationEnd, or kAtRest
    std::string text;               ///< why it ended, with numbers; may be empty in files written earlier
    bool drive_was_passed = false;  ///< the drive is that of a pass; else it was computed from the passes
};

struct LearnedDrive {
    DriveIdentity identity;
    std::string learned_utc;        ///< empty on a virtual clock, which has no dates
    std::vector<LearnedAxis> axes;  ///< x, and y on a machine of two axes
    double goal_peak_m = 0.0;       ///< with goal_nrmse, of every axis; 0 in files written earlier, which do not tell
    double goal_nrmse = 0.0;
    std::string reused_from;  ///< file that it was taken from in this run; empty: learned in this run

    bool is_corrected() const noexcept;  ///< on any axis
};

/// Schema topple.learned_drive/1 of one axis, /2 of two (docs/run_folder.md). Ends with a newline; numbers read back as
/// the same bits.
std::string learned_drive_json(const LearnedDrive& drive);
/// Throws InputError, naming `file`, for a text that is none.
LearnedDrive read_learned_drive(const std::string& json, const std::string& file);

/// Where the last learned drive of an experiment is kept: beside its file, "<name>.learned_drive.json".
std::filesystem::path drive_store(const experiment::Experiment& experiment);

}  // namespace topple::hil::iteration

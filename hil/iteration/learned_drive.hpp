// A drive that was learned for one machine, one waveform and one payload, and when it may be used again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "controller/iteration/drive_iteration.hpp"
#include "firmware_iface/device_info.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::iteration {

/// What a learned drive is good for. SHA-256 each, as hex.
struct DriveIdentity {
    std::string machine_sha256;   ///< machine file as run, and what the table says of itself
    std::string waveform_sha256;  ///< target at the feedback's instants, where it starts, and that period
    std::string payload_sha256;   ///< of `payload`
    std::string payload;          ///< what stood on the platen while it was learned, in words
};

/// `target` on the effective machine of `experiment`.
DriveIdentity identity_of(const experiment::Experiment& experiment, const controller::Profile& target,
                          const firmware_iface::DeviceInfo& device);
/// What keeps a drive learned for `stored` from being used for `wanted`: "the machine file or the table", "the
/// waveform", "what stands on the platen", with commas; empty if nothing does.
std::string difference(const DriveIdentity& wanted, const DriveIdentity& stored);

struct LearnedDrive {
    DriveIdentity identity;
    std::string learned_utc;  ///< empty on a virtual clock, which has no dates
    controller::Correction correction;
    std::vector<controller::PassResult> passes;
    std::string end;                ///< name of the controller::IterationEnd
    std::string text;               ///< why it ended, with numbers; may be empty
    bool drive_was_passed = false;  ///< the drive is that of a pass; else it was computed from the passes
    std::string reused_from;        ///< file that it was taken from in this run; empty: learned in this run
};

/// Schema topple.learned_drive/1 (docs/run_folder.md). Ends with a newline; numbers read back as the same bits.
std::string learned_drive_json(const LearnedDrive& drive);
/// Throws InputError, naming `file`, for a text that is none.
LearnedDrive read_learned_drive(const std::string& json, const std::string& file);

/// Where the last learned drive of an experiment is kept: beside its file, "<name>.learned_drive.json".
std::filesystem::path drive_store(const experiment::Experiment& experiment);

}  // namespace topple::hil::iteration

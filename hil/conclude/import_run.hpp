// A run folder from a test that other software drove: its log in our format, then the usual conclusion.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <vector>
#include "hil/conclude/conclude_run.hpp"
#include "hil/vendor_files/channel_choice.hpp"

namespace topple::hil::conclude {

struct ImportRequest {
    std::filesystem::path experiment;               ///< describes specimen and planned excitation
    std::filesystem::path motion;                   ///< CSV with displacement and/or acceleration of the platen
    std::optional<std::filesystem::path> rotation;  ///< CSV with rotations; left out: taken from `motion` if there
    std::filesystem::path out;  ///< the run folder to create; must not exist; empty: create_default_run_folder
    std::optional<double> motion_rate_hz, rotation_rate_hz;  ///< for files without a time column
    std::optional<double> start_s;           ///< time in the motion file of the first setpoint (t = 0); empty: searched
    std::optional<double> rotation_start_s;  ///< time in the rotation file of the same instant; empty: the same time
    camera::ReadOptions rotation_how{};      ///< what the rotation file leaves open; its rate is `rotation_rate_hz`
    bool from_camera = false;         ///< the rotation was measured by a camera: kept and judged as conclude_run does
    bool rotation_correlate = false;  ///< the camera's clock is found by what the blocks did
    /// Of the motion file, as any software writes it (vendor_files::read_raw_table); empty: a CSV whose column names
    /// say quantity and unit.
    std::vector<vendor_files::ChannelChoice> channels{};
    /// Displacement of the platen where `motion` has its acceleration alone, on the same clock.
    std::optional<std::filesystem::path> displacement{};
    /// With both channels the acceleration is calibrated by the displacement (docs/measured_motion.md); false: as it
    /// is.
    bool displacement_check = true;
    std::optional<double> displacement_shift_max_s{};  ///< of the two channels' times; empty: CalibrationOptions'
    bool marker = false;                               ///< the start marker of an exported motion says where it begins
    /// Blocks of an assembly as a camera saw them; its start is that of the motion unless `positions_start_given`.
    std::optional<PositionsRequest> positions{};
    bool positions_start_given = false;
};

/// The test as records: feedback at the motion file's times, rotations interpolated to them. Encoder counts
/// are nanometres, so nothing is lost. Channels that are not there are declared in the
/// metadata.
run_log::RunData imported_run(const experiment::Experiment& experiment, const ImportRequest& request);

/// Creates the folder with experiment.toml, machine.toml and run.mcap and concludes it. There is no
/// prediction.json: nothing was predicted before the test. Throws InputError, OutputError.
ConcludedRun import_run(const ImportRequest& request);

}  // namespace topple::hil::conclude

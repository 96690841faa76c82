// A camera's positions of the blocks in a basin: read from its file, and kept in the run folder beside the log.
#pragma once

#include <filesystem>
#include <optional>

#include "hil/compare/block_positions.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/files/output_file.hpp"

namespace topple::hil::conclude {

/// What the operator gives.
struct PositionsRequest {
    std::filesystem::path file;
    std::optional<double> rate_hz;  ///< for a file without a time column
    compare::CameraSetup setup;
    files::Overwrite overwrite = files::Overwrite::refuse;  ///< of what an earlier camera file left in the folder
};

struct KeptPositions {
    compare::CameraPositions seen;
    compare::CameraSetup setup;
};

/// Columns: time_<s, ms, us>; position_<i>_<m, cm, mm, um> of every block from 0 on, in any order (position_<u> of a
/// single one); basin_displacement_<u> if the camera saw the left wall. Others are not read. Of two rows at one time
/// the second is kept. Throws InputError naming file, line, column and value.
compare::CameraPositions read_camera_positions(const std::filesystem::path& file, std::optional<double> rate_hz);

/// Throws InputError naming `file` if the experiment has no assembly.
void require_assembly(const std::filesystem::path& file, const experiment::Experiment& experiment);

/// Of positions.csv and positions.json in a run folder; empty if there are none. Throws InputError.
std::optional<KeptPositions> read_kept_positions(const std::filesystem::path& run_folder);
/// Throws InputError if the folder has positions already and they must not be replaced.
void require_no_positions(const std::filesystem::path& run_folder, files::Overwrite overwrite);
/// Copies the file to positions.csv, unchanged, and writes positions.json. Throws OutputError.
void keep_positions(const std::filesystem::path& run_folder, const PositionsRequest& request);

}  // namespace topple::hil::conclude

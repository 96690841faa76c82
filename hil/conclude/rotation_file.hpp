// A camera's rotations of the blocks: what the operator gives, and what is kept of it in the run folder.
#pragma once

#include <filesystem>
#include <optional>

#include "hil/camera/read_rotation.hpp"
#include "hil/compare/camera_conclusion.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/files/output_file.hpp"

namespace topple::hil::conclude {

struct RotationRequest {
    std::filesystem::path file;
    camera::ReadOptions how;
    compare::RotationSetup setup;
    files::Overwrite overwrite = files::Overwrite::refuse;  ///< of what an earlier camera file left in the folder
};

/// Blocks of all specimens, as the columns of a file count them.
std::size_t block_count(const experiment::Experiment& experiment) noexcept;
/// Throws InputError naming `file` if the experiment has no blocks that rock.
void require_rocking_blocks(const std::filesystem::path& file, const experiment::Experiment& experiment);

/// Reads the file. Throws InputError as camera::read_rotation and require_rocking_blocks do.
compare::CameraInput read_camera(const RotationRequest& request, const experiment::Experiment& experiment);

/// A camera's file was laid onto this run.
bool has_camera(const std::filesystem::path& run_folder);
/// Of camera.csv and camera.json in a run folder; empty if there are none. Throws InputError, also if the copy is not
/// the file that was kept.
std::optional<compare::CameraInput> read_kept_camera(const std::filesystem::path& run_folder,
                                                     const experiment::Experiment& experiment);
/// Throws InputError if the folder has a camera's file already and it must not be replaced.
void require_no_camera(const std::filesystem::path& run_folder, files::Overwrite overwrite);
/// The file, unchanged, as camera.csv; its name, hash and every option as camera.json.
void keep_camera(const std::filesystem::path& run_folder, const RotationRequest& request);

}  // namespace topple::hil::conclude

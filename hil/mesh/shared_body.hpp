// The same mesh is read once in a process, however many experiments name it.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "hil/mesh/mesh_body.hpp"

namespace topple::hil::mesh {

/// Bodies as mesh_body() makes them, shared by all who ask for the same file with the same request. Any thread may ask;
/// one body is made at a time. A file is the same as long as its path, place on the disk, size and times are; a file
/// that is not there or was refused is looked at again.
class SharedBodies {
  public:
    static constexpr std::size_t kKept = 64;  ///< the latest ones; a body holds its hull, not its mesh

    /// A file that was changed less than `settled_after` before it is read is not kept: a second change so soon after
    /// may leave no trace in its times, which file systems keep to 2 s at the coarsest.
    explicit SharedBodies(std::chrono::nanoseconds settled_after = std::chrono::seconds(2))
        : settled_after_(settled_after) {}

    /// Throws files::InputError as mesh_body() does.
    std::shared_ptr<const MeshBody> body(const std::filesystem::path& file, const MeshRequest& request);

  private:
    struct Kept {
        std::string key;
        std::shared_ptr<const MeshBody> body;
    };

    const std::chrono::nanoseconds settled_after_;
    std::mutex mutex_;
    std::deque<Kept> kept_;
};

/// Of the whole process.
std::shared_ptr<const MeshBody> shared_mesh_body(const std::filesystem::path& file, const MeshRequest& request);

}  // namespace topple::hil::mesh

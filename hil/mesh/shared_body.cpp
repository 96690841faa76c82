#include "hil/mesh/shared_body.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>

namespace topple::hil::mesh {
namespace {

std::chrono::nanoseconds since_1970(const timespec& time) noexcept {
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

struct FileState {
    std::string text;                    ///< changes with the file
    std::chrono::nanoseconds changed{};  ///< last, its content or its name; no program can set this back
};

/// Empty if there is no such file.
std::optional<FileState> state_of(const std::filesystem::path& file) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) return std::nullopt;
    const std::chrono::nanoseconds changed = since_1970(found.st_ctim);
    return FileState{fmt::format("{}\n{} {} {} {} {}", file.string(), found.st_dev, found.st_ino, found.st_size,
                                 since_1970(found.st_mtim).count(), changed.count()),
                     changed};
}

std::string text_of(const std::optional<double>& number) { return number ? fmt::format("{}", *number) : "-"; }

std::string text_of(const MeshRequest& request) {
    return fmt::format("{} {} {} {} {} {}", request.unit.name, request.up, text_of(request.density_kg_m3),
                       text_of(request.mass_kg),
                       request.resting_face ? fmt::format("{}", *request.resting_face) : std::string("-"),
                       text_of(request.contact_tolerance_m));
}

}  // namespace

std::shared_ptr<const MeshBody> SharedBodies::body(const std::filesystem::path& file, const MeshRequest& request) {
    const std::lock_guard lock(mutex_);
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    const std::optional<FileState> state = state_of(file);  // before reading: a change meanwhile makes another state
    if (!state) return std::make_shared<const MeshBody>(mesh_body(file, request));  // says what is wrong
    const std::string key = state->text + "\n" + text_of(request);
    const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
    if (known != kept_.end()) return known->body;
    auto body = std::make_shared<const MeshBody>(mesh_body(file, request));
    if (now - state->changed < settled_after_) return body;
    if (kept_.size() == kKept) kept_.pop_front();
    kept_.push_back({key, body});
    return body;
}

std::shared_ptr<const MeshBody> shared_mesh_body(const std::filesystem::path& file, const MeshRequest& request) {
    static SharedBodies bodies;
    return bodies.body(file, request);
}

}  // namespace topple::hil::mesh

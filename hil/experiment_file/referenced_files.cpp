#include "hil/experiment_file/referenced_files.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <string>
#include <string_view>

#include "hil/errors.hpp"

namespace topple::hil {
namespace {

namespace fs = std::filesystem;

void copy_beside(const fs::path& from_folder, const std::string& name, const fs::path& folder) {
    const fs::path relative = fs::path(name).lexically_normal();
    if (name.empty() || relative.is_absolute() || relative.begin()->string() == "..") return;
    if (!fs::is_regular_file(from_folder / relative) || fs::exists(folder / relative)) return;
    std::error_code error;
    fs::create_directories((folder / relative).parent_path(), error);
    if (!error) fs::copy_file(from_folder / relative, folder / relative, error);
    if (error) throw OutputError(fmt::format("{}: {}", (folder / relative).string(), error.message()));
}

}  // namespace

void copy_referenced_files(const Experiment& experiment, const fs::path& folder) {
    const toml::table file = toml::parse(std::string_view(experiment.text));
    const fs::path beside = experiment.source.parent_path();
    copy_beside(beside, file["excitation"]["file"].value_or(std::string()), folder);
    copy_beside(beside, file["table"]["machine"].value_or(std::string()), folder);
}

}  // namespace topple::hil

#include "hil/experiment_file/referenced_files.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <string>
#include <string_view>

#include "hil/errors.hpp"

namespace topple::hil {
namespace {

namespace fs = std::filesystem;

bool leads_out(const fs::path& relative) {
    return relative.is_absolute() || (!relative.empty() && relative.begin()->string() == "..");
}

// Where `name` of an experiment in `folder` has its copy.
fs::path copy_of(const fs::path& folder, const fs::path& relative) {
    return leads_out(relative) ? folder / "referenced" / relative.filename() : folder / relative;
}

void copy_beside(const fs::path& from_folder, const std::string& name, const fs::path& folder) {
    const fs::path relative = fs::path(name).lexically_normal();
    if (name.empty() || !fs::is_regular_file(from_folder / relative)) return;
    const fs::path copy = copy_of(folder, relative);
    if (fs::exists(copy)) return;
    std::error_code error;
    fs::create_directories(copy.parent_path(), error);
    if (!error) fs::copy_file(from_folder / relative, copy, error);
    if (error) throw OutputError(fmt::format("{}: {}", copy.string(), error.message()));
}

}  // namespace

void copy_referenced_files(const Experiment& experiment, const fs::path& folder) {
    const toml::table file = toml::parse(std::string_view(experiment.text));
    const fs::path beside = experiment.source.parent_path();
    copy_beside(beside, file["excitation"]["file"].value_or(std::string()), folder);
    if (const toml::array* parts = file["excitation"]["parts"].as_array())
        for (const toml::node& part : *parts)
            if (const toml::table* table = part.as_table())
                copy_beside(beside, (*table)["file"].value_or(std::string()), folder);
    copy_beside(beside, file["table"]["machine"].value_or(std::string()), folder);
}

fs::path referenced_file(const fs::path& folder, const std::string& name) {
    const fs::path relative = fs::path(name).lexically_normal();
    const fs::path copy = copy_of(folder, relative);
    std::error_code ignored;
    return leads_out(relative) && fs::exists(copy, ignored) ? copy : folder / name;
}

}  // namespace topple::hil

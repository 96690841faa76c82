#include "hil/files/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "hil/files/errors.hpp"
#include "hil/files/log_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::files {
namespace {

constexpr std::size_t kNameBytesMax = 80;

// False if there is something of that name already.
bool make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
    if (!error && ::mkdir(folder.c_str(), 0777) == 0) return true;
    const int reason = error ? error.value() : errno;
    if (!error && reason == EEXIST) return false;
    throw OutputError(fmt::format("{}: cannot create: {}", folder.string(), std::strerror(reason)));
}

// "a/b/" names the same folder as "a/b".
std::filesystem::path without_slash(const std::filesystem::path& folder) {
    return folder.has_filename() || !folder.has_parent_path() ? folder : folder.parent_path();
}

}  // namespace

std::filesystem::path default_run_folder(std::string_view experiment_name) {
    return std::filesystem::path("runs") / fmt::format("{:%Y%m%dT%H%M%SZ}_{}", fmt::gmtime(std::time(nullptr)),
                                                       text::folder_word(experiment_name, kNameBytesMax));
}

void create_run_folder(const std::filesystem::path& folder) {
    if (!make_folder(without_slash(folder)))
        throw InputError(
            fmt::format("{}: already exists; a run never overwrites a folder, choose another --out", folder.string()));
}

std::filesystem::path create_default_run_folder(std::string_view experiment_name) {
    constexpr int kTries = 1000;
    const std::filesystem::path first = default_run_folder(experiment_name);
    for (int i = 1; i <= kTries; ++i) {
        std::filesystem::path folder = first;
        if (i > 1) folder += fmt::format("_{}", i);
        if (make_folder(folder)) return folder;
    }
    throw OutputError(fmt::format("{}: already exists, and so do {} more of that name", first.string(), kTries - 1));
}

void write_durably(const std::filesystem::path& file, std::string_view text) {
    UnfinishedFile unfinished(file);
    unfinished.append(text);
    unfinished.sync();
    unfinished.put_in_place(Overwrite::allow);
    sync_directory(file.parent_path());
}

std::vector<std::string> find_flight_files(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("flight_") && name.ends_with(".csv")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());  // device times of one run have as many digits
    return names;
}

}  // namespace topple::hil::files

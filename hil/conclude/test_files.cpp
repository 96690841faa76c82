#include "hil/conclude/test_files.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"

namespace topple::hil::conclude {

using experiment::Experiment;
using files::InputError;
using files::read_text_file;
using files::sha256_hex;
using run_log::RunData;

namespace fs = std::filesystem;

Experiment read_experiment_as_run(const fs::path& folder) {
    if (!fs::exists(folder / "experiment.toml"))
        throw InputError(fmt::format("{}: not a run folder (no experiment.toml)", folder.string()));
    Experiment experiment = experiment::read_experiment(folder / "experiment.toml");
    if (fs::exists(folder / "machine.toml")) {
        const experiment::TableSection as_run = experiment::read_machine("machine.toml", folder);
        experiment.table.description = as_run.description;
        experiment.table.machine_text = as_run.machine_text;
        experiment.table.calibration = as_run.calibration;
    }
    return experiment;
}

std::vector<std::string> check_files_of_test(const fs::path& folder, const RunData& run) {
    const std::map<std::string, std::string>& metadata = run.metadata;
    std::vector<std::string> changed;
    const auto differs = [&](const std::string& file, const std::string& hash) {
        std::error_code ignored;
        return !fs::exists(folder / file, ignored) || sha256_hex(read_text_file(folder / file)) != hash;
    };
    for (const auto& [key, hash] : metadata) {
        if (!key.starts_with(experiment::kReferencedHashKey)) continue;
        const std::string file = key.substr(std::string_view(experiment::kReferencedHashKey).size());
        if (!differs(file, hash)) continue;
        if (!run.data_whole)  // perhaps it is the hash that is damaged
            changed.push_back(fmt::format("{} may not be the file used in the test", file));
        else
            throw InputError(
                fmt::format("{}: is not the file used in the test (the log contains its SHA-256, {}): put the original "
                            "back; nothing has been written",
                            (folder / file).string(), hash));
    }
    constexpr std::pair<const char*, const char*> kFiles[] = {{"experiment_sha256", "experiment.toml"},
                                                              {"machine_sha256", "machine.toml"}};
    for (const auto& [key, file] : kFiles) {
        const auto hash = metadata.find(key);
        if (hash != metadata.end() && differs(file, hash->second))
            changed.push_back(fmt::format("{} has been changed since the test", file));
    }
    return changed;
}

}  // namespace topple::hil::conclude

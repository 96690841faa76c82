// The files that an experiment file refers to, taken along into a run folder so that the folder can be read
// alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::experiment {

/// Metadata of a log that holds the SHA-256 of a copied file: this, and the copy's path in the run folder.
inline constexpr const char* kReferencedHashKey = "sha256 of ";

/// An experiment that refers to nothing outside of its folder.
struct PortableExperiment {
    struct File {
        std::string name;  ///< in the run folder: "referenced/<number>_<name>"; the number makes it the only one
        std::string text;
    };
    std::string text;  ///< the experiment file, unchanged but for the paths in it
    std::vector<File>
        files;  ///< records, specimens, photograph, learned prior, members; one that is named twice comes once

    /// Entries for the log's metadata.
    std::map<std::string, std::string> hashes() const;
};

/// Reads every record and specimen file, the photograph, the learned prior and the members that the experiment names. A
/// machine file becomes "machine.toml", which a run folder has anyway. Throws InputError if a file cannot be read.
PortableExperiment make_portable(const Experiment& experiment);

/// Writes experiment.toml and the files, each durably. Throws OutputError.
void write_portable(const PortableExperiment& experiment, const std::filesystem::path& folder);

}  // namespace topple::hil::experiment

// The folder of a study: study.toml, chunks/, the results and index.html.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "hil/fragility/study.hpp"

namespace topple::hil::fragility {

/// A new one; empty `folder`: the default of create_default_run_folder. Throws InputError, OutputError.
std::filesystem::path begin_study(const Study& study, const std::filesystem::path& folder);

/// What has been done in a folder that was begun before.
struct TakenUp {
    std::vector<std::size_t> open;     ///< chunks that are missing or damaged
    std::vector<std::string> damaged;  ///< "FILE: why", to be told
};
/// Throws InputError if the folder was begun with another study: what differs.
TakenUp take_up(const Study& study, const std::filesystem::path& folder, unsigned threads);

/// Reads all chunks and writes every result; returns what is printed. `missing`: the reason if a figure could not be
/// drawn, else empty. Throws OutputError.
std::string publish(const Study& study, const std::filesystem::path& folder, unsigned threads, std::string& missing);

}  // namespace topple::hil::fragility

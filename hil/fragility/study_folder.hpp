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

/// Throws InputError if the folder that is seen here by this name is not that of this study.
void require_seen(const Study& study, const std::filesystem::path& folder);

/// What was made of the chunks that are there.
struct Published {
    std::string text;             ///< to be printed
    std::size_t chunks_done = 0;  ///< of study.chunk_count(): fewer make a partial result
    std::string damage;           ///< "FILE: why" of a chunk that cannot be used; empty: there is none
    std::string missing;          ///< the reason if a figure could not be drawn, else empty
};
/// Reads all chunks and writes every result. Throws OutputError.
Published publish(const Study& study, const std::filesystem::path& folder, unsigned threads);

}  // namespace topple::hil::fragility

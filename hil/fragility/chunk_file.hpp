// The file of one chunk: a run a line, and a checksum at its end.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/fragility/study.hpp"

namespace topple::hil::fragility {

/// chunks/0000012.csv of the study's folder.
std::filesystem::path chunk_path(const std::filesystem::path& folder, std::size_t index);

/// Whole and on the disk, or not there. Throws OutputError.
void write_chunk(const Study& study, const Chunk& chunk, const std::vector<RunResult>& runs,
                 const std::filesystem::path& folder);

struct ReadChunk {
    std::vector<RunResult> runs;  ///< empty if it is damaged or missing
    std::string damage;           ///< what is wrong; empty: nothing, or there is no file
};
/// Never throws for what is in the file.
ReadChunk read_chunk(const Study& study, const Chunk& chunk, const std::filesystem::path& folder);

}  // namespace topple::hil::fragility

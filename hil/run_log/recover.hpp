// Gives a torn log its index back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace topple::hil::run_log {

struct Recovery {
    bool was_whole = false;  ///< index and summary are in order; nothing has been touched
    std::filesystem::path log;
    std::filesystem::path original;   ///< the torn file, kept; empty if was_whole
    std::uint64_t message_count = 0;  ///< readable, and in the new file
    std::uint64_t bytes_dropped = 0;  ///< behind the last whole record
    std::vector<std::string> damage;  ///< what could not be saved, with offsets
};

/// `run`: run.mcap or its folder. Copies every sound record as it is (chunks with their compression, attachments,
/// metadata) with a new index to a temporary file, reads it back, compares, and only then puts it in place of the torn
/// one, which stays beside it as run.mcap.torn.
/// Throws InputError, and then has changed nothing, if it is no log, is compressed in a way that is not read here, is
/// still being written, has a sound index that counts more messages than can be read, or run.mcap.torn exists already;
/// OutputError if the new file cannot be written or does not hold what the old one does.
Recovery recover(const std::filesystem::path& run);

}  // namespace topple::hil::run_log

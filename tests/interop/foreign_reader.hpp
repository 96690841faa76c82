// What the foreign libraries found in a log.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace topple::tests {

/// node is run without background tasks: with them it can hang at its end (seen with node 20).
/// {"indexed": ..., "streaming": ...} of read_log.mjs; null if it could not run.
inline nlohmann::json read_with_foreign_libraries(const std::filesystem::path& log) {
    const char* folder = std::getenv("TOPPLE_INTEROP_FOLDER");
    if (folder == nullptr) return nullptr;
    const std::filesystem::path answer = log.string() + ".json";
    const std::string command = "node --single-threaded '" + std::string(folder) + "/read_log.mjs' '" + log.string() +
                                "' > '" + answer.string() + "'";
    if (std::system(command.c_str()) != 0) return nullptr;
    return nlohmann::json::parse(std::ifstream(answer), nullptr, false);
}

/// Lets a foreign library write the log anew; `style` is rewrite_log.mjs's JSON. False if it could not run.
inline bool rewrite_with_foreign_library(const std::filesystem::path& log, const std::filesystem::path& copy,
                                         const std::string& style) {
    const char* folder = std::getenv("TOPPLE_INTEROP_FOLDER");
    if (folder == nullptr) return false;
    const std::string command = "node --single-threaded '" + std::string(folder) + "/rewrite_log.mjs' '" +
                                log.string() + "' '" + copy.string() + "' '" + style + "'";
    return std::system(command.c_str()) == 0;
}

}  // namespace topple::tests

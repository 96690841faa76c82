// What the foreign libraries found in a log.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace topple::hil {

/// {"indexed": ..., "streaming": ...} of read_log.mjs; null if it could not run.
inline nlohmann::json read_with_foreign_libraries(const std::filesystem::path& log) {
    const char* folder = std::getenv("TOPPLE_INTEROP_FOLDER");
    if (folder == nullptr) return nullptr;
    const std::filesystem::path answer = log.string() + ".json";
    const std::string command =
        "node '" + std::string(folder) + "/read_log.mjs' '" + log.string() + "' > '" + answer.string() + "'";
    if (std::system(command.c_str()) != 0) return nullptr;
    return nlohmann::json::parse(std::ifstream(answer), nullptr, false);
}

}  // namespace topple::hil

// A campaign of one block on the simulated table, and what its tests.csv says.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/run_topple.hpp"

namespace topple::tests {

namespace fs = std::filesystem;

inline std::string case_text(const std::string& campaign) {
    return "name = \"case\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.045\nheight_m = 0.2025\nmass_kg = 1.0896\n"
           "restitution = { model = \"improved\", k = 0.8241 }\n[excitation]\ntype = \"sine\"\namplitude_m_s2 = 6.0\n"
           "frequency_hz = 6.0\n[simulation]\nseed = 1\n[campaign]\n" +
           campaign;
}

inline const std::string kDescending =
    "protocol = \"descending\"\nrows = { key = \"excitation.amplitude_m_s2\", values = [5.0, 9.0] }\n"
    "search = { key = \"excitation.frequency_hz\", from = 10.0, to = 4.0, step_ratio = 0.2 }\nrepeats = 2\n";

/// Columns by name, the last line of each test and specimen only.
inline std::vector<std::map<std::string, std::string>> rows_of(const fs::path& file) {
    std::istringstream in(content_of(file));
    std::string line, cell;
    std::getline(in, line);
    std::vector<std::string> names;
    for (std::istringstream words(line); std::getline(words, cell, ',');) names.push_back(cell);
    std::map<std::pair<int, int>, std::map<std::string, std::string>> rows;
    while (std::getline(in, line)) {
        std::map<std::string, std::string> row;
        std::istringstream words(line);
        for (const std::string& name : names) {
            std::getline(words, cell, ',');
            row[name] = cell;
        }
        rows[{std::stoi(row["test"]), std::stoi(row["specimen_index"])}] = row;
    }
    std::vector<std::map<std::string, std::string>> all;
    for (const auto& [key, row] : rows) all.push_back(row);
    return all;
}

/// Outcomes of the counted tests by their settings.
inline std::map<std::string, std::multiset<std::string>> outcomes_of(const fs::path& folder) {
    std::map<std::string, std::multiset<std::string>> outcomes;
    for (const auto& row : rows_of(folder / "tests.csv"))
        if (row.at("status") == "done")
            outcomes[row.at("excitation.amplitude_m_s2") + " at " + row.at("excitation.frequency_hz")].insert(
                row.at("outcome"));
    return outcomes;
}

}  // namespace topple::tests

// A fragility study small enough for a test and slow enough to be interrupted, and what every way of doing it must
// give.
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

namespace topple::tests {

/// A block with friction, which is solved run by run: slow enough to be interrupted.
inline const std::string kStudy =
    "name = \"a study\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.1\nheight_m = 0.4\nmass_kg = 2.0\n"
    "friction = { static = 0.6, kinetic = 0.5 }\nrestitution = { model = \"fixed\", value = 0.92 }\n"
    "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = \"2.6:5:16\"\nmembers = 64\nbootstrap = 50\n"
    "[[fragility.motions]]\ntype = \"noise\"\ncount = 2\nrms_m_s2 = 1.0\nlow_hz = 0.3\nhigh_hz = 4.0\n"
    "duration_s = 5.0\n";
inline constexpr std::size_t kChunks = 16;

using Files = std::map<std::string, std::string>;

/// Everything in a folder, by its name there.
inline Files files_of(const std::filesystem::path& folder) {
    Files files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[std::filesystem::relative(entry.path(), folder).generic_string()] = content_of(entry.path());
    return files;
}

/// Names of the files that differ, or that only one has.
inline std::vector<std::string> differences(const Files& a, const Files& b) {
    std::vector<std::string> names;
    for (const auto& [name, text] : a)
        if (!b.contains(name) || b.at(name) != text) names.push_back(name);
    for (const auto& [name, text] : b)
        if (!a.contains(name)) names.push_back(name);
    return names;
}

inline std::size_t chunks_in(const std::filesystem::path& folder) {
    std::error_code none;
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "chunks", none))
        if (entry.path().extension() == ".csv") ++count;
    return count;
}

/// When which chunk was written: a chunk that is done again is a new file.
inline std::map<std::string, std::filesystem::file_time_type> written_times(const std::filesystem::path& folder) {
    std::map<std::string, std::filesystem::file_time_type> times;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "chunks"))
        if (entry.path().extension() == ".csv")
            times[entry.path().filename()] = std::filesystem::last_write_time(entry.path());
    return times;
}

/// The study of one process with one thread: what all others must give, byte by byte.
inline const Files& reference() {
    static const Files files = [] {
        const TemporaryFolder folder;
        const auto file = folder.write("study.toml", kStudy);
        const ProgramResult result =
            run_topple({"map", file.string(), "--threads", "1", "--out", folder.file("out").string()});
        if (result.exit_code != 0) throw std::runtime_error(result.err);
        return files_of(folder.file("out"));
    }();
    return files;
}

inline ProgramResult resumed(const std::filesystem::path& file, const std::filesystem::path& folder) {
    return run_topple({"map", file.string(), "--threads", "2", "--resume", folder.string()});
}

/// What is there stays as it is, and all together is what one process gives.
inline void require_taken_up(const std::filesystem::path& file, const std::filesystem::path& folder) {
    const auto before = written_times(folder);
    REQUIRE(before.size() >= 1);
    REQUIRE(before.size() < kChunks);
    const ProgramResult result = resumed(file, folder);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.err,
               Catch::Matchers::ContainsSubstring(std::to_string(before.size()) + " of 16 chunks are done already"));
    const auto after = written_times(folder);
    for (const auto& [name, time] : before) CHECK(after.at(name) == time);
    CHECK(differences(files_of(folder), reference()).empty());
}

}  // namespace topple::tests

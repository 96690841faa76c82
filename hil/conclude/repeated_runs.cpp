#include "hil/conclude/repeated_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/conclude/conclude_run.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/experiment/same_test.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"
#include "hil/report/repeatability_report.hpp"

namespace topple::hil::conclude {
namespace {

namespace fs = std::filesystem;
using files::InputError;

constexpr std::size_t kDifferencesNamed = 8;

/// Records and specimen files that the experiments name, by content.
void add_changed_files(const fs::path& one, const fs::path& other, std::vector<std::string>& differences) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(one / "referenced", error)) {
        const fs::path file = fs::path("referenced") / entry.path().filename();
        if (fs::exists(other / file) && files::sha256_hex(files::read_text_file(one / file)) !=
                                            files::sha256_hex(files::read_text_file(other / file)))
            differences.push_back(file.string() + " has another content");
    }
}

void require_same_test(const fs::path& one, const fs::path& other) {
    std::vector<std::string> differences = experiment::test_differences(
        files::read_text_file(one / "experiment.toml"), files::read_text_file(other / "experiment.toml"));
    add_changed_files(one, other, differences);
    if (differences.empty()) return;
    const std::size_t count = differences.size();
    differences.resize(std::min(count, kDifferencesNamed));
    throw InputError(
        fmt::format("{} and {} are not the same test: {}{}", one.string(), other.string(), fmt::join(differences, "; "),
                    count > kDifferencesNamed ? fmt::format("; and {} more", count - kDifferencesNamed) : ""));
}

void require_folders(const std::vector<std::string>& folders) {
    if (folders.size() < 2) throw InputError("compare: at least two runs are needed to see how a test repeats");
    for (std::size_t i = 0; i < folders.size(); ++i) {
        if (!fs::exists(fs::path(folders[i]) / "experiment.toml"))
            throw InputError(fmt::format("{}: not a run folder (no experiment.toml)", folders[i]));
        for (std::size_t j = 0; j < i; ++j)
            if (fs::equivalent(folders[i], folders[j])) throw InputError(fmt::format("{}: given twice", folders[i]));
    }
}

}  // namespace

RepeatedRuns read_repeated_runs(const std::vector<std::string>& folders) {
    require_folders(folders);
    for (std::size_t i = 1; i < folders.size(); ++i) require_same_test(folders.front(), folders[i]);
    std::vector<compare::RepeatedRun> runs;
    for (const std::string& folder : folders) {
        const compare::Conclusion conclusion = read_conclusion(folder);
        if (conclusion.specimens.empty()) throw InputError(fmt::format("{}: holds no specimen that rocks", folder));
        runs.push_back(compare::repeated_run(folder, conclusion));
    }
    RepeatedRuns result{compare::repeatability(std::move(runs)), {}, {}};
    result.text = report::repeatability_text(result.numbers);
    result.json = report::repeatability_json(result.numbers);
    return result;
}

void draw_repeated_runs(const RepeatedRuns& runs, const fs::path& figure) {
    report::draw_repeatability(runs.numbers, figure);
}

}  // namespace topple::hil::conclude

#include "hil/campaign/campaign_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hil/campaign/campaign.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/first_difference.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::campaign {
namespace {

namespace fs = std::filesystem;
using files::InputError;

constexpr const char* kStudy = "study.toml";
constexpr const char* kTests = "tests.csv";
constexpr std::string_view kLimit = "tests_max";
constexpr const char* kMachine = "machine.toml";  // an outcome table has none

std::string list_copy(const std::string& list) { return "referenced/list_" + fs::path(list).filename().string(); }

/// What study.toml refers to, and the list, by their names in the folder.
struct StudyFiles {
    std::string text;
    std::vector<std::pair<std::string, std::string>> files;
};

StudyFiles study_files(const experiment::Experiment& experiment) {
    experiment::PortableExperiment portable = experiment::make_portable(experiment);
    StudyFiles study{std::move(portable.text), {}};
    for (auto& file : portable.files) study.files.emplace_back(std::move(file.name), std::move(file.text));
    study.files.emplace_back(kMachine, experiment.table.machine_text);
    if (const std::string& list = experiment.campaign->list.file; !list.empty())
        study.files.emplace_back(list_copy(list), files::read_text_file(experiment.source.parent_path() / list));
    return study;
}

/// How many tests there may be is no part of the question: that line may change.
std::string without_limit(const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t word = line.find_first_not_of(" \t");
        if (word == std::string::npos || line.compare(word, kLimit.size(), kLimit) != 0) kept += line + '\n';
    }
    return kept;
}

void require_unchanged(const fs::path& folder, const StudyFiles& now) {
    const std::string then = files::read_text_file(folder / kStudy);
    if (without_limit(then) != without_limit(now.text)) {
        std::string why = files::first_difference(then, now.text);
        if (why.empty()) why = "the ends of their lines";
        throw InputError(
            fmt::format("{}: was begun with another file: {}; go on with the file as it was, or begin a new campaign",
                        folder.string(), why));
    }
    for (const auto& [name, text] : now.files)
        if (!fs::exists(folder / name) || files::read_text_file(folder / name) != text)
            throw InputError(
                fmt::format("{}: has been changed since the campaign was begun: put the file that the experiment names "
                            "back, or begin a new campaign",
                            (folder / name).string()));
}

}  // namespace

std::vector<std::uint64_t> run_numbers(const fs::path& folder) {
    std::vector<std::uint64_t> numbers;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "runs", error))
        if (const auto number = text::parse_whole_number(entry.path().filename().string())) numbers.push_back(*number);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

fs::path find_campaign(const experiment::Experiment& experiment) {
    const std::string text = without_limit(experiment::make_portable(experiment).text);
    std::vector<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("runs", error))
        if (fs::exists(entry.path() / kStudy, error) && fs::exists(entry.path() / kMachine, error) &&
            without_limit(files::read_text_file(entry.path() / kStudy)) == text)
            found.push_back(entry.path());
    if (found.empty())
        throw InputError(
            fmt::format("--resume: no campaign in runs was begun with {} as it is now; --out DIR names its folder",
                        experiment.source.string()));
    return *std::max_element(found.begin(), found.end());  // their names begin with the time
}

CampaignFolder begun(const experiment::Experiment& experiment, const Settings& settings, const fs::path& folder) {
    fs::path path = folder;
    if (path.empty())
        path = files::create_default_run_folder(experiment.name);
    else
        files::create_run_folder(path);
    const StudyFiles study = study_files(experiment);
    for (const auto& [name, text] : study.files) {
        fs::create_directories((path / name).parent_path());
        files::write_durably(path / name, text);
    }
    files::write_durably(path / kStudy, study.text);
    return {path, std::make_shared<TestTable>(
                      TestTable::create(path / kTests, settings.keys(), experiment.specimens.size()))};
}

CampaignFolder taken_up(const experiment::Experiment& experiment, const Settings& settings, const fs::path& folder) {
    const fs::path path = folder.empty() ? find_campaign(experiment) : folder;
    if (!fs::exists(path / kStudy))
        throw InputError(
            fmt::format("{}: not a campaign (no {}); without --resume a new one is begun", path.string(), kStudy));
    require_unchanged(path, study_files(experiment));
    if (!fs::exists(path / kTests))  // killed before its first test
        return {path, std::make_shared<TestTable>(
                          TestTable::create(path / kTests, settings.keys(), experiment.specimens.size()))};
    return {path, std::make_shared<TestTable>(
                      TestTable::take_up(path / kTests, settings.keys(), experiment.specimens.size()))};
}

}  // namespace topple::hil::campaign

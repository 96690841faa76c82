// What `topple show` offers of finished runs: the page, the description, every message of the log.
#include "hil/page/shown_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hil/files/errors.hpp"
#include "hil/page/assets.hpp"
#include "hil/page/stored_log.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using hil::page::shown_runs;
namespace fs = std::filesystem;

namespace {

std::size_t count_of(const hil::live::Channel& channel) {
    const hil::live::MessageSource next = channel.stored();
    std::size_t count = 0;
    hil::live::Message message;
    std::uint64_t before = 0;
    while (next && next(message)) {
        CHECK(message.log_time_ns >= before);
        before = message.log_time_ns;
        ++count;
    }
    return count;
}

nlohmann::json description_of(const hil::page::ShownRuns& shown) {
    const auto found = std::find_if(shown.documents.begin(), shown.documents.end(),
                                    [](const auto& document) { return document.path == "/test.json"; });
    REQUIRE(found != shown.documents.end());
    return nlohmann::json::parse(found->bytes);
}

fs::path run_folder(const std::string& name) {
    tests::SyntheticRun run{.experiment = tests::b6l_sine()};
    run.recorded_s = 2.0;
    return tests::write_run_folder(run, name);
}

}  // namespace

TEST_CASE("the page is in the program, needs nothing from elsewhere and has less than 500 kB") {
    std::size_t bytes = 0;
    for (const hil::live::Document& asset : hil::page::assets()) {
        bytes += asset.bytes.size();
        CHECK(!asset.bytes.empty());
        if (asset.path == "/chart.min.js" || asset.path == "/faults.md") continue;
        CHECK(asset.bytes.find("https://") == std::string::npos);
        CHECK(asset.bytes.find("innerHTML") == std::string::npos);
    }
    CHECK(bytes <= 500'000);
    CHECK(hil::page::assets().front().path == "/");
}

TEST_CASE("a finished run is shown with every message of its log and with what its test was") {
    const fs::path folder = run_folder("page_whole");
    const hil::run_log::RunData data = hil::run_log::read_run_log(folder);
    const hil::page::ShownRuns shown = shown_runs({folder, folder});
    REQUIRE(shown.run_count == 2);
    REQUIRE(shown.channels.size() == 10);
    CHECK(shown.channels[1].topic == "/1/feedback");
    CHECK(shown.channels[6].topic == "/2/feedback");
    CHECK(count_of(shown.channels[6]) == data.feedback.size());
    CHECK(count_of(shown.channels[8]) == data.events.size());
    CHECK(count_of(shown.channels[6]) == data.feedback.size());  // again, from the beginning
    const nlohmann::json run = description_of(shown)["runs"][0];
    CHECK(run["name"] == "B6L single sine");
    CHECK(run["specimens"][0]["blocks"][0]["height_m"] == 0.27);
    CHECK(run["axes"][0]["stroke_m"].is_number());
    CHECK(run["label"] == folder.filename().string());
}

TEST_CASE("of a torn log the whole part is shown, with the reason") {
    const fs::path folder = run_folder("page_torn");
    fs::resize_file(folder / "run.mcap", fs::file_size(folder / "run.mcap") / 2);
    const hil::page::ShownRuns shown = shown_runs({folder});
    const std::size_t count = count_of(shown.channels[1]);
    CHECK(count > 0);
    CHECK(count == hil::run_log::read_run_log(folder).feedback.size());
    REQUIRE(!shown.remarks.empty());
    CHECK(shown.remarks.front().find("the log has no end") != std::string::npos);
    CHECK(description_of(shown)["runs"][0]["problems"].size() == shown.remarks.size());
}

TEST_CASE("a folder without a log, or with another program's file, is shown as far as it goes") {
    const fs::path folder = run_folder("page_foreign");
    std::ofstream(folder / "run.mcap") << "no log at all";
    std::ofstream(folder / "summary.json") << "{ not JSON";
    const hil::page::ShownRuns shown = shown_runs({folder});
    CHECK(shown.remarks.size() == 2);
    CHECK(count_of(shown.channels[1]) == 0);
    CHECK(description_of(shown)["runs"][0]["specimens"].size() == 1);
    fs::remove(folder / "run.mcap");
    CHECK(shown_runs({folder}).remarks.size() == 2);
}

TEST_CASE("where nothing can be shown the reasons are given") {
    const tests::TemporaryFolder folder;
    CHECK_THROWS_AS(shown_runs({folder.path()}), hil::files::InputError);
    CHECK_THROWS_AS(shown_runs({folder.file("absent")}), hil::files::InputError);
}

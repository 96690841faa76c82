// topple run on a file with [campaign]: from the first test to the page, through kill -9 and broken folders.
#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/campaign_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;

TEST_CASE(
    "A campaign on the simulated table ends with its table, its page, its scores and a run folder for every test") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text(kDescending));
    const fs::path out = folder.file("campaign");
    const ProgramResult result = run_topple({"run", file, "--out", out});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring("complete") && ContainsSubstring("confusion matrix"));
    CHECK(content_of(out / "study.toml") == content_of(file));
    const auto rows = rows_of(out / "tests.csv");
    REQUIRE(rows.size() > 6);
    for (const auto& row : rows) {
        INFO(row.at("test"));
        CHECK(row.at("status") == "done");
        const fs::path run = out / row.at("run");
        const auto summary = nlohmann::json::parse(content_of(run / "summary.json"));
        CHECK(summary.at("measured").at("outcome") == row.at("outcome"));
        CHECK_THAT(content_of(run / "experiment.toml"), ContainsSubstring("[campaign_test]"));
        CHECK(content_of(run / "experiment.toml").find("[campaign]") == std::string::npos);
    }
    const auto summary = nlohmann::json::parse(content_of(out / "summary.json"));
    CHECK(summary.at("schema") == "topple.campaign/1");
    CHECK(summary.at("complete") == true);
    for (const auto& row : summary.at("boundaries")) {
        CHECK(row.at("stands").get<double>() > row.at("overturns").get<double>());
        CHECK(row.at("done") == true);
    }
    const std::string page = content_of(out / "index.html");
    CHECK_THAT(page, ContainsSubstring("Stability graph") && ContainsSubstring("runs/0001/report.html") &&
                         ContainsSubstring("<svg") && ContainsSubstring("Where overturning begins"));
    CHECK_THAT(content_of(out / "boundaries.csv"), ContainsSubstring("Housner"));
    // The test as it stands in its folder can be made again, and ends alike.
    const ProgramResult again = run_topple({"run", out / "runs/0001/experiment.toml", "--out", folder.file("again")});
    CHECK(again.exit_code == 0);
    CHECK(nlohmann::json::parse(content_of(folder.file("again") / "summary.json"))
              .at("measured")
              .at("peak_rotation_rad") ==
          nlohmann::json::parse(content_of(out / "runs/0001/summary.json")).at("measured").at("peak_rotation_rad"));
    // Complete: --resume has nothing to do, and a new campaign does not overwrite this one.
    const std::string before = content_of(out / "tests.csv");
    CHECK(run_topple({"run", file, "--out", out, "--resume"}).exit_code == 0);
    CHECK(content_of(out / "tests.csv") == before);
    CHECK(run_topple({"run", file, "--out", out}).exit_code == 2);
}

TEST_CASE("Killed again and again, a campaign loses nothing and repeats nothing") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text(kDescending));
    const fs::path whole = folder.file("whole"), torn = folder.file("torn");
    REQUIRE(run_topple({"run", file, "--out", whole}).exit_code == 0);
    int kills = 0;
    for (int i = 0; i < 12; ++i) {
        std::vector<std::string> words{"run", file, "--out", torn};
        if (fs::exists(torn / "study.toml")) words.push_back("--resume");
        BackgroundTopple program(words);
        // A moment that moves through the tests: placing files, driving, concluding, writing the row.
        std::this_thread::sleep_for(std::chrono::milliseconds(250 + 130 * i));
        if (!program.running()) break;
        program.signal(SIGKILL);
        program.wait();
        ++kills;
    }
    INFO(kills << " kills");
    CHECK(kills > 2);
    const ProgramResult last = run_topple({"run", file, "--out", torn, "--resume"});
    INFO(last.err);
    REQUIRE(last.exit_code == 0);
    CHECK(outcomes_of(torn) == outcomes_of(whole));
    std::set<std::string> runs;
    for (const auto& row : rows_of(torn / "tests.csv")) runs.insert(row.at("run"));
    for (const auto& entry : fs::directory_iterator(torn / "runs"))  // but one in which nothing was written yet
        if (fs::exists(entry.path() / "experiment.toml"))
            CHECK(runs.count("runs/" + entry.path().filename().string()) == 1);
}

TEST_CASE("A stop between tests keeps what was made, says how to go on, and going on completes it") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 8\n"));
    const fs::path out = folder.file("campaign");
    {
        BackgroundTopple program({"run", file, "--out", out});
        REQUIRE(eventually([&] { return program.err().find("test 2:") != std::string::npos; }));
        program.signal(SIGINT);
        const ProgramResult stopped = program.wait();
        CHECK(stopped.exit_code == 3);
        CHECK_THAT(stopped.err, ContainsSubstring("--resume"));
    }
    REQUIRE(run_topple({"run", file, "--out", out, "--resume"}).exit_code == 0);
    std::size_t done = 0;
    for (const auto& row : rows_of(out / "tests.csv")) done += row.at("status") == "done" ? 1 : 0;
    CHECK(done == 8);
}

TEST_CASE("A campaign goes on only with the file it was begun with") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 1\n"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 2\n"));
    const ProgramResult other = run_topple({"run", file, "--out", out, "--resume"});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, ContainsSubstring("line 16") && ContainsSubstring("repeats = 2"));
    CHECK(run_topple({"run", file, "--out", folder.file("nothing"), "--resume"}).exit_code == 2);
    folder.write("plain.toml", case_text("").substr(0, case_text("").find("[campaign]")));
    CHECK(run_topple({"run", folder.file("plain.toml"), "--resume"}).exit_code == 2);
}

TEST_CASE("More tests can be allowed in a campaign that has reached its limit") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 3\ntests_max = 1\n"));
    const fs::path out = folder.file("campaign");
    const ProgramResult limited = run_topple({"run", file, "--out", out});
    CHECK(limited.exit_code == 3);
    CHECK_THAT(limited.err, ContainsSubstring("tests_max = 1"));
    folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 3\ntests_max = 10\n"));
    CHECK(run_topple({"run", file, "--out", out, "--resume"}).exit_code == 0);
    CHECK(rows_of(out / "tests.csv").size() == 3);
}

TEST_CASE("What the table cannot make is refused with the reason, and the rest of the campaign goes on") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("case.toml", case_text("protocol = \"list\"\ntests = [{ \"excitation.frequency_hz\" = 1.0 }, "
                                            "{ \"excitation.frequency_hz\" = 6.0 }]\n"));
    const ProgramResult dry = run_topple({"run", file, "--dry-run"});
    CHECK_THAT(dry.out, ContainsSubstring("cannot") && ContainsSubstring("stroke"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    const auto rows = rows_of(out / "tests.csv");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].at("status") == "refused");
    CHECK_THAT(content_of(out / "tests.csv"), ContainsSubstring("stroke"));
    CHECK(rows[1].at("status") == "done");
}

TEST_CASE("An adaptive campaign brackets the boundary of a simulated block within the resolution asked for") {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "case.toml",
        case_text("protocol = \"adaptive\"\nrows = { key = \"excitation.amplitude_m_s2\", values = [5.0] }\n"
                  "search = { key = \"excitation.frequency_hz\", from = 10.0, to = 4.0, resolution_ratio = 0.03 }\n"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    const auto row = nlohmann::json::parse(content_of(out / "summary.json")).at("boundaries").at(0);
    CHECK(row.at("done") == true);
    CHECK(row.at("stands").get<double>() / row.at("overturns").get<double>() < 1.07);
    CHECK(rows_of(out / "tests.csv").size() <= 8);
}

TEST_CASE("Run folders without a line are taken up or passed over, and nothing in runs stops a campaign") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 3\n"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    std::string text = content_of(out / "tests.csv");
    // Two lines lost, one folder emptied, and things that are no runs.
    for (int i = 0; i < 2; ++i) text.resize(text.rfind('\n', text.size() - 2) + 1);
    std::ofstream(out / "tests.csv", std::ios::trunc) << text;
    for (const auto& entry : fs::directory_iterator(out / "runs/0003")) fs::remove_all(entry.path());
    std::ofstream(out / "runs/0004") << "a file";
    fs::create_symlink("nowhere", out / "runs/0005");
    const ProgramResult resumed = run_topple({"run", file, "--out", out, "--resume"});
    INFO(resumed.err);
    REQUIRE(resumed.exit_code == 0);
    CHECK_THAT(resumed.err, ContainsSubstring("runs/0003") && ContainsSubstring("passed over"));
    const auto rows = rows_of(out / "tests.csv");
    REQUIRE(rows.size() == 3);
    CHECK(rows[1].at("run") == "runs/0002");
    CHECK(rows[2].at("run") == "runs/0006");
    for (const auto& row : rows) CHECK(row.at("status") == "done");
    CHECK(run_topple({"run", file, "--out", out, "--resume"}).exit_code == 0);
}

TEST_CASE("What no test could be made of is refused before the first one, with exit code 2 and no folder") {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> bad{
        {"protocol = \"list\"\ntests = [{ \"excitation.frequency_hz\" = -5.0 }]\n", "test 1 of the list"},
        {"protocol = \"list\"\ntests = [{ \"simulation.seed\" = 5.5 }]\n", "integer"},
        {"protocol = \"list\"\ntests = [{ \"excitation.no_such\" = 5 }]\n", "not in the file"},
        {"protocol = \"list\"\ntests = [{ \"excitation.type\" = 5 }]\n", "must be a number"},
        {"protocol = \"descending\"\nrows = { key = \"excitation.amplitude_m_s2\", values = [-1e9] }\nsearch = { key = "
         "\"excitation.frequency_hz\", from = 8.0, to = 2.0 }\n",
         "amplitude_m_s2"},
        {"protocol = \"descending\"\nrows = { key = \"excitation.amplitude_m_s2\", values = [3.0] }\nsearch = { key = "
         "\"excitation.frequency_hz\", from = 5e-324, to = 12.0 }\n",
         "from"},
        {"protocol = \"descending\"\nrows = { key = \"excitation.amplitude_m_s2\", values = [3.0] }\nsearch = { key = "
         "\"excitation.frequency_hz\", from = 900.0, to = 1e-5, step_ratio = 1e-4 }\n",
         "steps"}};
    for (const auto& [campaign, words] : bad) {
        const std::string file = folder.write("case.toml", case_text(campaign));
        const ProgramResult result = run_topple({"run", file, "--out", folder.file("campaign")});
        INFO(campaign << result.err);
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, ContainsSubstring(words));
        CHECK_FALSE(fs::exists(folder.file("campaign")));
    }
}

TEST_CASE("A campaign notices when a file that it names has been changed, and its study can be read where it lies") {
    const TemporaryFolder folder;
    folder.write("tests_to_make.csv", "excitation.frequency_hz\n6.0\n");
    const std::string file =
        folder.write("case.toml", case_text("protocol = \"list\"\nfile = \"tests_to_make.csv\"\n"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    folder.write("tests_to_make.csv", "excitation.frequency_hz\n6.0\n7.0\n");
    const ProgramResult changed = run_topple({"run", file, "--out", out, "--resume"});
    CHECK(changed.exit_code == 2);
    CHECK_THAT(changed.err, ContainsSubstring("has been changed"));
}

TEST_CASE("The tests of a campaign are imported as they were marked last, each once") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("case.toml", case_text("protocol = \"list\"\ntests = [{ \"excitation.frequency_hz\" = 6.0 }, "
                                            "{ \"excitation.frequency_hz\" = 9.0 }]\n"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    REQUIRE(run_topple({"mark", out / "runs/0001", "--outcome", "R"}).exit_code == 0);
    REQUIRE(run_topple({"run", file, "--out", out, "--resume"}).exit_code == 0);
    const fs::path scored = folder.file("scored");
    const ProgramResult result = run_topple(
        {"import", out / "tests.csv", "--experiment", out / "study.toml", "--out", scored, "--members", "20"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto summary = nlohmann::json::parse(content_of(scored / "summary.json"));
    CHECK_THAT(result.out, ContainsSubstring("2 rows: 2 scored"));
    CHECK_THAT(content_of(scored / "tests.csv"), !ContainsSubstring("overturning,right"));
}

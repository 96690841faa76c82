// topple run on a file with [campaign]: from the first test to the page, through kill -9, marks and an operator.
#include <signal.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/topple_at_terminal.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;

namespace {

namespace fs = std::filesystem;

std::string case_text(const std::string& campaign) {
    return "name = \"case\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.045\nheight_m = 0.2025\nmass_kg = 1.0896\n"
           "restitution = { model = \"improved\", k = 0.8241 }\n[excitation]\ntype = \"sine\"\namplitude_m_s2 = 6.0\n"
           "frequency_hz = 6.0\n[simulation]\nseed = 1\n[campaign]\n" +
           campaign;
}

const std::string kDescending =
    "protocol = \"descending\"\nrows = { key = \"excitation.amplitude_m_s2\", values = [5.0, 9.0] }\n"
    "search = { key = \"excitation.frequency_hz\", from = 10.0, to = 4.0, step_ratio = 0.2 }\nrepeats = 2\n";

/// Columns by name, the last line of each test and specimen only.
std::vector<std::map<std::string, std::string>> rows_of(const fs::path& file) {
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
std::map<std::string, std::multiset<std::string>> outcomes_of(const fs::path& folder) {
    std::map<std::string, std::multiset<std::string>> outcomes;
    for (const auto& row : rows_of(folder / "tests.csv"))
        if (row.at("status") == "done")
            outcomes[row.at("excitation.amplitude_m_s2") + " at " + row.at("excitation.frequency_hz")].insert(
                row.at("outcome"));
    return outcomes;
}

}  // namespace

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

TEST_CASE("A mark made after a test reaches the campaign when it goes on, and a discarded test is made again") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 3\n"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    REQUIRE(run_topple({"mark", out / "runs/0002", "--discard", "the block, it touched the rail"}).exit_code == 0);
    REQUIRE(run_topple({"mark", out / "runs/0003", "--outcome", "T"}).exit_code == 0);
    const ProgramResult resumed = run_topple({"run", file, "--out", out, "--resume"});
    INFO(resumed.err);
    REQUIRE(resumed.exit_code == 0);
    const auto rows = rows_of(out / "tests.csv");
    REQUIRE(rows.size() == 4);
    CHECK(rows[1].at("status") == "discarded");
    CHECK(rows[2].at("outcome") == "translation");
    CHECK(rows[2].at("source") == "operator");
    CHECK(rows[3].at("status") == "done");
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

TEST_CASE("Tests by hand: the air track's masses and heights come from the list, the outcome from who looks") {
    const TemporaryFolder folder;
    std::string text = case_text("protocol = \"list\"\ndriven_by = \"simulated_hand\"\nfile = \"tests_to_make.csv\"\n");
    const std::size_t at = text.find("[excitation]"), end = text.find("[simulation]");
    text.replace(
        at, end - at,
        "[excitation]\ntype = \"constant\"\nmass_slider_kg = 3.0\nmass_hanging_kg = 1.0\ndrop_height_m = 0.05\n");
    const std::string file = folder.write("case.toml", text);
    folder.write("tests_to_make.csv",
                 "excitation.mass_hanging_kg,excitation.drop_height_m\n0.5,0.02\n1.0,0.02\n2.0,0.1\n");
    const fs::path out = folder.file("campaign");
    const ProgramResult result = run_topple({"run", file, "--out", out});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto rows = rows_of(out / "tests.csv");
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].at("outcome") == "translation");
    CHECK(rows[2].at("outcome") == "overturning");
    CHECK(fs::exists(out / "runs/0003/mark.json"));
    CHECK(fs::exists(out / "runs/0003/prediction.json"));
    // Seen wrongly: corrected by a mark, which the campaign takes over.
    CHECK(run_topple({"mark", out / "runs/0003", "--outcome", "P"}).exit_code == 2);
    CHECK(run_topple({"mark", out / "runs/0003", "--outcome", "R"}).exit_code == 0);
    REQUIRE(run_topple({"run", file, "--out", out, "--resume"}).exit_code == 0);
    CHECK(rows_of(out / "tests.csv").at(2).at("outcome") == "rocking");
    std::string by_hand = text;
    by_hand.replace(by_hand.find("simulated_hand"), 14, "hand");
    const std::string alone = folder.write("hand.toml", by_hand);
    const ProgramResult nobody = run_topple({"run", alone, "--out", folder.file("hand")});
    CHECK(nobody.exit_code == 2);
    CHECK_THAT(nobody.err, ContainsSubstring("no terminal"));
    CHECK_FALSE(fs::exists(folder.file("hand")));
}

TEST_CASE("At a terminal the operator is asked to place the block, and what happened, a discarded test comes again") {
    const TemporaryFolder folder;
    std::string text = case_text(
        "protocol = \"list\"\ndriven_by = \"hand\"\ntests = [{ \"excitation.mass_hanging_kg\" = 1.0 }, "
        "{ \"excitation.mass_hanging_kg\" = 2.0 }]\n");
    const std::size_t at = text.find("[excitation]"), end = text.find("[simulation]");
    text.replace(
        at, end - at,
        "[excitation]\ntype = \"constant\"\nmass_slider_kg = 3.0\nmass_hanging_kg = 1.0\ndrop_height_m = 0.05\n");
    const std::string file = folder.write("case.toml", text);
    const fs::path out = folder.file("campaign");
    {
        ToppleAtTerminal first({"run", file, "--out", out});
        REQUIRE(first.shows("mass_hanging_kg = 1"));
        REQUIRE(first.shows("Type ready"));
        first.type("yes\n");
        REQUIRE(first.shows("type ready or quit"));
        REQUIRE(first.shows("Type ready"));
        first.type("ready\n");
        REQUIRE(first.shows("what happened?"));
        first.type("fell\n");
        REQUIRE(first.shows("allowed: T"));
        REQUIRE(first.shows("what happened?"));
        first.type("discard the slider stuck\n");
        REQUIRE(first.shows("test 2"));
        REQUIRE(first.shows("mass_hanging_kg = 1"));
        REQUIRE(first.shows("Type ready"));
        first.type("ready\n");
        REQUIRE(first.shows("what happened?"));
        first.type("R left\n");
        REQUIRE(first.shows("mass_hanging_kg = 2"));
        REQUIRE(first.shows("Type ready"));
        first.type("quit\n");
        CHECK(first.wait() == 3);
    }
    ToppleAtTerminal second({"run", file, "--out", out, "--resume"});
    REQUIRE(second.shows("mass_hanging_kg = 2"));
    REQUIRE(second.shows("Type ready"));
    second.type("ready\n");
    REQUIRE(second.shows("what happened?"));
    second.type("O right\n");
    CHECK(second.wait() == 0);
    const auto rows = rows_of(out / "tests.csv");
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].at("status") == "discarded");
    CHECK(rows[1].at("side") == "left");
    CHECK(rows[2].at("outcome") == "overturning");
    CHECK(rows[2].at("source") == "operator");
}

TEST_CASE("On a real table a campaign asks before each motion, and the operator's word counts") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 1\n"));
    Emulator emulator(file, {"--listen", "0", "--as-real"});
    const ProgramResult alone =
        run_topple({"run", file, "--out", folder.file("alone"), "--device", emulator.uri(), "--yes"});
    CHECK(alone.exit_code == 2);
    CHECK_THAT(alone.err, ContainsSubstring("no terminal"));
    const fs::path out = folder.file("campaign");
    ToppleAtTerminal person({"run", file, "--out", out, "--device", emulator.uri()});
    REQUIRE(person.shows("Type ready"));
    person.type("ready\n");
    for (int motion = 0; motion < 2; ++motion) {
        REQUIRE(person.shows("Type move to start: "));
        person.type("move\n");
    }
    REQUIRE(person.shows("what happened?"));  // it fell, so the table stays where it is
    person.type("O right\n");
    INFO(person.seen());
    CHECK(person.wait() == 0);
    const auto rows = rows_of(out / "tests.csv");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at("outcome") == "overturning");
    CHECK(rows[0].at("side") == "right");
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

TEST_CASE("Repeats of a campaign can be laid over each other, and a slipping block by hand is taken up again") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", case_text("protocol = \"repeats\"\nrepeats = 2\n"));
    const fs::path out = folder.file("campaign");
    REQUIRE(run_topple({"run", file, "--out", out}).exit_code == 0);
    const ProgramResult laid = run_topple({"compare", out / "runs/0001", out / "runs/0002"});
    INFO(laid.err);
    CHECK(laid.exit_code == 0);
    CHECK(run_topple({"run", file, "--iterate", "2", "--out", folder.file("iterated")}).exit_code == 2);
    std::string slipping = case_text("protocol = \"repeats\"\nrepeats = 2\ndriven_by = \"simulated_hand\"\n");
    slipping.insert(slipping.find("[excitation]"), "friction = { static = 0.1, kinetic = 0.1 }\n");
    const std::string hand = folder.write("hand.toml", slipping);
    const fs::path by_hand = folder.file("by_hand");
    const ProgramResult made = run_topple({"run", hand, "--out", by_hand});
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    CHECK(rows_of(by_hand / "tests.csv").at(0).at("outcome") == "sliding");
    const std::string before = content_of(by_hand / "tests.csv");
    const ProgramResult resumed = run_topple({"run", hand, "--out", by_hand, "--resume"});
    INFO(resumed.err);
    CHECK(resumed.exit_code == 0);
    CHECK(content_of(by_hand / "tests.csv") == before);  // its own marks are nobody's correction
}

TEST_CASE("What fell of a stack is marked as partial or total overturning with its blocks, and O is refused") {
    const TemporaryFolder folder;
    const std::string example = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/stack_db3m6m.toml";
    const fs::path run = folder.file("run");
    REQUIRE(run_topple({"run", example, "--out", run}).exit_code == 0);
    CHECK(run_topple({"mark", run, "--outcome", "O"}).exit_code == 2);
    CHECK(run_topple({"mark", run, "--outcome", "D", "--blocks", "1"}).exit_code == 2);
    CHECK(run_topple({"mark", run, "--outcome", "P", "--blocks", "2"}).exit_code == 2);
    const ProgramResult marked = run_topple({"mark", run, "--outcome", "P", "--blocks", "1", "--side", "left"});
    INFO(marked.err);
    REQUIRE(marked.exit_code == 0);
    const auto measured = nlohmann::json::parse(content_of(run / "summary.json")).at("measured");
    CHECK(measured.at("outcome") == "partial_overturning");
    CHECK(measured.at("blocks_overturned") == std::vector<int>{1});
}

TEST_CASE("Two specimens at once have a row, a boundary and scores each") {
    const TemporaryFolder folder;
    std::string text = case_text(kDescending);
    text.insert(text.find("[excitation]"),
                "[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
                "restitution = { model = \"improved\", k = 0.7306 }\n");
    const fs::path out = folder.file("campaign");
    const ProgramResult result = run_topple({"run", folder.write("case.toml", text), "--out", out});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto summary = nlohmann::json::parse(content_of(out / "summary.json"));
    CHECK(summary.at("boundaries").size() == 4);
    CHECK(summary.at("specimens").size() == 2);
    CHECK(fs::exists(out / "stability_0.svg"));
    CHECK(fs::exists(out / "stability_1.svg"));
}

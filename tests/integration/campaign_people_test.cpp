// Campaigns with people: prompts, marks, tests by hand, stacks, two specimens.
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/campaign_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/topple_at_terminal.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;

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

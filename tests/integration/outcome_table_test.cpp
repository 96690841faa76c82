// topple import TABLE.csv --experiment FILE, as a user types it.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/well_formed.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kExamples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
const std::string kSine = kExamples + "b6l_sine.toml";

// Exit code 1 means: everything written, only gnuplot is missing.
bool done(const ProgramResult& result) {
    return result.exit_code == 0 || (result.exit_code == 1 && result.err.find("gnuplot") != std::string::npos);
}

/// Imports a table written for the purpose.
struct Imported {
    TemporaryFolder work;
    std::filesystem::path folder;
    ProgramResult result;

    explicit Imported(const std::string& table, const std::vector<std::string>& further = {},
                      const std::string& experiment = kSine)
        : folder(work.path() / "out") {
        std::vector<std::string> words{"import",       work.write("tests.csv", table).string(),
                                       "--experiment", experiment,
                                       "--members",    "60",
                                       "--out",        folder.string()};
        words.insert(words.end(), further.begin(), further.end());
        result = run_topple(words);
    }
    nlohmann::json summary() const { return nlohmann::json::parse(content_of(folder / "summary.json")); }
    std::string row(std::size_t number) const {
        std::string text = content_of(folder / "tests.csv");
        for (std::size_t i = 0; i < number; ++i) text.erase(0, text.find('\n') + 1);
        return text.substr(0, text.find('\n'));
    }
};

const std::string kHead = "test,excitation.amplitude_m_s2,excitation.frequency_hz,outcome\n";

}  // namespace

TEST_CASE("the example table of tests is predicted and scored, with a folder that tells all") {
    const TemporaryFolder work;
    const std::string out = (work.path() / "out").string();
    const ProgramResult result =
        run_topple({"import", kExamples + "tests_of_b6l.csv", "--experiment", kSine, "--members", "100", "--out", out});
    INFO(result.err);
    REQUIRE(done(result));
    CHECK_THAT(result.out, ContainsSubstring("72 rows: 71 scored, 1 predicted only, 0 unusable"));
    CHECK_THAT(result.out, ContainsSubstring("the prediction is better"));
    for (const char* name : {"study.toml", "table.csv", "tests.csv", "summary.json", "index.html"})
        CHECK(std::filesystem::exists(out + "/" + name));
    for (const char* figure : {"reliability.svg", "peak_velocity.svg"})
        CHECK((result.exit_code == 1 || std::filesystem::file_size(out + "/" + figure) > 5000));
    const auto summary = nlohmann::json::parse(content_of(out + "/summary.json"));
    CHECK(summary["schema"] == "topple.outcome_table/1");
    CHECK(summary["scores"]["schema"] == "topple.scores/1");
    CHECK(summary["scores"]["overturning"]["brier"]["value"] < 0.06);
    CHECK(summary["scores"]["overturning"]["base_rate"]["verdict"] == "better");
    CHECK(summary["rows"]["different"] == 36);
    CHECK_THAT(content_of(out + "/index.html"), ContainsSubstring("Seen and predicted"));
    // Nothing is overwritten.
    CHECK(run_topple({"import", kExamples + "tests_of_b6l.csv", "--experiment", kSine, "--out", out}).exit_code == 2);
}

TEST_CASE("a table gives the same bytes on one thread and on four, and its rows in another order the same scores") {
    std::string table = kHead, reversed = kHead;
    std::vector<std::string> rows;
    for (int i = 0; i < 24; ++i)
        rows.push_back(std::to_string(i) + "," + std::to_string(2.5 + 0.1 * (i / 2)) + ",3.5," + (i > 11 ? "O" : "R") +
                       "\n");
    for (const std::string& row : rows) table += row, reversed.insert(kHead.size(), row);
    const Imported one(table, {"--threads", "1"}), four(table, {"--threads", "4"}), other(reversed);
    REQUIRE(done(one.result));
    REQUIRE(done(other.result));
    for (const char* name : {"tests.csv", "reliability.svg", "index.html"})
        CHECK(content_of(one.folder / name) == content_of(four.folder / name));
    CHECK(one.summary()["scores"] == four.summary()["scores"]);
    CHECK(one.summary()["scores"] == other.summary()["scores"]);
    CHECK(one.summary()["repeats"] == other.summary()["repeats"]);
}

TEST_CASE("a row that cannot be used is listed with its line, column and reason, and the rest goes on") {
    const Imported table(kHead +
                         "a,3,4,R\n"
                         "b,99999,4,R\n"
                         "c,3,4,wobbled\n"
                         "d,3 mm,4,R\n"
                         "e,3,4,R,too,many\n"
                         "f,3,4,P\n"
                         "g,3,4,?\n"
                         "h,3,4,\n");
    REQUIRE(done(table.result));
    CHECK_THAT(table.result.out, ContainsSubstring("8 rows: 1 scored, 2 predicted only, 5 unusable"));
    const auto unusable = table.summary()["unusable"];
    const std::vector<std::pair<int, std::string>> expected{
        {3, "excitation.amplitude_m_s2"}, {4, "outcome"}, {5, "excitation.amplitude_m_s2"}, {6, ""}, {7, "outcome"}};
    REQUIRE(unusable.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(unusable[i]["line"] == expected[i].first);
        CHECK((unusable[i]["column"].is_null() ? "" : unusable[i]["column"].get<std::string>()) == expected[i].second);
    }
    CHECK_THAT(unusable[1]["reason"].get<std::string>(), ContainsSubstring("\"wobbled\" is no outcome"));
    CHECK(table.summary()["not_scored"][0]["reason"] == "outcome is \"?\"");
    CHECK(table.summary()["not_scored"][1]["reason"] == "outcome is blank");
    CHECK(table.summary()["scores"]["uninformative"] == "nothing overturned in any of the 1 tests");
}

TEST_CASE("a table none of whose rows can be used exits with 2 and leaves nothing") {
    const Imported table(kHead + "a,99999,4,R\n");
    CHECK(table.result.exit_code == 2);
    CHECK_THAT(table.result.err,
               ContainsSubstring("none of its 1 rows can be used; line 2, column excitation.amplitude"));
    CHECK_FALSE(std::filesystem::exists(table.folder));
}

TEST_CASE("semicolons, decimal commas and a byte-order mark of a spreadsheet are understood") {
    const Imported table("\xEF\xBB\xBFtest;amplitude_m_s2;frequency_hz;fell\r\na;2,0;4;n\r\nb;6,5;2;Y\r\n");
    REQUIRE(done(table.result));
    CHECK_THAT(table.result.out, ContainsSubstring("2 scored"));
    CHECK_THAT(table.row(1), ContainsSubstring("\"2,0\""));
    CHECK_THAT(table.row(1), ContainsSubstring("translation,1,0,0,0"));
    CHECK(table.summary()["scores"]["confusion"]["class_unknown"] == 2);  // whether it fell is all that is said
    const Imported mixed("test;amplitude_m_s2;frequency_hz;fell\na;2,0;4;n\nb;6.5;2;Y\n");
    CHECK(mixed.result.exit_code == 2);
    CHECK_THAT(mixed.result.err, ContainsSubstring("a decimal point (line 3) and with a comma (line 2)"));
}

TEST_CASE("a motion file and a specimen file per row are read beside the table") {
    const TemporaryFolder work;
    const std::string table = work.write("tests.csv",
                                         "motion,scale,specimen,outcome\n"
                                         "pulse.csv,1,,stood\n"
                                         "pulse.csv,3,slim.toml,fell\n"
                                         "missing.csv,1,,stood\n"
                                         "pulse.csv,1,missing.toml,stood\n")
                                  .string();
    work.write("pulse.csv", "time_s,acceleration_m_s2\n0,0\n0.1,2\n0.2,2\n0.3,0\n0.4,-2\n0.5,-2\n0.6,0\n");
    work.write("slim.toml", "kind = \"block\"\nwidth_m = 0.02\nheight_m = 0.3\nmass_kg = 1.0\n");
    const std::string out = (work.path() / "out").string();
    const ProgramResult result = run_topple({"import", table, "--experiment", kSine, "--members", "50", "--out", out});
    INFO(result.err);
    REQUIRE(done(result));
    const auto summary = nlohmann::json::parse(content_of(out + "/summary.json"));
    CHECK(summary["rows"]["scored"] == 2);
    REQUIRE(summary["unusable"].size() == 2);
    CHECK(summary["unusable"][0]["column"] == "motion");
    CHECK(summary["unusable"][1]["column"] == "specimen");
    CHECK(summary["scores"]["overturning"]["right"]["count"] == 2);
}

TEST_CASE("a stack's row says whether a part or all of it fell") {
    const std::string stack = kExamples + "stack_db3m6m.toml";
    const Imported table("excitation.amplitude_m_s2,outcome\n0.5,T\n0.5,P\n0.5,D\n0.5,O\n", {}, stack);
    REQUIRE(done(table.result));
    const auto scores = table.summary()["scores"];
    CHECK(scores["tests"] == 4);
    CHECK(scores["overturned"] == 3);
    CHECK(scores["confusion"]["class_unknown"].get<int>() <= 1);
}

TEST_CASE("a campaign's own table is importable, and what it predicted is passed over") {
    const Imported table(
        "test,run,excitation.amplitude_m_s2,outcome,side,discarded,peak_velocity_m_s,predicted,p_translation,"
        "p_overturning\n"
        "1,1,2.0,translation,,,0.16,rocking,0,0\n"
        "1,2,2.0,translation,,camera fell over,0.16,rocking,0,0\n"
        "2,1,6.5,rocking,,,0.51,rocking,0,0\n");
    REQUIRE(done(table.result));
    CHECK_THAT(
        table.result.out,
        ContainsSubstring("passed over (results of a campaign): run, side, predicted, p_translation, p_overturning"));
    CHECK(table.summary()["rows"]["scored"] == 2);
    CHECK(table.summary()["not_scored"][0]["reason"] == "discarded: camera fell over");
    CHECK_THAT(content_of(table.folder / "tests.csv"), ContainsSubstring("table_predicted"));
}

TEST_CASE("derived axes of a map are columns, too") {
    const Imported table("frequency_ratio,amplitude_ratio,outcome\n4,0.5,T\n4,1.2,R\n2,4,O\n");
    REQUIRE(done(table.result));
    CHECK(table.summary()["scores"]["classes"]["right"]["count"] == 3);
}

TEST_CASE("table and experiment exchanged, or one of them missing, is said") {
    const TemporaryFolder work;
    const std::string table = work.write("tests.csv", kHead + "a,3,4,R\n").string();
    const auto err = [&](const std::vector<std::string>& words) {
        const ProgramResult result = run_topple(words);
        CHECK(result.exit_code == 2);
        return result.err;
    };
    CHECK_THAT(err({"import", table}), ContainsSubstring("add --experiment FILE"));
    CHECK_THAT(err({"import", kSine, "--experiment", table}), ContainsSubstring("import TABLE.csv --experiment FILE"));
    CHECK_THAT(err({"import", kSine, "--experiment", kSine}), ContainsSubstring("is a table of tests"));
    CHECK_THAT(err({"import", table, "--experiment", table}), ContainsSubstring("no experiment file"));
    CHECK_THAT(err({"import", kSine}), ContainsSubstring("--motion is required"));
    CHECK_THAT(err({"import", table, "--experiment", kSine, "--motion", table}), ContainsSubstring("excludes"));
    CHECK_THAT(err({"import", kSine, "--motion", table, "--members", "5"}), ContainsSubstring("requires --experiment"));
    const std::string no_outcome = work.write("no.csv", "amplitude_m_s2,note\n3,x\n").string();
    CHECK_THAT(err({"import", no_outcome, "--experiment", kSine}),
               ContainsSubstring("no column says how a test ended"));
    const std::string no_key = work.write("nokey.csv", "test,outcome\n3,R\n").string();
    CHECK_THAT(err({"import", no_key, "--experiment", kSine}), ContainsSubstring("no column says what was done"));
    const std::string unit = work.write("unit.csv", "Amplitude (g),frequency_hz,outcome\n3,3,R\n").string();
    CHECK_THAT(err({"import", unit, "--experiment", kSine}), ContainsSubstring("amplitude_m_s2, amplitude_g"));
    const std::string twice =
        work.write("twice.csv", "amplitude_m_s2,excitation.amplitude_m_s2,outcome\n3,3,R\n").string();
    CHECK_THAT(err({"import", twice, "--experiment", kSine}), ContainsSubstring("say the same"));
}

TEST_CASE("summary.json goes to standard output if it is asked for") {
    const Imported table(kHead + "a,3,4,R\n", {"--json"});
    REQUIRE(done(table.result));
    CHECK(nlohmann::json::parse(table.result.out) == table.summary());
}

TEST_CASE("what a table says is shown and never acts") {
    const Imported table(
        "test,amplitude_m_s2,outcome,note,<b>\n<script>alert(1)</script>,3,R,\"a\"\"b\",x\n\"\x1b[31m&\",3,<i>,,y\n");
    REQUIRE(done(table.result));
    const std::string page = content_of(table.folder / "index.html");
    CHECK(page.find("<script>alert") == std::string::npos);
    CHECK(page.find("<i>") == std::string::npos);
    CHECK(page.find('\x1b') == std::string::npos);
    CHECK(table.result.out.find('\x1b') == std::string::npos);
    CHECK(is_well_formed(page));
}

TEST_CASE("a specimen may be named instead of its file") {
    const Imported table("specimen,outcome\nB6L,R\nb10s,O\nB99,R\n");
    REQUIRE(done(table.result));
    CHECK(table.summary()["rows"]["scored"] == 2);
    CHECK(table.summary()["unusable"][0]["column"] == "specimen");
}

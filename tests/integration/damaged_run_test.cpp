// Runs whose log is damaged or whose files were exchanged: told by every command, and nothing is destroyed.
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "hil/files/file_bytes.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/mcap/reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

nlohmann::json json_of(const fs::path& file) { return nlohmann::json::parse(content_of(file)); }

void write_bytes(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Where the chunks lie.
struct Chunks : hil::mcap::Visitor {
    bool on_chunk(const hil::mcap::ChunkView& chunk) override {
        offsets.push_back(chunk.offset);
        return true;
    }
    std::vector<std::uint64_t> offsets;
};

}  // namespace

TEST_CASE("every command that reads a log reports a damaged chunk, and no verdict hides it") {
    const fs::path folder = write_run_folder({.experiment = b6l_sine()}, "damaged_chunk");
    const auto sound = hil::files::read_file_bytes(folder / "run.mcap");
    Chunks chunks;
    hil::mcap::scan(sound, chunks);
    REQUIRE(chunks.offsets.size() > 10);
    for (const std::size_t which : {chunks.offsets.size() / 2, chunks.offsets.size() - 3}) {
        auto bytes = sound;
        bytes[chunks.offsets[which] + 100] ^= 0x04;
        write_bytes(folder / "run.mcap", bytes);
        const ProgramResult marked = run_topple({"mark", folder, "--outcome", "R"});
        INFO(marked.out << marked.err);
        CHECK_THAT(marked.err, ContainsSubstring("the log is damaged"));
        CHECK_THAT(marked.out, ContainsSubstring("DAMAGED LOG"));
        const auto summary = json_of(folder / "summary.json");
        CHECK(summary["data_whole"] == false);
        CHECK_THAT(summary["caveat"].get<std::string>(), ContainsSubstring("incomplete data"));
        CHECK_THAT(content_of(folder / "report.html"), ContainsSubstring("from incomplete data"));
        fs::remove_all(folder / "csv");
        CHECK_THAT(run_topple({"export", folder}).err, ContainsSubstring("the log is damaged"));
        const ProgramResult recovered = run_topple({"recover", folder});
        CHECK(recovered.exit_code == 2);
        CHECK_THAT(recovered.err, ContainsSubstring("nothing has been changed"));
        CHECK(hil::files::read_file_bytes(folder / "run.mcap") == bytes);
    }
}

TEST_CASE("a log that cannot be read leaves mark, summary and report as they were") {
    const fs::path folder = write_run_folder({.experiment = b6l_sine()}, "unreadable");
    run_topple({"mark", folder, "--outcome", "R"});
    const std::string summary = content_of(folder / "summary.json"), mark = content_of(folder / "mark.json");
    REQUIRE_FALSE(summary.empty());
    std::ofstream(folder / "run.mcap", std::ios::binary) << "not a log";
    const ProgramResult marked = run_topple({"mark", folder, "--outcome", "O"});
    CHECK(marked.exit_code == 2);
    CHECK(content_of(folder / "summary.json") == summary);
    CHECK(content_of(folder / "mark.json") == mark);
}

TEST_CASE("marks are kept with their time and their author, and a discard stays") {
    const fs::path folder = write_run_folder({.experiment = b6l_sine()}, "marks");
    run_topple({"mark", folder, "--discard", "touched"});
    run_topple({"mark", folder, "--outcome", "R", "--operator", "A. Tester"}, {"TZ=UTC-3"});
    const auto marks = json_of(folder / "mark.json")["marks"];
    REQUIRE(marks.size() == 2);
    CHECK(marks[0]["discard"] == "touched");
    CHECK(marks[1]["operator"] == "A. Tester");
    CHECK(marks[1]["machine"] == "quanser-st-iii (simulated)");
    CHECK_THAT(marks[1]["time"].get<std::string>(), ContainsSubstring("+03:00"));
    CHECK(json_of(folder / "summary.json")["measured"]["discarded"] == "touched");
    CHECK(json_of(folder / "summary.json")["verdict"].is_null());
}

TEST_CASE("a test with two records of one name is concluded from both, and not from exchanged ones") {
    const TemporaryFolder lab;
    const std::string flat = "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,0\n0.3,-1\n0.4,0\n";
    for (const char* name : {"a", "b"}) fs::create_directories(lab.path() / name);
    lab.write("a/prediction.json", flat);
    lab.write("b/prediction.json", "time_s,acceleration_m_s2\n0,0\n0.1,0.5\n0.2,0\n0.3,-0.5\n0.4,0\n");
    fs::create_directories(lab.path() / "e");
    const fs::path file =
        lab.write("e/e.toml",
                  "name = \"x\"\n[notes]\noperator = \"A. Tester\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\n"
                  "height_m = 0.27\nmass_kg = 2.5\n[excitation]\ntype = \"sum\"\n"
                  "[[excitation.parts]]\ntype = \"record\"\nfile = \"../a/prediction.json\"\n"
                  "[[excitation.parts]]\ntype = \"record\"\nfile = \"../b/prediction.json\"\n");
    const fs::path run = lab.path() / "run";
    const ProgramResult ran = run_topple({"run", file, "--out", run}, {"TZ=UTC-3"});
    INFO(ran.err);
    REQUIRE((ran.exit_code == 0 || ran.err.find("gnuplot") != std::string::npos));
    const auto summary = json_of(run / "summary.json");
    CHECK(summary["tracking"]["commanded_acceleration_peak_m_s2"].get<double>() == Approx(1.5).epsilon(0.15));
    CHECK(summary["operator"] == "A. Tester");
    CHECK(summary["machine"].get<std::string>().find("quanser-st-iii") == 0);
    CHECK_THAT(summary["date"].get<std::string>(), ContainsSubstring("+03:00"));
    CHECK_THAT(summary["time_zone"].get<std::string>(), ContainsSubstring("UTC+03:00"));
    CHECK_THAT(content_of(run / "report.html"),
               ContainsSubstring(summary["date"].get<std::string>()) && ContainsSubstring("A. Tester"));
    for (const char* name : {"a", "b", "e"}) fs::remove_all(lab.path() / name);
    const std::string text = content_of(run / "experiment.toml");
    std::string wider = text;
    wider.replace(wider.find("0.06"), 4, "0.08");
    std::ofstream(run / "experiment.toml") << wider;
    const ProgramResult changed = run_topple({"mark", run, "--outcome", "R"});
    CHECK_THAT(changed.out, ContainsSubstring("experiment.toml has been changed since the test") &&
                                ContainsSubstring("computed again from the present files") &&
                                !ContainsSubstring("before the test"));
    CHECK_THAT(json_of(run / "summary.json")["caveat"].get<std::string>(), ContainsSubstring("experiment.toml"));
    std::ofstream(run / "experiment.toml") << text;
    CHECK(run_topple({"mark", run, "--outcome", "R"}).exit_code == ran.exit_code);
    const std::string before = content_of(run / "summary.json");
    std::ofstream(run / "referenced" / "2_prediction.json") << flat;
    const ProgramResult exchanged = run_topple({"mark", run, "--outcome", "R"});
    CHECK(exchanged.exit_code == 2);
    CHECK_THAT(exchanged.err, ContainsSubstring("2_prediction.json"));
    CHECK(content_of(run / "summary.json") == before);
}

TEST_CASE("a folder that cannot be written is said before anything moves") {
    if (::geteuid() == 0) {
        // Root writes into every folder; what is no folder cannot be written by anybody.
        const ProgramResult result = run_topple({"run", std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml",
                                                 "--out", "/proc/no_such_folder/run"});
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, ContainsSubstring("not started") && ContainsSubstring("nothing has moved"));
        return;
    }
    const TemporaryFolder scratch;
    fs::permissions(scratch.path(), fs::perms::owner_read | fs::perms::owner_exec);
    const ProgramResult result = run_topple(
        {"run", std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml", "--out", scratch.path() / "run"});
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, ContainsSubstring("not started") && ContainsSubstring("nothing has moved"));
    fs::permissions(scratch.path(), fs::perms::owner_all);
}

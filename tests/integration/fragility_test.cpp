// topple map on a file with [fragility]: killed and taken up again.
#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/fragility_study.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;

namespace fs = std::filesystem;

TEST_CASE("A study writes chunks, curves, motions, efficiency, summary, figures and a page") {
    const Files& files = reference();
    for (const char* name :
         {"study.toml", "study.txt", "chunks/0000000.csv", "chunks/0000015.csv", "curves.csv", "counts.csv",
          "motions.csv", "efficiency.csv", "summary.json", "fragility.svg", "ida.svg", "index.html"}) {
        INFO(name);
        CHECK(files.contains(name));
    }
    const auto summary = nlohmann::json::parse(files.at("summary.json"));
    CHECK(summary.at("runs") == 2048);
    CHECK(summary.at("partial") == false);
    CHECK(summary.at("specimens").at(0).at("fragility").at("state") == "fitted");
    CHECK(summary.at("specimens").at(0).at("fragility").at("median").get<double>() > 1.0);
    CHECK_THAT(files.at("index.html"), ContainsSubstring("Fragility"));
}

TEST_CASE("Two threads give the same bytes as one") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    REQUIRE(run_topple({"map", file.string(), "--threads", "2", "--out", folder.file("out").string()}).exit_code == 0);
    CHECK(differences(files_of(folder.file("out")), reference()).empty());
}

TEST_CASE("A study that was killed is taken up with no chunk done twice and the same bytes at its end") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    BackgroundTopple topple({"map", file.string(), "--threads", "1", "--out", out.string()});
    REQUIRE(eventually([&] { return chunks_in(out) >= 2; }));
    topple.signal(SIGKILL);
    topple.wait();
    require_taken_up(file, out);
}

TEST_CASE("Ctrl-C leaves a result that says it is partial, and the study can be taken up") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    BackgroundTopple topple({"map", file.string(), "--threads", "1", "--out", out.string()});
    REQUIRE(eventually([&] { return chunks_in(out) >= 2; }));
    topple.signal(SIGINT);
    const ProgramResult stopped = topple.wait();
    CHECK(stopped.exit_code == 3);
    CHECK_THAT(stopped.err, ContainsSubstring("stopped by SIGINT"));
    CHECK_THAT(stopped.err, ContainsSubstring("--resume"));
    CHECK_THAT(stopped.out, ContainsSubstring("PARTIAL"));
    CHECK(nlohmann::json::parse(content_of(out / "summary.json")).at("partial") == true);
    CHECK_THAT(content_of(out / "index.html"), ContainsSubstring("Partial"));
    require_taken_up(file, out);
}

TEST_CASE("A record that changed, came or went is named when a study is taken up") {
    const TemporaryFolder folder;
    const std::string record = "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,-1\n0.3,0\n";
    const auto file =
        folder.write("study.toml", kStudy.substr(0, kStudy.find("[[fragility.motions]]")) + "records = \"*.csv\"\n");
    const fs::path out = folder.file("out");
    folder.write("r 1.csv", record);
    REQUIRE(run_topple({"map", file.string(), "--out", out.string()}).exit_code == 0);
    folder.write("r 2.csv", record + "0.4,0\n");
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("motion r 2.csv is new"));
    folder.write("r 1.csv", record + "0.4,0\n0.5,0\n");
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("motion r 1.csv has changed"));
    fs::remove(folder.file("r 1.csv"));
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("motion r 1.csv is gone"));
}

TEST_CASE("A damaged chunk is told and done again, and a changed study is refused with what differs") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    for (const auto& [name, text] : reference()) {
        fs::create_directories((out / name).parent_path());
        std::ofstream(out / name, std::ios::binary) << text;
    }
    std::string damaged = content_of(out / "chunks/0000003.csv");
    damaged[damaged.size() / 2] ^= 1;
    std::ofstream(out / "chunks/0000003.csv", std::ios::binary) << damaged;
    const ProgramResult again = resumed(file, out);
    CHECK(again.exit_code == 0);
    CHECK_THAT(again.err, ContainsSubstring("0000003.csv: its checksum"));
    std::ofstream(out / "chunks/0000005.csv", std::ios::app) << "junk\n";
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("0000005.csv: something follows its checksum"));
    CHECK(differences(files_of(out), reference()).empty());

    std::string changed = kStudy;
    changed.replace(changed.find("value = 0.92"), 12, "value = 0.91");
    const auto other = folder.write("other.toml", changed);
    const ProgramResult refused = resumed(other, out);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("line 8"));
    std::string other_version = content_of(out / "study.txt");
    const auto at = other_version.find("topple ");
    REQUIRE(at != std::string::npos);
    other_version.replace(at, 8, "topple 9");
    std::ofstream(out / "study.txt", std::ios::binary) << other_version;
    const ProgramResult older = resumed(file, out);
    CHECK(older.exit_code == 2);
    CHECK_THAT(older.err, ContainsSubstring("it was begun by Topple 9"));
    const ProgramResult nowhere = resumed(file, folder.file("nowhere"));
    CHECK(nowhere.exit_code == 2);
    const ProgramResult there = run_topple({"map", file.string(), "--out", out.string()});
    CHECK(there.exit_code == 2);  // never written over
    CHECK_THAT(there.err, ContainsSubstring("or go on with --resume " + out.string()));
    CHECK(run_topple({"map", file.string(), "--csv", folder.file("x").string()}).exit_code == 2);
}

// predict, plan and devices as a user types them.
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using topple::tests::content_of;
using topple::tests::ProgramResult;
using topple::tests::run_topple;
using topple::tests::TemporaryFolder;

namespace {

const std::string kExamples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
const std::string kSine = kExamples + "b6l_sine.toml";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

std::size_t line_count(const std::string& text) {
    std::size_t count = 0;
    for (const char letter : text) count += letter == '\n';
    return count;
}

}  // namespace

TEST_CASE("predict gives a person and a program the same outcome") {
    const ProgramResult text = run_topple({"predict", kSine});
    CHECK(text.exit_code == 0);
    CHECK(has(text.out, "outcome       rocking"));
    const ProgramResult json = run_topple({"predict", kSine, "--json"});
    CHECK(json.exit_code == 0);
    CHECK(json.out.front() == '{');
    CHECK(has(json.out, "\"outcome\": \"rocking\""));
    for (const ProgramResult& result :
         {text, json, run_topple({"plan", kSine}), run_topple({"plan", kSine, "--json"})}) {
        CHECK(has(result.out, "29.8 mm"));  // where a sine ends is part of the answer
        CHECK(result.err.empty());
    }
}

TEST_CASE("predict --json lists the first thousand impacts, and every one on demand") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("long.toml",
                     "name = \"long\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5\n"
                     "initial_rotation_rad = 0.1\nrestitution = { model = \"fixed\", value = 0.995 }\n"
                     "[excitation]\ntype = \"none\"\n");
    const auto impacts = [](const std::string& json) { return nlohmann::json::parse(json).at("impacts").size(); };
    const std::string some = run_topple({"predict", file, "--json"}).out;
    const std::string all = run_topple({"predict", file, "--json", "--all-impacts"}).out;
    REQUIRE(impacts(all) > 1000);
    CHECK(impacts(some) == 1000);
    CHECK(nlohmann::json::parse(some).at("impacts_truncated") == true);
    CHECK(nlohmann::json::parse(some).at("impacts_count") == impacts(all));
    CHECK_FALSE(nlohmann::json::parse(all).contains("impacts_count"));
}

TEST_CASE("A prediction whose solution fails has no outcome, says so aloud and ends with 4") {
    const TemporaryFolder folder;
    // Bounces of 1e-9 rad that lose nothing, under a motion too weak to matter and too long to be followed.
    const auto file = folder.write(
        "endless.toml",
        "name = \"endless\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.09\nmass_kg = 2.5\n"
        "initial_rotation_rad = 1e-9\nrestitution = { model = \"fixed\", value = 1.0 }\n"
        "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 0.001\nfrequency_hz = 1.0\ncycles = 100\n");
    const ProgramResult failed = run_topple({"predict", file.string(), "--json"});
    CHECK(failed.exit_code == 4);
    CHECK(has(failed.out, "\"outcome\": null"));
    CHECK(has(failed.out, "\"failed\": 1.0"));
    CHECK(has(failed.out, "\"status\": \"event budget spent\""));
    CHECK(has(failed.err, "NO OUTCOME"));
}

TEST_CASE("predict is the same twice and under a foreign locale") {
    const std::string once = run_topple({"predict", kSine, "--json", "--ensemble", "20", "--threads", "1"}).out;
    const ProgramResult again = run_topple({"predict", kSine, "--json", "--ensemble", "20", "--threads", "4"},
                                           {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"});
    CHECK(again.out == once);
    CHECK(has(once, "\"members\": 20"));
}

TEST_CASE("predict writes a history per specimen and overwrites nothing") {
    const TemporaryFolder folder;
    const std::string csv = folder.path() / "history.csv";
    CHECK(run_topple({"predict", kExamples + "two_blocks.toml", "--history", csv}).exit_code == 0);
    CHECK(has(content_of(csv), "rotation_0_rad"));
    CHECK(line_count(content_of(folder.path() / "history_1.csv")) > 100);
    const ProgramResult again = run_topple({"predict", kSine, "--history", csv});
    CHECK(again.exit_code == 2);
    CHECK(has(again.err, "--force"));
    CHECK(again.out.empty());
    CHECK(run_topple({"predict", kSine, "--history", csv, "--force"}).exit_code == 0);
}

TEST_CASE("plan describes the motion and writes it for other software") {
    const TemporaryFolder folder;
    const std::string csv = folder.path() / "motion.csv", figure = folder.path() / "motion.svg";
    const ProgramResult plan = run_topple({"plan", kSine, "--json", "--csv", csv, "--figure", figure});
    CHECK(plan.exit_code == 0);
    CHECK(has(plan.out, "\"feasible\": true"));
    CHECK(has(plan.out, "\"net_displacement_m\": 0.02984"));
    CHECK(content_of(csv).starts_with("time_s,position_m,velocity_m_s,acceleration_m_s2\n0,-0.01492"));
    CHECK(has(content_of(figure), "<svg"));
}

TEST_CASE("plan refuses what the table cannot do, says why, and writes nothing") {
    const TemporaryFolder folder;
    const std::string csv = folder.path() / "motion.csv";
    const auto strong =
        folder.write("strong.toml", replaced(content_of(kSine), "amplitude_m_s2 = 3.0", "amplitude_m_s2 = 60.0"));
    const ProgramResult plan = run_topple({"plan", strong, "--csv", csv});
    CHECK(plan.exit_code == 2);
    CHECK(has(plan.err, "not feasible"));
    CHECK(has(plan.err, "stroke"));
    CHECK(has(plan.out, "NOT FEASIBLE"));
    CHECK_FALSE(std::filesystem::exists(csv));
    const auto pulse = folder.write(
        "pulse.toml", replaced(content_of(kExamples + "constant_pulse.toml"), "deceleration_m_s2 = 4.0", ""));
    const ProgramResult missing = run_topple({"plan", pulse});
    CHECK(missing.exit_code == 2);
    CHECK(has(missing.err, "deceleration_m_s2"));
    CHECK(run_topple({"predict", pulse}).exit_code == 0);
}

TEST_CASE("A bad experiment ends with 2, its place in the file and no result") {
    const TemporaryFolder folder;
    const auto bad = folder.write("bad.toml", replaced(content_of(kSine), "width_m = 0.06", "width_m = nan"));
    const ProgramResult result = run_topple({"predict", bad, "--json"});
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(has(result.err, "bad.toml, line "));
    CHECK(has(result.err, "specimen.width_m = nan"));
    CHECK(run_topple({"predict", folder.path() / "none.toml"}).exit_code == 2);
}

TEST_CASE("Bad arguments end with 2 and a word of help") {
    CHECK(run_topple({}).exit_code == 2);
    CHECK(has(run_topple({"predct", kSine}).err, "did you mean \"predict\"?"));
    CHECK(run_topple({"predict"}).exit_code == 2);
    CHECK(run_topple({"predict", kSine, "--unknown"}).exit_code == 2);
    CHECK(run_topple({"predict", kSine, "--ensemble", "0"}).exit_code == 2);
    CHECK(run_topple({"predict", kSine, "--ensemble", "-5"}).exit_code == 2);
    CHECK(run_topple({"predict", kSine, "--threads", "x"}).exit_code == 2);
    CHECK(has(run_topple({"predict", kSine, "--model", "oracle"}).err, "full, newmark"));
    CHECK(run_topple({"plan", kSine, "--figure", "motion.pdf"}).exit_code == 2);
}

TEST_CASE("A file that cannot be written ends with 1, after the answer") {
    const ProgramResult full = run_topple({"plan", kSine, "--csv", "/dev/full"});
    CHECK(full.exit_code == 1);
    CHECK(has(full.out, "feasible"));
    CHECK(has(full.err, "/dev/full"));
    CHECK(run_topple({"predict", kSine, "--history", "/nonexistent/h.csv"}).exit_code == 1);
}

TEST_CASE("A figure without gnuplot ends with 1 and says what to install") {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_topple({"plan", kSine, "--figure", folder.path() / "m.svg"}, {"PATH=/nonexistent"});
    CHECK(result.exit_code == 1);
    CHECK(has(result.err, "gnuplot-nox"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "m.svg"));
}

TEST_CASE("A --device that names no device is a bad argument, one that is not there is missing") {
    const std::string file = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";
    const std::vector<std::vector<std::string>> commands{{"run", file}, {"check"}, {"table", "state"}};
    for (auto command : commands)
        for (const auto& [uri, code] :
             {std::pair("foo:", 2), std::pair("serial:usb:zz", 2), std::pair("tcp:127.0.0.1:1", 3)}) {
            auto arguments = command;
            arguments.insert(arguments.end(), {"--device", uri});
            const ProgramResult result = run_topple(arguments);
            INFO(command.front() << " " << uri << ": " << result.err);
            CHECK(result.exit_code == code);
        }
    CHECK(run_topple({"emulate", file, "--listen", "99999"}).exit_code == 2);
    CHECK(run_topple({"emulate", file, "--listen", "127.example.net:0"}).exit_code == 2);
}

TEST_CASE("Version, help and devices answer on standard output") {
    const std::string version = run_topple({"--version"}).out;
    CHECK(version.starts_with("topple "));
    for (const char* line : {"\ncommit    ", "\ncompiler  ", "\nprotocol  1\n", "\nfeatures  "})
        CHECK(has(version, line));
    for (const char* command : {"predict", "plan", "devices"}) {
        const ProgramResult help = run_topple({command, "--help"});
        CHECK(help.exit_code == 0);
        CHECK(has(help.out, "Example"));
    }
    const ProgramResult devices = run_topple({"devices"});
    CHECK(devices.exit_code == 0);
    CHECK(has(devices.out, "sim:"));
    CHECK(has(run_topple({"devices", "--json"}).out, "\"topple.devices/1\""));
}

TEST_CASE("Messages that nobody can receive change neither the answer nor the exit code") {
    const auto code = [](const std::string& arguments) {
        const int status = std::system((TOPPLE_EXECUTABLE + (" " + arguments) + " > /dev/null").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    };
    for (const std::string gone : {" 2> /dev/full", " 2>&-", " 2>&- <&-"}) {
        INFO(gone);
        CHECK(code("predict " + kSine + gone) == 0);
        CHECK(code("plan " + kSine + gone) == 0);
        CHECK(code("predict no_such_file.toml" + gone) == 2);
    }
}

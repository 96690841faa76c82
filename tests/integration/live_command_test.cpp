// --live, show and replay:RUN of the real executable.
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/integration/run_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/live/web_socket.hpp"

using namespace topple;
using namespace topple::tests;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Where the program says that it can be watched.
std::string live_address(BackgroundTopple& program) {
    std::smatch found;
    std::string err;
    REQUIRE(eventually([&] {
        err = program.err();
        return std::regex_search(err, found, std::regex("live: http://([0-9.:]+)/")) || !program.running();
    }));
    REQUIRE(found.size() == 2);
    return found[1];
}

/// Predictions as logged, and all of them.
std::pair<int, int> predictions(const std::string& out) {
    std::smatch found;
    if (!std::regex_search(out, found, std::regex("predictions ([0-9]+) of ([0-9]+) as logged"))) return {-1, -2};
    return {std::stoi(found[1]), std::stoi(found[2])};
}

}  // namespace

TEST_CASE("a run that is played again predicts what was logged, every bit, and drives nothing") {
    const TemporaryFolder folder;
    const fs::path run = folder.path() / "run";
    REQUIRE(run_topple({"run", folder.write("case.toml", rocking_case("seed = 3\n")), "--out", run}).exit_code == 0);
    const auto replayed = run_topple({"run", run / "experiment.toml", "--device", "replay:" + run.string()});
    CHECK(replayed.exit_code == 0);
    CHECK(replayed.err.empty());
    const auto [equal, all] = predictions(replayed.out);
    CHECK(all > 1000);
    CHECK(equal == all);
    CHECK(has(replayed.out, "nothing was driven"));

    std::string wider = content_of(run / "experiment.toml");
    wider.replace(wider.find("0.06"), 4, "0.07");
    const auto other = run_topple({"run", folder.write("other.toml", wider), "--device", "replay:" + run.string()});
    CHECK(has(other.err, "not the one of this run"));
    CHECK(predictions(other.out).first < predictions(other.out).second);

    fs::resize_file(run / "run.mcap", fs::file_size(run / "run.mcap") * 2 / 3);
    const auto torn = run_topple({"run", run / "experiment.toml", "--device", "replay:" + run.string()});
    CHECK(torn.exit_code == 0);
    CHECK(has(torn.err, "torn"));
}

TEST_CASE("what cannot be played again is refused with the reason") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    const auto refused = [&](const std::vector<std::string>& more, const std::string& why) {
        std::vector<std::string> words{"run", file};
        words.insert(words.end(), more.begin(), more.end());
        const auto result = run_topple(words);
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK(has(result.err, why));
    };
    refused({"--device", "replay:" + (folder.path() / "none").string()}, "no such folder or log");
    refused({"--device", "replay:" + file}, "not");
    refused({"--device", "replay:x", "--out", folder.path() / "out"}, "--out");
    refused({"--device", "tcp:127.0.0.1:1", "--speed", "2"}, "own time");
    refused({"--speed", "0"}, "--speed");
}

TEST_CASE("a run that is shown can be watched as text in a second terminal") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    BackgroundTopple run({"run", file, "--out", folder.path() / "run", "--live=127.0.0.1:0", "--speed", "5"});
    const auto shown = run_topple({"show", live_address(run)});
    CHECK(shown.exit_code == 0);
    for (const char* part : {"rocking case", "recording_start: simulated table", "motion_start at t = +0.00 s",
                             "platen", "forecast", "settled", "agreement"})
        CHECK(has(shown.out, part));
    CHECK_FALSE(has(shown.out, "   done  t ="));  // the event has said it
    CHECK(has(shown.err, "the test's program has ended"));
    CHECK(run.wait().exit_code == 0);
}

TEST_CASE("a table that is moved by hand can be watched") {
    BackgroundTopple move({"table", "move", "0.1", "--live=127.0.0.1:0"});
    const auto shown = run_topple({"show", live_address(move)});
    CHECK(has(shown.out, "table move"));
    CHECK(has(shown.out, "platen"));
    CHECK(move.wait().exit_code == 0);
}

TEST_CASE("a port in use is refused before anything begins, and an open address is warned of") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    BackgroundTopple first({"run", file, "--out", folder.path() / "first", "--live=0.0.0.0:0"});
    const std::string address = live_address(first);
    CHECK(has(first.err(), "anyone who can reach this address can watch"));
    const auto second = run_topple(
        {"run", file, "--out", folder.path() / "second", "--live=0.0.0.0:" + address.substr(address.find(':') + 1)});
    CHECK(second.exit_code == 2);
    CHECK(has(second.err, "in use"));
    CHECK_FALSE(fs::exists(folder.path() / "second"));
}

TEST_CASE("the description of the test is served beside its data") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    BackgroundTopple run({"run", file, "--out", folder.path() / "run", "--live=127.0.0.1:0"});
    const std::string address = live_address(run);
    const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1)));
    nlohmann::json test;
    REQUIRE(eventually([&] {
        const std::string answer = TcpClient(port).get("/test.json");
        test = nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
        return test.is_object();
    }));
    CHECK(test["name"] == "rocking case");
    CHECK(test["specimens"][0]["blocks"][0]["height_m"] == 0.27);
    CHECK(test["planned"]["position_m"][0].size() == test["planned"]["time_s"].size());
    CHECK(test["blind"][0]["outcome"] == "rocking");
    CHECK(test["axes"][0]["stroke_m"] == 0.108);
    CHECK(test["period_us"] == 2000);
}

TEST_CASE("where nobody shows anything, show says so") {
    CHECK(run_topple({"show", "127.0.0.1:1"}).exit_code == 3);
    CHECK(run_topple({"show", "nothing"}).exit_code == 2);
}

// `topple check` as a newcomer runs it: on the simulated table in lockstep, over a pseudo-terminal and over
// TCP.
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/topple_at_terminal.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

const std::string kExample = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";

// The built-in machine but for the encoder's direction.
const char* const kOtherMachine = R"(
name = "other"
stroke_m = 0.108
velocity_max_m_s = 2.58
acceleration_max_m_s2 = 31.5
acceleration_clean_m_s2 = 25.0
stop_deceleration_m_s2 = 15.0
brake_deceleration_m_s2 = 8.0
buffer_travel_m = 0.03
following_error_max_m = 0.01
moving_mass_kg = 30.0
payload_max_kg = 100.0
counts_per_m = 1e6
encoder_sign = -1
accelerometer_scale = 1.0
accelerometer_sign = 1
accelerometer_offset_max_m_s2 = 0.5
feedback_rate_hz = 500.0
settling_time_s = 0.3
)";

struct Answer {
    ProgramResult program;
    json document;
    const json& operator[](const std::string& name) const {
        for (const json& check : document["checks"])
            if (check["name"] == name) return check;
        throw std::runtime_error("no check " + name + " in " + program.out);
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const json& check : document["checks"]) all.push_back(check["name"]);
        return all;
    }
};

Answer check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    arguments.push_back("--json");
    Answer answer{run_topple(arguments), {}};
    INFO(answer.program.out << answer.program.err);
    answer.document = json::parse(answer.program.out);
    REQUIRE(answer.document["schema"] == "topple.check/1");
    return answer;
}

// How late something comes over a wire depends on how busy the computer is, and only warns.
void expect_fit(const Answer& answer) {
    INFO(answer.program.out << answer.program.err);
    CHECK(answer.program.exit_code == 0);
    CHECK(answer.document["counts"]["fail"] == 0);
    CHECK(answer.document["verdict"] != "fail");
}

void check_over(const std::vector<std::string>& wire) {
    const Answer sim = check({"--move", "--listen-s", "2"});
    expect_fit(sim);
    Emulator emulator(kExample, wire);
    const Answer moved = check({"--device", emulator.uri(), "--move", "--listen-s", "2"});
    expect_fit(moved);
    CHECK(moved.names() == sim.names());
    CHECK(moved.document["moved"] == true);
    CHECK(moved["motion.watchdog"]["verdict"] == "pass");
    CHECK(moved["motion.counts_per_m"]["number"].get<double>() == Approx(1e6).epsilon(1e-3));
    const auto state = run_topple({"table", "state", "--device", emulator.uri()});
    CHECK_THAT(state.out,
               ContainsSubstring("ready") && !ContainsSubstring("fault"));  // what it caused it has cleared
}

}  // namespace

TEST_CASE("check without arguments finds the simulated table fit, moves nothing and says so") {
    const auto result = run_topple({"check"});
    INFO(result.out << result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring("computer.timer_late_p99") && ContainsSubstring("link.round_trip_p99") &&
                               ContainsSubstring("table.homed") && ContainsSubstring("0 failed") &&
                               ContainsSubstring("the table was not moved") && !ContainsSubstring("motion."));
}

TEST_CASE("every check is described in the documentation") {
    const std::string text = content_of(std::string(TOPPLE_SOURCE_DIR) + "/docs/check.md");
    for (const std::string& name : check({"--move", "--listen-s", "1"}).names()) {
        INFO(name);
        CHECK(text.find("`" + name + "`") != std::string::npos);
    }
}

TEST_CASE("every check of the document has all keys, and the histogram holds every frame") {
    const Answer answer = check({"--listen-s", "10"});
    for (const json& entry : answer.document["checks"]) {
        for (const char* key : {"name", "verdict", "number", "unit", "bound", "limit", "found", "advice"})
            CHECK(entry.contains(key));
        CHECK((entry["verdict"] == "pass") == entry["advice"].get<std::string>().empty());
    }
    std::size_t frames = 0;
    for (const json& bin : answer.document["latency_histogram"]) frames += bin["count"].get<std::size_t>();
    CHECK(frames >= 4999);  // 10 s at 500 Hz, on the virtual clock
    CHECK(answer.document["device"]["simulated"] == true);
    CHECK(answer["link.clock_skew"]["number"].get<double>() ==
          Approx(40.0).margin(20.0));  // looked at every 0.25 ms: the clocks beat
}

TEST_CASE("over a pseudo-terminal the list of checks is the one of the table in lockstep") { check_over({"--pty"}); }

TEST_CASE("over TCP the list of checks is the one of the table in lockstep") { check_over({"--listen", "0"}); }

TEST_CASE("a device that is missing is a failed check and exit code 3") {
    const Answer answer = check({"--device", "serial:/dev/there-is-no-such-port"});
    CHECK(answer.program.exit_code == 3);
    CHECK(answer["link.device"]["verdict"] == "fail");
    CHECK(answer.document["device"].is_null());
    CHECK(answer.document["moved"] == false);
}

TEST_CASE("a machine file of another table fails before anything moves") {
    const TemporaryFolder folder;
    const std::string file = folder.write("other.toml", kOtherMachine);
    Emulator emulator(kExample, {"--listen", "0"});
    const Answer answer = check({"--device", emulator.uri(), "--machine", file, "--move", "--listen-s", "1"});
    CHECK(answer.program.exit_code == 3);
    CHECK(answer["table.encoder_sign"]["verdict"] == "fail");
    CHECK(answer["motion.all"]["verdict"] == "skipped");
    CHECK(answer.document["moved"] == false);
    CHECK_THAT(answer.program.err, ContainsSubstring("table.encoder_sign"));
}

TEST_CASE("a real table moves only with consent") {
    Emulator emulator(kExample, {"--listen", "0", "--as-real"});
    const auto refused = run_topple({"check", "--device", emulator.uri(), "--move", "--listen-s", "1"});
    INFO(refused.out << refused.err);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("--yes"));
    expect_fit(check({"--device", emulator.uri(), "--listen-s", "1"}));  // to look at it needs no consent
    const Answer moved = check({"--device", emulator.uri(), "--move", "--yes", "--listen-s", "1", "--homings", "1"});
    expect_fit(moved);
    CHECK(moved.document["moved"] == true);
}

TEST_CASE("a real table moves once move has been typed, after showing what will move") {
    Emulator emulator(kExample, {"--listen", "0", "--as-real"});
    const auto at_terminal = [&](const std::string& answer) {
        ToppleAtTerminal topple({"check", "--move", "--listen-s", "1", "--homings", "0", "--device", emulator.uri()});
        REQUIRE(topple.shows("Type move to start: "));
        topple.type(answer + "\n");
        const int code = topple.wait();
        return std::pair(code, topple.seen());
    };
    const auto [declined, shown] = at_terminal("no");
    CHECK(declined == 2);
    CHECK_THAT(shown, ContainsSubstring("REAL table") && ContainsSubstring("No specimen may stand") &&
                          !ContainsSubstring("motion.stop_time"));
    const auto [accepted, said] = at_terminal("move");
    INFO(said);
    CHECK(accepted == 0);
    CHECK_THAT(said, ContainsSubstring("motion.stop_time"));
}

TEST_CASE("a table that is not homed warns, and is homed with --move") {
    Emulator emulator(kExample, {"--pty", "--unhomed"});
    const Answer looked = check({"--device", emulator.uri(), "--listen-s", "1"});
    expect_fit(looked);
    CHECK(looked["table.homed"]["verdict"] == "warn");
    CHECK(looked.document["moved"] == false);
    const Answer homed = check({"--device", emulator.uri(), "--listen-s", "1", "--move", "--homings", "2"});
    expect_fit(homed);
    CHECK(homed["motion.homing_range"]["verdict"] == "pass");
    CHECK_THAT(run_topple({"table", "state", "--device", emulator.uri()}).out, ContainsSubstring("ready"));
}

TEST_CASE("Ctrl-C during the check ends it with exit code 3 and what was found so far") {
    Emulator emulator(kExample, {"--listen", "0"});
    BackgroundTopple program({"check", "--device", emulator.uri(), "--listen-s", "3600"});
    REQUIRE(eventually([&] { return program.out().find("link.round_trip_max") != std::string::npos; }));
    program.signal(SIGINT);
    const auto result = program.wait();
    CHECK(result.exit_code == 3);
    CHECK_THAT(result.out, ContainsSubstring("stopped by the operator") && ContainsSubstring("1 failed"));
}

TEST_CASE("wrong arguments of check are refused with what is allowed") {
    CHECK(run_topple({"check", "--homings", "1000"}).exit_code == 2);
    CHECK(run_topple({"check", "--listen-s", "0"}).exit_code == 2);
    CHECK(run_topple({"check", "--listen-s", "nan"}).exit_code == 2);
    CHECK(run_topple({"check", kExample, "--machine", "quanser-st-iii"}).exit_code == 2);
    CHECK(run_topple({"check", "no-such-file.toml"}).exit_code == 2);
}

// The main job over a real wire, against `topple emulate` in another process: the same test, and what may go wrong.
#include <signal.h>

#include <chrono>
#include <thread>

#include "hil/run_log/run_log_reader.hpp"
#include "tests/integration/run_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/topple_at_terminal.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

constexpr const char* kQuestion = "Type move to start: ";

// Feedback has been logged for some time after the first setpoint: the chunks of the log grow on disk.
bool motion_is_logged(const fs::path& run) {
    std::error_code error;
    if (fs::file_size(run / "run.mcap", error) < 20'000 || error) return false;
    try {
        const hil::run_log::RunData log = hil::run_log::read_run_log(run);
        const auto start = log.event_time_us(hil::run_log::EventKind::motion_start);
        return start && !log.feedback.empty() && log.feedback.back().device_time_us > *start + 500'000;
    } catch (const std::exception&) {
        return false;
    }
}

void check_same_test(const std::vector<std::string>& wire) {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    REQUIRE(run_topple({"run", file, "--out", folder.path() / "sim"}).exit_code == 0);
    Emulator emulator(file, wire);
    const auto result = run_topple({"run", file, "--device", emulator.uri(), "--out", folder.path() / "wire"});
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);

    const hil::run_log::RunData sim = hil::run_log::read_run_log(folder.path() / "sim"),
                                real = hil::run_log::read_run_log(folder.path() / "wire");
    for (const auto& event : real.events) CHECK(event.kind != hil::run_log::EventKind::time_skip);
    const auto sim_impacts = impact_times_s(sim), real_impacts = impact_times_s(real);
    REQUIRE(sim_impacts.size() >= 20);
    REQUIRE(real_impacts.size() >= 20);
    for (std::size_t i = 0; i < 10; ++i) CHECK(real_impacts[i] == Approx(sim_impacts[i]).margin(2e-3));
    CHECK(peak_rotation_rad(real) == Approx(peak_rotation_rad(sim)).epsilon(0.02));

    const auto sim_counts = counts_by_time(sim), real_counts = counts_by_time(real);
    std::size_t compared = 0;
    std::int64_t worst = 0;
    for (const auto& [time_us, count] : real_counts) {
        const auto same = sim_counts.find(time_us);
        if (time_us < 0 || time_us > 5'000'000 || same == sim_counts.end()) continue;
        worst = std::max(worst, std::abs(count - same->second));
        ++compared;
    }
    CHECK(compared > 2000);
    CHECK(worst <= 2);
}

// A gentle motion of ten seconds, or of what is asked for: what comes while it is under way comes in motion, on a busy
// computer as well.
std::string lasting_case(int cycles = 20) {
    std::string text = rocking_case();
    const std::size_t from = text.find("type = \"sine\""), to = text.find("[simulation]");
    return text.replace(from, to - from,
                        "type = \"harmonic\"\ndisplacement_m = 0.01\nfrequency_hz = 2.0\nramp_cycles = 1\ncycles = " +
                            std::to_string(cycles) + "\n");
}

// A run against its own emulator, until its motion is in the log.
struct RunUnderWay {
    TemporaryFolder folder;
    std::string file;
    fs::path run;
    Emulator emulator;
    BackgroundTopple program;

    explicit RunUnderWay(const std::vector<std::string>& wire, int cycles = 20)
        : file(folder.write("case.toml", lasting_case(cycles))),
          run(folder.path() / "run"),
          emulator(file, wire),
          program({"run", file, "--device", emulator.uri(), "--out", run}) {
        REQUIRE(eventually([&] { return motion_is_logged(run); }));
    }
};

}  // namespace

TEST_CASE("over a pseudo-terminal the test is the one of the table in lockstep") { check_same_test({"--pty"}); }

TEST_CASE("over TCP the test is the one of the table in lockstep") { check_same_test({"--listen", "0"}); }

TEST_CASE("signals during a run are one controlled stop with a finished log") {
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGQUIT}) {
        RunUnderWay under_way({"--listen", "0"});
        under_way.program.signal(signal_number);
        under_way.program.signal(signal_number);
        const auto result = under_way.program.wait();
        INFO(signal_number << ": " << result.out << result.err);
        CHECK(result.exit_code == 3);
        CHECK_THAT(result.err, ContainsSubstring("stopped by SIG"));
        CHECK_THAT(result.err, ContainsSubstring("_operator_stop.csv"));
        const hil::run_log::RunData log = hil::run_log::read_run_log(under_way.run);
        CHECK_FALSE(log.torn);
        CHECK(log.event_time_us(hil::run_log::EventKind::stop_requested).has_value());
        CHECK_FALSE(log.event_time_us(hil::run_log::EventKind::return_start).has_value());
    }
}

TEST_CASE("a run killed outright leaves a log that reads, lacks at most a second and is mended") {
    RunUnderWay under_way({"--pty"}, 120);  // a minute: a table that moves no more misses nobody
    under_way.program.signal(SIGKILL);
    under_way.program.wait();
    const hil::run_log::RunData torn = hil::run_log::read_run_log(under_way.run);
    CHECK(torn.torn);
    CHECK(torn.event_time_us(hil::run_log::EventKind::motion_start).has_value());
    CHECK(run_topple({"recover", under_way.run}).exit_code == 0);
    const hil::run_log::RunData whole = hil::run_log::read_run_log(under_way.run);
    CHECK_FALSE(whole.torn);
    CHECK(whole.feedback.size() == torn.feedback.size());
    // The table noticed by itself: its next host finds it stopped, with the reason.
    REQUIRE(eventually([&] {
        return run_topple({"table", "state", "--device", under_way.emulator.uri()}).out.find("host_lost") !=
               std::string::npos;
    }));
    CHECK(run_topple({"table", "clear", "--device", under_way.emulator.uri()}).exit_code == 0);
}

TEST_CASE("a port that vanishes in the middle of a run ends it with the reason and a whole log") {
    RunUnderWay under_way({"--listen", "0"});
    under_way.emulator.program().signal(SIGKILL);
    const auto result = under_way.program.wait();
    INFO(result.out << result.err);
    CHECK(result.exit_code == 3);
    const hil::run_log::RunData log = hil::run_log::read_run_log(under_way.run);
    CHECK_FALSE(log.torn);
    CHECK(log.event_time_us(hil::run_log::EventKind::link_lost).has_value());
    CHECK_THAT(result.err, ContainsSubstring("_link_closed.csv"));
    CHECK_THAT(content_of(under_way.run / "summary.json"), ContainsSubstring("\"agreement\""));
}

TEST_CASE("from a second terminal a table with a run on it is busy, since when is said, and the run goes on") {
    RunUnderWay under_way({"--listen", "0"});
    for (const char* command : {"state", "stop"}) {
        const auto second = run_topple({"table", command, "--device", under_way.emulator.uri()});
        INFO(second.out << second.err);
        CHECK(second.exit_code == 3);
        CHECK_THAT(second.err, ContainsSubstring("busy: run since ") && !ContainsSubstring("reset"));
    }
    const auto result = under_way.program.wait();
    INFO(result.out << result.err);
    CHECK(result.exit_code == 0);
}

TEST_CASE("a check that was stopped by its shell does not keep the table from others") {
    const TemporaryFolder folder;
    Emulator emulator(folder.write("case.toml", rocking_case()), {"--listen", "0"});
    BackgroundTopple asleep({"check", "--device", emulator.uri(), "--listen-s", "60"});
    REQUIRE(eventually([&] { return emulator.program().err().find("host connected") != std::string::npos; }));
    std::this_thread::sleep_for(std::chrono::seconds(1));
    asleep.signal(SIGSTOP);
    CHECK(eventually([&] { return run_topple({"table", "state", "--device", emulator.uri()}).exit_code == 0; }));
    CHECK_THAT(emulator.program().err(), ContainsSubstring("has sent nothing for 5 s and is disconnected"));
}

TEST_CASE("a table that is not homed is refused with advice, homed and moved by hand it takes the test") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    Emulator emulator(file, {"--listen", "0", "--unhomed"});
    const auto refused = run_topple({"run", file, "--device", emulator.uri(), "--out", folder.path() / "run"});
    CHECK(refused.exit_code == 3);
    CHECK_THAT(refused.err, ContainsSubstring("topple table home"));
    CHECK_FALSE(fs::exists(folder.path() / "run"));

    const auto state = [&] { return run_topple({"table", "state", "--device", emulator.uri()}).out; };
    CHECK_THAT(state(), ContainsSubstring("(not homed)"));
    const auto homed = run_topple({"table", "home", "--device", emulator.uri()});
    CHECK(homed.exit_code == 0);
    CHECK_THAT(homed.out, !ContainsSubstring("reference") && !ContainsSubstring("(not homed)"));
    CHECK_THAT(state(), !ContainsSubstring("(not homed)"));
    CHECK(run_topple({"table", "move", "0.5", "--device", emulator.uri()}).exit_code == 2);
    const auto moved = run_topple({"table", "move", "0.02", "--device", emulator.uri()});
    INFO(moved.err);
    CHECK(moved.exit_code == 0);
    CHECK_THAT(moved.out, ContainsSubstring("+0.0199") || ContainsSubstring("+0.0200"));
    const auto result = run_topple({"run", file, "--device", emulator.uri(), "--out", folder.path() / "run"});
    INFO(result.out << result.err);
    CHECK(result.exit_code == 0);
    CHECK(hil::run_log::read_run_log(folder.path() / "run")
              .event_time_us(hil::run_log::EventKind::positioning_start)
              .has_value());
}

TEST_CASE("homing reports how far the reference has shifted, and warns if counts were lost") {
    const TemporaryFolder folder;
    const std::string slip = folder.write(
        "slip.toml", "[[fault]]\nkind = \"encoder_slip\"\nat = \"homing\"\nafter_s = 10\nfor_s = 1\nslip_m = 0.002\n");
    Emulator emulator(folder.write("case.toml", rocking_case()), {"--listen", "0", "--faults", slip});
    const auto home = [&] { return run_topple({"table", "home", "--device", emulator.uri()}); };
    const auto sound = home();
    INFO(sound.out << sound.err);
    CHECK(sound.exit_code == 0);
    CHECK_THAT(sound.out, ContainsSubstring("um from its previous position"));
    CHECK_THAT(sound.err, !ContainsSubstring("has shifted"));
    REQUIRE(eventually([&] { return emulator.program().err().find("encoder_slip") != std::string::npos; }));
    std::this_thread::sleep_for(std::chrono::seconds(2));  // until all of it is lost
    const auto shifted = home();
    INFO(shifted.out << shifted.err);
    CHECK(shifted.exit_code == 0);
    CHECK_THAT(shifted.err, ContainsSubstring("the reference has shifted by more than 100 um"));
}

TEST_CASE("nothing moves on a real table without consent") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    Emulator emulator(file, {"--listen", "0", "--as-real"});
    const auto refused = run_topple({"run", file, "--device", emulator.uri(), "--out", folder.path() / "refused"});
    INFO(refused.err);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("--yes"));
    CHECK_FALSE(fs::exists(folder.path() / "refused"));
    CHECK(run_topple({"table", "move", "0.01", "--device", emulator.uri()}).exit_code == 2);
    CHECK_THAT(run_topple({"table", "state", "--device", emulator.uri()}).out,
               ContainsSubstring("position  +0.0000") || ContainsSubstring("position  -0.0000"));

    // The first question declined: there is no run, and no folder that looks like one.
    ToppleAtTerminal declined({"run", file, "--device", emulator.uri(), "--out", folder.path() / "declined"});
    REQUIRE(declined.shows(kQuestion));
    declined.type("no\n");
    CHECK(declined.wait() == 2);
    CHECK_FALSE(fs::exists(folder.path() / "declined"));

    // At a terminal: every motion is shown, and made once `move` has been typed.
    ToppleAtTerminal typed({"run", file, "--device", emulator.uri(), "--out", folder.path() / "typed"});
    int asked = 0;
    for (; typed.shows(kQuestion); ++asked) typed.type("move\n");
    INFO(typed.seen());
    CHECK(typed.wait() == 0);
    CHECK(asked == 3);
    CHECK_THAT(typed.seen(), ContainsSubstring("REAL table") && ContainsSubstring("the test: from"));
    CHECK(hil::run_log::read_run_log(folder.path() / "typed")
              .event_time_us(hil::run_log::EventKind::motion_done)
              .has_value());
    CHECK_THAT(content_of(folder.path() / "typed/summary.json"),
               ContainsSubstring("\"source\": \"sensor\"") &&
                   ContainsSubstring("\"scheduling\": \"asked for SCHED_FIFO priority 60"));
    CHECK_THAT(content_of(folder.path() / "typed/report.html"), ContainsSubstring("scheduling of the host's cycles"));

    CHECK(run_topple({"table", "move", "0.01", "--yes", "--device", emulator.uri()}).exit_code == 0);
}

TEST_CASE("what was typed before a question was shown does not answer it") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    Emulator emulator(file, {"--listen", "0", "--as-real"});
    ToppleAtTerminal early({"table", "move", "0.01", "--device", emulator.uri()});
    early.type("move\n");
    REQUIRE(early.shows("move\r\n"));  // the echo: the line waits in the terminal
    REQUIRE(early.shows("0.05 m/s and 0.5 m/s2"));
    REQUIRE(early.shows(kQuestion));
    early.type("no\n");
    INFO(early.seen());
    CHECK(early.wait() == 2);

    const auto run = folder.path() / "run";
    ToppleAtTerminal twice({"run", file, "--device", emulator.uri(), "--out", run});
    REQUIRE(twice.shows(kQuestion));
    twice.type("move\nmove\n");
    REQUIRE(twice.shows(kQuestion));
    twice.type("no\n");
    INFO(twice.seen());
    CHECK(twice.wait() == 3);
    CHECK_FALSE(hil::run_log::read_run_log(run).event_time_us(hil::run_log::EventKind::motion_start).has_value());
}

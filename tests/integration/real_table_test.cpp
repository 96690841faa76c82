// At a table that says it is real: what happens while the operator is asked, and while it homes.
#include <signal.h>

#include "hil/run_log/run_log_reader.hpp"
#include "tests/integration/run_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/topple_at_terminal.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kQuestion = "Type move to start: ";
constexpr const char* kInterrupt = "\x03";  // Ctrl-C

std::string state_of(const Emulator& emulator) {
    return run_topple({"table", "state", "--device", emulator.uri()}).out;
}

}  // namespace

TEST_CASE("Ctrl-C while a real table homes stops it, it is cleared by hand and homed anew") {
    const TemporaryFolder folder;
    const std::string long_search =
        folder.write("faults.toml", "[[fault]]\nkind = \"reference_dead\"\nat = \"homing\"\nfor_s = 3\n");
    Emulator emulator(folder.write("case.toml", rocking_case()),
                      {"--listen", "0", "--as-real", "--unhomed", "--faults", long_search});
    ToppleAtTerminal homing({"table", "home", "--device", emulator.uri()});
    REQUIRE(homing.shows(kQuestion));
    homing.type("move\n");
    REQUIRE(homing.shows("move\r\n"));
    std::this_thread::sleep_for(std::chrono::seconds(1));
    homing.type(kInterrupt);
    INFO(homing.seen());
    CHECK(homing.wait() == 3);
    const std::string stopped = state_of(emulator);
    CHECK_THAT(stopped, ContainsSubstring("faulted") && ContainsSubstring("operator_stop"));

    CHECK(run_topple({"table", "home", "--yes", "--device", emulator.uri()}).exit_code == 3);  // not by itself
    CHECK(run_topple({"table", "clear", "--device", emulator.uri()}).exit_code == 0);
    CHECK_THAT(state_of(emulator), ContainsSubstring("idle"));
    std::this_thread::sleep_for(std::chrono::seconds(2));  // until the switch works
    CHECK(run_topple({"table", "home", "--yes", "--device", emulator.uri()}).exit_code == 0);
}

TEST_CASE("the tilt of a seat is measured with a person at the terminal, and with nobody else") {
    const ProgramResult simulated = run_topple({"table", "tilt"});
    CHECK(simulated.exit_code == 2);
    CHECK_THAT(simulated.err, ContainsSubstring("cannot be turned"));
    const TemporaryFolder folder;
    Emulator emulator(folder.write("case.toml", rocking_case()), {"--listen", "0", "--as-real"});
    const ProgramResult alone = run_topple({"table", "tilt", "--device", emulator.uri()});
    CHECK(alone.exit_code == 2);
    CHECK_THAT(alone.err, ContainsSubstring("no terminal"));
    ToppleAtTerminal asked({"table", "tilt", "--seconds", "5", "--device", emulator.uri()});
    REQUIRE(asked.shows("to the right (+x)"));
    REQUIRE(asked.shows("press Enter: "));
    asked.type("\n");
    REQUIRE(asked.shows("turn the sensor by 180 degrees"));
    REQUIRE(asked.shows("press Enter: "));
    asked.type("\n");
    INFO(asked.seen());
    CHECK(asked.wait() == 0);
    CHECK_THAT(asked.seen(), ContainsSubstring("accelerometer bias"));
}

TEST_CASE("a fault that comes while the operator is being asked ends the test, and nothing has moved") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    const std::string faults =
        folder.write("faults.toml", "[[fault]]\nkind = \"emergency_stop\"\nat = \"power_on\"\nafter_s = 5\n");
    Emulator emulator(file, {"--listen", "0", "--as-real", "--faults", faults});
    const auto run = folder.path() / "run";
    ToppleAtTerminal asked({"run", file, "--device", emulator.uri(), "--out", run});
    REQUIRE(asked.shows(kQuestion));
    INFO(asked.seen());
    CHECK(asked.wait() == 3);
    CHECK_THAT(asked.seen(), ContainsSubstring("emergency_stop"));
    const hil::run_log::RunData log = hil::run_log::read_run_log(run);
    CHECK_FALSE(log.torn);
    CHECK(log.event_time_us(hil::run_log::EventKind::fault).has_value());
    CHECK_FALSE(log.event_time_us(hil::run_log::EventKind::positioning_start).has_value());
    CHECK_FALSE(log.event_time_us(hil::run_log::EventKind::motion_start).has_value());
}

TEST_CASE("a table that goes away while the operator is being asked ends the test, Ctrl-C there is no consent") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    Emulator emulator(file, {"--listen", "0", "--as-real"});
    ToppleAtTerminal interrupted({"run", file, "--device", emulator.uri(), "--out", folder.path() / "interrupted"});
    REQUIRE(interrupted.shows(kQuestion));
    interrupted.type(kInterrupt);
    CHECK(interrupted.wait() == 2);
    CHECK_THAT(interrupted.seen(), ContainsSubstring("nothing has moved"));

    ToppleAtTerminal left({"run", file, "--device", emulator.uri(), "--out", folder.path() / "left"});
    REQUIRE(left.shows(kQuestion));
    emulator.program().signal(SIGKILL);
    CHECK(left.wait() == 3);
    INFO(left.seen());
    CHECK_THAT(left.seen(), ContainsSubstring("the connection to the table is lost"));
    CHECK_FALSE(hil::run_log::read_run_log(folder.path() / "left")
                    .event_time_us(hil::run_log::EventKind::motion_start)
                    .has_value());
}

TEST_CASE("asked once, the operator is shown everything that will move") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case() + "[table]\nprompt = false\n");
    Emulator emulator(file, {"--listen", "0", "--as-real"});
    ToppleAtTerminal once({"run", file, "--device", emulator.uri(), "--out", folder.path() / "run"});
    REQUIRE(once.shows("without asking again: a gentle move to"));
    REQUIRE(once.shows("the test: from"));
    REQUIRE(once.shows(kQuestion));
    once.type("move\n");
    CHECK_FALSE(once.shows(kQuestion));
    INFO(once.seen());
    CHECK(once.wait() == 0);
}

namespace {

/// A low block, which stands whatever the table does.
std::string standing_case(const std::string& table) {
    return "name = \"standing case\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.4\nheight_m = 0.27\nmass_kg = 2.5\n"
           "restitution = { model = \"housner\" }\n[excitation]\ntype = \"sine\"\namplitude_m_s2 = 2.0\n"
           "frequency_hz = 4.0\n[table]\n" +
           table + "[simulation]\nseed = 1\ntruth = \"exact\"\n";
}

}  // namespace

TEST_CASE("before every move of every learning pass the operator is asked, and told what may topple") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", standing_case("iterate_payload = \"specimen\"\n"));
    Emulator emulator(file, {"--listen", "0", "--as-real"});
    ToppleAtTerminal asked({"run", file, "--iterate", "1", "--device", emulator.uri(), "--out", folder.path() / "run"});
    for (const char* motion :
         {"learning pass 1 of at most 1: a gentle move to", "learning pass 1 of at most 1: from",
          "learning pass 1 of at most 1: a gentle move back to mid stroke", "next motion: a gentle",
          "next motion: the test: from", "next motion: a gentle move to +0.0000 m"}) {
        const bool shown = asked.shows(motion);
        INFO(motion << "\n" << asked.seen());
        REQUIRE(shown);
        if (std::string(motion) == "learning pass 1 of at most 1: from")
            REQUIRE(asked.shows("the specimens stand on the platen: each pass may topple them"));
        REQUIRE(asked.shows(kQuestion));
        asked.type("move\n");
    }
    INFO(asked.seen());
    CHECK(asked.wait() == 0);
    CHECK_THAT(asked.seen(), ContainsSubstring("learning: pass 1: largest error"));
}

TEST_CASE("with a dummy mass the operator is told what must be on the platen, no consent to a pass ends the run") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", standing_case("iterate = 2\n"));
    Emulator emulator(file, {"--listen", "0", "--as-real"});
    ToppleAtTerminal refused({"run", file, "--device", emulator.uri(), "--out", folder.path() / "refused"});
    REQUIRE(
        refused.shows("learning pass 1 of at most 2: the SPECIMENS must be OFF the platen, a dummy mass of 2.5 kg"));
    REQUIRE(refused.shows(kQuestion));
    refused.type("no\n");
    CHECK(refused.wait() == 2);
    CHECK_THAT(refused.seen(), ContainsSubstring("nothing has moved"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "refused"));

    ToppleAtTerminal half({"run", file, "--device", emulator.uri(), "--out", folder.path() / "half"});
    for (int moves = 0; moves < 3; ++moves) {
        REQUIRE(half.shows(kQuestion));
        half.type("move\n");
    }
    REQUIRE(half.shows("learning pass 2 of at most 2"));
    REQUIRE(half.shows(kQuestion));
    half.type("\n");
    INFO(half.seen());
    CHECK(half.wait() == 3);
    CHECK_THAT(half.seen(), ContainsSubstring("the test was not made"));
    CHECK(std::filesystem::exists(folder.path() / "half" / "pass_1.mcap"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "half" / "run.mcap"));

    const std::string once = folder.write("once.toml", standing_case("iterate = 1\nprompt = false\n"));
    ToppleAtTerminal all({"run", once, "--device", emulator.uri(), "--out", folder.path() / "all"});
    REQUIRE(all.shows("all that follows is done without asking again"));
    REQUIRE(all.shows(kQuestion));
    all.type("move\n");
    CHECK_FALSE(all.shows(kQuestion));
    INFO(all.seen());
    CHECK(all.wait() == 0);
    CHECK_THAT(all.seen(), ContainsSubstring("TEST WAS NOT MADE"));
}

TEST_CASE("a stop by hand is done when the table has answered it, not before") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    const std::string slow =
        folder.write("slow.toml", "[[fault]]\nkind = \"wire_delay\"\ndirection = \"to_device\"\ndelay_s = 0.4\n");
    Emulator emulator(file, {"--listen", "0", "--faults", slow});
    const auto stopped = run_topple({"table", "stop", "--device", emulator.uri()});
    INFO(stopped.out << stopped.err);
    CHECK(stopped.exit_code == 0);
    CHECK_THAT(stopped.out, ContainsSubstring("faulted") && ContainsSubstring("operator_stop"));
}

TEST_CASE("a machine file of another table moves nothing, but stops and shows") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    REQUIRE(run_topple({"run", file, "--out", folder.path() / "run"}).exit_code == 0);
    const std::string machine = content_of(folder.path() / "run/machine.toml"), brake = "brake_deceleration_m_s2 = ";
    const auto figure = machine.find(brake) + brake.size();
    REQUIRE(figure > brake.size());
    folder.write("other.toml", machine.substr(0, figure) + "1" + machine.substr(figure));  // 8 becomes 18
    Emulator emulator(file, {"--listen", "0"});
    const auto on_other = [&](std::vector<std::string> command) {
        command.insert(command.end(), {"--machine", folder.path() / "other.toml", "--device", emulator.uri()});
        return run_topple(command);
    };
    const auto moved = on_other({"table", "move", "0.01"});
    INFO(moved.err);
    CHECK(moved.exit_code == 3);
    CHECK_THAT(moved.err, ContainsSubstring("does not match the table") && ContainsSubstring("brake"));
    const auto state = on_other({"table", "state"});
    CHECK(state.exit_code == 0);
    CHECK_THAT(state.out, ContainsSubstring("ready"));
    CHECK_THAT(state.err, ContainsSubstring("is not the machine file of this table"));
    CHECK(on_other({"table", "stop"}).exit_code == 0);
}

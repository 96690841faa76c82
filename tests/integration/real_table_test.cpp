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

TEST_CASE("Ctrl-C while a real table homes stops it; it is cleared by hand and homed anew") {
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

TEST_CASE("a table that goes away while the operator is being asked ends the test; Ctrl-C there is no consent") {
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

// Whole runs on a table that fails in the middle of the test: none claims success, each keeps the reason.
#include "firmware_iface/fault.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/integration/run_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// No specimen and a strong sine: the platen passes mid stroke at 0.72 m/s, 0.125 s after its start.
const std::string kCase =
    "name = \"fault\"\n[[specimen]]\nkind = \"none\"\n"
    "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 9.0\nfrequency_hz = 4.0\n";

struct FaultyRun {
    TemporaryFolder folder;
    fs::path run = folder.path() / "run";
    ProgramResult result;

    explicit FaultyRun(const std::string& fault, const std::string& when = "at = \"motion\"\nafter_s = 0.125\n") {
        const auto test = folder.write("case.toml", kCase);
        const auto faults = folder.write("faults.toml", "[[fault]]\n" + fault + when);
        result = run_topple({"run", test, "--faults", faults, "--out", run});
    }
};

}  // namespace

TEST_CASE("A fault in the middle of a test ends the run with exit 3, its reason in log and summary") {
    struct Case {
        std::string fault, reason;
    };
    const Case cases[] = {
        {"kind = \"encoder_stuck\"\n", "encoder_implausible"},
        {"kind = \"encoder_slip\"\n", "encoder_implausible"},
        {"kind = \"accelerometer_nan\"\n", "not_finite"},
        {"kind = \"drive_fault\"\n", "drive_fault"},
        {"kind = \"drive_saturation\"\nforce_ratio = 0.0\n", "stop_overdue"},
        {"kind = \"limit_switch\"\n", "limit_switch"},
        {"kind = \"emergency_stop\"\n", "emergency_stop"},
        {"kind = \"device_stall\"\n", "watchdog"},
        {"kind = \"clock_jump\"\n", "watchdog"},
        {"kind = \"device_reboot\"\n", "the table no longer sends feedback"},
        {"kind = \"wire_drop\"\ndirection = \"to_device\"\n", "the table reported a fault"},
        {"kind = \"wire_drop\"\ndirection = \"to_host\"\n", "the table no longer sends feedback"},
        {"kind = \"wire_stall\"\nfor_s = 0.2\n", "the table reported a fault"},
        {"kind = \"wire_unplug\"\n", "the connection to the table is lost"},
    };
    for (const Case& c : cases) {
        const FaultyRun run(c.fault);
        INFO(c.fault << run.result.err);
        CHECK(run.result.exit_code == 3);
        CHECK_THAT(run.result.err, ContainsSubstring(c.reason));
        CHECK_THAT(content_of(run.run / "summary.json"), ContainsSubstring(c.reason));
        CHECK_THAT(run.result.out, ContainsSubstring("NOT COMPLETED"));
        const hil::run_log::RunData log = hil::run_log::read_run_log(run.run);
        CHECK_FALSE(log.torn);
        CHECK_FALSE(log.event_time_us(hil::run_log::EventKind::motion_done).has_value());
        CHECK_FALSE(log.event_time_us(hil::run_log::EventKind::return_start).has_value());
        CHECK(content_of(run.run / "faults.toml").find(c.fault) != std::string::npos);
    }
}

TEST_CASE("However far the table's clock jumps, a platen that has stopped is not taken for a runaway") {
    for (const double jump_s : {-10.0, -1.5, -0.3, 1.5, 10.0}) {
        const FaultyRun run("kind = \"clock_jump\"\njump_s = " + std::to_string(jump_s) + "\n");
        INFO(jump_s << " s: " << run.result.err << run.result.out);
        CHECK(run.result.exit_code == 3);
        CHECK_THAT(run.result.err, ContainsSubstring("watchdog") && !ContainsSubstring("emergency stop"));
        const std::string summary = content_of(run.run / "summary.json");
        CHECK_THAT(summary, !ContainsSubstring("the log ends before") && !ContainsSubstring("emergency stop"));
        CHECK_THAT(run.result.out, !ContainsSubstring("the log ends before"));
    }
}

TEST_CASE("A small step of the device's clock stops nothing and is reported with the result") {
    const FaultyRun run("kind = \"clock_jump\"\njump_s = 0.004\n", "at = \"motion\"\nafter_s = 0.125\n");
    INFO(run.result.out);
    CHECK(run.result.exit_code == 0);
    CHECK_THAT(run.result.out, ContainsSubstring("the device's time skipped +4.0 ms"));
    const FaultyRun arming("kind = \"wire_drop\"\ndirection = \"to_host\"\nshare = 0.2\n",
                           "at = \"armed\"\nfor_s = 0.1\n");
    for (const auto& event : hil::run_log::read_run_log(arming.run).events)
        CHECK(event.kind != hil::run_log::EventKind::time_skip);
    const FaultyRun lossy("kind = \"wire_drop\"\ndirection = \"to_host\"\nshare = 0.3\nfor_s = 0.1\n");
    INFO(lossy.result.out);
    CHECK_THAT(lossy.result.out, !ContainsSubstring("time skipped") && ContainsSubstring("gaps"));
}

TEST_CASE("A lying accelerometer is reported by the run and not used") {
    struct Case {
        std::string fault, remark;
    };
    const Case cases[] = {
        {"kind = \"accelerometer_reversed\"\n", "sign reversed"},
        {"kind = \"accelerometer_stuck\"\n", "does not follow the encoder"},
        {"kind = \"accelerometer_saturated\"\nlimit_m_s2 = 6.0\n", "saturates at"},
    };
    for (const Case& c : cases) {
        const FaultyRun run(c.fault, "at = \"motion\"\n");
        INFO(c.fault << run.result.out);
        CHECK(run.result.exit_code == 0);
        CHECK_THAT(run.result.out, ContainsSubstring(c.remark) && ContainsSubstring("not used"));
        CHECK_THAT(content_of(run.run / "summary.json"), ContainsSubstring(c.remark));
    }
}

TEST_CASE("A wire that loses, doubles and cuts frames leaves the test as it is") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", kCase);
    REQUIRE(run_topple({"run", file, "--out", folder.path() / "plain"}).exit_code == 0);
    const auto plain = counts_by_time(hil::run_log::read_run_log(folder.path() / "plain"));
    for (const std::string kind : {"wire_corrupt\"\nshare = 0.02", "wire_duplicate\"", "wire_split\""}) {
        const FaultyRun run("kind = \"" + kind + "\n", "at = \"motion\"\n");
        INFO(kind << run.result.err);
        CHECK(run.result.exit_code == 0);
        const auto counts = counts_by_time(hil::run_log::read_run_log(run.run));
        CHECK(counts.size() > plain.size() * 9 / 10);
        for (const auto& [time_us, count] : counts) {
            const auto same = plain.find(time_us);
            if (same == plain.end() || time_us > 4'000'000) continue;  // the return begins when the host decides so
            REQUIRE(std::abs(count - same->second) <= 1);
        }
    }
}

TEST_CASE("A fault script that cannot be used is refused before anything is made") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", kCase);
    const auto bad = folder.write("bad.toml", "[[fault]]\nkind = \"encoder_slips\"\n");
    const auto good = folder.write("good.toml", "[[fault]]\nkind = \"encoder_slip\"\n");
    const auto misspelt = run_topple({"run", file, "--faults", bad, "--out", folder.path() / "run"});
    CHECK(misspelt.exit_code == 2);
    CHECK_THAT(misspelt.err, ContainsSubstring("line 2") && ContainsSubstring("encoder_slip"));
    CHECK(run_topple({"emulate", file, "--faults", bad}).exit_code == 2);
    const auto wired =
        run_topple({"run", file, "--faults", good, "--device", "tcp:127.0.0.1:1", "--out", folder.path() / "run"});
    CHECK(wired.exit_code == 2);
    CHECK_THAT(wired.err, ContainsSubstring("topple emulate"));
    CHECK_FALSE(fs::exists(folder.path() / "run"));
}

TEST_CASE("An emulated table fails as its script says, and reports it") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", kCase);
    const auto faults = folder.write(
        "faults.toml", "[[fault]]\nkind = \"emergency_stop\"\nat = \"motion\"\nafter_s = 0.125\nfor_s = 0.5\n");
    Emulator emulator(file, {"--listen", "0", "--faults", faults});
    const auto result = run_topple({"run", file, "--device", emulator.uri(), "--out", folder.path() / "run"});
    INFO(result.err);
    CHECK(result.exit_code == 3);
    CHECK_THAT(result.err, ContainsSubstring("emergency_stop"));
    CHECK(eventually([&] {
        return emulator.program().err().find("fault begins: emergency_stop, 0.125 s after motion") != std::string::npos;
    }));
    CHECK_THAT(run_topple({"table", "state", "--device", emulator.uri()}).out, ContainsSubstring("emergency_stop"));
    CHECK_THAT(run_topple({"table", "clear", "--device", emulator.uri()}).out,
               ContainsSubstring("cleared: emergency_stop"));
    CHECK_THAT(run_topple({"table", "clear", "--device", emulator.uri()}).out,
               ContainsSubstring("no fault was latched"));
}

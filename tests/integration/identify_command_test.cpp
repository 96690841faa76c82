#include "hil/experiment/experiment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using tests::run_topple;

namespace {

std::string machine_with(const std::string& aux) {
    return hil::experiment::machine_toml(firmware_iface::quanser_st_iii()) + aux;
}
const std::string kForce = "[[aux]]\nname = \"Drive_Force\"\nunit = \"N\"\nscale = 100.0\n";

}  // namespace

TEST_CASE("identify finds the simulated table, draws it and writes a new machine file that a run then shows") {
    const tests::TemporaryFolder folder;
    folder.write("used.toml", machine_with(kForce));
    const std::string used = (folder.path() / "used.toml").string(), made = (folder.path() / "made.toml").string();
    const std::string figure = (folder.path() / "response.svg").string(), csv = (folder.path() / "lines.csv").string();
    const auto result = run_topple({"table", "identify", "--machine", used, "--write", made, "--author", "A. Author",
                                    "--serial", "17", "--figure", figure, "--csv", csv});
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring("moving mass") && ContainsSubstring("friction") &&
                               ContainsSubstring("margins") && !ContainsSubstring(" nan"));
    CHECK_THAT(tests::content_of(figure), ContainsSubstring("<svg") && ContainsSubstring("coherence"));
    CHECK_THAT(tests::content_of(csv), ContainsSubstring("frequency_hz,position_magnitude"));

    const auto before = hil::experiment::read_machine(used, ""), after = hil::experiment::read_machine(made, "");
    CHECK(after.description.moving_mass_kg == Approx(30.0).epsilon(0.01));
    CHECK(after.description.servo.coulomb_n == Approx(0.9 * 25.0).epsilon(0.02));
    REQUIRE(after.calibration);
    CHECK(after.calibration->author == "A. Author");
    CHECK(after.calibration->serial_number == "17");
    CHECK_THAT(after.calibration->method, ContainsSubstring("topple table identify"));
    REQUIRE(after.aux.size() == 1);
    CHECK(after.aux[0].name == "Drive_Force");
    // The rest is as it was.
    auto unchanged = after.description;
    CHECK(unchanged.name == "made");
    unchanged.name = before.description.name;
    unchanged.moving_mass_kg = before.description.moving_mass_kg;
    unchanged.servo = before.description.servo;
    CHECK(hil::experiment::machine_toml(unchanged) == hil::experiment::machine_toml(before.description));

    // Never over it, and before anything moves.
    const std::string kept = tests::content_of(made);
    const auto again = run_topple({"table", "identify", "--machine", used, "--write", made, "--author", "B"});
    CHECK(again.exit_code == 2);
    CHECK_THAT(again.err, ContainsSubstring("made.toml") && !ContainsSubstring("motion 1"));
    CHECK(tests::content_of(made) == kept);

    folder.write("test.toml",
                 "name = \"t\"\n[specimen]\nkind = \"none\"\n[excitation]\ntype = \"sine\"\n"
                 "amplitude_m_s2 = 1.0\nfrequency_hz = 2.0\n[table]\nmachine = \"made.toml\"\n");
    const std::string test = (folder.path() / "test.toml").string(), run = (folder.path() / "run").string();
    CHECK_THAT(run_topple({"plan", test}).out, ContainsSubstring("by A. Author, serial number 17"));
    const auto driven = run_topple({"run", test, "--out", run});
    INFO(driven.err);
    REQUIRE(driven.exit_code == 0);
    CHECK_THAT(driven.out, ContainsSubstring("machine     calibrated") && ContainsSubstring("serial number 17"));
    CHECK_THAT(tests::content_of(run + "/summary.json"),
               ContainsSubstring("\"machine_calibration\": {") && ContainsSubstring("\"author\": \"A. Author\""));
    CHECK_THAT(tests::content_of(run + "/report.html"), ContainsSubstring("machine calibrated"));
    CHECK(tests::content_of(run + "/machine.toml") == kept);
}

TEST_CASE("Without a force channel identify says what is missing, and writes no machine file") {
    const tests::TemporaryFolder folder;
    folder.write(
        "test.toml",
        "name = \"t\"\n[specimen]\nkind = \"none\"\n[excitation]\ntype = \"none\"\n[simulation]\ntable = \"ideal\"\n");
    const std::string made = (folder.path() / "made.toml").string();
    const auto result = run_topple(
        {"table", "identify", (folder.path() / "test.toml").string(), "--write", made, "--author", "A. Author"});
    INFO(result.out << result.err);
    CHECK(result.exit_code == 1);
    CHECK_THAT(result.out, ContainsSubstring("lines are coherent") && ContainsSubstring("not identified") &&
                               ContainsSubstring("name = \"drive force\"") && ContainsSubstring("none proposed"));
    CHECK_THAT(result.err, ContainsSubstring("has not been written"));
    CHECK(tests::content_of(made).empty());
}

TEST_CASE("What identify cannot do is refused before anything moves") {
    const tests::TemporaryFolder folder;
    const auto path = [&](const std::string& name) { return (folder.path() / name).string(); };
    folder.write("used.toml", machine_with(kForce));
    folder.write("kg.toml", machine_with("[[aux]]\nname = \"drive force\"\nunit = \"kN\"\nscale = 0.1\n"));
    folder.write("taken.svg", "mine");
    std::string short_stroke = machine_with("");
    short_stroke.replace(short_stroke.find("stroke_m = 0.108"), 16, "stroke_m = 0.010");
    folder.write("short.toml", short_stroke);
    const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
        arguments.insert(arguments.begin(), {"table", "identify"});
        const auto result = run_topple(arguments);
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, ContainsSubstring(why) && !ContainsSubstring("motion 1"));
        CHECK(result.out.empty());
    };
    refused({"--write", path("new.toml")}, "--author");
    refused({"--write", path("new.txt"), "--author", "A"}, "ends in .toml");
    refused({"--author", "A"}, "--write");
    refused({"--figure", path("taken.svg")}, "taken.svg");
    refused({"--figure", path("new.pdf")}, ".svg");
    refused({"--amplitude", "9"}, "0.05 and 6.25");
    refused({"--amplitude", "-1"}, "--amplitude");
    refused({"--machine", path("kg.toml")}, "a force needs \"N\"");
    refused({"--machine", path("short.toml")}, "0.02 m are needed");
    CHECK(tests::content_of(path("taken.svg")) == "mine");
    CHECK(tests::content_of(path("new.toml")).empty());
}

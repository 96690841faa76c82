// A table of two axes as a user runs it: predict, plan, run, export, move.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using topple::tests::content_of;
using topple::tests::ProgramResult;
using topple::tests::run_topple;
using topple::tests::TemporaryFolder;
using Json = nlohmann::json;

namespace {

const std::string kExamples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
const std::string kTurned = kExamples + "two_axes.toml", kTwoMotions = kExamples + "two_motions.toml",
                  kMachine = kExamples + "machines/two_axes.toml";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    REQUIRE(has(text, from));
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("predict tells of each specimen in its plane, and of the motion across it") {
    const Json json = Json::parse(run_topple({"predict", kTurned, "--json"}).out);
    const Json one = Json::parse(run_topple({"predict", kExamples + "b4m_from_file.toml", "--json"}).out);
    CHECK_FALSE(one.contains("plane_angle_rad"));
    REQUIRE(json.at("specimens").size() == 2);
    const Json &in_plane = json["specimens"][0], &aside = json["specimens"][1];
    CHECK(in_plane.at("acceleration_in_plane_peak_m_s2").get<double>() == Approx(3.0).epsilon(1e-6));
    CHECK(in_plane.at("acceleration_across_plane_peak_m_s2").get<double>() == 0.0);
    CHECK(aside.at("acceleration_in_plane_peak_m_s2").get<double>() == Approx(2.598).epsilon(1e-3));
    CHECK(aside.at("acceleration_across_plane_peak_m_s2").get<double>() == Approx(1.5).epsilon(1e-6));
    CHECK(has(json.at("remarks").dump(), "specimen 1: in its plane"));
    CHECK(in_plane.at("peak_rotation_rad") > aside.at("peak_rotation_rad"));
}

TEST_CASE("plan checks each axis against its own limits and names the axis") {
    const TemporaryFolder folder;
    const auto csv = (folder.path() / "motion.csv").string();
    const ProgramResult text = run_topple({"plan", kTwoMotions, "--csv", csv});
    CHECK(text.exit_code == 0);
    CHECK(has(text.out, "position x"));
    CHECK(has(text.out, "peak acceleration y"));
    CHECK(has(text.out, "m/s2 across it"));
    CHECK(content_of(csv).starts_with("time_s,position_x_m,"));
    const Json json = Json::parse(run_topple({"plan", kTwoMotions, "--json"}).out);
    REQUIRE(json.at("axes").size() == 2);
    CHECK(json["axes"][1].at("axis") == "y");
    CHECK(json.at("planes").size() == 1);

    std::filesystem::create_directories(folder.path() / "machines");
    folder.write("machines/two_axes.toml", content_of(kMachine));
    const std::string block = "[specimen]\nkind = \"none\"\n";
    const auto file = folder.write(
        "far.toml", "name = \"far\"\n" + block +
                        "[excitation]\ntype = \"none\"\n[excitation_y]\ntype = \"sine\"\namplitude_m_s2 = 3.0\n"
                        "frequency_hz = 1.6\n[table]\nmachine = \"machines/two_axes.toml\"\n");
    const ProgramResult far = run_topple({"plan", file.string()});
    CHECK(far.exit_code == 2);
    CHECK(has(far.err, "axis y: stroke: needs"));
    CHECK_FALSE(has(far.err, "axis x: stroke"));
}

TEST_CASE("run moves both axes, logs both, and judges each specimen by the motion in its plane") {
    const TemporaryFolder folder;
    const auto run = (folder.path() / "run").string();
    const ProgramResult ran = run_topple({"run", kTurned, "--out", run});
    INFO(ran.out << ran.err);
    REQUIRE(ran.exit_code == 0);
    CHECK(has(ran.out, "tracking x"));
    CHECK(has(ran.out, "tracking y"));
    CHECK(has(ran.out, "at 0.523599 rad from +x"));
    const Json summary = Json::parse(content_of(run + "/summary.json"));
    CHECK(summary.at("status") == "completed");
    REQUIRE(summary.at("axes").size() == 2);
    for (const Json& axis : summary["axes"])
        CHECK(std::abs(axis.at("tracking").at("acceleration_peak_error_ratio").get<double>()) < 0.1);
    CHECK(summary["axes"][1]["tracking"]["commanded_acceleration_peak_m_s2"].get<double>() ==
          Approx(1.5).epsilon(0.05));
    const Json& specimens = summary.at("specimens");
    CHECK(specimens[0].at("plane").at("achieved").at("acceleration_across_plane_peak_m_s2").get<double>() < 0.4);
    CHECK(specimens[1]["plane"]["achieved"]["acceleration_across_plane_peak_m_s2"].get<double>() ==
          Approx(1.5).epsilon(0.15));
    CHECK(summary.at("identified").at("amplitude_m_s2").get<double>() == Approx(3.0).epsilon(0.03));
    for (const Json& specimen : specimens) CHECK(specimen.at("agreement").at("verdict") != "inconsistent");
    CHECK(has(content_of(run + "/report.html"), "Tracking of axis y"));
    CHECK(has(content_of(run + "/machine.toml"), "[y]"));

    REQUIRE(run_topple({"export", run, "--format", "csv"}).exit_code == 0);
    CHECK(has(content_of(run + "/csv/feedback.csv"), "position_y_m"));
    CHECK(has(content_of(run + "/csv/setpoint.csv"), "acceleration_y_m_s2"));
}

TEST_CASE("Two motions of their own are run as one test") {
    const TemporaryFolder folder;
    const auto run = (folder.path() / "run").string();
    const ProgramResult ran = run_topple({"run", kTwoMotions, "--out", run});
    INFO(ran.out << ran.err);
    REQUIRE(ran.exit_code == 0);
    CHECK(has(ran.out, "along y single sine of 2 m/s2 at 3 Hz"));
    const Json summary = Json::parse(content_of(run + "/summary.json"));
    CHECK(summary.at("status") == "completed");
    CHECK(summary["axes"][1]["tracking"]["commanded_acceleration_peak_m_s2"].get<double>() ==
          Approx(2.0).epsilon(0.05));
}

TEST_CASE("A fault of axis y stops the run, which says what happened, a table of axis x only has none") {
    const TemporaryFolder folder;
    const auto faults = folder.write(
        "faults.toml", "[[fault]]\nkind = \"encoder_stuck\"\naxis = \"y\"\nat = \"motion\"\nafter_s = 0.1\n");
    const auto run = (folder.path() / "run").string();
    const ProgramResult ran = run_topple({"run", kTurned, "--out", run, "--faults", faults.string()});
    CHECK(ran.exit_code == 3);
    CHECK(has(ran.out, "encoder_implausible"));
    const Json summary = Json::parse(content_of(run + "/summary.json"));
    CHECK(summary.at("status") == "fault");
    for (const Json& axis : summary.at("axes"))  // neither goes on to the end of its motion
        CHECK(axis.at("tracking").at("achieved_displacement_peak_m").get<double>() < 0.02);
    const ProgramResult none = run_topple(
        {"run", kExamples + "b6l_sine.toml", "--faults", faults.string(), "--out", (folder.path() / "none").string()});
    CHECK(none.exit_code == 2);
    CHECK(has(none.err, "axis x only"));
}

TEST_CASE("What looks at one axis refuses a test of two, with what is missing") {
    const TemporaryFolder folder;
    const ProgramResult map = run_topple({"map", kTurned, "--csv", (folder.path() / "m.csv").string()});
    CHECK(map.exit_code == 2);
    CHECK(has(map.err, "plane_angle_rad"));
    std::filesystem::create_directories(folder.path() / "machines");
    folder.write("machines/two_axes.toml", content_of(kMachine));
    std::filesystem::create_directories(folder.path() / "specimens");
    folder.write("specimens/b6l.toml", content_of(kExamples + "specimens/b6l.toml"));
    const std::string text = content_of(kTwoMotions);
    const auto refused = [&](const std::string& from, const std::string& to) {
        const auto file = folder.write("bad.toml", replaced(text, from, to));
        const ProgramResult result = run_topple({"run", file.string(), "--out", (folder.path() / "no").string()});
        CHECK(result.exit_code == 2);
        CHECK_FALSE(std::filesystem::exists(folder.path() / "no"));
        return result.err;
    };
    CHECK(has(refused("device = \"sim:\"", "protect = 0.99"), "leave it out on a machine of two"));
    CHECK(has(refused("machine = \"machines/two_axes.toml\"", ""), "axis x only"));
    CHECK(has(refused("type = \"sine\"\namplitude_m_s2 = 2.0\nfrequency_hz = 3.0",
                      "type = \"constant\"\namplitude_m_s2 = 2.0\nduration_s = 0.1"),
              "deceleration_m_s2"));
    const auto motion = folder.write("motion.csv", "time_s,position_m\n0,0\n");
    const ProgramResult imported = run_topple({"import", kTurned, "--motion", motion.string()});
    CHECK(imported.exit_code == 2);
    CHECK(has(imported.err, "without a table [y]"));
}

TEST_CASE("The map of a specimen whose plane is turned by pi is the mirrored map") {
    const TemporaryFolder folder;
    const auto map_of = [&](const std::string& plane_angle_rad, const std::string& excitation) {
        const auto file = folder.write(
            "case.toml",
            "name = \"m\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
            "plane_angle_rad = " +
                plane_angle_rad + "\n[excitation]\n" + excitation);
        const auto csv = folder.path() / "map.csv";
        std::vector<std::string> arguments{"map", file, "--csv", csv, "--force"};
        for (const char* more : {"--frequency-ratio", "0.5:4:8", "--amplitude-ratio", "1:9:9"})
            if (has(excitation, "sine")) arguments.emplace_back(more);
        if (!has(excitation, "sine"))
            for (const char* more : {"--peak-velocity", "0.4:1.2:5", "--gap", "0.1:0.3:5"})
                arguments.emplace_back(more);
        const ProgramResult result = run_topple(arguments);
        INFO(result.err);
        REQUIRE(result.exit_code == 0);
        return content_of(csv);
    };
    for (const std::string excitation :
         {"type = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n",
          "type = \"double_pulse\"\npeak_velocity_m_s = 0.8\nrise_time_s = 0.02\ngap_m = 0.2\nbase_friction = 0.1\n"
          "stopper_rebound_ratio = 0.3\n"}) {
        const std::string along = map_of("0.0", excitation);
        std::string back = map_of("3.141592653589793", excitation);
        CHECK(back != along);
        REQUIRE(has(along, "right"));
        for (std::size_t at = 0; (at = back.find_first_of("lr", at)) != std::string::npos; ++at) {
            if (back.compare(at, 4, "left") == 0)
                back.replace(at, 4, "right");
            else if (back.compare(at, 5, "right") == 0)
                back.replace(at, 5, "left");
        }
        CHECK(back == along);
    }
}

TEST_CASE("By hand both axes are shown and moved") {
    const ProgramResult state = run_topple({"table", "state", "--machine", kMachine});
    CHECK(state.exit_code == 0);
    CHECK(has(state.out, "axis y"));
    CHECK(has(state.out, "stroke ±0.0750 m"));
    const ProgramResult moved = run_topple({"table", "move", "0.02", "--machine", kMachine});
    CHECK((has(moved.out, "position  +0.0200") || has(moved.out, "position  +0.0199")));
    const ProgramResult both = run_topple({"table", "move", "0.02", "-0.03", "--machine", kMachine});
    INFO(both.out << both.err);
    CHECK(both.exit_code == 0);
    CHECK((has(both.out, "y  -0.0300") || has(both.out, "y  -0.0299")));
    CHECK(run_topple({"table", "move", "0.02", "0.08", "--machine", kMachine}).exit_code == 2);
    const ProgramResult one = run_topple({"table", "move", "0.02", "0.01"});
    CHECK(one.exit_code == 2);
    CHECK(has(one.err, "axis x only"));
    CHECK(run_topple({"table", "home", "--machine", kMachine}).exit_code == 0);
}

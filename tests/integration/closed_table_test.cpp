// A table that only its maker's software can drive: a second simulated table plays the maker's.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple::tests;

namespace {

const std::string kSine = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";

// Exit code 1 means: everything written, only gnuplot is missing.
bool done(const ProgramResult& result) {
    return result.exit_code == 0 || (result.exit_code == 1 && result.err.find("gnuplot") != std::string::npos);
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// feedback.csv as LabVIEW writes it: three columns, millimetres, the displacement the other way round.
std::string as_labview(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line, text =
                          "LabVIEW Measurement\t\nSeparator\tTab\nX_Columns\tOne\n***End_of_Header***\t\n\t\n"
                          "Channels\t2\nY_Unit_Label\tmm\tg\n***End_of_Header***\t\n";
    std::vector<std::string> names;
    const auto cells = [](const std::string& row) {
        std::vector<std::string> all;
        std::istringstream stream(row);
        for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
        return all;
    };
    std::getline(lines, line);
    names = cells(line);
    const auto at = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const std::size_t time = at("time_s"), position = at("position_x_m"), acceleration = at("acceleration_x_m_s2");
    REQUIRE(acceleration < names.size());
    text += "X_Value\tPlaten\tAcc 1\tComment\n";
    while (std::getline(lines, line)) {
        const auto row = cells(line);
        if (row[acceleration].empty()) continue;
        std::ostringstream number;
        number.precision(12);
        number << std::stod(row[time]) + 100.0 << '\t' << -1e3 * std::stod(row[position]) + 7.0 << '\t'
               << std::stod(row[acceleration]) / 9.80665 << '\n';
        text += number.str();
    }
    return text;
}

}  // namespace

TEST_CASE("A motion that other software drove and recorded comes back as a run, aligned by its marker") {
    const TemporaryFolder work;
    const auto in = [&](const std::string& name) { return (work.path() / name).string(); };
    const ProgramResult exported =
        run_topple({"plan", kSine, "--export", in("motion.at2"), "--rate", "1000", "--marker"});
    INFO(exported.err);
    REQUIRE(exported.exit_code == 0);
    CHECK(mentions(exported.out, "the motion begins at"));
    CHECK(run_topple({"plan", kSine, "--export", in("motion.at2")}).exit_code == 2);  // is there already

    work.write("maker.toml",
               "name = \"maker\"\n[specimen]\nkind = \"none\"\n[excitation]\ntype = \"record\"\nfile = \"motion.at2\"\n"
               "[simulation]\nseed = 7\n");
    const ProgramResult driven = run_topple({"run", in("maker.toml"), "--out", in("maker_run"), "--yes"});
    INFO(driven.err);
    REQUIRE(done(driven));
    REQUIRE(run_topple({"export", in("maker_run"), "--out", in("maker_csv")}).exit_code == 0);
    work.write("recorded.lvm", as_labview(content_of(work.path() / "maker_csv" / "feedback.csv")));

    const std::vector<std::string> channels{"--channel", "time=X_Value",
                                            "--channel", "displacement=Platen,sign=-1,offset=7",
                                            "--channel", "acceleration=Acc 1"};
    std::vector<std::string> words{"import",   kSine,   "--motion",    in("recorded.lvm"),
                                   "--marker", "--out", in("imported")};
    words.insert(words.end(), channels.begin(), channels.end());
    const ProgramResult imported = run_topple(words);
    INFO(imported.out << imported.err);
    REQUIRE(done(imported));
    CHECK(mentions(imported.out, "by the start marker, correlation 0.9"));
    CHECK(mentions(imported.out, "displacement: column 2 \"Platen\" in mm, sign -1, offset 7 mm"));
    CHECK(mentions(imported.out, "recorded.lvm: LabVIEW measurement"));
    const auto summary = nlohmann::json::parse(content_of(work.path() / "imported" / "summary.json"));
    CHECK(summary["identified"]["amplitude_m_s2"].get<double>() == Approx(3.0).epsilon(0.02));
    CHECK(summary["identified"]["frequency_hz"].get<double>() == Approx(4.0).epsilon(0.01));
    CHECK(summary["predicted"]["achieved"]["outcome"] == "rocking");

    // The same recording with the sign left out is told to be reversed; without a marker it cannot be aligned by one.
    words = {"import",       kSine,       "--motion",     in("recorded.lvm"), "--marker",           "--out",
             in("reversed"), "--channel", "time=X_Value", "--channel",        "displacement=Platen"};
    CHECK(mentions(run_topple(words).out, "sign reversed"));
    std::string csv = "time_s,displacement_mm\n";
    for (int i = 0; i < 2000; ++i) csv += std::to_string(0.002 * i) + "," + (i % 100 < 50 ? "0\n" : "0.5\n");
    work.write("noise.csv", csv);
    const ProgramResult no_marker =
        run_topple({"import", kSine, "--motion", in("noise.csv"), "--marker", "--out", in("none")});
    CHECK(no_marker.exit_code == 2);
    CHECK(mentions(no_marker.err, "no start marker is recognised"));
    CHECK_FALSE(std::filesystem::exists(work.path() / "none"));
    // A wrong unit of time or a wild scale is refused before anything is written.
    const ProgramResult hours =
        run_topple({"import", kSine, "--motion", in("recorded.lvm"), "--out", in("none"), "--channel",
                    "time=X_Value,unit=s,scale=1000", "--channel", "displacement=Platen"});
    CHECK(hours.exit_code == 2);
    CHECK(mentions(hours.err, "is the unit of time right?"));
    const ProgramResult wild =
        run_topple({"import", kSine, "--motion", in("recorded.lvm"), "--out", in("none"), "--channel", "time=X_Value",
                    "--channel", "displacement=Platen,scale=1e308"});
    CHECK(wild.exit_code == 2);
    CHECK(mentions(wild.err, "wrong unit or scale?"));
    CHECK_FALSE(std::filesystem::exists(work.path() / "none"));
}

TEST_CASE("topple plan exports the same motion as text and for MATLAB, and refuses what it does not know") {
    const TemporaryFolder work;
    const auto in = [&](const std::string& name) { return (work.path() / name).string(); };
    CHECK(run_topple({"plan", kSine, "--export", in("motion.txt"), "--unit", "mm", "--columns", "time,position"})
              .exit_code == 0);
    CHECK(content_of(work.path() / "motion.txt").starts_with("time (s)\tposition (mm)\n0\t-14.9"));
    CHECK(run_topple({"plan", kSine, "--export", in("motion.mat")}).exit_code == 0);
    CHECK(content_of(work.path() / "motion.mat").starts_with("MATLAB 5.0 MAT-file"));
    const ProgramResult unknown = run_topple({"plan", kSine, "--export", in("motion.xls")});
    CHECK(unknown.exit_code == 2);
    CHECK(mentions(unknown.err, ".mat (MATLAB v5)"));
    CHECK(run_topple({"plan", kSine, "--export", in("m.txt"), "--columns", "jerk"}).exit_code == 2);
    CHECK(run_topple({"plan", kSine, "--export", in("m.txt"), "--rate", "1"}).exit_code == 2);
    CHECK(run_topple({"plan", kSine, "--export", in("m.at2"), "--unit", "mm"}).exit_code == 2);
    CHECK(run_topple({"plan", kSine, "--marker"}).exit_code == 2);  // of what?
    CHECK_FALSE(std::filesystem::exists(work.path() / "m.txt"));
}

TEST_CASE("topple plan says what of the machine a motion uses and how much larger or slower it could be") {
    const ProgramResult text = run_topple({"plan", kSine});
    CHECK(mentions(text.out, "used "));
    CHECK(mentions(text.out, "times this amplitude ("));
    const auto json = nlohmann::json::parse(run_topple({"plan", kSine, "--json"}).out);
    CHECK(json["headroom"]["amplitude_ratio"].get<double>() > 1.0);
    CHECK(json["headroom"]["frequency_ratio"].get<double>() < 1.0);
}

TEST_CASE("A map's folder says what of it the table can do") {
    const TemporaryFolder work;
    const std::string folder = (work.path() / "map").string();
    const ProgramResult mapped =
        run_topple({"map", kSine, "--frequency-ratio", "1:8:8", "--amplitude-ratio", "0.5:20:4", "--out", folder});
    INFO(mapped.err);
    REQUIRE(done(mapped));
    std::istringstream reach(content_of(work.path() / "map" / "map_reach.dat"));
    std::string heading;
    std::getline(reach, heading);
    double frequency = 0.0, amplitude = 0.0, before = 0.0;
    std::size_t rows = 0;
    for (; reach >> frequency >> amplitude; ++rows, before = amplitude) CHECK(amplitude >= before);
    CHECK(rows == 8);
    CHECK(mentions(content_of(work.path() / "map" / "map.gp"), "beyond this table"));
}

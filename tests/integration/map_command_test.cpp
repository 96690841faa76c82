// topple map as a user types it, and the bad input that every solver command refuses.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple::tests;

namespace {

const std::string kExamples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
const std::string kSine = kExamples + "b6l_sine.toml";
const std::string kHeader = "frequency_ratio,amplitude_ratio,outcome,direction,impacts_before_overturning";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = text.find('\n', start);
        REQUIRE(end != std::string::npos);  // a line cut off would have no end
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

std::string block_with(const std::string& lines, const std::string& excitation) {
    return "name = \"x\"\n[[specimen]]\nkind = \"block\"\nmass_kg = 2.5692\n" + lines + "[excitation]\n" + excitation;
}
const std::string kSizes = "width_m = 0.06\nheight_m = 0.27\n";
const std::string kWave = "type = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";

}  // namespace

TEST_CASE("map --csv and the files of other commands touch nothing but their own name") {
    const TemporaryFolder folder;
    const std::filesystem::path victim = folder.write("victim", "precious");
    const std::string out = (folder.path() / "out.csv").string();
    std::filesystem::create_symlink(victim, out + ".part");
    const ProgramResult map =
        run_topple({"map", kSine, "--frequency-ratio", "1:2:3", "--amplitude-ratio", "1:2:3", "--csv", out});
    CHECK(map.exit_code == 0);
    CHECK(lines_of(content_of(out)).size() == 10);
    CHECK(content_of(victim) == "precious");
    CHECK(std::filesystem::is_symlink(out + ".part"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()) ==
          3);
}

TEST_CASE("map writes its documented columns, boundaries and figures") {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "map";
    const ProgramResult map =
        run_topple({"map", kSine, "--frequency-ratio", "1:8:8", "--amplitude-ratio", "0.5:10:20", "--out", out});
    REQUIRE(map.exit_code == 0);
    const auto lines = lines_of(content_of(out / "map.csv"));
    REQUIRE(lines.size() == 8 * 20 + 1);
    CHECK(lines[0] == kHeader);
    CHECK(lines[1] == "1,0.5,translation,,0");
    CHECK(has(content_of(out / "map.csv"), ",overturning,right,1\n"));
    CHECK(has(content_of(out / "boundaries.csv"), "overturning"));
    CHECK(has(content_of(out / "map.svg"), "<svg"));
    CHECK(content_of(out / "map.png").starts_with("\x89PNG"));
    CHECK(has(content_of(out / "map.gp"), "tan"));  // the axis says by what the amplitude is divided
    CHECK(run_topple({"map", kSine, "--out", out}).exit_code == 2);
}

TEST_CASE("map releases the block from each initial rotation asked for, as in figure 3.25") {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "map", plain = folder.path() / "plain.csv";
    const std::vector<std::string> grid = {"--frequency-ratio", "1:6:6", "--amplitude-ratio", "0.5:8:16"};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"map", kSine};
        arguments.insert(arguments.end(), grid.begin(), grid.end());
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_topple(arguments);
    };
    REQUIRE(with({"--csv", plain}).exit_code == 0);
    const ProgramResult series = with({"--initial-rotation", "-0.05,0,0.05", "--out", out});
    REQUIRE(series.exit_code == 0);
    CHECK(has(series.out, "from -0.05 rad"));
    CHECK(content_of(out / "map_1.csv") == content_of(plain));
    CHECK(content_of(out / "map.csv") != content_of(plain));
    CHECK(content_of(out / "map_2.csv") != content_of(out / "map.csv"));
    CHECK_FALSE(has(content_of(out / "map.csv"), "translation"));  // released from a tilt it rocks or falls
    CHECK(std::filesystem::exists(out / "boundaries_2.csv"));
    const std::filesystem::path none = folder.path() / "none";
    for (const char* wrong : {"1.6", "nan", "inf", "0.1,x"})
        CHECK(with({"--initial-rotation", wrong, "--out", none}).exit_code == 2);
    CHECK(run_topple({"map", kExamples + "stack_db3m6m.toml", "--initial-rotation", "0.1", "--out", none}).exit_code ==
          2);
    CHECK_FALSE(std::filesystem::exists(none));
}

TEST_CASE("the figure of a map shows each colour as its legend does, and the experiment itself") {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "map";
    REQUIRE(run_topple({"map", kSine, "--frequency-ratio", "1:8:8", "--amplitude-ratio", "0.5:10:20", "--out", out})
                .exit_code == 0);
    const std::string script = content_of(out / "map.gp");
    CHECK(has(script, "defined (0 '#eeeeee'"));
    CHECK(has(script, "lc rgb '#eeeeee' title 'translation'"));
    // omega/p = 2 pi 4 Hz / sqrt(3 g / 4 R) with R = 0.138293 m; a0/(g tan alpha) = 3 / (9.81 x 0.06 / 0.27)
    CHECK(has(script, "$own << EOD\n3.445"));
    CHECK(has(script, " 1.376146"));
    CHECK(has(script, "title 'this experiment'"));
    const std::filesystem::path elsewhere = folder.path() / "elsewhere";
    REQUIRE(run_topple({"map", kSine, "--frequency-ratio", "5:8:4", "--amplitude-ratio", "2:4:3", "--out", elsewhere})
                .exit_code == 0);
    CHECK_FALSE(has(content_of(elsewhere / "map.gp"), "this experiment"));
}

TEST_CASE("a map of one frequency, one amplitude or one point has its figure too") {
    for (const auto& [frequency, amplitude] :
         {std::pair("3:3:1", "1:8:4"), std::pair("1:8:4", "0:0:1"), std::pair("3:3:1", "2:2:1")}) {
        INFO(frequency << " " << amplitude);
        const TemporaryFolder folder;
        const std::filesystem::path out = folder.path() / "map";
        const ProgramResult map =
            run_topple({"map", kSine, "--frequency-ratio", frequency, "--amplitude-ratio", amplitude, "--out", out});
        CHECK(map.exit_code == 0);
        CHECK(map.err.find("gnuplot") == std::string::npos);
        CHECK(has(content_of(out / "map.svg"), "</svg>"));
        CHECK(content_of(out / "map.png").starts_with("\x89PNG"));
    }
}

TEST_CASE("a body with pivots is named by them, and transitions that were not searched are not counted") {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "pivots.toml",
        "name = \"x\"\n[specimen]\nkind = \"block\"\nmass_kg = 2.5\n"
        "pivots = { alpha_left_rad = 0.2, alpha_right_rad = 0.25, radius_left_m = 0.3, radius_right_m = 0.31, "
        "inertia_kg_m2 = 0.08 }\n[excitation]\n" +
            kWave);
    const std::vector<std::string> grid = {"map", file, "--frequency-ratio", "1:6:6", "--amplitude-ratio", "0.5:8:16"};
    const auto with = [&](const char* option, const std::filesystem::path& value) {
        std::vector<std::string> arguments = grid;
        arguments.insert(arguments.end(), {option, value});
        return run_topple(arguments);
    };
    const ProgramResult csv = with("--csv", folder.path() / "m.csv"), out = with("--out", folder.path() / "map");
    CHECK(csv.exit_code == 0);
    CHECK(has(csv.out, "asymmetric body (alpha 0.2 rad left, 0.25 rad right"));
    CHECK_FALSE(has(csv.out, "0.3 m x 0.3 m"));
    CHECK_FALSE(has(csv.out, "transitions"));
    CHECK(has(out.out, " transitions"));
    CHECK_FALSE(has(out.out, "; 0 transitions"));
}

TEST_CASE("map takes the equations asked for, and refuses those that do not cover the specimen") {
    const TemporaryFolder folder;
    const auto cells = [&](const std::string& model) {
        const std::filesystem::path csv = folder.path() / (model + ".csv");
        const ProgramResult map = run_topple({"map", kSine, "--model", model, "--frequency-ratio", "2:4:2",
                                              "--amplitude-ratio", "0.5:12:4", "--csv", csv});
        CHECK(map.exit_code == 0);
        return content_of(csv);
    };
    const std::string full = cells("full");
    CHECK(has(full, "overturning"));
    CHECK(cells("impulsive_force") == full);
    CHECK(cells("newmark") == full);
    const std::filesystem::path none = folder.path() / "none.csv";
    const ProgramResult refused = run_topple({"map", kSine, "--model", "slide_rock", "--csv", none});
    CHECK(refused.exit_code == 2);
    CHECK(has(refused.err, "friction is missing"));
    CHECK(run_topple({"map", kSine, "--model", "oracle", "--csv", none}).exit_code == 2);
    CHECK_FALSE(std::filesystem::exists(none));
}

TEST_CASE("an interrupted map leaves whole frequencies, a figure and exit code 3") {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "map";
    BackgroundTopple map({"map", kExamples + "stack_db3m6m.toml", "--frequency-ratio", "1:10:5000", "--amplitude-ratio",
                          "0.5:10:50", "--threads", "1", "--out", out});
    REQUIRE(eventually([&] { return std::filesystem::exists(out); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // some frequencies; the whole map takes a minute
    map.signal(SIGINT);
    const ProgramResult result = map.wait();
    CHECK(result.exit_code == 3);
    CHECK(has(result.err, "SIGINT"));
    const auto lines = lines_of(content_of(out / "map.csv"));
    REQUIRE_FALSE(lines.empty());
    CHECK(lines[0].starts_with(kHeader));
    CHECK((lines.size() - 1) % 50 == 0);
    CHECK(lines.size() < 5000 * 50 + 1);
    for (std::size_t i = 1; i < lines.size(); ++i)
        CHECK(std::count(lines[i].begin(), lines[i].end(), ',') == std::count(lines[0].begin(), lines[0].end(), ','));
    lines_of(content_of(out / "boundaries.csv"));
    CHECK(std::filesystem::exists(out / "map.gp"));
}

TEST_CASE("a map that cannot be is refused before anything is made") {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "map";
    const ProgramResult huge = run_topple(
        {"map", kSine, "--frequency-ratio", "1:2:1000000", "--amplitude-ratio", "1:2:1000000", "--out", out});
    CHECK(huge.exit_code == 2);
    CHECK(has(huge.err, "1e+12 cells"));
    for (const char* axis : {"nan:2:3", "1:inf:3", "2:1:3", "1:2:0", "1:2:1e12", "1:2", "x"})
        CHECK(run_topple({"map", kSine, "--frequency-ratio", axis, "--out", out}).exit_code == 2);
    for (const char* tolerance : {"nan", "0", "-1", "x"})
        CHECK(run_topple({"map", kSine, "--boundary-tolerance", tolerance, "--out", out}).exit_code == 2);
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("bad specimens end predict and map with 2, the field's name and no file") {
    const TemporaryFolder folder, results;
    struct Wrong {
        const char *lines, *told;
    };
    for (const Wrong& wrong :
         {Wrong{"width_m = 0.0\nheight_m = 0.27\n", "width_m"}, Wrong{"width_m = 0.06\nheight_m = -0.27\n", "height_m"},
          Wrong{"width_m = inf\nheight_m = 0.27\n", "width_m"}, Wrong{"width_m = 0.06\nheight_m = nan\n", "height_m"},
          Wrong{"width_m = 0.06\nheight_m = 0.27\nfriction = { static = 0.4, kinetic = 0.5 }\n", "kinetic"}}) {
        INFO(wrong.lines);
        const std::string file = folder.write("bad.toml", block_with(wrong.lines, kWave));
        for (const ProgramResult& result : {run_topple({"predict", file, "--history", results.path() / "h.csv"}),
                                            run_topple({"map", file, "--csv", results.path() / "m.csv"}),
                                            run_topple({"map", file, "--out", results.path() / "map"})}) {
            CHECK(result.exit_code == 2);
            CHECK(result.out.empty());
            CHECK(has(result.err, wrong.told));
        }
    }
    CHECK(std::filesystem::is_empty(results.path()));
}

TEST_CASE("bad records and CSV files end with 2, their line and no file") {
    const TemporaryFolder folder, results;
    struct Wrong {
        const char *csv, *told;
    };
    const std::string head = "time_s,acceleration_m_s2\n";
    const std::string file =
        folder.write("record.toml", block_with(kSizes, "type = \"record\"\nfile = \"motion.csv\"\n"));
    for (const Wrong& wrong :
         {Wrong{"0,0\n0.01,1\n0.03,0\n0.04,0\n", "uneven"}, Wrong{"0,0\n0.02,1\n0.01,0\n", "line 4"},
          Wrong{"0,0\n0.01,nan\n", "line 3"}, Wrong{"0,0\n0.01,x\n", "line 3"}, Wrong{"0,0\n0.01\n", "line 3"},
          Wrong{"", "motion.csv"}, Wrong{"0,0\n", "motion.csv"}}) {
        INFO(wrong.csv);
        folder.write("motion.csv", head + wrong.csv);
        for (const ProgramResult& result : {run_topple({"predict", file, "--history", results.path() / "h.csv"}),
                                            run_topple({"map", file, "--csv", results.path() / "m.csv"}),
                                            run_topple({"plan", file, "--csv", results.path() / "p.csv"})}) {
            CHECK(result.exit_code == 2);
            CHECK(result.out.empty());
            CHECK(has(result.err, wrong.told));
        }
    }
    std::filesystem::remove(folder.path() / "motion.csv");
    CHECK(run_topple({"predict", file, "--history", results.path() / "h.csv"}).exit_code == 2);
    std::filesystem::create_directory(folder.path() / "motion.csv");
    CHECK(run_topple({"predict", file, "--history", results.path() / "h.csv"}).exit_code == 2);
    CHECK(run_topple({"fit", "free-rocking", folder.path() / "none.csv", "--width", "0.06", "--height", "0.27"})
              .exit_code == 2);
    CHECK(std::filesystem::is_empty(results.path()));
}

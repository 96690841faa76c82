// A basin's run judged by what a camera saw of its blocks.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

using topple::tests::content_of;
using topple::tests::ProgramResult;
using topple::tests::run_topple;
using topple::tests::TemporaryFolder;
using Json = nlohmann::json;

namespace {

const std::string kExample = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/basin.toml";

using Rows = std::vector<std::vector<double>>;

Rows numbers_of(const std::string& csv) {
    Rows rows;
    std::istringstream in(csv);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
    }
    return rows;
}

/// The predicted paths of a file, seen from a camera that moves with the basin: 240 Hz from -0.3 s to 6 s, with noise.
struct Camera {
    double noise_m = 0.2e-3, rate_hz = 240.0, offset_s = 0.0, clock_rate = 1.0;
};

std::string seen_by(const Camera& camera, const std::string& file, const TemporaryFolder& folder) {
    const std::string history = (folder.path() / "history.csv").string();
    const ProgramResult result = run_topple({"predict", file, "--history", history, "--force"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const Rows rows = numbers_of(content_of(history));
    const std::size_t blocks = (rows.at(0).size() - 4) / 2;
    std::string text = "time_s";
    for (std::size_t b = 0; b < blocks; ++b) text += fmt::format(",position_{}_mm", b);
    text += "\n";
    topple::solver::SplitMix64 random(7);
    std::size_t at = 0;
    for (double time_s = -0.3; time_s < 6.0; time_s += 1.0 / camera.rate_hz) {
        while (at + 1 < rows.size() && rows[at + 1][0] <= time_s) ++at;
        text += fmt::format("{}", (time_s + camera.offset_s) * camera.clock_rate);
        for (std::size_t b = 0; b < blocks; ++b)
            text += fmt::format(",{}", 1e3 * (rows[at][2 + 2 * b] - rows[at][1] +
                                              camera.noise_m * topple::solver::normal_pair(random)[0]));
        text += "\n";
    }
    return text;
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
}

std::string write(const TemporaryFolder& folder, const char* name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
    return (folder.path() / name).string();
}

/// The example's run, made once.
const std::string& run_of_example() {
    static const TemporaryFolder folder;
    static const std::string run = (folder.path() / "run").string();
    static const int code = run_topple({"run", kExample, "--out", run}).exit_code;
    REQUIRE(code == 0);
    return run;
}

Json compared(const std::string& csv, const std::vector<std::string>& more = {"--in-basin"}) {
    std::vector<std::string> words{"compare", run_of_example(), "--positions", csv, "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_topple(words);
    INFO(result.err << result.out);
    REQUIRE(result.exit_code == 0);
    return Json::parse(content_of(run_of_example() + "/summary.json"));
}

}  // namespace

TEST_CASE("a camera that sees the predicted paths makes the run consistent, by paths and first impacts") {
    const TemporaryFolder folder;
    const Json summary = compared(write(folder, "camera.csv", seen_by({}, kExample, folder)));
    INFO(summary.at("agreement").dump(1));
    CHECK(summary.at("verdict") == "consistent");
    CHECK(summary.at("measured").at("source") == "camera");
    CHECK(summary.at("measured").at("outcome").is_null());
    CHECK(summary.at("agreement").at("criteria_counted").get<int>() >= 4);
    CHECK(summary.at("agreement_blind").at("verdict") == "consistent");
    const Json& measured = summary.at("assembly").at("measured");
    CHECK(std::abs(measured.at("noise_m").get<double>() - 0.2e-3) < 0.03e-3);
    CHECK(measured.at("noise_from") == "blocks at rest before the motion");
    CHECK(measured.at("first_impact_s").size() == 5);
    CHECK(summary.at("assembly").at("paths").size() == 4);
    CHECK(content_of(run_of_example() + "/figures/assembly.svg").find("centres, measured") != std::string::npos);
    CHECK(content_of(run_of_example() + "/report.html").find("predictable until") != std::string::npos);
    // What was compared stays with the run.
    CHECK(run_topple({"mark", run_of_example(), "--discard", "x"}).exit_code == 2);
    CHECK(content_of(run_of_example() + "/positions.csv") == content_of(folder.path() / "camera.csv"));
}

TEST_CASE("blocks with another friction or another restitution make the run inconsistent") {
    const TemporaryFolder folder;
    const std::string text = content_of(kExample);
    for (const auto& [from, to] : {std::pair{"friction = 0.15", "friction = 0.3"},
                                   std::pair{"walls = 0.3, blocks = 0.6", "walls = 0.9, blocks = 0.1"}}) {
        const std::string other = write(folder, "other.toml", changed(text, from, to));
        const Json summary = compared(write(folder, "camera.csv", seen_by({}, other, folder)));
        INFO(to << summary.at("agreement").dump(1));
        CHECK(summary.at("verdict") == "inconsistent");
        CHECK_FALSE(summary.at("agreement").at("reasons").empty());
    }
}

TEST_CASE("a camera that sees too little makes no verdict: noise as large as the gaps") {
    const TemporaryFolder folder;
    const Json summary =
        compared(write(folder, "camera.csv", seen_by({.noise_m = 1.2e-3, .rate_hz = 12.0}, kExample, folder)));
    INFO(summary.at("agreement").dump(1));
    CHECK(summary.at("verdict") != "inconsistent");
}

TEST_CASE("the camera's clock is laid onto the table's by its start") {
    const TemporaryFolder folder;
    const std::string csv = write(folder, "camera.csv", seen_by({.offset_s = 12.5}, kExample, folder));
    CHECK(compared(csv, {"--in-basin", "--positions-start", "12.5"}).at("verdict") == "consistent");
    CHECK(compared(csv, {"--in-basin", "--positions-start", "12.4"}).at("verdict") == "inconsistent");
}

TEST_CASE("positions that cannot be are refused with line and value, and nothing of the run changes") {
    const TemporaryFolder folder;
    const std::string sound = seen_by({}, kExample, folder);
    compared(write(folder, "sound.csv", sound));
    const std::string before = content_of(run_of_example() + "/summary.json");
    const auto refused = [&](const std::string& text, const std::string& reason,
                             std::vector<std::string> more = {"--in-basin", "--force"}) {
        const std::string csv = write(folder, "bad.csv", text);
        std::vector<std::string> words{"compare", run_of_example(), "--positions", csv};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramResult result = run_topple(words);
        INFO(reason << " expected; told: " << result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.err.find(reason) != std::string::npos);
    };
    const auto with_line = [&](std::size_t line, const std::function<std::string(std::string)>& change) {
        std::istringstream in(sound);
        std::string text, row;
        for (std::size_t i = 1; std::getline(in, row); ++i) text += (i == line ? change(row) : row) + "\n";
        return text;
    };
    const auto cell = [&](std::size_t line, std::size_t column, const std::string& value) {
        return with_line(line, [&](const std::string& row) {
            std::istringstream cells(row);
            std::string text, one;
            for (std::size_t i = 0; std::getline(cells, one, ','); ++i)
                text += (i == 0 ? "" : ",") + (i == column ? value : one);
            return text;
        });
    };
    refused(cell(100, 1, "-50"), "bad.csv:100: position_0 = -0.05 m");
    refused(cell(100, 4, "390"), "is beyond the basin");
    refused(cell(101, 2, "70"), "bad.csv:101: position_1 = 0.07 m from the left wall overlaps block 0");
    refused(cell(102, 3, "nan"), "line 102");
    refused(cell(102, 3, ""), "line 102");
    refused(cell(103, 0, "-0.2"), "does not increase");
    refused(cell(1513, 0, "99"), "allowed: ten times that");
    refused(changed(sound, "position_3_mm", "velocity_3_mm"), "3 columns position_<i>_<unit> for 4 blocks");
    refused(changed(sound, "position_3_mm", "position_5_mm"), "no column position_3_<unit>");
    refused(changed(sound, "position_3_mm", "position_2_mm"), "a second column for the same quantity");
    refused(changed(sound, "position_3_mm", "position_3_inch"), "unit \"inch\" is not known");
    refused(changed(sound, "time_s", "frame"), "no column time_s");
    refused(sound, "the frames are from t = -100.3 s", {"--in-basin", "--force", "--positions-start", "100"});
    refused(sound, "does not show the table's trigger", {"--in-basin", "--force", "--positions-sync", "1,2"});
    refused(sound, "positions.csv", {"--in-basin"});  // there already
    CHECK(content_of(run_of_example() + "/summary.json") == before);
}

TEST_CASE("positions are for assemblies, rotations for blocks that rock") {
    const TemporaryFolder folder;
    const std::string csv = write(folder, "camera.csv", seen_by({}, kExample, folder));
    const std::string sine = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";
    const ProgramResult rocking = run_topple({"import", sine, "--motion", csv, "--positions", csv});
    CHECK(rocking.exit_code == 2);
    CHECK(rocking.err.find("positions of blocks are for kind = \"assembly\"") != std::string::npos);
    const std::string motion = (folder.path() / "motion.csv").string();
    REQUIRE(run_topple({"plan", kExample, "--csv", motion}).exit_code == 0);
    const ProgramResult basin = run_topple({"import", kExample, "--motion", motion, "--rotation", csv});
    CHECK(basin.exit_code == 2);
    CHECK(basin.err.find("the blocks of an assembly do not rotate") != std::string::npos);
    CHECK(run_topple({"compare", run_of_example()}).exit_code == 2);
    const std::string imported = (folder.path() / "imported").string();
    const ProgramResult import = run_topple({"import", kExample, "--motion", motion, "--positions", csv,
                                             "--positions-start", "0", "--in-basin", "--out", imported});
    INFO(import.err << import.out);
    CHECK(import.exit_code == 0);
    CHECK(Json::parse(content_of(imported + "/summary.json")).at("verdict") == "consistent");
}

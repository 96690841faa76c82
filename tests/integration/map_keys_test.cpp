// topple map --x --y: outcomes over two numbers of the file.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

using topple::tests::content_of;
using topple::tests::ProgramResult;
using topple::tests::run_topple;
using topple::tests::TemporaryFolder;

namespace {

const std::string kExamples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> map_lines(const std::vector<std::string>& words, const TemporaryFolder& folder) {
    const std::string csv = (folder.path() / "map.csv").string();
    std::vector<std::string> all{"map"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--csv", csv, "--force"});
    const ProgramResult result = run_topple(all);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return lines_of(content_of(csv));
}

std::string outcome_of(const std::string& text, const TemporaryFolder& folder) {
    const std::string file = (folder.path() / "one.toml").string();
    std::ofstream(file) << text;
    const ProgramResult result = run_topple({"predict", file, "--json"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out).at("outcome").get<std::string>();
}

const std::string kPulse =
    "name = \"pulse\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.1\nheight_m = 0.4\nmass_kg = 2.0\n"
    "restitution = { model = \"fixed\", value = 0.9 }\n[excitation]\ntype = \"constant\"\namplitude_g = 0.3\n"
    "duration_s = 0.3\n";

}  // namespace

TEST_CASE("Two axes that set the same number of the file are refused, whatever they are called") {
    for (const auto& [x, y] : {std::pair{"excitation.frequency_hz=1:5:2", "frequency_ratio=1:9:2"},
                               std::pair{"excitation.amplitude_g=0.1:2:2", "excitation.amplitude_m_s2=1:3:2"},
                               std::pair{"amplitude_ratio=1:2:2", "excitation.amplitude_m_s2=1:3:2"}}) {
        const ProgramResult result =
            run_topple({"map", std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml", "--x", x, "--y", y});
        CHECK(result.exit_code == 2);
        CHECK(result.err.find("set the same number of the file") != std::string::npos);
    }
}

TEST_CASE("a map over gap and peak velocity by their keys is the map of the double pulse") {
    const TemporaryFolder folder;
    const std::string file = kExamples + "three_blocks_pulse.toml";
    const auto by_key = map_lines(
        {file, "--x", "excitation.peak_velocity_m_s=0.4:0.9:6", "--y", "excitation.gap_m=0.02:0.06:5"}, folder);
    const auto by_name = map_lines({file, "--peak-velocity", "0.4:0.9:6", "--gap", "0.02:0.06:5"}, folder);
    CHECK(
        by_key.at(0) ==
        "excitation.peak_velocity_m_s [vpeak],excitation.gap_m [BD],outcome,direction,impacts_before_overturning,mode");
    REQUIRE(by_key.size() == by_name.size());
    for (std::size_t i = 1; i < by_key.size(); ++i) CHECK(by_key[i] == by_name[i]);
}

TEST_CASE("slenderness and size, duration p ta and amplitude: a point is the file with these numbers") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "pulse.toml").string();
    std::ofstream(file) << kPulse;
    const auto shapes = map_lines({file, "--x", "slenderness=2:8:4", "--y", "size_m=0.1:0.5:3"}, folder);
    CHECK(shapes.at(0).starts_with("slenderness [h/b],size_m [R],outcome"));
    REQUIRE(shapes.size() == 13);
    // h/b = 8, R = 0.3: b = 2 R / sqrt(65).
    std::string text = kPulse;
    text.replace(text.find("width_m = 0.1"), 13, "width_m = 0.0744208");
    text.replace(text.find("height_m = 0.4"), 14, "height_m = 0.595366");
    CHECK(shapes.at(11).starts_with("8,0.30000000000000004," + outcome_of(text, folder) + ","));
    // p = sqrt(3 g/(4 R)) = 5.9740 1/s, tan alpha = 1/4: 0.5/p = 0.083695 s, 3 g/4.
    const auto pulses = map_lines({file, "--x", "p_ta=0.5:2.5:3", "--y", "amplitude_ratio=1.5:3:2"}, folder);
    CHECK(pulses.at(0).starts_with("p_ta [p ta],amplitude_ratio [a0/(g tan alpha)],outcome"));
    text = kPulse;
    text.replace(text.find("amplitude_g = 0.3"), 17, "amplitude_g = 0.75");
    text.replace(text.find("duration_s = 0.3"), 16, "duration_s = 0.083695");
    CHECK(pulses.at(2).starts_with("0.5,3," + outcome_of(text, folder) + ","));
    CHECK(pulses.at(2) != pulses.at(6));
}

TEST_CASE("axes in Hz and in g, whichever way the file writes them, and restitution and friction by their keys") {
    const TemporaryFolder folder;
    const std::string sine = kExamples + "b6l_sine.toml";  // amplitude_m_s2
    const auto in_g =
        map_lines({sine, "--x", "excitation.frequency_hz=2:4:2", "--y", "excitation.amplitude_g=0.1:0.4:2"}, folder);
    const auto in_si =
        map_lines({sine, "--x", "excitation.angular_frequency_rad_s=12.566370614359172:25.132741228718345:2", "--y",
                   "excitation.amplitude_m_s2=0.981:3.924:2"},
                  folder);
    for (std::size_t i = 1; i < 5; ++i)
        CHECK(in_g.at(i).substr(in_g[i].find(',', in_g[i].find(',') + 1)) ==
              in_si.at(i).substr(in_si[i].find(',', in_si[i].find(',') + 1)));
    const std::string file = (folder.path() / "pulse.toml").string();
    std::string text = kPulse;
    std::ofstream(file) << text.insert(text.find("[excitation]"), "friction = { static = 0.6, kinetic = 0.5 }\n");
    const auto frictions =
        map_lines({file, "--x", "specimen.friction=0.05:0.6:2", "--y", "specimen.restitution.value=0.5:0.9:2"}, folder);
    CHECK(frictions.at(0).starts_with("specimen.friction [mu],specimen.restitution.value [r],"));
    CHECK(frictions.at(1).find("sliding") != std::string::npos);
    CHECK(frictions.at(3).find("sliding") == std::string::npos);
}

TEST_CASE("an axis that is not in the file, or has a value that the file may not have, is refused with its place") {
    const TemporaryFolder folder;
    const std::string pulse = kExamples + "three_blocks_pulse.toml", sine = kExamples + "b6l_sine.toml";
    const auto refused = [](const std::vector<std::string>& words, const char* reason) {
        std::vector<std::string> all{"map"};
        all.insert(all.end(), words.begin(), words.end());
        const ProgramResult result = run_topple(all);
        INFO(reason << " expected; told: " << result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.err.find(reason) != std::string::npos);
    };
    const std::string gap = "excitation.gap_m=0.02:0.06:3";
    refused({pulse, "--x", "excitation.gaps_m=0.02:0.06:3", "--y", gap}, "did you mean \"excitation.gap_m\"?");
    refused({pulse, "--x", "excitation.type=0:1:2", "--y", gap}, "must be a number");
    refused({pulse, "--x", "specimen.blocks.7.height_m=0.1:0.2:2", "--y", gap}, "there are 3 elements");
    refused({pulse, "--x", gap, "--y", gap}, "both vary excitation.gap_m");
    refused({pulse, "--x", gap}, "both are needed");
    refused({pulse, "--x", gap, "--y", "excitation.stopper_rebound_ratio=0.5:1.5:3"},
            "--y excitation.stopper_rebound_ratio: at 1.5:");
    refused({pulse, "--x", gap, "--y", "excitation.stopper_rebound_ratio=0.5:1.5:3"}, "three_blocks_pulse.toml, line ");
    refused({pulse, "--x", "slenderness=2:3:2", "--y", gap}, "of a single block");
    refused({sine, "--x", "specimen.height_m=0.1:0.2:2", "--y", "slenderness=2:3:2"},
            "changes specimen.height_m already");
    refused({sine, "--x", "p_ta=0.1:0.2:2", "--y", "specimen.height_m=0.1:0.2:2"}, "excitation.duration_s");
    refused({pulse, "--x", gap, "--y", "excitation.peak_velocity_m_s=0.1:1:2", "--gap", "1:2:2"}, "not together with");
    refused({kExamples + "assembly.toml", "--x", gap, "--y", "specimen.friction=0:1:2"}, "assembly");
}

TEST_CASE("points that are no experiment are counted and have no outcome") {
    const TemporaryFolder folder;
    const std::string csv = (folder.path() / "map.csv").string();
    // During a rise of 0.1 s to 0.9 m/s the base goes 45 mm.
    std::string text = content_of(kExamples + "three_blocks_pulse.toml");
    text.replace(text.find("rise_time_s = 0.02"), 18, "rise_time_s = 0.1");
    const std::string file = (folder.path() / "slow.toml").string();
    std::ofstream(file) << text;
    const ProgramResult result = run_topple({"map", file, "--x", "excitation.peak_velocity_m_s=0.3:0.9:3", "--y",
                                             "excitation.gap_m=0.03:0.06:3", "--csv", csv});
    CHECK(result.exit_code == 0);
    CHECK(result.err.find("3 points are no experiment") != std::string::npos);
    CHECK(content_of(csv).find("0.9,0.03,failed") != std::string::npos);
}

// A run judged by a camera, and runs laid over each other, as a user types it.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
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

constexpr double kOffset_s = 7.3, kRate = 1.0 + 2e-5;

std::string changed(std::string text, const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
}

std::string experiment_text() {
    return changed(content_of(std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml"), "[table]\n",
                   "[table]\ntrigger = true\n");
}

const TemporaryFolder& folder() {
    static const TemporaryFolder made;
    return made;
}

/// A run of the example with the seed, made once per name.
std::string run_of(const std::string& name, int seed) {
    const std::string run = (folder().path() / name).string();
    const std::string file =
        folder()
            .write((name + ".toml").c_str(), changed(experiment_text(), "seed = 1", fmt::format("seed = {}", seed)))
            .string();
    const ProgramResult result = run_topple({"run", file, "--out", run});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return run;
}

struct Readings {
    std::vector<double> time_s, rotation_rad;
};

/// What the sensor of the run read.
Readings sensor_of(const std::string& run) {
    REQUIRE(run_topple({"export", run}).exit_code == 0);
    std::istringstream in(content_of(run + "/csv/feedback.csv"));
    std::string line;
    std::getline(in, line);
    std::vector<std::string> names;
    std::istringstream heading(line);
    for (std::string name; std::getline(heading, name, ',');) names.push_back(name);
    Readings readings;
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        std::size_t column = 0;
        for (std::string cell; std::getline(cells, cell, ','); ++column) {
            if (names[column] == "time_s") readings.time_s.push_back(std::stod(cell));
            if (names[column] == "rotation_0_rad") readings.rotation_rad.push_back(std::stod(cell));
        }
    }
    return readings;
}

/// Frames of a camera at 150 Hz whose clock is late and slow: time, rotation.
std::vector<std::pair<double, double>> frames_of(const Readings& sensor) {
    std::vector<std::pair<double, double>> frames;
    std::size_t at = 1;
    for (double camera_s = kOffset_s - 1.5; camera_s < kOffset_s + 9.0; camera_s += 1.0 / 150.0) {
        const double t = (camera_s - kOffset_s) * kRate;
        while (at + 1 < sensor.time_s.size() && sensor.time_s[at] < t) ++at;
        const double share = (t - sensor.time_s[at - 1]) / (sensor.time_s[at] - sensor.time_s[at - 1]);
        frames.emplace_back(
            camera_s, sensor.rotation_rad[at - 1] + share * (sensor.rotation_rad[at] - sensor.rotation_rad[at - 1]));
    }
    return frames;
}

/// Four points on the block as GOM exports them, with 0.02 mm of noise; `right`: -1 mirrors the picture.
std::string gom_of(const std::vector<std::pair<double, double>>& frames, double right = 1.0) {
    constexpr double kPoints[][2] = {{-25, 40}, {20, 60}, {-10, 230}, {22, 250}};
    topple::solver::SplitMix64 random(9);
    const auto noise = [&] { return 0.02 * topple::solver::normal_pair(random)[0]; };
    std::string text =
        "Stage;Time [s];P1.X [mm];P1.Y [mm];P2.X [mm];P2.Y [mm];P3.X [mm];P3.Y [mm];P4.X [mm];P4.Y [mm]\n";
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto [camera_s, theta] = frames[i];
        text += fmt::format("{};{:.6f}", i, camera_s);
        for (std::size_t k = 0; k < 4; ++k) {
            const double x = kPoints[k][0], z = kPoints[k][1];
            text += (i + 11 * k) % 50 == 3
                        ? std::string(";0;0")
                        : fmt::format(";{:.4f};{:.4f}",
                                      right * (400.0 + x * std::cos(theta) + z * std::sin(theta) + noise()),
                                      100.0 - x * std::sin(theta) + z * std::cos(theta) + noise());
        }
        text += "\n";
    }
    return text;
}

Json summary_of(const std::string& run) { return Json::parse(content_of(run + "/summary.json")); }

}  // namespace

TEST_CASE("a camera with its own clock judges a run, stays with it, and is replaced only with --force") {
    const std::string run = run_of("judged", 1);
    const auto frames = frames_of(sensor_of(run));
    const std::string file = folder().write("gom.csv", gom_of(frames)).string();
    const ProgramResult result = run_topple({"compare", run, "--rotation", file});
    INFO(result.err << result.out);
    REQUIRE(result.exit_code == 0);
    const Json summary = summary_of(run);
    CHECK(summary.at("measured").at("source") == "camera");
    CHECK(summary.at("measured").at("outcome") == "rocking");
    CHECK(summary.at("verdict") == "consistent");
    const Json& clock = summary.at("camera").at("clock");
    INFO(clock.dump(1));
    CHECK(clock.at("compared_with") == "sensor");
    CHECK(std::abs(clock.at("offset_s").get<double>() + clock.at("rate").get<double>() * kOffset_s) < 1e-4);
    CHECK(std::abs(clock.at("rate").get<double>() - kRate) < 4.0 * clock.at("rate_error").get<double>());
    const Json& block = summary.at("camera").at("specimens").at(0).at("with_sensor").at(0);
    CHECK(block.at("nrmse").get<double>() < 0.005);
    CHECK(block.at("peak_rotation_rad").get<double>() ==
          Approx(block.at("expected_peak_rotation_rad").get<double>()).epsilon(0.01));
    CHECK(block.at("impact_times_s").at(2).get<double>() ==
          Approx(block.at("expected_impact_times_s").at(2).get<double>()).margin(2e-3));
    CHECK(block.at("periods_s").size() >= 3);
    CHECK(summary.at("camera")
              .at("specimens")
              .at(0)
              .at("with_prediction")
              .at(0)
              .at("phase_plane_distance")
              .get<double>() > 0.0);
    CHECK(content_of(run + "/report.html").find("<h2>Camera</h2>") != std::string::npos);
    CHECK(content_of(run + "/figures/camera_0.svg").find("camera less sensor") != std::string::npos);

    CHECK(content_of(run + "/camera.csv") == content_of(file));
    CHECK(run_topple({"compare", run, "--rotation", file}).exit_code == 2);
    REQUIRE(run_topple({"mark", run, "--outcome", "R"}).exit_code == 0);
    CHECK(summary_of(run).at("camera").at("clock") == clock);
    std::ofstream(run + "/camera.csv", std::ios::app) << "1;2\n";
    CHECK(run_topple({"mark", run, "--outcome", "R"}).err.find("is not the file that was compared") !=
          std::string::npos);
    CHECK(run_topple({"compare", run, "--rotation", file, "--force"}).exit_code == 0);
}

TEST_CASE("a mirrored picture is a reversed sign, and nothing of the run changes") {
    const std::string run = run_of("mirrored", 1);
    const auto frames = frames_of(sensor_of(run));
    const std::string before = content_of(run + "/summary.json");
    const std::string file = folder().write("mirror.csv", gom_of(frames, -1.0)).string();
    const ProgramResult refused = run_topple({"compare", run, "--rotation", file});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("sign reversed") != std::string::npos);
    CHECK(content_of(run + "/summary.json") == before);
    CHECK_FALSE(std::filesystem::exists(run + "/camera.csv"));
    CHECK(run_topple({"compare", run, "--rotation", file, "--rotation-plane=-x,y"}).exit_code == 0);
    CHECK(summary_of(run).at("verdict") == "consistent");
}

TEST_CASE("an imported test takes the camera's points with its start, or finds it, and says which") {
    const std::string run = run_of("imported_from", 1);
    const auto frames = frames_of(sensor_of(run));
    const std::string points = folder().write("points.csv", gom_of(frames)).string();
    std::string motion = content_of(run + "/csv/feedback.csv");
    motion.replace(0, motion.find('\n'), changed(motion.substr(0, motion.find('\n')), "rotation_0_rad", "sensor_0"));
    const std::string motion_file = folder().write("motion.csv", motion).string();
    const std::string experiment = (folder().path() / "imported_from.toml").string();
    const std::string out = (folder().path() / "import").string();
    const ProgramResult result =
        run_topple({"import", experiment, "--motion", motion_file, "--start", "0", "--rotation", points,
                    "--rotation-start", "7.3", "--camera", "--out", out});
    INFO(result.err << result.out);
    REQUIRE(result.exit_code == 0);
    CHECK(summary_of(out).at("measured").at("source") == "camera");
    CHECK(summary_of(out).at("verdict") == "consistent");
    CHECK(summary_of(out).at("camera").at("clock").at("compared_with") == "prediction");
    CHECK_FALSE(summary_of(out).at("camera").at("clock").at("is_fitted").get<bool>());
    const ProgramResult fitted =
        run_topple({"import", experiment, "--motion", motion_file, "--start", "0", "--rotation", points,
                    "--rotation-correlate", "--camera", "--out", out + "2"});
    INFO(fitted.err << fitted.out);
    REQUIRE(fitted.exit_code == 0);
    CHECK(summary_of(out + "2").at("camera").at("clock").at("is_fitted").get<bool>());
    CHECK(summary_of(out + "2").at("verdict") != "inconsistent");  // a clock that was fitted is no evidence of time
    CHECK(fitted.out.find("less independent") != std::string::npos);
    CHECK(run_topple({"import", experiment, "--motion", motion_file, "--rotation", points, "--rotation-correlate"})
              .exit_code == 2);
}

TEST_CASE("runs of one test are laid over each other, those of another are refused") {
    const std::string a = run_of("a", 1), b = run_of("b", 2), c = run_of("c", 3);
    const std::string figure = (folder().path() / "repeat.svg").string();
    const ProgramResult text = run_topple({"compare", a, b, c, "--figure", figure});
    INFO(text.err << text.out);
    REQUIRE(text.exit_code == 0);
    CHECK(text.out.find("3 rocking") != std::string::npos);
    CHECK(text.out.find("parting") != std::string::npos);
    CHECK(content_of(figure).find("they part") != std::string::npos);
    CHECK(run_topple({"compare", a, b, "--figure", figure}).exit_code == 2);
    const Json json = Json::parse(run_topple({"compare", a, b, c, "--json"}).out);
    CHECK(json.at("schema") == "topple.repeatability/1");
    const Json& specimen = json.at("specimens").at(0);
    CHECK(specimen.at("outcomes").at("rocking") == 3);
    CHECK(specimen.at("impacts").at(0).at("count") == 3);
    const int parts_at = specimen.at("parts_at_impact").get<int>();
    CHECK(parts_at > 1);
    CHECK(specimen.at("impacts").at(parts_at - 1).at("standard_deviation_s").get<double>() >
          5.0 * specimen.at("scatter_before_s").get<double>());
    const std::string taller =
        folder().write("taller.toml", changed(experiment_text(), "height_m = 0.27", "height_m = 0.28")).string();
    const std::string other = (folder().path() / "taller").string();
    REQUIRE(run_topple({"run", taller, "--out", other}).exit_code == 0);
    const ProgramResult refused = run_topple({"compare", a, other});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("specimen.height_m: 0.27 and 0.28") != std::string::npos);
    CHECK(run_topple({"compare", a, a}).exit_code == 2);
    CHECK(run_topple({"compare", a, b, "--rotation", figure}).exit_code == 2);
    CHECK(run_topple({"compare", a}).exit_code == 2);
}

// topple fit, as a user types it: runs of the simulated table, what they teach, and who uses it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::string with(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

std::string example(const char* file) { return content_of(fs::path(TOPPLE_SOURCE_DIR) / "docs/examples" / file); }

/// The demo block with the hidden truth of seed 3, shaken once.
fs::path shaken(const TemporaryFolder& folder, const std::string& name, const std::string& amplitude_m_s2) {
    std::string text = with(example("b6l_sine.toml"), "amplitude_m_s2 = 3.0", "amplitude_m_s2 = " + amplitude_m_s2);
    text = with(text, "seed = 1", "seed = 3");
    const auto result = run_topple({"run", folder.write(name + ".toml", text), "--out", folder.path() / name});
    INFO(result.err);
    REQUIRE(fs::exists(folder.path() / name / "summary.json"));
    return folder.path() / name;
}

/// Released from a tilt on the table at rest; every seed is another sensor noise, the truth is one.
fs::path released(const TemporaryFolder& folder, int seed) {
    const std::string text =
        example("free_rocking.toml") +
        fmt::format(
            "\n[table]\nmachine = \"quanser-st-iii\"\n[simulation]\nseed = {}\ntruth = {{ restitution_factor = "
            "1.01, tilt_rad = 0.001, width_factor = 1.0 }}\n",
            seed);
    const std::string name = fmt::format("release_{}", seed);
    const auto result = run_topple({"run", folder.write(name + ".toml", text), "--out", folder.path() / name});
    INFO(result.err);
    REQUIRE(fs::exists(folder.path() / name / "run.mcap"));
    return folder.path() / name;
}

}  // namespace

TEST_CASE("two runs teach their hidden truth, the file is readable, and the next prediction uses it") {
    const TemporaryFolder folder;
    const fs::path one = shaken(folder, "one", "3.0"), two = shaken(folder, "two", "2.7");
    const fs::path learned = folder.path() / "b6l.learned.toml";
    const auto fit = run_topple({"fit", one, two, "--out", learned, "--json", "--draws", "150"});
    INFO(fit.err);
    REQUIRE(fit.exit_code == 0);
    CHECK_THAT(fit.err, ContainsSubstring("b6l.learned.toml written"));
    const auto json = nlohmann::json::parse(fit.out);
    CHECK(json["schema"] == "topple.learning/1");
    CHECK(json["verdict"] == "learned");
    CHECK(json["held_out"]["runs"].size() == 2);
    // Revealed only after the test, and never read by the fit.
    const auto truth = nlohmann::json::parse(content_of(one / "summary.json"))["truth"]["specimens"][0];
    const auto& restitution = json["parameters"]["restitution"];
    const double departure = truth["restitution_factor"].get<double>() - 1.0;
    CHECK(std::abs(restitution["mean"].get<double>() - departure) < 3.0 * restitution["deviation"].get<double>());
    CHECK(restitution["deviation"].get<double>() < 0.5 * 0.015);
    const std::string file = content_of(learned);
    for (const char* words : {"schema = \"topple.learned/1\"", "[specimen]", "[prior]", "[[data]]", "[posterior]",
                              "effective_samples = ", "[posterior.correlation]", "[held_out]", "log_score_gain"})
        CHECK_THAT(file, ContainsSubstring(words));
    CHECK(run_topple({"fit", one, "--out", learned}).exit_code == 2);  // never over a file unasked

    const std::string experiment =
        with(example("b6l_sine.toml"), "[table]", "[uncertainty]\nprior = \"b6l.learned.toml\"\n\n[table]");
    const fs::path next = folder.write("next.toml", experiment);
    const auto predicted = run_topple({"predict", next, "--ensemble", "20"});
    CHECK(predicted.exit_code == 0);
    CHECK_THAT(predicted.out, ContainsSubstring("learned: b6l.learned.toml (SHA-256 "));
    const auto run = run_topple({"run", next, "--out", folder.path() / "next"});
    CHECK_THAT(run.err, ContainsSubstring("drawn from what was learned"));
    CHECK(content_of(folder.path() / "next/referenced/1_b6l.learned.toml") == file);
    CHECK_THAT(content_of(folder.path() / "next/prediction.json"), ContainsSubstring("\"runs\": 2"));
    CHECK_THAT(content_of(folder.path() / "next/report.html"), ContainsSubstring("what was learned before"));
    // Its own data may not come again.
    const auto again = run_topple({"fit", one, "--prior", learned});
    CHECK(again.exit_code == 2);
    CHECK_THAT(again.err, ContainsSubstring("in the prior already"));
    const auto other =
        run_topple({"predict", folder.write("other.toml", with(experiment, "height_m = 0.27", "height_m = 0.25"))});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, ContainsSubstring("block_0_height_m = 0.27 there, 0.25 here"));
}

TEST_CASE("several releases are pooled, a single one gives what it always gave") {
    const TemporaryFolder folder;
    const fs::path one = released(folder, 1), two = released(folder, 2), three = released(folder, 3);
    const auto series = run_topple({"fit", "free-rocking", one, two, three, "--json", "--out",
                                    folder.path() / "series.json", "--figure", folder.path() / "series.svg"});
    INFO(series.err);
    CHECK((series.exit_code == 0 || series.err.find("gnuplot") != std::string::npos));
    const auto json = nlohmann::json::parse(series.out);
    CHECK(json["schema"] == "topple.free_rocking_series/1");
    CHECK(json["records"].size() == 3);
    // 0.92941 x 1.01; the fit of a platen that is not quite at rest is good to a few 1e-3.
    CHECK(json["restitution"]["random_effects_mean"]["value"].get<double>() == Approx(0.9387).margin(4e-3));
    CHECK(content_of(folder.path() / "series.json") == series.out);
    const auto single = run_topple({"fit", "free-rocking", one, "--json"});
    CHECK(nlohmann::json::parse(single.out)["schema"] == "topple.free_rocking_fit/1");
    // The same numbers from the exported file.
    REQUIRE(run_topple({"export", one, "--out", folder.path() / "csv"}).exit_code == 0);
    const auto twice = run_topple({"fit", "free-rocking", one, one});
    CHECK(twice.exit_code == 2);
    CHECK_THAT(twice.err, ContainsSubstring("given twice"));
    const auto sized = run_topple({"fit", "free-rocking", one, "--width-m", "0.06", "--height-m", "0.135"});
    CHECK(sized.exit_code == 2);
    CHECK_THAT(sized.err, ContainsSubstring("a series is of one block"));
}

TEST_CASE("fit says what it needs") {
    const TemporaryFolder folder;
    const auto says = [](const ProgramResult& result, const std::string& words) {
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, ContainsSubstring(words));
    };
    says(run_topple({"fit"}), "give run folders");
    says(run_topple({"fit", "--json", "free-rocking", "a.csv"}), "write it after free-rocking");
    says(run_topple({"fit", folder.path() / "nowhere"}), "nowhere");
    says(run_topple({"fit", "x", "--draws", "10"}), "at least 100");
    says(run_topple({"fit", "x", "--figure", folder.path() / "learned.pdf"}), ".svg");
    says(run_topple({"fit", "free-rocking", "a.csv"}), "dimensions are missing");
}

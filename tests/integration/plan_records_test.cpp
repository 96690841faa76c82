// `topple plan` on records: one block a file, the others shown when one is refused, the spectrum beside the motion.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using tests::run_topple;

namespace {

const std::string kRecords = std::string(TOPPLE_SOURCE_DIR) + "/tests/data/ground_motion/";
const std::string kExample = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/ground_motion.toml";

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("Records are looked at without an experiment, a refused one does not hide the others") {
    const auto all = run_topple({"plan", kRecords + "nga_west2.at2", kRecords + "spectra.V3", kRecords + "knet.EW"});
    CHECK(all.exit_code == 2);
    CHECK(says(all.out, "PEER AT2"));
    CHECK(says(all.out, "the header prints 238.166 gal"));
    CHECK(says(all.out, "REFUSED"));
    CHECK(says(all.err, "response spectra"));
    CHECK(run_topple({"plan", kRecords + "nga_west2.at2"}).exit_code == 0);
    CHECK(run_topple({"plan", kRecords + "one_column.txt"}).exit_code == 2);
    CHECK(run_topple({"plan", kRecords + "one_column.txt", "--step", "0.02", "--units", "g"}).exit_code == 0);
    CHECK(run_topple({"plan", kExample, "--units", "g"}).exit_code == 2);
    CHECK(run_topple({"plan", kExample, kRecords + "knet.EW"}).exit_code == 2);
}

TEST_CASE("What was read of records is told as JSON") {
    const auto result = run_topple({"plan", "--json", kRecords + "csmip_three_channels.V2", kRecords + "spectra.V3"});
    CHECK(result.exit_code == 2);
    const auto json = nlohmann::json::parse(result.out);
    CHECK(json["schema"] == "topple.records/1");
    REQUIRE(json["records"].size() == 2);
    CHECK(json["records"][0]["read"] == true);
    CHECK(json["records"][0]["channels"].size() == 3);
    const auto& channel = json["records"][0]["channels"][0];
    CHECK(channel["samples"] == 203);
    CHECK(channel["step_s"] == Approx(0.02));
    CHECK(channel["unit"] == "cm/s2");
    CHECK(channel["read_peak_m_s2"].get<double>() == Approx(channel["printed_peak"]["value_m_s2"].get<double>()));
    CHECK(json["records"][1]["read"] == false);
}

TEST_CASE("The plan of a record shows file, corrections, measures and spectrum, and draws it") {
    const auto text = run_topple({"plan", kExample});
    CHECK(text.exit_code == 0);
    for (const char* told : {"made_up_quake.at2 (PEER AT2)", "pre-event mean", "high-pass", "PGA, m/s2 from", "as read",
                             "as used", "response spectrum"})
        CHECK(says(text.out, told));
    const auto json = nlohmann::json::parse(run_topple({"plan", kExample, "--json"}).out);
    CHECK(std::abs(json["record"]["as_used"]["pga_m_s2"].get<double>()) == Approx(0.30 * 9.81).epsilon(1e-9));
    CHECK(json["record"]["spectrum"]["period_s"].size() == 100);
    CHECK(json["record"]["corrections"].size() == 4);
    const tests::TemporaryFolder folder;
    const auto figure = folder.path() / "plan.svg";
    CHECK(run_topple({"plan", kExample, "--figure", figure.string()}).exit_code == 0);
    CHECK(says(tests::content_of(figure), "pseudo-acceleration"));
}

// topple mark and topple import, as a user types them.
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::tests;

namespace {

nlohmann::json summary_of(const std::filesystem::path& folder) {
    return nlohmann::json::parse(content_of(folder / "summary.json"));
}

// Exit code 1 means: everything written, only gnuplot is missing.
bool done(const ProgramResult& result) {
    return result.exit_code == 0 || (result.exit_code == 1 && result.err.find("gnuplot") != std::string::npos);
}

}  // namespace

TEST_CASE("topple mark notes the operator's observation and judges the run again") {
    SyntheticRun run{.experiment = b6l_sine()};
    run.rotation_sensor = false;
    const std::string folder = write_run_folder(run, "cli_mark").string();
    const ProgramResult marked = run_topple({"mark", folder, "--outcome", "O", "--side", "right"});
    INFO(marked.err);
    CHECK(done(marked));
    CHECK(summary_of(folder)["measured"]["source"] == "operator");
    CHECK(summary_of(folder)["agreement"]["verdict"] == "inconsistent");
    CHECK(done(run_topple({"mark", folder, "--discard", "camera fell over"})));
    CHECK(summary_of(folder)["agreement"].is_null());
}

TEST_CASE("topple mark refuses what it does not understand with exit code 2") {
    const std::string folder = write_run_folder({.experiment = b6l_sine()}, "cli_mark_refused").string();
    CHECK(run_topple({"mark", folder, "--outcome", "X"}).exit_code == 2);
    CHECK(run_topple({"mark", folder}).exit_code == 2);
    CHECK(run_topple({"mark", folder, "--outcome", "T", "--side", "left"}).exit_code == 2);
    CHECK(run_topple({"mark", folder, "--outcome", "R", "--specimen", "1"}).exit_code == 2);
    CHECK(run_topple({"mark", folder + "_nowhere", "--outcome", "R"}).exit_code == 2);
    CHECK_FALSE(std::filesystem::exists(folder + "/mark.json"));
}

TEST_CASE("topple import makes a run folder with a report from a table of displacements") {
    const TemporaryFolder work;
    const solver::BaseMotion motion = b6l_sine().excitation.planned_motion();
    std::string csv = "time_s,displacement_mm\n";
    for (int i = 0; i < 2500; ++i)
        csv += std::to_string(0.002 * i) + "," + std::to_string(1e3 * motion.at(0.002 * i - 1.0).displacement_m) + "\n";
    const std::string file = work.write("table.csv", csv).string();
    const std::string example_file = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";
    const std::filesystem::path out = work.path() / "run";
    const ProgramResult imported =
        run_topple({"import", example_file, "--motion", file, "--start", "1", "--out", out.string()});
    INFO(imported.err);
    REQUIRE(done(imported));
    CHECK(std::filesystem::exists(out / "report.html"));
    CHECK(summary_of(out)["identified"]["amplitude_m_s2"].get<double>() == Approx(3.0).epsilon(0.01));
    CHECK(summary_of(out)["predicted"]["achieved"]["outcome"] == "rocking");
    CHECK(summary_of(out)["measured"]["outcome"].is_null());
    CHECK(run_topple({"import", example_file, "--motion", file, "--out", out.string()}).exit_code == 2);
}

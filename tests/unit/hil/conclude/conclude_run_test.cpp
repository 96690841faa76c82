#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hil/conclude/conclude_run.hpp"
#include "hil/conclude/mark_file.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/report/html.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"
#include "tests/support/well_formed.hpp"

using namespace topple;
using namespace topple::hil::compare;
using namespace topple::hil::conclude;
using namespace topple::hil::files;
using namespace topple::hil::report;
using tests::is_well_formed;
using tests::SyntheticRun;
using Json = nlohmann::json;

namespace {

Json summary_of(const std::filesystem::path& folder) { return Json::parse(read_text_file(folder / "summary.json")); }

bool has_gnuplot() { return std::system("gnuplot --version > /dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("Concluding a run folder writes the summary with every key of the contract") {
    const auto folder = tests::write_run_folder({.experiment = tests::b6l_sine()}, "summary");
    const ConcludedRun run = conclude_run(folder, {.truth_json = R"({"restitution_factor": 1.0})", .figures = false});
    const Json summary = summary_of(folder);
    CHECK(summary["schema"] == "topple.summary/1");
    for (const char* key : {"predicted", "measured", "agreement", "tracking", "identified", "timing", "versions",
                            "seeds", "sha256", "truth"})
        CHECK(summary.contains(key));
    CHECK(summary["predicted"]["planned"]["outcome"] == "rocking");
    CHECK(summary["predicted"]["achieved"]["outcome"] == "rocking");
    CHECK(summary["measured"]["source"] == "simulated");
    CHECK(summary["measured"]["outcome"] == "rocking");
    CHECK(summary["agreement"]["verdict"] == "consistent");
    CHECK(summary["identified"]["amplitude_m_s2"].get<double>() == Approx(3.0).epsilon(0.01));
    CHECK(summary["timing"]["wake_late_us"].contains("p99"));
    CHECK(summary["truth"]["restitution_factor"] == 1.0);
    CHECK(run.text.find("consistent") != std::string::npos);
}

TEST_CASE("A wrong truth makes summary, text and report say inconsistent") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.restitution_factor = 0.95;
    const auto folder = tests::write_run_folder(run, "inconsistent");
    const ConcludedRun concluded = conclude_run(folder, {.truth_json = {}, .figures = false});
    CHECK(summary_of(folder)["agreement"]["verdict"] == "inconsistent");
    CHECK(concluded.text.find("inconsistent") != std::string::npos);
    CHECK(read_text_file(folder / "report.html").find("inconsistent") != std::string::npos);
}

TEST_CASE("Concluding twice gives the same summary, and keeps what was revealed") {
    const auto folder = tests::write_run_folder({.experiment = tests::b6l_sine()}, "twice");
    conclude_run(folder, {.truth_json = R"({"tilt_rad": 0.002})", .figures = false});
    const std::string first = read_text_file(folder / "summary.json");
    conclude_run(folder, {.truth_json = {}, .figures = false});
    CHECK(read_text_file(folder / "summary.json") == first);
}

TEST_CASE("A missing sensor leaves outcome and agreement null until the operator marks the run") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.rotation_sensor = false;
    const auto folder = tests::write_run_folder(run, "mark");
    conclude_run(folder, {.truth_json = {}, .figures = false});
    Json summary = summary_of(folder);
    CHECK(summary["measured"]["source"] == "none");
    CHECK(summary["measured"]["outcome"].is_null());
    CHECK(summary["agreement"].is_null());
    CHECK(summary["verdict"].is_null());
    const OperatorMark rocked{.specimen = 0, .outcome = solver::Outcome::rocking, .side = {}, .discard_reason = {}};
    conclude_run(folder, {.truth_json = {}, .figures = false, .marks = {rocked}});
    summary = summary_of(folder);
    CHECK(summary["measured"]["source"] == "operator");
    CHECK(summary["measured"]["outcome"] == "rocking");
    CHECK(summary["agreement"]["verdict"] == "consistent");
    const OperatorMark discarded{
        .specimen = 0, .outcome = {}, .side = {}, .discard_reason = "sensor cable touched the block"};
    conclude_run(folder, {.truth_json = {}, .figures = false, .marks = {discarded}});
    summary = summary_of(folder);
    CHECK(summary["agreement"].is_null());
    CHECK(summary["measured"]["discarded"] == "sensor cable touched the block");
    CHECK(summary["measured"]["outcome"] == "rocking");
    // A later mark changes the outcome; it does not make the test valid again, and nothing that was noted is lost.
    OperatorMark fell = rocked;
    fell.outcome = solver::Outcome::overturning;
    fell.side = solver::Side::left;
    fell.time = "2026-03-01T14:02:11+01:00";
    conclude_run(folder, {.truth_json = {}, .figures = false, .marks = {fell}});
    summary = summary_of(folder);
    CHECK(summary["measured"]["outcome"] == "overturning");
    CHECK(summary["measured"]["side"] == "left");
    CHECK(summary["measured"]["discarded"] == "sensor cable touched the block");
    CHECK(summary["agreement"].is_null());
    const auto marks = read_marks(folder);
    REQUIRE(marks.size() == 3);
    CHECK(marks[0].outcome == solver::Outcome::rocking);
    CHECK(marks[2].time == "2026-03-01T14:02:11+01:00");
    CHECK(marks[2].machine == "quanser-st-iii (simulated)");
}

TEST_CASE("The report is one self-contained page with its figures inline") {
    if (!has_gnuplot()) {
        WARN("gnuplot is not installed: figures not tested");
        return;
    }
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.experiment.text += "\n# <script>alert('x')</script>\n";
    const auto folder = tests::write_run_folder(run, "report");
    const ConcludedRun concluded = conclude_run(folder);
    CHECK(concluded.figures_missing.empty());
    for (const char* name : {"motion", "tracking", "rotation_0", "phase_plane_0", "timing"}) {
        const std::string svg = read_text_file(folder / "figures" / (std::string(name) + ".svg"));
        INFO(name);
        CHECK(is_well_formed(inline_svg(svg, "5 < 6 \"mm\"")));
        CHECK(std::filesystem::exists(folder / "figures" / (std::string(name) + ".gp")));
    }
    const std::string page = read_text_file(folder / "report.html");
    CHECK(is_well_formed(page));
    CHECK(page.find("<svg") != std::string::npos);
    for (const char* outside : {"src=", "href=\"http", "@import", "url(http", "<script", "<link"}) {
        INFO(outside);
        CHECK(page.find(outside) == std::string::npos);
    }
}

TEST_CASE("Several specimens and stacks get their own entries, figures and rows") {
    for (const char* file : {"two_blocks.toml", "stack_db3m6m.toml"}) {
        const SyntheticRun run{.experiment = tests::example(file)};
        const auto folder = tests::write_run_folder(run, std::string("several_") + file);
        conclude_run(folder, {.truth_json = {}, .figures = has_gnuplot()});
        const Json summary = summary_of(folder);
        const std::size_t specimens = run.experiment.specimens.size();
        INFO(file);
        CHECK(summary["measured"]["peak_rotation_rad"].size() == run.experiment.specimens.front().blocks.size());
        if (specimens > 1) CHECK(summary["specimens"].size() == specimens);
        CHECK(summary["agreement"]["outcome_equal"] == true);
        if (has_gnuplot())
            CHECK(std::filesystem::exists(folder / "figures" / ("rotation_" + std::to_string(specimens - 1) + ".svg")));
        CHECK(is_well_formed(read_text_file(folder / "report.html")));
    }
}

TEST_CASE("Without figures the report is there and says so") {
    const auto folder = tests::write_run_folder({.experiment = tests::b6l_sine()}, "no_figures");
    conclude_run(folder, {.truth_json = {}, .figures = false});
    CHECK(read_text_file(folder / "report.html").find("There are no figures") != std::string::npos);
}

TEST_CASE("A folder that is no run is refused by name") {
    const auto folder = std::filesystem::temp_directory_path() / "topple_compare_nothing";
    std::filesystem::create_directories(folder);
    CHECK_THROWS_AS(conclude_run(folder), InputError);
}

TEST_CASE("Text from outside is escaped") {
    CHECK(escape_html("a<b & \"c\" 'd'>") == "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
    CHECK(escape_html(std::string("x\x01y\n")) == "x\\u0001y\n");
}

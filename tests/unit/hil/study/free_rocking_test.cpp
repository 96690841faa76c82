#include "hil/study/free_rocking.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "hil/files/errors.hpp"
#include "solver/identify/impulse_position.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::hil::files;
using namespace topple::hil::study;

namespace {

const solver::Block kB6L{0.06, 0.27, 2.5692};

/// A camera of 150 frames/s in degrees, with noise and every ninth frame lost (an empty cell or no row at
/// all).
std::string camera_csv(double ratio, unsigned seed) {
    solver::Specimen specimen;
    specimen.blocks = {kB6L};
    specimen.initial_rotation_rad = {0.16};
    specimen.restitution.model = solver::RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = ratio;
    solver::RockingRun run(specimen, {});
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> noise(0.0, 3e-4);
    std::string text = "time_s;rotation_deg;quality\n";
    for (int i = 0; i < 450; ++i) {
        run.coast(i / 150.0);
        const double rotation_deg = (run.rotation_rad(0) + noise(generator)) * 180.0 / 3.14159265358979323846;
        if (i % 18 == 9) continue;
        text += i % 18 == 0 && i > 0 ? fmt::format("{};;lost\n", i / 150.0)
                                     : fmt::format("{};{};good\n", i / 150.0, rotation_deg);
    }
    return text;
}

FreeRockingRequest request_for(const std::filesystem::path& record) {
    FreeRockingRequest request;
    request.record = record;
    request.block = kB6L;
    return request;
}

std::string refusal(const FreeRockingRequest& request) {
    try {
        fit_free_rocking(request);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("edge contact gives the material factor, with it full contact gives the impulse position") {
    const tests::TemporaryFolder folder;
    const double alpha = kB6L.slenderness_rad(), k = 0.7306, material = 0.989;
    FreeRockingRequest request =
        request_for(folder.write("full.csv", camera_csv(material * solver::improved_ratio(alpha, k), 1)));
    for (unsigned seed = 2; seed < 4; ++seed)
        request.edge_records.push_back(folder.write(fmt::format("edge{}.csv", seed),
                                                    camera_csv(material * solver::improved_ratio(alpha, 0.95), seed)));
    request.edge_strip_m = 0.0015;
    const FreeRockingFit fit = fit_free_rocking(request);
    CHECK(fit.record.rows_missing > 10);
    CHECK(*fit.edge_k == Approx(0.95));
    CHECK(fit.material.standard_error < 1e-3);
    CHECK(std::abs(fit.material.value - material) < 5.0 * fit.material.standard_error);
    CHECK(fit.impulse_k.standard_error < 0.01);
    CHECK(std::abs(fit.impulse_k.value - k) < 5.0 * fit.impulse_k.standard_error);

    const auto json = nlohmann::json::parse(free_rocking_json(request, fit));
    CHECK(json["schema"] == "topple.free_rocking_fit/1");
    CHECK(json["k"]["value"] == fit.impulse_k.value);
    CHECK(json["record"]["impacts"].size() == fit.record.lobes.impacts.size());
    CHECK(json["edge_records"].size() == 2);
    CHECK(free_rocking_text(request, fit).find("restitution = { model = \"improved\", k = ") != std::string::npos);
}

TEST_CASE("a record in edge contact alone gives the material factor") {
    const tests::TemporaryFolder folder;
    FreeRockingRequest request = request_for(
        folder.write("edge.csv", camera_csv(0.98 * solver::improved_ratio(kB6L.slenderness_rad(), 0.95), 4)));
    request.contact = Contact::edge;
    request.edge_strip_m = 0.0015;
    request.window = solver::FitWindow::middle_half;
    const FreeRockingFit fit = fit_free_rocking(request);
    CHECK(std::abs(fit.material.value - 0.98) < 5.0 * fit.material.standard_error);
    CHECK(nlohmann::json::parse(free_rocking_json(request, fit))["k"].is_null());
}

TEST_CASE("what does not make sense is refused with its reason") {
    const tests::TemporaryFolder folder;
    const auto record = folder.write("full.csv", camera_csv(0.94, 5));
    FreeRockingRequest request = request_for(record);
    request.block.width_m = 0.0;
    CHECK(refusal(request).find("width_m") != std::string::npos);
    request = request_for(record);
    request.contact = Contact::edge;
    CHECK(refusal(request).find("--edge-strip-m") != std::string::npos);
    request = request_for(record);
    request.material = solver::Estimate{1.1, 0.0};
    CHECK(refusal(request).find("material factor 1.1") != std::string::npos);
    request = request_for(record);
    request.rotation_index = 1;
    CHECK(refusal(request).find("of block 1") != std::string::npos);
    CHECK(refusal(request_for(folder.path() / "none.csv")).find("none.csv") != std::string::npos);
    CHECK(refusal(request_for(folder.write("text.csv", "time_s,rotation_rad\n0,0.1\n0.1,abc\n"))).find("line 3") !=
          std::string::npos);
    CHECK(refusal(request_for(folder.write("unit.csv", "time_s,rotation_grad\n0,0.1\n0.1,0\n"))).find("grad") !=
          std::string::npos);
    CHECK(refusal(request_for(folder.write("back.csv", "time_s,rotation_rad\n0,0.1\n0.1,0.1\n0.05,0.1\n")))
              .find("does not increase") != std::string::npos);
    CHECK(refusal(request_for(
              folder.write("degrees.csv", camera_csv(0.94, 5).replace(0, 19, "time_s;rotation_rad")))) != "no error");
}

TEST_CASE("topple fit free-rocking prints text or JSON and draws a figure") {
    const tests::TemporaryFolder folder;
    const std::string record = folder.write("full.csv", camera_csv(0.94, 6)).string();
    const std::string figure = (folder.path() / "fit.svg").string();
    const auto text = tests::run_topple({"fit", "free-rocking", record, "--width-m", "0.06", "--height-m", "0.27",
                                         "--material", "0.989", "--material-error", "0.001", "--figure", figure});
    CHECK(text.exit_code == 0);
    CHECK(text.out.find("impulse position k") != std::string::npos);
    CHECK(tests::content_of(figure).find("<svg") != std::string::npos);
    const auto json = tests::run_topple({"fit", "free-rocking", record, "--experiment",
                                         std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml", "--json"});
    CHECK(json.exit_code == 0);
    CHECK(nlohmann::json::parse(json.out)["restitution"]["value"].get<double>() == Approx(0.94).margin(1e-3));
    CHECK(tests::run_topple({"fit", "free-rocking", record}).exit_code == 2);
    CHECK(tests::run_topple({"fit", "free-rocking", record, "--width-m", "-1", "--height-m", "0.27"}).exit_code == 2);
    CHECK(tests::run_topple({"fit"}).exit_code == 2);
}

TEST_CASE("a predicted history is a record that fit understands") {
    const tests::TemporaryFolder folder;
    const std::string history = (folder.path() / "history.csv").string();
    const std::string example = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/free_rocking.toml";
    REQUIRE(tests::run_topple({"predict", example, "--history", history}).exit_code == 0);
    const auto json = tests::run_topple({"fit", "free-rocking", history, "--experiment", example, "--json"});
    REQUIRE(json.exit_code == 0);
    CHECK(nlohmann::json::parse(json.out)["restitution"]["value"].get<double>() == Approx(0.9294117647).margin(1e-6));
}

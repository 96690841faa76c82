// A crate from a mesh at many yaws through the commands, as a user types them.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/solid_shapes.hpp"

using namespace topple;
using namespace topple::tests;
using Json = nlohmann::json;

namespace {

std::string crate(double yaw_rad, const std::string& uncertainty) {
    return fmt::format(
        "name = \"crate\"\n[[specimen]]\nkind = \"block\"\nmesh = \"crate.obj\"\nmesh_unit = \"m\"\n"
        "density_kg_m3 = 500.0\nyaw_rad = {}\nrestitution = {{ model = \"housner\" }}\n[excitation]\n"
        "type = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 3.0\ncycles = 1\n[uncertainty]\n{}",
        yaw_rad, uncertainty);
}

Json json_of(const ProgramResult& result) {
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return Json::parse(result.out);
}

}  // namespace

TEST_CASE("An ensemble over the yaw of a tilted crate judges and predicts every member") {
    const TemporaryFolder folder;
    folder.write("crate.obj", shapes::obj_text(shapes::turned(shapes::box(0.2, 0.3, 0.5), 1.9)));
    const std::string plain = folder.write("plain.toml", crate(0.0, "")).string();
    const double heading_rad =
        json_of(run_topple({"plan", plain, "--json"}))["three_dimensional"]["weakest_direction_rad"];
    const std::string file = folder.write("crate.toml", crate(-heading_rad, "yaw_rad = { normal = 0.05 }\n")).string();
    const Json prediction = json_of(run_topple({"predict", file, "--ensemble", "40", "--json"}));
    CHECK(prediction["ensemble"]["outcomes"].size() == 40);
    const Json& space = prediction["three_dimensional"];
    CHECK(space["verdict"] == "planar");
    CHECK(space["edge_ratio"].get<double>() == Approx(1.0));
    CHECK(space["members"]["count"] == 500);
    // Within 0.14 rad are 99.5 % of a normal spread of 0.05 rad.
    CHECK(space["members"]["planar"].get<double>() > 0.98);
    CHECK(space["members"]["not_planar"] == 0.0);
}

TEST_CASE("A crate at quarter turns is planned and predicted as the box that it is") {
    const TemporaryFolder folder;
    folder.write("crate.obj", shapes::obj_text(shapes::box(0.2, 0.3, 0.5)));
    for (const double yaw_rad : {3.141592653589793, -3.141592653589793, 1.5707963267948966, -1.5707963267948966}) {
        INFO(yaw_rad);
        const std::string file = folder.write("crate.toml", crate(yaw_rad, "")).string();
        const Json plan = json_of(run_topple({"plan", file, "--json"}));
        const double along_m = std::abs(yaw_rad) > 2.0 ? 0.2 : 0.3;
        CHECK(plan["three_dimensional"]["width_along_m"].get<double>() == Approx(along_m));
        CHECK(plan["three_dimensional"]["verdict"] == "planar");
        REQUIRE(plan["foot"]["corners_m"].size() == 2);
        CHECK(plan["foot"]["corners_m"][1][0].get<double>() == Approx(0.5 * along_m));
        CHECK(plan["foot"]["corners_m"][1][1].get<double>() == Approx(-0.25));
    }
}

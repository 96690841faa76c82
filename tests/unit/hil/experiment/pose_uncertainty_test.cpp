// yaw_rad, seat_m, wear_m and restitution_face of [uncertainty].
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/ensemble.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using solver::DistributionKind;

namespace {

const std::string kBlock = "[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n";
const std::string kSine = "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";

hil::experiment::Experiment read(const std::string& specimen, const std::string& lines) {
    const tests::TemporaryFolder folder;
    return hil::experiment::read_experiment(
        folder.write("experiment.toml", "name = \"x\"\n" + specimen + kSine + "[uncertainty]\n" + lines + "\n"));
}

std::string message_of(const std::string& specimen, const std::string& lines) {
    try {
        read(specimen, lines);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("Yaw, seat, wear and the ratio of each face can be uncertain, and are not unless the file says so") {
    const auto& left_out = read(kBlock, "").uncertainty.of;
    for (const auto& one : {left_out.yaw_rad, left_out.seat_m, left_out.wear_m, left_out.restitution_face})
        CHECK(one.kind == DistributionKind::fixed);
    const auto experiment = read(kBlock,
                                 "yaw_rad = { normal = 0.05 }\nseat_m = { uniform = 0.002 }\n"
                                 "wear_m = { normal = 0.0005 }\nrestitution_face = { lognormal = 0.02 }");
    const auto& of = experiment.uncertainty.of;
    CHECK(of.yaw_rad.spread == 0.05);
    CHECK(of.seat_m.kind == DistributionKind::uniform);
    CHECK(of.wear_m.spread == 0.0005);
    CHECK(of.restitution_face.kind == DistributionKind::lognormal);
    const auto member =
        hil::plan::draw_member(experiment.specimens[0], experiment.uncertainty, 3, hil::plan::MotionIs::planned);
    CHECK(member.specimen.foot);
    CHECK(member.specimen.restitution.fixed_faces.size() == member.specimen.foot->corners_m.size() - 1);
}

TEST_CASE("A pose that cannot apply, or that would let a member fall from its seat, is refused with the reason") {
    struct Bad {
        std::string specimen, lines;
        std::vector<std::string> told;
    };
    const std::string improved = kBlock + "restitution = { model = \"improved\", k = 0.9 }\n";
    const std::string stack =
        "[specimen]\nkind = \"stack\"\n[[specimen.blocks]]\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5\n"
        "[[specimen.blocks]]\nwidth_m = 0.05\nheight_m = 0.2\nmass_kg = 1.1\n";
    for (const Bad& bad : std::vector<Bad>{
             {kBlock, "yaw_rad = { normal = 0.2 }", {"uncertainty.yaw_rad.normal = 0.2", "<= 0.17"}},
             {kBlock, "yaw_rad = { uniform = 0.8 }", {"uncertainty.yaw_rad.uniform = 0.8", "<= 0.7"}},
             {kBlock, "seat_m = { lognormal = 0.1 }", {"unknown key uncertainty.seat_m.lognormal"}},
             {kBlock, "seat_m = { normal = 0.008 }", {"uncertainty.seat_m", "end of its range", "0.0294"}},
             {kBlock, "wear_m = { uniform = 0.03 }", {"uncertainty.wear_m", "level face", "lesser spread"}},
             {kBlock, "seat_m = { uniform = 0.02 }\nwear_m = { uniform = 0.02 }", {"uncertainty.wear_m"}},
             {improved, "wear_m = { uniform = 0.001 }", {"uncertainty.wear_m", "housner"}},
             {stack, "yaw_rad = { normal = 0.01 }", {"uncertainty.yaw_rad", "no specimen is a single body"}},
             {stack, "restitution_face = { normal = 0.01 }", {"uncertainty.restitution_face", "single body"}},
         }) {
        const std::string message = message_of(bad.specimen, bad.lines);
        INFO(bad.lines << "\n -> " << message);
        for (const std::string& part : bad.told) CHECK(message.find(part) != std::string::npos);
    }
    CHECK(message_of(stack, "yaw_rad = { fixed = true }") == "no error");
    CHECK(message_of(improved, "seat_m = { normal = 0.001 }\nyaw_rad = { normal = 0.05 }") == "no error");
}

TEST_CASE("A block of known depth is a box, whose section at a yaw ends where the box ends") {
    const std::string box = kBlock + "depth_m = 0.04\ncentre_offset_y_m = 0.002\n";
    const auto experiment = read(box, "yaw_rad = { uniform = 0.7 }\nseat_m = { normal = 0.001 }");
    REQUIRE(experiment.specimens[0].solid);
    solver::Perturbation turned;
    turned.yaw_rad = 0.7;
    const auto pivots = solver::perturbed(experiment.specimens[0], turned).pivots.value();
    CHECK(std::tan(pivots.alpha_left_rad) == Approx(0.018 / std::sin(0.7) / 0.135));
    CHECK(std::tan(pivots.alpha_right_rad) == Approx(0.022 / std::sin(0.7) / 0.135));
    const std::string contact = "model = \"contact_dynamics\"\n";
    CHECK_THAT(
        message_of(contact + box, "yaw_rad = { normal = 0.05 }"),
        Catch::Contains("uncertainty.yaw_rad") && Catch::Contains("rectangular blocks, and one of known depth_m"));
    CHECK(message_of(contact + kBlock, "yaw_rad = { normal = 0.05 }") == "no error");
}

TEST_CASE("A profile of known depth is not turned beyond where the shaking plane leaves it by an end") {
    const std::string foot =
        "[specimen]\nkind = \"block\"\nfoot = [[-0.03, -0.1], [0.03, -0.1], [0.04, -0.08]]\nmass_kg = 2.0\n"
        "inertia_kg_m2 = 0.01\ndepth_m = 0.04\n";
    CHECK(message_of(foot, "yaw_rad = { uniform = 0.46 }") == "no error");  // atan(0.02 / 0.04) = 0.4636
    CHECK_THAT(message_of(foot, "yaw_rad = { uniform = 0.47 }"),
               Catch::Contains("uncertainty.yaw_rad") && Catch::Contains("within 0.4636 rad"));
    const std::string pivots =
        "[specimen]\nkind = \"block\"\nmass_kg = 2.0\ndepth_m = 0.04\n[specimen.pivots]\nalpha_left_rad = 0.2\n"
        "alpha_right_rad = 0.3\nradius_left_m = 0.14\nradius_right_m = 0.14\ninertia_kg_m2 = 0.0164\n";
    CHECK(message_of(pivots, "yaw_rad = { uniform = 0.4 }") == "no error");
    CHECK_THAT(message_of(pivots, "yaw_rad = { uniform = 0.5 }"), Catch::Contains("within 0.4503 rad"));
}

// [uncertainty]: what it says, what it leaves out, and every way to write it wrongly.
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/ensemble.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using solver::Distribution;
using solver::DistributionKind;

namespace {

const std::string kHousner = "[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n";
const std::string kImproved = kHousner +
                              "restitution = { model = \"improved\", k = 0.7306 }\n"
                              "friction = { static = 0.5, kinetic = 0.4 }\n";
const std::string kSine = "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";

hil::experiment::Experiment read(const std::string& specimen, const std::string& lines,
                                 const std::string& excitation = kSine) {
    const tests::TemporaryFolder folder;
    return hil::experiment::read_experiment(
        folder.write("experiment.toml", "name = \"x\"\n" + specimen + excitation + "[uncertainty]\n" + lines + "\n"));
}

std::string message_of(const std::string& specimen, const std::string& lines, const std::string& excitation = kSine) {
    try {
        read(specimen, lines, excitation);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

bool is(const Distribution& distribution, DistributionKind kind, double spread) {
    return distribution.kind == kind && distribution.spread == spread;
}

}  // namespace

TEST_CASE("Left out, restitution, width, tilt and amplitude are a little uncertain, the rest is as described") {
    const hil::experiment::UncertaintySection left_out = read(kImproved, "").uncertainty;
    CHECK(left_out.seed == 1);
    CHECK(is(left_out.of.restitution, DistributionKind::normal, 0.015));
    CHECK(is(left_out.of.width, DistributionKind::normal, 0.005));
    CHECK(is(left_out.of.tilt_rad, DistributionKind::normal, 0.002));
    CHECK(is(left_out.of.amplitude, DistributionKind::normal, 0.01));
    for (const Distribution& fixed :
         {left_out.of.height, left_out.of.impulse_position, left_out.of.friction, left_out.of.frequency})
        CHECK(fixed.kind == DistributionKind::fixed);
}

TEST_CASE("Every parameter can be given every distribution that it can have") {
    const solver::Uncertainty all = read(kImproved,
                                         "seed = 12\nrestitution = { lognormal = 0.02 }\nk = { normal = 0.03 }\n"
                                         "width = { uniform = 0.01 }\nheight = { normal = 0.004 }\n"
                                         "tilt_rad = { uniform = 0.005 }\nfriction = { lognormal = 0.1 }\n"
                                         "amplitude = { fixed = true }\nfrequency = { normal = 0.001 }")
                                        .uncertainty.of;
    CHECK(is(all.restitution, DistributionKind::lognormal, 0.02));
    CHECK(is(all.impulse_position, DistributionKind::normal, 0.03));
    CHECK(is(all.width, DistributionKind::uniform, 0.01));
    CHECK(is(all.height, DistributionKind::normal, 0.004));
    CHECK(is(all.tilt_rad, DistributionKind::uniform, 0.005));
    CHECK(is(all.friction, DistributionKind::lognormal, 0.1));
    CHECK(all.amplitude.kind == DistributionKind::fixed);
    CHECK(is(all.frequency, DistributionKind::normal, 0.001));
    CHECK(read(kHousner, "seed = 12").uncertainty.seed == 12);
}

TEST_CASE("A wrong distribution is refused with its line, its key and what is allowed") {
    struct Bad {
        std::string lines;
        std::vector<std::string> told;
    };
    for (const Bad& bad : std::vector<Bad>{
             {"width = { normal = -0.01 }", {"uncertainty.width.normal = -0.01", ">= 0"}},
             {"width = { normal = inf }", {"uncertainty.width.normal = inf", ">= 0 and <= 0.2"}},
             {"width = { uniform = nan }", {"uncertainty.width.uniform = nan", "<= 0.9"}},
             {"width = { normal = 0.3 }", {"uncertainty.width.normal = 0.3", "<= 0.2"}},
             {"width = { normal = true }", {"uncertainty.width.normal = true", "boolean"}},
             {"width = { normal = 0.01, uniform = 0.01 }", {"uncertainty.width.uniform", "together with normal"}},
             {"width = { fixed = true, normal = 0.01 }", {"uncertainty.width.fixed", "together with normal"}},
             {"width = { fixed = false }", {"uncertainty.width.fixed = false", "{ fixed = true }"}},
             {"width = { fixed = 1 }", {"uncertainty.width.fixed = 1", "true or false"}},
             {"width = {}", {"uncertainty.width", "{ lognormal = spread }"}},
             {"width = 0.005", {"uncertainty.width = 0.005", "{ normal = spread }"}},
             {"width = { gaussian = 0.01 }", {"unknown key uncertainty.width.gaussian", "lognormal"}},
             {"tilt_rad = { lognormal = 0.01 }", {"unknown key uncertainty.tilt_rad.lognormal", "normal"}},
             {"widht = { normal = 0.01 }", {"unknown key uncertainty.widht", "width"}},
             {"seed = -1", {"uncertainty.seed = -1"}},
             {"k = { normal = 0.01 }", {"uncertainty.k", "improved"}},
             {"friction = { lognormal = 0.1 }", {"uncertainty.friction", "no specimen has friction"}},
         }) {
        const std::string message = message_of(kHousner, bad.lines);
        INFO(bad.lines << "\n -> " << message);
        CHECK(message.find("experiment.toml, line 12, column ") != std::string::npos);
        for (const std::string& part : bad.told) CHECK(message.find(part) != std::string::npos);
    }
    CHECK(message_of(kHousner, "amplitude = { normal = 0.01 }", "[excitation]\ntype = \"none\"\n")
              .find("the base does not move") != std::string::npos);
    CHECK(read(kHousner, "k = { fixed = true }").uncertainty.of.impulse_position.kind == DistributionKind::fixed);
}

TEST_CASE("A coupled air track is level and its motion follows from its masses: nothing to draw there") {
    const std::string track =
        "[excitation]\ntype = \"constant\"\nmass_slider_kg = 0.12\nmass_hanging_kg = 0.09\ndrop_height_m = 0.1\n";
    CHECK(read(kHousner, "", track).uncertainty.of.tilt_rad.kind == DistributionKind::normal);
    const solver::Uncertainty coupled = read(kHousner, "", track + "coupled = true\n").uncertainty.of;
    CHECK(coupled.tilt_rad.kind == DistributionKind::fixed);
    CHECK(coupled.amplitude.kind == DistributionKind::fixed);
    CHECK(message_of(kHousner, "tilt_rad = { normal = 0.001 }", track + "coupled = true\n").find("level") !=
          std::string::npos);
}

TEST_CASE("A member has the same specimen along the planned and the measured motion, its wave only along the planned") {
    using hil::plan::MotionIs;
    const auto experiment = read(kHousner, "seed = 3\nfrequency = { normal = 0.01 }");
    const solver::Specimen& specimen = experiment.specimens[0];
    const auto planned = hil::plan::draw_member(specimen, experiment.uncertainty, 4, MotionIs::planned);
    const auto measured = hil::plan::draw_member(specimen, experiment.uncertainty, 4, MotionIs::measured);
    CHECK(planned.specimen.blocks[0].width_m == measured.specimen.blocks[0].width_m);
    CHECK(planned.specimen.blocks[0].width_m != specimen.blocks[0].width_m);
    CHECK(planned.specimen.initial_tilt_rad == measured.specimen.initial_tilt_rad);
    CHECK(planned.amplitude_factor != 1.0);
    CHECK(planned.frequency_factor != 1.0);
    CHECK(measured.amplitude_factor == 1.0);
    CHECK(measured.frequency_factor == 1.0);
    const solver::BaseMotion motion = planned.motion(experiment.excitation.planned_motion());
    CHECK(motion.end_s() == Approx(experiment.excitation.planned_motion().end_s() / planned.frequency_factor));
    auto other = experiment.uncertainty;
    other.seed = 4;
    CHECK(hil::plan::draw_member(specimen, other, 4, MotionIs::planned).amplitude_factor != planned.amplitude_factor);
}

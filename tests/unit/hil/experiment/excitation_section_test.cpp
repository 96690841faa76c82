// [excitation]: what each type becomes, as the solver sees it and as a table must do it.
#include <numbers>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

const std::string kBlock = "[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n";

hil::experiment::Experiment read(const std::string& text) {
    const tests::TemporaryFolder folder;
    return hil::experiment::read_experiment(folder.write("experiment.toml", text));
}

hil::experiment::Experiment read_excitation(const std::string& lines) {
    return read("name = \"x\"\n" + kBlock + "[excitation]\n" + lines);
}

}  // namespace

TEST_CASE("An amplitude in g counts in the gravity of the file") {
    const hil::experiment::Experiment experiment =
        read("name = \"x\"\ngravity_m_s2 = 10.0\n" + kBlock +
             "[excitation]\ntype = \"cosine\"\namplitude_g = 0.4\nangular_frequency_rad_s = 20\n");
    CHECK(experiment.excitation.amplitude_m_s2 == Approx(4.0));
    CHECK(experiment.excitation.motion.at(0.0).acceleration_m_s2 == Approx(4.0));
}

TEST_CASE("A constant pulse goes on for ever, and stops where a table must stop") {
    const std::string pulse = "type = \"constant\"\namplitude_m_s2 = 3.0\nduration_s = 0.1\n";
    const hil::experiment::Experiment pure = read_excitation(pulse);
    CHECK_FALSE(pure.excitation.table_motion);
    CHECK(pure.excitation.table_motion_missing.find("deceleration_m_s2") != std::string::npos);
    CHECK(pure.excitation.planned_motion().at(5.0).velocity_m_s == Approx(0.3));
    const hil::experiment::Experiment stopping = read_excitation(pulse + "deceleration_m_s2 = 2.0\n");
    CHECK(stopping.excitation.motion.at(5.0).velocity_m_s == Approx(0.3));
    CHECK(stopping.excitation.planned_motion().end_s() == Approx(0.25));
    CHECK(stopping.excitation.planned_motion().at(5.0).velocity_m_s == Approx(0.0).margin(1e-12));
}

TEST_CASE("An air track turns its masses into amplitude and duration") {
    const hil::experiment::Experiment experiment = read(
        "name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.03\nheight_m = 0.09\nmass_kg = 0.0955\n"
        "[excitation]\ntype = \"constant\"\nmass_slider_kg = 0.12\nmass_hanging_kg = 0.08\ndrop_height_m = 0.1\n");
    const double a0_m_s2 = 0.08 * 9.81 / (0.12 + 0.0955 + 0.08);
    CHECK(experiment.excitation.amplitude_m_s2 == Approx(a0_m_s2).epsilon(1e-12));
    // The slider has covered the drop height when the hanging mass touches down.
    const solver::BaseState end = experiment.excitation.motion.at(experiment.excitation.motion.end_s());
    CHECK(end.displacement_m == Approx(0.1).epsilon(1e-12));
}

TEST_CASE("Harmonic and double pulse are read") {
    const hil::experiment::Experiment harmonic =
        read_excitation("type = \"harmonic\"\ndisplacement_m = 0.02\nfrequency_hz = 2\nramp_cycles = 2\ncycles = 6\n");
    CHECK(harmonic.excitation.table_motion);
    const hil::experiment::Experiment pulse = read_excitation(
        "type = \"double_pulse\"\npeak_velocity_m_s = 0.5\nrise_time_s = 0.01\ngap_m = 0.02\nbase_friction = 0.2\n"
        "stopper_rebound_ratio = 0.6\n");
    CHECK(pulse.excitation.motion.extremes().velocity_peak_m_s == Approx(0.5).epsilon(1e-6));
    CHECK(read_excitation("type = \"none\"\n").excitation.planned_motion().empty());
}

TEST_CASE("A sum adds its parts, each from its own instant, and scales the whole") {
    const std::string parts =
        "[[excitation.parts]]\ntype = \"sine\"\namplitude_m_s2 = 2.0\nfrequency_hz = 2.0\n"
        "[[excitation.parts]]\ntype = \"cosine\"\namplitude_g = 0.1\nfrequency_hz = 8.0\ncycles = 2\ndelay_s = 0.1\n";
    const hil::experiment::Excitation sum = read_excitation("type = \"sum\"\nscale = -0.5\n" + parts).excitation;
    const double w = 4 * std::numbers::pi;
    for (const double t : {0.05, 0.1, 0.2, 0.3, 0.4}) {
        const double cosine = t >= 0.1 && t < 0.35 ? 0.981 * std::cos(4 * w * (t - 0.1)) : 0.0;
        CHECK(sum.motion.at(t).acceleration_m_s2 == Approx(-0.5 * (2.0 * std::sin(w * t) + cosine)).margin(1e-12));
    }
    CHECK(sum.motion.end_s() == 0.5);
    REQUIRE(sum.table_motion);  // whole cycles end at rest
    REQUIRE(sum.remarks.size() == 2);
    CHECK(sum.remarks[1].starts_with("part 1 of the sum: "));
    const auto message = [](const std::string& lines) -> std::string {
        try {
            read_excitation(lines);
        } catch (const hil::files::InputError& error) {
            return error.what();
        }
        return "no error";
    };
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(has(message("type = \"sum\"\n"), "0 parts"));
    CHECK(has(message("type = \"sum\"\n" + parts + "amplitude_m_s2 = 1.0\n"), "amplitude_m_s2"));
    CHECK(has(message("type = \"sum\"\n[[excitation.parts]]\ntype = \"sum\"\n"), "sine"));
    CHECK(
        has(message("type = \"sum\"\n[[excitation.parts]]\ntype = \"constant\"\nmass_slider_kg = 1.0\n"), "air track"));
    CHECK(has(message("type = \"sum\"\n[[excitation.parts]]\ntype = \"sine\"\namplitude_m_s2 = 1.0\n"
                      "frequency_hz = 1.0\ndelay_s = 1.0\n"),
              "t = 0"));
}

TEST_CASE("A half cycle of sine is predicted but not offered to a table") {
    const hil::experiment::Experiment experiment =
        read_excitation("type = \"sine\"\namplitude_m_s2 = 3\nfrequency_hz = 4\ncycles = 0.5\n");
    CHECK_FALSE(experiment.excitation.table_motion);
    CHECK(experiment.excitation.table_motion_missing.find("cycles") != std::string::npos);
    CHECK(experiment.excitation.planned_motion().end_s() == Approx(0.125));
}

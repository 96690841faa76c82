// An experiment file composed anew, as a table's row says.
#include <cstdio>
#include <string>
#include <vector>

#include "hil/experiment/composed_text.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using namespace topple::hil::experiment;
using Catch::Matchers::ContainsSubstring;
using Settings = std::vector<ComposedText::Setting>;

namespace {

const std::string kSine =
    "name = \"x\"  # a remark\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
    "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";

Experiment read(const std::string& text) { return read_experiment_text(text, "x.toml", {}); }

}  // namespace

TEST_CASE("keys that are there are set, and keys that are not are added") {
    const ComposedText text(kSine, "x.toml");
    const Experiment one = read(text.with(Settings{{"excitation.amplitude_m_s2", "2.5"},
                                                   {"excitation.cycles", "3"},
                                                   {"specimen.initial_tilt_rad", "0.01"},
                                                   {"specimen.friction", "0.4"},
                                                   {"uncertainty.amplitude.fixed", "true"}}));
    CHECK(one.excitation.amplitude_m_s2 == 2.5);
    CHECK(one.excitation.cycles == 3.0);
    CHECK(one.specimens[0].initial_tilt_rad == 0.01);
    CHECK(one.specimens[0].friction->kinetic_ratio == 0.4);
    CHECK(one.uncertainty.of.amplitude.kind == solver::DistributionKind::fixed);
}

TEST_CASE("a key takes the place of the one that says the same in another unit") {
    const ComposedText text(kSine, "x.toml");
    const Experiment one =
        read(text.with(Settings{{"excitation.amplitude_g", "0.1"}, {"excitation.angular_frequency_rad_s", "10"}}));
    CHECK(one.excitation.amplitude_m_s2 == Approx(0.981));
    CHECK(one.excitation.angular_frequency_rad_s == 10.0);
}

TEST_CASE("every number survives being written to the last digit") {
    const ComposedText text(kSine, "x.toml");
    for (const double value : {0.1 + 0.2, 1.0 / 3.0, 2.0000000000000004, 1.2345678901234567e-3}) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.17g", value);
        CHECK(read(text.with(Settings{{"excitation.amplitude_m_s2", digits}})).excitation.amplitude_m_s2 == value);
    }
}

TEST_CASE("the same settings are the same text, however they are typed") {
    const ComposedText text(kSine, "x.toml");
    CHECK(text.with(Settings{{"excitation.amplitude_m_s2", "3"}}) ==
          text.with(Settings{{"excitation.amplitude_m_s2", "3.00"}}));
    CHECK(text.with(Settings{{"excitation.amplitude_m_s2", "3"}}) !=
          text.with(Settings{{"excitation.amplitude_m_s2", "3.01"}}));
}

TEST_CASE("a specimen comes from a specimen file or from another experiment, and can then be varied") {
    const tests::TemporaryFolder folder;
    const auto block =
        folder.write("b.toml", "name = \"B\"\nkind = \"block\"\nwidth_m = 0.03\nheight_m = 0.1\nmass_kg = 1\n");
    const auto other = folder.write("e.toml", "name = \"e\"\nspecimen = \"b.toml\"\n[excitation]\ntype = \"none\"\n");
    const ComposedText text(kSine, "x.toml");
    CHECK(read(text.with({}, {block, {}})).specimens[0].blocks[0].width_m == 0.03);
    CHECK(read(text.with({}, {other, {}})).specimens[0].blocks[0].width_m == 0.03);
    const Experiment varied = read(text.with(Settings{{"specimen.height_m", "0.2"}}, {block, {}}));
    CHECK(varied.specimens[0].blocks[0].height_m == 0.2);
    CHECK(varied.excitation.amplitude_m_s2 == 3.0);
    CHECK_THROWS_WITH(text.with(Settings{{"specimen.height_m", "0.2"}}, {other, {}}), ContainsSubstring("no table"));
}

TEST_CASE("a motion takes the place of an excitation of another type, and of a record only the file's") {
    const tests::TemporaryFolder folder;
    const auto motion = folder.write("m.csv", "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,0\n0.3,-1\n0.4,0\n");
    const Experiment one = read(ComposedText(kSine, "x.toml").with({}, {{}, motion}));
    CHECK(one.excitation.type == "record");
    CHECK(one.excitation.motion.extremes().acceleration_peak_m_s2 == Approx(1.0));
    const std::string record = kSine.substr(0, kSine.find("[excitation]")) +
                               "[excitation]\ntype = \"record\"\nfile = \"a.csv\"\nscale = 2.0\n";
    CHECK(read(ComposedText(record, "x.toml").with({}, {{}, motion}))
              .excitation.motion.extremes()
              .acceleration_peak_m_s2 == Approx(2.0));
}

TEST_CASE("a stack's blocks are named by number or all at once") {
    const std::string stack =
        "name = \"x\"\n[specimen]\nkind = \"stack\"\n[[specimen.blocks]]\nwidth_m = 0.1\nheight_m = 0.2\nmass_kg = "
        "2\n[[specimen.blocks]]\nwidth_m = 0.1\nheight_m = 0.2\nmass_kg = 1\n[excitation]\ntype = \"none\"\n";
    const ComposedText text(stack, "x.toml");
    CHECK(text.has("specimen.blocks.1.height_m"));
    CHECK_FALSE(text.has("specimen.blocks.2.height_m"));
    const auto one = read(text.with(Settings{{"specimen.blocks.1.height_m", "0.3"}})).specimens[0].blocks;
    CHECK(one[0].height_m == 0.2);
    CHECK(one[1].height_m == 0.3);
    const auto all = read(text.with(Settings{{"specimen.blocks.height_m", "0.4"}})).specimens[0].blocks;
    CHECK(all[0].height_m == 0.4);
    CHECK(all[1].height_m == 0.4);
}

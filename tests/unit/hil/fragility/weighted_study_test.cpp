// A fragility study counts: each row of a members table stands in it as often as its weight says.
#include <algorithm>
#include <string>

#include "hil/fragility/study.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;

TEST_CASE("A fragility study draws its members from a table as often as their weights say") {
    const tests::TemporaryFolder folder;
    folder.write("members.csv", "weight,width\n6,1.00\n3,1.01\n1,0.99\n0,1.05\n");
    const auto experiment = hil::experiment::read_experiment(folder.write(
        "study.toml",
        "name = \"a block\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.1\nheight_m = 0.4\nmass_kg = 2.0\n"
        "[uncertainty]\nmembers = \"members.csv\"\n[fragility]\nintensity_measure = \"pga\"\n"
        "values_m_s2 = \"1:8:8\"\nmembers = 20\n[[fragility.motions]]\ntype = \"sine\"\namplitude_m_s2 = 1.0\n"
        "frequency_hz = 1.5\n"));
    const hil::fragility::Study study = hil::fragility::make_study(experiment, "", 1);
    const auto often = [&](double width_m) {
        return std::count_if(study.members.at(0).begin(), study.members.at(0).end(), [&](const auto& member) {
            return std::abs(member.specimen.blocks[0].width_m - width_m) < 1e-9;
        });
    };
    CHECK(study.member_count() == 20);
    CHECK(often(0.1) == 12);
    CHECK(often(0.101) == 6);
    CHECK(often(0.099) == 2);
    CHECK(often(0.105) == 0);
}

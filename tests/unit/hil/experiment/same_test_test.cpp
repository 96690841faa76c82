// Two experiment files are one test, or it is said in what they differ.
#include "hil/experiment/same_test.hpp"

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"

using topple::hil::experiment::test_differences;

namespace {

const std::string kTest =
    "name = \"a\"\n[[specimen]]\nkind = \"block\"\nheight_m = 0.27\n[excitation]\ntype = \"sine\"\ncycles = 1\n"
    "[table]\nmachine = \"m\"\n[simulation]\nseed = 1\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("name, notes, seed and machine make no other test, nor does how a number is written") {
    CHECK(test_differences(kTest, with(kTest, "\"a\"", "\"b\"")).empty());
    CHECK(test_differences(kTest, with(kTest, "seed = 1", "seed = 2")).empty());
    CHECK(test_differences(kTest, with(kTest, "\"m\"", "\"n\"")).empty());
    CHECK(test_differences(kTest, with(kTest, "cycles = 1", "cycles = 1.0")).empty());
    CHECK(test_differences(kTest, with(kTest, "[[specimen]]", "[specimen]")).empty());
}

TEST_CASE("another specimen, motion, gravity or axis is named with both values") {
    CHECK(test_differences(kTest, with(kTest, "0.27", "0.28")) ==
          std::vector<std::string>{"specimen.height_m: 0.27 and 0.28"});
    CHECK(test_differences(kTest, with(kTest, "cycles = 1", "cycles = 2")).at(0) == "excitation.cycles: 1 and 2");
    CHECK(test_differences(kTest, "gravity_m_s2 = 9.8\n" + kTest).at(0) == "gravity_m_s2: not there and 9.8");
    CHECK(test_differences(kTest, with(kTest, "machine = \"m\"", "axis = \"y\"")).at(0).find("table.axis") == 0);
    CHECK_THROWS_AS(test_differences(kTest, "x = ["), topple::hil::files::InputError);
}

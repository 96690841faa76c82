#include "hil/sim_table/fault_script.hpp"

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::files;
using namespace topple::hil::sim_table;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string refusal(const std::string& text) {
    try {
        parse_fault_script(text, "faults.toml");
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

std::string one(const std::string& keys) { return "[[fault]]\n" + keys; }

}  // namespace

TEST_CASE("A fault script says what, when, how long and how much") {
    const FaultScript script = parse_fault_script(
        "seed = 7\n"
        "[[fault]]\nkind = \"wire_drop\"\ndirection = \"to_device\"\nat = \"running\"\noccurrence = 2\nafter_s = 0.1\n"
        "for_s = 0.5\nshare = 0.25\ncount = 3\n"
        "[[fault]]\nkind = \"clock_jump\"\njump_s = -0.5\nat = \"motion\"\n",
        "faults.toml");
    CHECK(script.seed == 7);
    REQUIRE(script.faults.size() == 2);
    const ScriptedFault& drop = script.faults[0];
    CHECK(drop.kind == FaultKind::wire_drop);
    CHECK(drop.direction == WireDirection::to_device);
    CHECK(drop.at == FaultMoment::running);
    CHECK(drop.occurrence == 2);
    CHECK(drop.after_s == 0.1);
    CHECK(drop.for_s == 0.5);
    CHECK(drop.share == 0.25);
    CHECK(drop.count == 3);
    CHECK(script.faults[1].value == -0.5);
    CHECK(script.faults[1].at == FaultMoment::motion);
    CHECK_FALSE(script.faults[1].for_s.has_value());
}

TEST_CASE("Every kind can be written with nothing but its name, from power-on") {
    for (const FaultKind kind : all_fault_kinds()) {
        const auto script = parse_fault_script(one("kind = \"" + std::string(name(kind)) + "\"\n"), "faults.toml");
        CHECK(script.faults.at(0).kind == kind);
        CHECK(script.faults.at(0).at == FaultMoment::power_on);
        CHECK(script.faults.at(0).after_s == 0.0);
        CHECK_THAT(describe(script.faults.at(0)), ContainsSubstring(std::string(name(kind))));
    }
    CHECK(all_fault_kinds().size() == 24);
}

TEST_CASE("A fault script that says something unknown or impossible is refused with place and allowed values") {
    CHECK_THAT(refusal(one("kind = \"encoder_stick\"\n")), ContainsSubstring("faults.toml, line 2") &&
                                                               ContainsSubstring("did you mean \"encoder_stuck\"") &&
                                                               ContainsSubstring("\"wire_drop\""));
    CHECK_THAT(refusal(one("kind = \"encoder_stuck\"\nafter = 1\n")),
               ContainsSubstring("line 3") && ContainsSubstring("after_s"));
    CHECK_THAT(refusal(one("kind = \"encoder_stuck\"\nat = \"moving\"\n")), ContainsSubstring("\"running\""));
    CHECK_THAT(refusal(one("kind = \"encoder_stuck\"\nafter_s = -1\n")), ContainsSubstring(">= 0"));
    CHECK_THAT(refusal(one("kind = \"encoder_stuck\"\nafter_s = nan\n")), ContainsSubstring("not allowed"));
    CHECK_THAT(refusal(one("kind = \"encoder_stuck\"\nshare = 0.5\n")), ContainsSubstring("unknown key"));
    CHECK_THAT(refusal(one("kind = \"encoder_wrap\"\nbits = 12.5\n")), ContainsSubstring("whole number"));
    CHECK_THAT(refusal(one("kind = \"wire_drop\"\nshare = 0\n")), ContainsSubstring("> 0"));
    CHECK_THAT(refusal(one("kind = \"wire_drop\"\ncount = 0\n")), ContainsSubstring("from 1"));
    CHECK_THAT(refusal(one("kind = \"clock_jump\"\nfor_s = 1\n")), ContainsSubstring("unknown key"));
    CHECK_THAT(refusal("seed = 1\n"), ContainsSubstring("[[fault]]"));
    CHECK_THAT(refusal("faults = 1\n"), ContainsSubstring("[[fault]]"));
    CHECK_THAT(refusal("[[fault]\n"), ContainsSubstring("line 1"));
    CHECK_THROWS_AS(read_fault_script("/no/such/file.toml"), InputError);
}

// tests.csv: what is written is read, a torn end is cut off, what is not of the campaign is refused.
#include <string>

#include "hil/campaign/test_lines.hpp"
#include "hil/campaign/test_table.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple::hil::campaign;
using Catch::Matchers::ContainsSubstring;
using topple::hil::files::InputError;
using topple::solver::Outcome;
using topple::tests::content_of;
using topple::tests::TemporaryFolder;

namespace {

const std::vector<std::string> kKeys{"excitation.amplitude_m_s2", "excitation.frequency_hz"};

TestRecord record(std::uint64_t number, std::size_t specimens = 1) {
    TestRecord test;
    test.number = number;
    test.setting = {4.1 + 0.1 * static_cast<double>(number), 8.0 / 3.0};
    test.why = "first, \"quoted\", of all";
    test.began_utc = "2026-01-02T03:04:05.678Z";
    test.took_s = 12.3;
    test.peak_velocity_m_s = 0.1234567890123;
    test.specimens.resize(specimens);
    for (SpecimenRecord& specimen : test.specimens) {
        specimen.outcome = Outcome::rocking;
        specimen.side = topple::solver::Side::left;
        specimen.source = "simulated";
        specimen.peak_rotation_rad = 1.0 / 7.0;
        specimen.predicted = Outcome::overturning;
        specimen.probability = {0.0, 0.0, 0.25, 0.75, 0.0, 0.0};
        specimen.members = 200;
        specimen.verdict = "consistent";
    }
    return test;
}

}  // namespace

TEST_CASE("A test comes back from tests.csv to the last digit") {
    const TestRecord test = record(7, 2);
    const auto back = read_test_lines(test_header(kKeys) + test_lines(test), {"tests.csv", kKeys, 2});
    REQUIRE(back.size() == 1);
    CHECK(back[0].setting == test.setting);
    CHECK(back[0].peak_velocity_m_s == test.peak_velocity_m_s);
    CHECK(back[0].why == test.why);
    CHECK(back[0].specimens[1].peak_rotation_rad == test.specimens[1].peak_rotation_rad);
    CHECK(back[0].specimens[1].probability == test.specimens[1].probability);
    CHECK(test_lines(back[0]) == test_lines(test));
    TestRecord refused = record(8);
    refused.status = TestStatus::refused;
    refused.reason = "stroke 0.2 m, limit 0.1\n(two lines)";
    refused.specimens = {SpecimenRecord{}};
    const auto none = read_test_lines(test_header(kKeys) + test_lines(refused), {"tests.csv", kKeys, 1});
    CHECK(none[0].status == TestStatus::refused);
    CHECK(none[0].reason == "stroke 0.2 m, limit 0.1\\n(two lines)");
    CHECK_FALSE(none[0].specimens[0].outcome.has_value());
}

TEST_CASE("Torn at any byte, tests.csv is taken up with every test whose lines are whole") {
    const TemporaryFolder folder;
    std::string whole = test_header(kKeys);
    std::vector<std::size_t> ends{whole.size()};
    for (std::uint64_t n = 1; n <= 3; ++n) {
        whole += test_lines(record(n, 2));
        ends.push_back(whole.size());
    }
    for (std::size_t bytes = 0; bytes <= whole.size(); bytes += 7) {
        const auto file = folder.write("tests.csv", whole.substr(0, bytes));
        std::size_t expected = 0;
        while (expected + 1 < ends.size() && ends[expected + 1] <= bytes) ++expected;
        {
            TestTable table = TestTable::take_up(file, kKeys, 2);
            CHECK(table.tests().size() == expected);
            table.append(record(9, 2));
        }
        const TestTable again = TestTable::take_up(file, kKeys, 2);
        REQUIRE(again.tests().size() == expected + 1);
        CHECK(again.tests().back().number == 9);
        CHECK_FALSE(again.was_torn());
    }
}

TEST_CASE("A test that is written again is there once, as written last") {
    const TemporaryFolder folder;
    TestTable table = TestTable::create(folder.file("tests.csv"), kKeys, 1);
    table.append(record(1));
    table.append(record(2));
    TestRecord marked = record(1);
    marked.status = TestStatus::discarded;
    marked.reason = "the block touched the stop";
    table.append(marked);
    REQUIRE(table.tests().size() == 2);
    CHECK(table.tests()[0].reason == marked.reason);
    CHECK_THROWS_AS(TestTable::create(folder.file("tests.csv"), kKeys, 1), InputError);
    CHECK_THROWS_WITH(TestTable::take_up(folder.file("tests.csv"), kKeys, 1), ContainsSubstring("another program"));
}

TEST_CASE("What is not of this campaign is refused with file, line and what is needed") {
    const TestTableForm form{"tests.csv", kKeys, 1};
    CHECK_THROWS_WITH(read_test_lines("test,a,b\n", form), ContainsSubstring("not the tests of this campaign"));
    const std::string good = test_header(kKeys) + test_lines(record(1));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    CHECK_THROWS_WITH(read_test_lines(with("4.1999", "x4.1999"), form), ContainsSubstring("line 2, column 5"));
    CHECK_THROWS_WITH(read_test_lines(with(",rocking,", ",fell,"), form), ContainsSubstring("is not an outcome"));
    CHECK_THROWS_WITH(read_test_lines(with(",left,", ",up,"), form), ContainsSubstring("left or right"));
    CHECK_THROWS_WITH(read_test_lines(with(",done,", ",made,"), form), ContainsSubstring("done, discarded"));
    CHECK_THROWS_WITH(read_test_lines(with(",consistent,", ","), form), ContainsSubstring("cells"));
    CHECK_THROWS_WITH(read_test_lines(with("1,0,runs", "1,1,runs"), form), ContainsSubstring("out of its place"));
}

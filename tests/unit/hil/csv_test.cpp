#include "hil/csv.hpp"

#include "hil/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

hil::CsvTable read(const std::string& text) {
    const tests::TemporaryFolder folder;
    return hil::read_csv(folder.write("table.csv", text));
}

std::string message_of(const std::string& text) {
    try {
        const hil::CsvTable table = read(text);
        hil::require_increasing(table, table.names.at(0));
    } catch (const hil::InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("A CSV with header, comments, spaces and foreign line ends is read") {
    const hil::CsvTable table = read("\xEF\xBB\xBF# made by hand\r\ntime_s, acceleration_m_s2\r\n0, 1.5\r\n\r\n0.01,-2e-3\r\n");
    CHECK(table.has_header);
    CHECK(table.names == std::vector<std::string>{"time_s", "acceleration_m_s2"});
    CHECK(table.column("acceleration_m_s2") == std::vector<double>{1.5, -2e-3});
    CHECK(table.line_numbers == std::vector<std::size_t>{3, 5});
}

TEST_CASE("Semicolons and tabs separate as commas do, without a header columns are numbered") {
    CHECK(read("1;2\n3;4\n").column("2") == std::vector<double>{2, 4});
    CHECK(read("1\t+2\n3\t4").column("2") == std::vector<double>{2, 4});
}

TEST_CASE("A cell that is not a finite number is refused with its line") {
    CHECK(message_of("t,a\n0,1\n1,nan\n").find("line 3, column a: \"nan\"") != std::string::npos);
    CHECK(message_of("t,a\n0,1\n1,inf\n").find("line 3") != std::string::npos);
    CHECK(message_of("t,a\n0,1\n1,1.5x\n").find("\"1.5x\"") != std::string::npos);
    CHECK(message_of("t,a\n0,1\n1,\n").find("line 3") != std::string::npos);
    CHECK(message_of("t,a\n0,1e999\n").find("line 2") != std::string::npos);
    CHECK(message_of("t;a\n0;1,5\n").find("\"1,5\"") != std::string::npos);
}

TEST_CASE("Rows of different length, no rows and falling time are refused") {
    CHECK(message_of("t,a\n0,1\n1\n").find("line 3: 1 columns, expected are 2") != std::string::npos);
    CHECK(message_of("t,a\n").find("no rows") != std::string::npos);
    CHECK(message_of("").find("no rows") != std::string::npos);
    CHECK(message_of("t,a\n0,1\n0,2\n").find("line 3: t = 0 does not increase") != std::string::npos);
    CHECK(message_of("t,a\n1,1\n0.5,2\n").find("line 3: t = 0.5") != std::string::npos);
    CHECK(message_of("t,a\n0,1\n1,2\n") == "no error");
}

TEST_CASE("An unknown column is told with those that are there") {
    try {
        read("t,a\n0,1\n").column("b");
        FAIL("was found");
    } catch (const hil::InputError& error) {
        CHECK(std::string(error.what()).find("there are: t, a") != std::string::npos);
    }
}

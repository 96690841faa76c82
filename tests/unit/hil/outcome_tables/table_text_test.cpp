// Tables as spreadsheets write them.
#include <string>
#include <vector>

#include "hil/files/csv_cells.hpp"
#include "hil/files/errors.hpp"
#include "hil/outcome_tables/table_text.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::outcome_tables;
using Catch::Matchers::ContainsSubstring;

namespace {

using Cells = std::vector<std::string>;

}  // namespace

TEST_CASE("the header says what separates, and comments and empty lines are passed over") {
    for (const char separator : {',', ';', '\t'}) {
        std::string text = "# made by hand\n\ntest,outcome,note\n1,R,\n\n# two\n2,O,x\n,,\n";
        for (char& c : text)
            if (c == ',') c = separator;
        const TableText table = parse_table_text(text, "t.csv");
        CHECK(table.separator == separator);
        CHECK(table.header.cells == Cells{"test", "outcome", "note"});
        REQUIRE(table.rows.size() == 2);
        CHECK(table.rows[0].line == 4);
        CHECK(table.rows[1].line == 7);
        CHECK(table.rows[1].cells == Cells{"2", "O", "x"});
    }
}

TEST_CASE("a quoted cell holds separators, quotes and line ends, and lines are still counted") {
    const TableText table = parse_table_text("a,b\n\"x, \"\"y\"\"\nz\",1\n2,3\n", "t.csv");
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[0].cells == Cells{"x, \"y\"\nz", "1"});
    CHECK(table.rows[1].line == 4);
    CHECK_THROWS_WITH(parse_table_text("a,b\n\"x,1\n", "t.csv"), "t.csv, line 2: a quotation mark that is not closed");
}

TEST_CASE("a table without rows is refused") {
    CHECK_THROWS_WITH(parse_table_text("", "t.csv"), "t.csv: no table: it is empty");
    CHECK_THROWS_WITH(parse_table_text("a,b\n", "t.csv"), ContainsSubstring("no row"));
}

TEST_CASE("the last line needs no end, and a cell may end the file") {
    CHECK(parse_table_text("a,b\n1,", "t").rows[0].cells == Cells{"1", ""});
    CHECK(parse_table_text("a\n1", "t").rows[0].cells == Cells{"1"});
}

TEST_CASE("the decimal sign of a number is seen, and that of anything else is not") {
    CHECK(decimal_sign_of("3,5") == DecimalSign::comma);
    CHECK(decimal_sign_of("-3,5e-2") == DecimalSign::comma);
    CHECK(decimal_sign_of("3.5") == DecimalSign::point);
    for (const char* text : {"3", "", "x", "1,2,3", "1.000,5", "a.b", "b6l.toml"})
        CHECK(decimal_sign_of(text) == DecimalSign::unknown);
    CHECK(with_point("3,5", DecimalSign::comma) == "3.5");
    CHECK(with_point("a,b", DecimalSign::comma) == "a,b");
}

TEST_CASE("a cell that is written is read again") {
    for (const std::string cell : {"", "x", "a,b", "a;b", "say \"x\"", "two\nlines"}) {
        const TableText table = parse_table_text("p,q\n" + topple::hil::files::csv_cell(cell) + ",1\n", "t");
        CHECK(table.rows[0].cells[0] == cell);
    }
}

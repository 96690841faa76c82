#include "hil/files/csv.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

hil::files::CsvTable read(const std::string& text) {
    const tests::TemporaryFolder folder;
    return hil::files::read_csv(folder.write("table.csv", text));
}

std::string message_of(const std::string& text) {
    try {
        const hil::files::CsvTable table = read(text);
        hil::files::require_increasing(table, table.names.at(0));
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("A CSV with header, comments, spaces and foreign line ends is read") {
    const hil::files::CsvTable table =
        read("\xEF\xBB\xBF# made by hand\r\ntime_s, acceleration_m_s2\r\n0, 1.5\r\n\r\n0.01,-2e-3\r\n");
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
    CHECK(message_of("t;a\n0;1,5\n").find("decimal commas") != std::string::npos);
}

TEST_CASE("Rows of different length, no rows and falling time are refused") {
    CHECK(message_of("t,a\n0,1\n1\n").find("line 3: 1 columns; expected: 2") != std::string::npos);
    CHECK(message_of("t,a\n").find("no rows") != std::string::npos);
    CHECK(message_of("").find("no rows") != std::string::npos);
    CHECK(message_of("t,a\n0,1\n0,2\n").find("line 3: t = 0 does not increase") != std::string::npos);
    CHECK(message_of("t,a\n1,1\n0.5,2\n").find("line 3: t = 0.5") != std::string::npos);
    CHECK(message_of("t,a\n0,1\n1,2\n") == "no error");
}

TEST_CASE("An unknown column is reported with those that exist") {
    try {
        read("t,a\n0,1\n").column("b");
        FAIL("was found");
    } catch (const hil::files::InputError& error) {
        CHECK(std::string(error.what()).find("there are: t, a") != std::string::npos);
    }
}

TEST_CASE("A file that is not CSV is refused with what it seems to be") {
    const auto says = [](const std::string& text, const std::string& words) {
        INFO(message_of(text));
        CHECK(message_of(text).find(words) != std::string::npos);
    };
    says("0.00 1.5\n0.01 2.5\n", "separated by blanks");
    says("time acceleration\n0.00   1.5\n0.01   2.5\n", "separated by blanks");
    says("time_s;acceleration_g\n0,00;1,5\n0,01;2,5\n", "decimal commas");
    says("time_s\tacceleration_g\n0,00\t1,5\n", "decimal commas");
    says(std::string("\xFF\xFEt\0,\0a\0\n\0000\0,\0001\0\n\0", 16), "UTF-16");
    says(std::string("t\0,\0a\0\n\0", 8), "UTF-16");
    says(
        "PEER NGA STRONG MOTION DATABASE RECORD\nX, Y\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=   4, DT=   .0050 "
        "SEC\n"
        "  .1E-3  .2E-3  .1E-3  .2E-3\n",
        "PEER");
    says("Origin Time       2011/03/11 14:46:00\nStation Code      MYG004\nScale Factor      7845(gal)/8223790\n",
         "K-NET");
    says("EVENT_NAME: NONE\nSAMPLING_INTERVAL_S: 0.005\n1.5\n2.5\n", "ESM");
    says("CORRECTED ACCELEROGRAM  DATA\n  4 POINTS\n 1.0 2.0 3.0\n", "CSMIP");
    says("MATLAB 5.0 MAT-file, Platform: GLNXA64\n", "MATLAB");
    says(std::string("PK\x03\x04rest", 8), "spreadsheet");
    says("\x89HDF\r\n", "HDF5");
    says("\x89MCAP0\r\n", "topple export");
    says("t,a\n0,1\n1,abc\n", "line 3, column a");  // a CSV with a mistake keeps its own message
}

TEST_CASE("Times printed with few decimals are even, their samples stand on the even grid") {
    const tests::TemporaryFolder folder;
    for (const double rate_hz : {256.0, 300.0, 128.0}) {
        std::string record = "time_s,acceleration_m_s2\n";
        for (int i = 0; i < 200; ++i)
            record += fmt::format("{:.4f},{:.3f}\n", i / rate_hz, i == 0 || i == 199 ? 0.0 : std::sin(0.1 * i));
        folder.write("record.csv", record);
        const auto file = folder.write("experiment.toml",
                                       "name = \"even\"\n[specimen]\nkind = \"none\"\n[excitation]\ntype = \"record\"\n"
                                       "file = \"record.csv\"\n");
        const auto experiment = hil::experiment::read_experiment(file);
        CHECK(experiment.excitation.motion.end_s() == Approx(199 / rate_hz).margin(6e-5));
        const double at_s = 100.0 / rate_hz;
        CHECK(experiment.excitation.motion.at(at_s).acceleration_m_s2 == Approx(std::sin(10.0)).margin(2e-3));
    }
    folder.write("record.csv", "time_s,acceleration_m_s2\n0.0000,0\n0.0039,1\n0.0089,1\n0.0117,0\n");
    const auto file = folder.write("experiment.toml",
                                   "name = \"uneven\"\n[specimen]\nkind = \"none\"\n[excitation]\ntype = \"record\"\n"
                                   "file = \"record.csv\"\n");
    CHECK_THROWS_AS(hil::experiment::read_experiment(file), hil::files::InputError);
}

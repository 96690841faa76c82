#include "hil/vendor_files/raw_table.hpp"

#include <matio.h>

#include "hil/files/errors.hpp"
#include "hil/vendor_files/mat_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using hil::vendor_files::RawTable;
using hil::vendor_files::read_raw_table;

namespace {

RawTable read(const std::string& text) {
    const tests::TemporaryFolder folder;
    return read_raw_table(folder.write("recorded.dat", text));
}

std::string refusal(const std::string& text) {
    try {
        read(text);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string labview(const std::string& separator_word, const std::string& x_columns, const std::string& rows) {
    return "LabVIEW Measurement\t\r\nWriter_Version\t2\r\nReader_Version\t2\r\nSeparator\t" + separator_word +
           "\r\nX_Columns\t" + x_columns +
           "\r\nTime_Pref\tRelative\r\n***End_of_Header***\t\r\n\t\r\nChannels\t2\t\t\r\nSamples\t3\t3\t\r\n"
           "Y_Unit_Label\tmm\tg\t\r\nX_Dimension\tTime\tTime\t\r\nX0\t0.0E+0\t0.0E+0\t\r\n"
           "Delta_X\t0.002\t0.002\t\r\n***End_of_Header***\t\t\t\r\n" +
           rows;
}

}  // namespace

TEST_CASE("A LabVIEW file gives its channels with their units, and the first segment only") {
    const RawTable table =
        read(labview("Tab", "One",
                     "X_Value\tDisp Ch1\tAcc\tComment\r\n0.000\t1.5\t-0.25\thit\r\n0.002\t2.5\t0.5\r\n"
                     "0.004\t3.5E+0\t1\r\n\r\nChannels\t2\r\n"));
    CHECK(table.format == "LabVIEW measurement");
    CHECK(table.names == std::vector<std::string>{"X_Value", "Disp Ch1", "Acc"});
    CHECK(table.units == std::vector<std::string>{"s", "mm", "g"});
    CHECK(table.columns[1] == std::vector<double>{1.5, 2.5, 3.5});
    CHECK(table.columns[2] == std::vector<double>{-0.25, 0.5, 1.0});
    REQUIRE(table.notes.size() == 1);
    CHECK(mentions(table.notes[0], "only the first segment"));
}

TEST_CASE("A LabVIEW file without X columns takes its step of time from Delta_X") {
    const RawTable table = read(labview("Tab", "No", "X_Value\tDisp\tAcc\tComment\n\t1\t2\n\t3\t4\n\t5\t6\n"));
    CHECK(table.names == std::vector<std::string>{"Disp", "Acc"});
    REQUIRE(table.step_s);
    CHECK(*table.step_s == 0.002);
    CHECK(table.columns[1] == std::vector<double>{2.0, 4.0, 6.0});
}

TEST_CASE("A LabVIEW file with a time beside each channel is read if the times agree, else refused") {
    CHECK(read(labview("Tab", "Multi", "X_Value\tA\tX_Value\tB\n0\t1\t0\t2\n1\t3\t1\t4\n")).names ==
          std::vector<std::string>{"X_Value", "A", "B"});
    CHECK(mentions(refusal(labview("Tab", "Multi", "X_Value\tA\tX_Value\tB\n0\t1\t0\t2\n1\t3\t1.5\t4\n")),
                   "different times"));
}

TEST_CASE("A LabVIEW file with a decimal comma and one that is cut off") {
    std::string comma = labview("Tab", "One", "X_Value\tA\tB\n0,000\t1,5\t2\n0,002\t2,5\t3\n");
    comma.insert(comma.find("X_Columns"), "Decimal_Separator\t,\r\n");
    CHECK(read(comma).columns[1] == std::vector<double>{1.5, 2.5});
    CHECK(mentions(refusal("LabVIEW Measurement\nSeparator\tTab\n"), "***End_of_Header***"));
    CHECK(mentions(refusal(labview("Tab", "One", "X_Value\tA\n")), "no samples"));
    CHECK(mentions(refusal(labview("Tab", "Some", "X_Value\tA\n0\t1\n")), "allowed: No, One, Multi"));
    CHECK(mentions(refusal(labview("Tab", "One", "X_Value\tA\n0\t1\n1\tnan\n")), "\"nan\" is not a finite number"));
}

TEST_CASE("A table of text is found under its preface, whatever separates it") {
    const std::string preface = "Shake table controller 4.2\nDate: 12.03.2026\n\n";
    for (const std::string separator : {"\t", ";", ",", "   "}) {
        INFO("separator '" << separator << "'");
        std::string text = preface + "Time [s]" + separator + "Disp_(mm)\n";
        if (separator == "   ") text = preface + "t" + separator + "d\n";
        for (const char* row : {"0", "0.5", "1e0", "+1.5"}) text += row + separator + "-2.25" + "\r\n";
        const RawTable table = read(text);
        REQUIRE(table.columns.size() == 2);
        CHECK(table.columns[0] == std::vector<double>{0.0, 0.5, 1.0, 1.5});
        CHECK(table.columns[1].back() == -2.25);
        CHECK(table.names[0] == (separator == "   " ? "t" : "Time"));
        if (separator != "   ") CHECK(table.units == std::vector<std::string>{"s", "mm"});
    }
}

TEST_CASE("A decimal comma is read where tab or semicolon separates, and said") {
    const RawTable table = read("t\tx\n0,0\t1,25\n0,5\t-2,5\n1,0\t3\n");
    CHECK(table.columns[1] == std::vector<double>{1.25, -2.5, 3.0});
    REQUIRE(table.notes.size() == 1);
    CHECK(mentions(table.notes[0], "decimal"));
}

TEST_CASE("Columns of text beside the numbers are left out and named") {
    const RawTable table = read("t,state,x,remark\n0,rest,1,\n1,moving,2,\n2,moving,3,late\n3,rest,4\n");
    CHECK(table.names == std::vector<std::string>{"t", "x"});
    CHECK(table.columns[1] == std::vector<double>{1.0, 2.0, 3.0, 4.0});
    REQUIRE(table.notes.size() == 1);
    CHECK(mentions(table.notes[0], "left out: \"state\""));
    CHECK(mentions(refusal("t,state,x\n0,rest,1\n1,rest,2\n2,rest,3\n3,rest,?\n"), ":5: column 3: \"?\""));
}

TEST_CASE("UTF-16 is read by its mark") {
    std::string text = "\xFF\xFE";
    for (const char letter : std::string("t\tx\n0\t1\n1\t2\n2\t3\n")) text += letter, text += '\0';
    CHECK(read(text).columns[1] == std::vector<double>{1.0, 2.0, 3.0});
    CHECK(mentions(refusal(text + "x"), "UTF-16"));
}

TEST_CASE("What is no table is refused with the line") {
    CHECK(mentions(refusal("hello\nworld\n"), "no table"));
    CHECK(mentions(refusal("1\t2\n3\t4\n5\t6\n7\n"), ":4: 1 cells, the table has 2 columns"));
    CHECK(mentions(refusal("1\t2\n3\t4\n5\t6\n7\tx\n"), ":4: column 2: \"x\""));
    CHECK(mentions(refusal(std::string("1\t2\n\0\n", 6)), "zero bytes"));
}

TEST_CASE("A MATLAB file that was written is read back, matrices and structures by their columns and fields") {
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "series.mat";
    hil::vendor_files::write_mat_file(file, {{"time", {0.0, 0.1, 0.2}}, {"position", {1.0, -2.0, 3.5}}},
                                      hil::files::Overwrite::refuse);
    const RawTable table = read_raw_table(file);
    CHECK(table.format == "MATLAB v5");
    CHECK(table.columns[table.find("position")] == std::vector<double>{1.0, -2.0, 3.5});
    CHECK_THROWS_AS(hil::vendor_files::write_mat_file(file, {{"x", {1.0}}}, hil::files::Overwrite::refuse),
                    hil::files::InputError);

    const auto other = folder.path() / "other.mat";
    mat_t* mat = Mat_CreateVer(other.c_str(), nullptr, MAT_FT_MAT5);
    double numbers[] = {1, 2, 3, 4, 5, 6};
    std::size_t dims[] = {3, 2}, single[] = {1, 1};
    matvar_t* matrix = Mat_VarCreate("acc", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, numbers, 0);
    Mat_VarWrite(mat, matrix, MAT_COMPRESSION_NONE);
    const char* fields[] = {"values"};
    matvar_t* structure = Mat_VarCreateStruct("out", 2, single, fields, 1);
    Mat_VarSetStructFieldByName(structure, "values", 0, Mat_VarDuplicate(matrix, 1));
    Mat_VarWrite(mat, structure, MAT_COMPRESSION_ZLIB);
    char word[] = "text";
    std::size_t letters[] = {1, 4};
    matvar_t* text = Mat_VarCreate("label", MAT_C_CHAR, MAT_T_UTF8, 2, letters, word, 0);
    Mat_VarWrite(mat, text, MAT_COMPRESSION_NONE);
    for (matvar_t* variable : {matrix, structure, text}) Mat_VarFree(variable);
    Mat_Close(mat);
    const RawTable nested = read_raw_table(other);
    CHECK(nested.names == std::vector<std::string>{"acc(:,1)", "acc(:,2)", "out.values(:,1)", "out.values(:,2)"});
    CHECK(nested.columns[nested.find("acc(:,2)")] == std::vector<double>{4.0, 5.0, 6.0});
    REQUIRE(nested.notes.size() == 1);
    CHECK(mentions(nested.notes[0], "label"));
}

TEST_CASE("A column is found by name or number, and neither is guessed") {
    const RawTable table = read("a\tb\ta\n1\t2\t3\n4\t5\t6\n7\t8\t9\n");
    CHECK(table.find("b") == 1);
    CHECK(table.find("3") == 2);
    CHECK_THROWS_AS(table.find("a"), hil::files::InputError);
    CHECK_THROWS_AS(table.find("4"), hil::files::InputError);
}

// What is damaged, contradictory or ambiguous is refused with the reason, both numbers and the line.
#include "tests/support/catch.hpp"
#include "tests/unit/hil/ground_motion/reading.hpp"

using namespace topple;
using hil::ground_motion::Record;
using tests::reading_of;
using tests::refusal_of;
using tests::says;

namespace {

/// A PEER file with this line of NPTS and DT.
std::string at2(const std::string& sampling, const std::string& data, const std::string& unit = "IN UNITS OF G") {
    return "PEER DATABASE\nMADE-UP\nACCELERATION TIME SERIES " + unit + "\n" + sampling + "\n" + data;
}

}  // namespace

TEST_CASE("A count that differs from what follows is refused with both numbers") {
    CHECK(refusal_of(at2("NPTS= 4, DT= .01 SEC", ".1 .2\n.3 .4\n")).empty());
    for (const char* data : {".1 .2\n.3\n", ".1 .2\n.3 .4 .5\n", ".1 .2 .3 .4\n.5 .6\n"}) {
        const std::string why = refusal_of(at2("NPTS= 4, DT= .01 SEC", data));
        CHECK(says(why, "line 4: states 4 values, but "));
    }
    CHECK(says(refusal_of(at2("NPTS= 4, DT= .01 SEC", ".1 .2\n.3\n")), "but 3 follow"));
    // Zeros that fill up the last line are no samples.
    CHECK(refusal_of(at2("NPTS= 4, DT= .01 SEC", ".1 .2 .3\n.4 .0 .0\n")).empty());
}

TEST_CASE("What is no finite number is refused where it stands") {
    for (const char* word : {"NaN", "nan", "Inf", "-inf", "********", "1e999", "x", "0.1.2", "1,5", "--1"}) {
        INFO(word);
        const std::string why = refusal_of(at2("NPTS= 4, DT= .01 SEC", ".1 .2\n.3 " + std::string(word) + "\n"));
        CHECK(says(why, "line 6: "));
        CHECK(says(refusal_of(at2("NPTS= 2, DT= .01 SEC", std::string(word) + " .2\n.3\n")), "record.dat"));
    }
}

TEST_CASE("Contradictory sampling is refused with both numbers") {
    const auto esm = [](const std::string& duration) {
        return "NETWORK: X\nSTATION_CODE: Y\nSAMPLING_INTERVAL_S: 0.01\nNDATA: 3\nUNITS: cm/s^2\nDURATION_S: " +
               duration + "\nDATA_TYPE: ACCELERATION\n1.0\n-2.5\n0.5\n";
    };
    CHECK(refusal_of(esm("0.020")).empty());
    CHECK(refusal_of(esm("0.030")).empty());
    CHECK(says(refusal_of(esm("0.150")), "contradictory sampling: 3 samples at 0.01 s last 0.03 s"));
    const std::string spaced = "text\n4 points at equal spacing of 0.01 sec\nunits are (g)\nNPTS= 4, DT= ";
    CHECK(refusal_of(spaced + ".0100 SEC\n.1 .2 .3 .4\n").empty());
    CHECK(says(refusal_of(spaced + ".0200 SEC\n.1 .2 .3 .4\n"), "DT = .0200, but line 2 says 0.01"));
    CHECK(says(refusal_of("t (s); a (m/s2)\n0;1\n0.01;2\n0.02;1\n", {0.02, ""}),
               "contradictory sampling: its times are 0.01 s apart, 0.02 s is stated"));
}

TEST_CASE("Spectra, velocities and other volumes are no accelerations of the base") {
    CHECK_THROWS_AS(tests::sample("spectra.V3"), hil::files::InputError);
    CHECK(says(refusal_of("PEER\nX\nVELOCITY TIME SERIES IN UNITS OF CM/S\nNPTS= 2, DT= .01 SEC\n1 2\n"),
               "not an acceleration"));
    CHECK(says(refusal_of("3 VELOCITY\n*\n*\n"), "not an acceleration"));
}

TEST_CASE("Without a unit, a step or a decision a record is refused") {
    CHECK(says(refusal_of(at2("NPTS= 2, DT= .01 SEC", ".1 .2\n", "")), "does not state the unit"));
    CHECK(says(refusal_of("0.1\n0.2\n0.3\n"), "the time between two samples (step_s, or --step) and the unit"));
    CHECK(says(refusal_of(at2("NPTS= 2, DT= 0 SEC", ".1 .2\n")), "DT = 0 s"));
    CHECK(says(refusal_of(at2("NPTS= 2.5, DT= .01 SEC", ".1 .2\n")), "NPTS = 2.5"));
    CHECK(says(refusal_of(at2("NPTS= 2", ".1 .2\n")), "NPTS without DT"));
}

TEST_CASE("Commas are decimal signs only where they can be nothing else") {
    const Record blanks = reading_of("0,00 0,10\n0,01 0,25\n0,02 -0,10\n", {std::nullopt, "g"});
    CHECK(blanks.channels[0].samples[1] == Approx(0.25 * 9.80665));
    const Record semicolons = reading_of("0,00;0,10\n0,01;0,25\n0,02;-0,10\n", {std::nullopt, "g"});
    CHECK(semicolons.channels[0].samples[1] == Approx(0.25 * 9.80665));
    CHECK(semicolons.channels[0].step_s == Approx(0.01));
    CHECK(says(refusal_of("0,1\n0,2\n0,1\n"), "may be decimal signs or separators"));
    CHECK(says(refusal_of("0,00,0,10\n0,01,0,25\n"), "may be decimal signs or separators"));
    CHECK(reading_of("0.00,0.10\n0.01,0.25\n0.02,0.1\n", {std::nullopt, "m/s2"}).channels[0].samples[1] == 0.25);
    CHECK(says(refusal_of("0,5;1.5\n0,6;1.5\n", {std::nullopt, "g"}), "is not a finite number"));
    const Record at2_commas = reading_of(at2("NPTS= 4, DT= 0,01 SEC", "0,1 0,2\n0,3 0,4\n"));
    CHECK(at2_commas.channels[0].samples[3] == Approx(0.4 * 9.80665));
    CHECK(at2_commas.channels[0].step_s == 0.01);
}

TEST_CASE("Columns that touch are cut by the width that the file states") {
    const auto v2 = [](const std::string& row) {
        return "CORRECTED ACCELEROGRAM\nUNCORRECTED ACCELEROGRAM DATA\n"
               "    4 POINTS OF ACCEL DATA EQUALLY SPACED AT  .020 SEC.  (UNITS: CM/SEC/SEC)\n" +
               row + "\n/&\n";
    };
    CHECK(reading_of(v2("12345.678 2345.678-2345.678     1.000")).channels.size() == 1);
    const Record touching = reading_of(v2(" 12345.678112345.678 -2345.678     1.000"));
    CHECK(touching.channels[0].samples[0] == Approx(123.45678));
    CHECK(touching.channels[0].samples[1] == Approx(1123.45678));
    CHECK(touching.channels[0].samples[2] == Approx(-23.45678));
    CHECK(says(refusal_of(at2("NPTS= 2, DT= .01 SEC", "12345.67812345.678\n")), "numbers touch"));
}

TEST_CASE("A corrected channel has the unit of its own peak, not that of the record before it was corrected") {
    const Record record = reading_of(
        "CORRECTED ACCELEROGRAM  IIBA338 COMP S58W\nFILE 0 OF UNCORRECTED ACCELEROGRAM DATA OF VOLUME I:\n"
        "NO. OF POINTS =   2275      DURATION =  11.435 SEC\nUNITS ARE SEC AND G/10\n"
        "PEAK ACCELERATION =    -6.86900  CMS/SEC/SEC AT     .020   SEC.\n"
        "    3 POINTS OF ACC DATA EQUALLY SPACED AT   .020 SEC.\n     1.208    -6.869     4.599\n/&\n");
    CHECK(record.channels[0].samples[1] == Approx(-0.06869));
    CHECK(record.channels[0].unit == "cm/s2");
    CHECK(record.channels[0].notes.empty());
}

TEST_CASE("Line ends, byte-order marks and end-of-file marks of every system make no difference") {
    const std::string plain = at2("NPTS= 4, DT= .01 SEC", ".1 .2\n.3 .4\n");
    const auto with_ends = [&](const std::string& end) {
        std::string text;
        for (const char c : plain) c == '\n' ? text += end : text += c;
        return text;
    };
    const auto expected = reading_of(plain).channels[0].samples;
    for (const char* end : {"\r\n", "\r\r\n", "\r", " \r\n\r\n"})
        CHECK(reading_of(with_ends(end)).channels[0].samples == expected);
    CHECK(reading_of("\xEF\xBB\xBF" + plain).channels[0].samples == expected);
    CHECK(reading_of(plain + "\x1A\x1A\x1A").channels[0].samples == expected);
    std::string low, high = "\xFE\xFF";
    for (const char c : plain) {
        low += c;
        low += '\0';
        high += '\0';
        high += c;
    }
    CHECK(reading_of("\xFF\xFE" + low).channels[0].samples == expected);
    CHECK(reading_of(low).channels[0].samples == expected);
    CHECK(reading_of(high).channels[0].samples == expected);
}

TEST_CASE("Files of other kinds are refused by name") {
    CHECK(says(refusal_of("MATLAB 7.3 MAT-file, ..."), "level 7.3"));
    CHECK(says(refusal_of(std::string("PK\x03\x04") + "..."), "ZIP"));
    CHECK(says(refusal_of("Corrected accelerogram 2018 GNS Science\nx\n1 2\n"), "GeoNet"));
    CHECK(says(refusal_of("MATLAB 5.0 MAT-file, but no more"), "MATLAB"));
    CHECK(says(refusal_of(""), "is empty"));
    CHECK(says(refusal_of("words\nand words\n"), "no numbers"));
    CHECK(says(refusal_of(std::string("\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02")), "binary"));
}

TEST_CASE("Styles of NPTS and DT") {
    for (const char* line : {"NPTS= 4, DT= .01 SEC", "npts = 4 , dt = 0.0100 sec", "4 0.01 NPTS, DT",
                             "   4  .0100  NPTS, DT ", "NPTS, DT = 4, 0.01", "DT, NPTS = 0.01, 4",
                             "NPTS=4, DT(SEC)=0.01", "DT= 1.0D-02, NPTS= 4", "NPTS:4\nDT:0.01"}) {
        INFO(line);
        const Record record = reading_of(at2(line, ".1 .2\n.3 .4\n"));
        CHECK(record.channels[0].samples.size() == 4);
        CHECK(record.channels[0].step_s == Approx(0.01));
    }
}

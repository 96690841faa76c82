// Every format's sample is read: channels, steps, units, and the peak that its own header prints.
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/unit/hil/ground_motion/reading.hpp"

using namespace topple;
using hil::ground_motion::Channel;
using hil::ground_motion::peak_of;
using hil::ground_motion::Record;
using tests::sample;

namespace {

constexpr double kPeak_m_s2 = 2.382540387822856;  // of the made-up motion, at sample 65

bool notes(const std::vector<std::string>& notes, const std::string& words) {
    for (const std::string& note : notes)
        if (tests::says(note, words)) return true;
    return false;
}

struct Sample {
    const char* file;
    const char* format;
    std::size_t channels, samples;
    double digit_m_s2;  // last digit of its samples
};

}  // namespace

TEST_CASE("Each format is told by its content and read to the made-up motion's peak") {
    const Sample samples[] = {{"nga_west2.at2", "PEER AT2", 1, 203, 1e-6},
                              {"nga1_names_last.at2", "PEER AT2", 1, 203, 1e-6},
                              {"cr_cr_lf.at2", "PEER AT2", 1, 203, 1e-6},
                              {"text_before_8f10.at2", "PEER AT2", 1, 203, 1e-4},
                              {"seven_lines_swapped.at2", "PEER AT2", 1, 203, 1e-5},
                              {"lower_case_cm.at2", "PEER AT2", 1, 203, 1e-6},
                              {"cosmos_two_channels.v2c", "COSMOS", 2, 203, 1e-7},
                              {"csmip_three_channels.V2", "CSMIP volume 2", 3, 203, 1e-5},
                              {"csmip_pairs.V1", "CSMIP volume 1", 1, 203, 1e-3},
                              {"esm.asc", "ESM", 1, 203, 1e-8},
                              {"touching.smc", "USGS SMC", 1, 203, 1e-4},
                              {"decimal_commas.txt", "columns", 1, 203, 1e-5},
                              {"utf16_tabs.txt", "columns", 1, 203, 1e-5}};
    for (const Sample& expected : samples) {
        const Record record = sample(expected.file);
        INFO(expected.file);
        CHECK(record.format == expected.format);
        REQUIRE(record.channels.size() == expected.channels);
        const Channel& first = record.channels.front();
        CHECK(first.is_si);
        CHECK(first.step_s == Approx(0.02));
        REQUIRE(first.samples.size() == expected.samples);
        CHECK(peak_of(first.samples).index == 65);
        CHECK(peak_of(first.samples).value == Approx(kPeak_m_s2).margin(expected.digit_m_s2));
        for (const Channel& channel : record.channels)
            if (channel.printed_peak)
                CHECK(std::abs(std::abs(peak_of(channel.samples).value) - std::abs(channel.printed_peak->value)) <=
                      channel.printed_peak->half_digit * 1.001);
    }
}

TEST_CASE("Channels have the file's own words, and what contradicts is noted") {
    const Record cosmos = sample("cosmos_two_channels.v2c");
    CHECK(cosmos.channels[1].component == "Sta Chan  2: Up");
    CHECK(cosmos.channels[1].samples[65] == Approx(-0.5 * kPeak_m_s2).margin(1e-6));
    CHECK(cosmos.channels[0].notes.empty());
    CHECK(notes(cosmos.channels[1].notes, "CONFLICT: real-header value 34 (raw record) says 0.005 s"));
    const Record csmip = sample("csmip_three_channels.V2");
    CHECK(csmip.channels[2].component == "CHAN  3:   0 DEG");
    CHECK(csmip.station == "NOWHERE - MADE-UP YARD");
    CHECK(notes(csmip.channels[0].notes, "INITIAL VELOCITY"));
    CHECK(sample("touching.smc").channels[0].component == "45");
    CHECK(sample("afad.txt").channels[1].component == "E-W");
    CHECK(peak_of(sample("afad.txt").channels[1].samples).value == Approx(-0.1943612));
}

TEST_CASE("Counts of K-NET lose their mean, which is told, and meet the printed peak") {
    const Record record = sample("knet.EW");
    const Channel& channel = record.channels.front();
    REQUIRE(channel.printed_peak);
    CHECK(channel.printed_peak->value == Approx(2.38166));
    CHECK(std::abs(peak_of(channel.samples).value - 2.38166) < 0.5e-5);
    CHECK(channel.step_s == Approx(0.02));
    CHECK(notes(channel.notes, "their mean of 1505.2 counts"));
    double sum = 0.0;
    for (const double value : channel.samples) sum += value;
    CHECK(std::abs(sum) < 1e-9);
}

TEST_CASE("A printed peak that the samples do not reach is noted") {
    const std::string esm =
        "NETWORK: X\nSTATION_CODE: Y\nSAMPLING_INTERVAL_S: 0.01\nNDATA: 3\nUNITS: cm/s^2\nPGA_CM/S^2: ";
    CHECK(tests::reading_of(esm + "-2.50\nDATA_TYPE: ACCELERATION\n1.0\n-2.5\n0.5\n").channels[0].notes.empty());
    const Record wrong = tests::reading_of(esm + "-2.51\nDATA_TYPE: ACCELERATION\n1.0\n-2.5\n0.5\n");
    CHECK(notes(wrong.channels[0].notes, "CONFLICT: the header prints a peak of -2.51 cm/s2"));
}

TEST_CASE("What a file does not state must be given, and what it states must not be contradicted") {
    const Record bare = sample("one_column.txt");
    CHECK_FALSE(bare.channels[0].is_si);
    CHECK_FALSE(bare.channels[0].has_times());
    CHECK_THROWS_AS(require_usable(bare, bare.channels[0]), hil::files::InputError);
    const Record given = sample("one_column.txt", {0.02, "g"});
    CHECK(peak_of(given.channels[0].samples).value == Approx(kPeak_m_s2).margin(1e-5));
    CHECK(given.channels[0].step_s == 0.02);
    CHECK_THROWS_AS(sample("nga_west2.at2", {0.01, ""}), hil::files::InputError);
    CHECK_THROWS_AS(sample("nga_west2.at2", {std::nullopt, "m/s2"}), hil::files::InputError);
    const Record matlab = sample("time_and_acceleration.mat", {std::nullopt, "m/s2"});
    CHECK(matlab.channels[0].name == "Quake");
    CHECK(peak_of(matlab.channels[0].samples).value == Approx(kPeak_m_s2));
    CHECK(matlab.channels[0].step_s == Approx(0.02));
}

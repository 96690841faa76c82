#include "hil/vendor_files/channel_choice.hpp"

#include <numbers>

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil;
using vendor_files::parse_channel;

namespace {

vendor_files::RawTable table() {
    return {"lab.txt",
            "text table",
            {"t", "Disp", "Acc", "Angle"},
            {"ms", "", "g", ""},
            {{0, 2, 4}, {10, 12, 9}, {1, 0, -1}, {180, 0, 90}},
            {},
            {}};
}

std::string refusal(const std::vector<std::string>& texts, std::optional<double> rate_hz = {}) {
    try {
        std::vector<vendor_files::ChannelChoice> choices;
        for (const std::string& text : texts) choices.push_back(parse_channel(text));
        vendor_files::choose_channels(table(), choices, rate_hz);
    } catch (const files::InputError& error) {
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("A channel is sign times scale times what is left above its zero, in the column's unit") {
    const auto chosen = vendor_files::choose_channels(
        table(),
        {parse_channel("time=t"), parse_channel("displacement=Disp,unit=mm,sign=-1,offset=10,scale=2"),
         parse_channel("acceleration=3"), parse_channel("rotation_0=Angle,unit=deg")},
        {});
    CHECK(chosen.columns.time_s[1] == Approx(0.002));
    CHECK(chosen.columns.displacement_m[1] == Approx(-0.004));
    CHECK(chosen.columns.displacement_m[2] == Approx(0.002));
    CHECK(chosen.columns.acceleration_m_s2[0] == Approx(9.80665));
    CHECK(chosen.columns.rotation_rad.at(0)[0] == Approx(std::numbers::pi));
    REQUIRE(chosen.said.size() == 4);
    CHECK(mentions(chosen.said[1],
                   "displacement: column 2 \"Disp\" in mm, sign -1, offset 10 mm, scale 2: 3 samples from -0.004 to"));
}

TEST_CASE("The name of a matrix's column may be typed as MATLAB writes it") {
    CHECK(parse_channel("acceleration=acc(:,2),unit=g").column == "acc(:,2)");
    CHECK(parse_channel("acceleration=acc(:,2),unit=g").unit == "g");
}

TEST_CASE("What is missing, unknown or chosen twice is refused with what is allowed") {
    CHECK(mentions(refusal({"time=t", "displacement=Disp"}),
                   "states no unit: add unit=...; allowed for displacement: m, cm"));
    CHECK(mentions(refusal({"time=t", "displacement=Disp,unit=inch"}), "unit \"inch\" is none of displacement"));
    CHECK(mentions(refusal({"time=t", "displacement=Way,unit=m"}), "no column \"Way\"; there are: 1 \"t\" (ms)"));
    CHECK(mentions(refusal({"time=t", "acceleration=Acc", "acceleration=Acc"}), "chosen twice"));
    CHECK(mentions(refusal({"time=t"}), "no channel is chosen that measures anything"));
    CHECK(mentions(refusal({"acceleration=Acc"}), "add time=COLUMN"));
    CHECK(refusal({"acceleration=Acc"}, 500.0).empty());
    CHECK(mentions(refusal({"time=t", "acceleration=Acc"}, 500.0), "omit the rate"));
    CHECK(mentions(refusal({"time=Disp,unit=s", "acceleration=Acc"}), "time does not increase at sample 3"));
    CHECK(mentions(refusal({"speed=Disp"}), "wanted QUANTITY=COLUMN"));
    CHECK(mentions(refusal({"displacement=Disp,sign=2"}), "allowed: 1 or -1"));
    CHECK(mentions(refusal({"displacement=Disp,scale=0"}), "must not be 0"));
    CHECK(mentions(refusal({"displacement=Disp,unit=mm,shift=3"}), "\"shift\" is not known"));
    CHECK(mentions(refusal({"time=t", "rotation_1=Angle,unit=deg"}), "from rotation_0 on"));
}

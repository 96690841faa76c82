// Where a motion goes on a table of two axes, and what a specimen feels of it in its plane.
#include "hil/experiment/axis_motions.hpp"

#include <cmath>
#include <numbers>

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using hil::experiment::Experiment;

namespace {

constexpr double kPi = std::numbers::pi;

std::string example_machine() {
    return tests::content_of(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/machines/two_axes.toml");
}

/// The experiment of these lines, on the example table of two axes or on the built-in one.
struct Written {
    explicit Written(const std::string& excitation, const std::string& specimen = "", bool two_axes = true,
                     const std::string& table = "") {
        folder.write("machine.toml", example_machine());
        const std::string machine = two_axes ? "machine = \"machine.toml\"\n" : "";
        file = folder.write("test.toml",
                            "name = \"t\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = "
                            "2.5692\n" +
                                specimen + "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n" +
                                excitation + "[table]\n" + machine + table);
    }
    Experiment read() const { return hil::experiment::read_experiment(file); }
    std::string error() const {
        try {
            read();
        } catch (const hil::files::InputError& refused) {
            return refused.what();
        }
        return "no error";
    }
    tests::TemporaryFolder folder;
    std::filesystem::path file;
};

const std::string kOwnY = "[excitation_y]\ntype = \"sine\"\namplitude_m_s2 = 2.0\nfrequency_hz = 3.0\n";

double acceleration(const solver::BaseMotion& motion, double time_s) { return motion.at(time_s).acceleration_m_s2; }

}  // namespace

TEST_CASE("A motion in a direction is split over both axes, exactly along each of them") {
    const auto along = [](const std::string& radians) {
        return hil::experiment::axis_motions(Written("direction_rad = " + radians + "\n").read());
    };
    const auto at_30 = along("0.5235987755982988");
    REQUIRE(at_30.size() == 2);
    for (const double t : {0.03, 0.1, 0.2}) {
        const double a = 3.0 * std::sin(8 * kPi * t);
        CHECK(acceleration(at_30[0], t) == Approx(a * std::cos(kPi / 6)).margin(1e-12));
        CHECK(acceleration(at_30[1], t) == Approx(0.5 * a).margin(1e-12));
    }
    const auto planned = Written("").read().excitation.planned_motion();
    CHECK(along("0")[1].empty());
    CHECK(acceleration(along("0")[0], 0.1) == acceleration(planned, 0.1));
    const auto along_y = along("1.5707963267948966");
    CHECK(along_y[0].empty());
    CHECK(acceleration(along_y[1], 0.1) == acceleration(planned, 0.1));
    const auto back = along("3.141592653589793");
    CHECK(back[1].empty());
    CHECK(acceleration(back[0], 0.1) == -acceleration(planned, 0.1));

    const auto by_axis = hil::experiment::axis_motions(Written("", "", true, "axis = \"y\"\n").read());
    CHECK(by_axis[0].empty());
    CHECK(acceleration(by_axis[1], 0.1) == acceleration(planned, 0.1));
    CHECK(hil::experiment::axis_motions(Written("", "", false).read()).size() == 1);
}

TEST_CASE("A specimen feels a_x cos + a_y sin of its plane, the rest is across it") {
    const Experiment both = Written(kOwnY, "plane_angle_rad = 0.7853981633974483\n").read();
    REQUIRE(both.excitation_y);
    const auto felt = hil::experiment::excitation_along(both, both.plane_angle_rad.at(0));
    const double t = 0.07, x = 3.0 * std::sin(8 * kPi * t), y = 2.0 * std::sin(6 * kPi * t);
    CHECK(acceleration(felt.planned_motion(), t) == Approx((x + y) / std::sqrt(2.0)));
    CHECK(felt.planned_motion().end_s() == Approx(1.0 / 3.0));
    CHECK(felt.type == "sum");
    CHECK_FALSE(hil::experiment::is_planar(both));

    const Experiment turned = Written("direction_rad = 0.5235987755982988\n").read();  // the block: plane of x
    const auto peaks = hil::experiment::plane_peaks(turned, 0);
    CHECK(peaks.in_plane_m_s2 == Approx(3.0 * std::cos(kPi / 6)).epsilon(1e-6));
    CHECK(peaks.across_m_s2 == Approx(1.5).epsilon(1e-6));
    CHECK(peaks.is_spatial());
    CHECK(hil::experiment::plane_remark(peaks, 0).find("across it 1.5 m/s2") != std::string::npos);
    const Experiment in_plane =
        Written("direction_rad = 0.5235987755982988\n", "plane_angle_rad = 0.5235987755982988\n").read();
    CHECK(hil::experiment::is_planar(in_plane));
    CHECK(hil::experiment::plane_peaks(in_plane, 0).across_m_s2 == 0.0);
    CHECK(hil::experiment::plane_remark(hil::experiment::plane_peaks(in_plane, 0), 0).empty());
    // Also on a table of one axis.
    const Experiment aside = Written("", "plane_angle_rad = 0.5235987755982988\n", false).read();
    CHECK(hil::experiment::plane_peaks(aside, 0).in_plane_m_s2 == Approx(3.0 * std::cos(kPi / 6)).epsilon(1e-6));
    CHECK(hil::experiment::plane_peaks(aside, 0).across_m_s2 == Approx(1.5).epsilon(1e-6));
}

TEST_CASE("What makes no sense, or needs an axis that is not there, is refused by its key") {
    using Catch::Matchers::ContainsSubstring;
    const std::string direction = "direction_rad = 0.5\n";
    CHECK_THAT(Written(direction, "", false).error(),
               ContainsSubstring("direction_rad") && ContainsSubstring("axis x only") && ContainsSubstring("[y]"));
    CHECK_THAT(Written(kOwnY, "", false).error(),
               ContainsSubstring("excitation_y") && ContainsSubstring("axis x only"));
    CHECK_THAT(Written("", "", false, "axis = \"y\"\n").error(),
               ContainsSubstring("axis") && ContainsSubstring("quanser-st-iii has axis x only"));
    CHECK_THAT(Written(direction + kOwnY).error(), ContainsSubstring("not allowed together with [excitation_y]"));
    CHECK_THAT(Written(direction, "", true, "axis = \"y\"\n").error(), ContainsSubstring("not allowed together with"));
    CHECK_THAT(Written(kOwnY, "", true, "axis = \"y\"\n").error(), ContainsSubstring("not allowed together with"));
    CHECK_THAT(Written("direction_rad = 4.0\n").error(), ContainsSubstring("direction_rad = 4"));
    CHECK_THAT(Written("", "plane_angle_rad = \"x\"\n").error(), ContainsSubstring("plane_angle_rad"));
    CHECK_THAT(Written("", "", true, "axis = \"z\"\n").error(), ContainsSubstring("axis"));
    CHECK_THAT(Written(kOwnY + "drop_height_m = 1.0\n").error(), ContainsSubstring("air track"));
    CHECK_THROWS_AS(hil::experiment::require_planar(Written(direction).read(), "a map"), hil::files::InputError);
    CHECK_NOTHROW(hil::experiment::require_planar(Written("").read(), "a map"));
}

TEST_CASE("A plane turned by pi is the plane of the motion, felt mirrored") {
    const auto sense = [](const std::string& direction, const std::string& plane, const std::string& more = "") {
        return hil::experiment::sense_in_plane(Written(direction + more, plane).read(), 0, "a map");
    };
    CHECK(sense("direction_rad = 0.5\n", "plane_angle_rad = 0.5\n") == 1.0);
    CHECK(sense("direction_rad = 3.141592653589793\n", "") == -1.0);
    CHECK(sense("direction_rad = 0.5\n", "plane_angle_rad = -2.641592653589793\n") == -1.0);
    CHECK_THROWS_AS(sense("direction_rad = 0.5\n", ""), hil::files::InputError);
    CHECK_THROWS_AS(sense("", "plane_angle_rad = 3.141592653589793\n", kOwnY), hil::files::InputError);
}

TEST_CASE("Keys that would be refused in a section are not offered there") {
    const auto offered = [](const std::string& message) { return message.substr(message.find("allowed here")); };
    using Catch::Matchers::ContainsSubstring;
    const std::string typo = Written(kOwnY + "amplitude_m_s = 1.0\n").error();
    CHECK_THAT(typo, ContainsSubstring("did you mean amplitude_m_s2?"));
    CHECK_THAT(offered(typo), !ContainsSubstring("drop_height_m") && !ContainsSubstring("direction_rad"));
    CHECK_THAT(offered(Written("typo = 1\n").error()), ContainsSubstring("direction_rad"));
    CHECK_THAT(offered(Written("typo = 1\n", "", false).error()), !ContainsSubstring("direction_rad"));
    CHECK_THAT(offered(Written("typo = 1\n" + kOwnY).error()), !ContainsSubstring("direction_rad"));
}

TEST_CASE("The table [y] of a machine file takes from axis x what it leaves out, and is read back as written") {
    const tests::TemporaryFolder folder;
    folder.write("machine.toml", example_machine());
    const auto section = hil::experiment::read_machine("machine.toml", folder.path());
    REQUIRE(section.description.y);
    const firmware_iface::AxisDescription& y = *section.description.y;
    CHECK(y.stroke_m == 0.075);
    CHECK(y.counts_per_m == 1e6);
    CHECK(y.following_error_max_m == 0.01);
    CHECK(y.servo.coulomb_n == Approx(22.0));  // of 30 kg; axis x of 45 kg counts with half as much again
    CHECK(section.description.servo.coulomb_n == Approx(33.0));
    folder.write("again.toml", hil::experiment::machine_toml(section.description));
    const auto again = hil::experiment::read_machine("again.toml", folder.path()).description;
    CHECK(firmware_iface::configuration_hash(again) == firmware_iface::configuration_hash(section.description));
    CHECK(hil::experiment::machine_toml(again) == hil::experiment::machine_toml(section.description));

    const auto error = [&](const std::string& more) -> std::string {
        folder.write("bad.toml", example_machine() + more);
        try {
            hil::experiment::read_machine("bad.toml", folder.path());
        } catch (const hil::files::InputError& refused) {
            return refused.what();
        }
        return "no error";
    };
    CHECK(error("payload_max_kg = 3.0\n").find("of the whole table") != std::string::npos);
    CHECK(error("strok_m = 3.0\n").find("strok_m") != std::string::npos);
    CHECK(error("encoder_sign = 0\n").find("1 or -1") != std::string::npos);
    CHECK(error("brake_deceleration_m_s2 = -1\n").find("brake_deceleration_m_s2") != std::string::npos);
}

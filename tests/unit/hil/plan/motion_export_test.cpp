#include "hil/plan/motion_export.hpp"

#include <cmath>

#include "hil/experiment/start_marker.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/read_excitation.hpp"

using namespace topple;
using hil::plan::export_motion;

namespace {

const std::string kSine = "type = \"sine\"\namplitude_m_s2 = 3\nfrequency_hz = 4\n";

const std::vector<double>& column(const hil::plan::ExportedMotion& motion, const std::string& quantity) {
    for (const auto& one : motion.columns)
        if (one.quantity == quantity) return one.values;
    FAIL("no column " << quantity);
    return motion.columns.front().values;
}

}  // namespace

TEST_CASE("An exported motion has even rows from rest to rest in the units that were asked for") {
    const auto experiment = tests::read_excitation(kSine);
    const auto plan = hil::plan::plan_motion(experiment);
    const auto motion = export_motion(experiment, plan, {1000.0, {}, "mm", "g", false});
    CHECK(motion.step_s == 1e-3);
    REQUIRE(column(motion, "time").size() == 251);
    CHECK(column(motion, "position").front() == Approx(1e3 * plan.profile.start_position_m));
    CHECK(column(motion, "velocity").back() == Approx(0.0).margin(1e-9));
    const double quarter = column(motion, "acceleration")[62];
    CHECK(quarter == Approx(3.0 / 9.80665 * std::sin(2 * 3.14159265358979 * 4 * 0.062)).epsilon(1e-9));
    // x'' by second differences is off by a0 w^2 h^2/12.
    CHECK(motion.derivative_error_m_s2 ==
          Approx(3.0 * std::pow(2 * 3.14159265358979 * 4 * 1e-3, 2) / 12).epsilon(0.02));
    CHECK(motion.step_error_m_s2 == 0.0);
    const std::string text = hil::plan::tab_text(motion);
    CHECK(text.starts_with("time (s)\tposition (mm)\tvelocity (mm/s)\tacceleration (g)\n0\t"));
}

TEST_CASE("At the steps of a cosine the derivative error is told apart") {
    const auto experiment =
        tests::read_excitation("type = \"cosine\"\namplitude_m_s2 = 3\nfrequency_hz = 4\ncycles = 2\n");
    const auto motion =
        export_motion(experiment, hil::plan::plan_motion(experiment), {500.0, {"position"}, "m", "g", false});
    CHECK(motion.derivative_error_m_s2 < 0.01);
    CHECK(motion.columns.size() == 1);
}

TEST_CASE("A marker goes before the motion, gently and there and back") {
    const auto experiment = tests::read_excitation(kSine);
    const auto plan = hil::plan::plan_motion(experiment);
    const auto motion = export_motion(experiment, plan, {500.0, {}, "m", "m/s2", true});
    const auto start = hil::experiment::start_marker(experiment);
    CHECK(motion.motion_start_s == Approx(start.lead_s));
    const auto& position = column(motion, "position");
    double reach = 0.0, acceleration = 0.0;
    for (std::size_t i = 0; motion.step_s * static_cast<double>(i) < start.marker.end_s(); ++i) {
        reach = std::max(reach, position[i] - position[0]);
        acceleration = std::max(acceleration, std::abs(column(motion, "acceleration")[i]));
    }
    CHECK(reach == Approx(hil::experiment::kMarker_m).epsilon(1e-3));
    CHECK(acceleration <= 0.2 * hil::experiment::uplift_threshold_m_s2(experiment));
    const auto before = static_cast<std::size_t>((start.lead_s - 0.01) / motion.step_s);
    CHECK(position[before] == Approx(position[0]).margin(1e-12));
}

TEST_CASE("AT2 has its four lines and five numbers a line") {
    const auto experiment = tests::read_excitation(kSine);
    const auto plan = hil::plan::plan_motion(experiment);
    const std::string text =
        hil::plan::at2_text(export_motion(experiment, plan, {200.0, {"acceleration"}, "m", "g", false}), "B6L");
    CHECK(text.find("\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=     51, DT= 0.005 SEC\n") != std::string::npos);
    CHECK(std::count(text.begin(), text.end(), '\n') == 4 + 11);
    CHECK_THROWS_AS(hil::plan::at2_text(export_motion(experiment, plan, {200.0, {"position"}, "m", "g", false}), "B6L"),
                    hil::files::InputError);
}

TEST_CASE("An export that cannot be is refused") {
    const auto experiment = tests::read_excitation(kSine);
    const auto plan = hil::plan::plan_motion(experiment);
    for (const hil::plan::ExportRequest& bad : {hil::plan::ExportRequest{1e6, {}, "m", "g", false},
                                                hil::plan::ExportRequest{500.0, {"jerk"}, "m", "g", false},
                                                hil::plan::ExportRequest{500.0, {}, "ft", "g", false},
                                                hil::plan::ExportRequest{500.0, {}, "m", "gal", false}})
        CHECK_THROWS_AS(export_motion(experiment, plan, bad), hil::files::InputError);
}

// What counts as measured where a camera saw the blocks only for a part of the test.
#include <cmath>
#include <functional>
#include <limits>

#include "hil/compare/camera_errors.hpp"
#include "hil/compare/measured.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::compare;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

solver::Specimen slender_block() {
    solver::Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};  // alpha = 0.2187 rad
    return specimen;
}

/// Seen at 200 Hz from -0.5 s on; the record lasts 6 s, the motion 1 s.
SpecimenMeasurement measured(const std::function<double(double)>& rotation_rad, double until_s = 6.0) {
    FilmedRotation filmed;
    filmed.frame_s = 0.005;
    filmed.rotation_rad.resize(1);
    for (double t = -0.5; t < until_s; t += filmed.frame_s) {
        filmed.time_s.push_back(t);
        filmed.rotation_rad[0].push_back(rotation_rad(t));
    }
    const MotionWindow window{-0.5, 6.0, -0.5, -0.02, 1.0};
    return measure_specimens({}, {slender_block()}, {-0.5, 0.002, 3251}, window, {}, &filmed).at(0);
}

double rocks(double t) { return t < 0.1 ? 0.0 : 0.08 * std::exp(-(t - 0.1)) * std::sin(8.0 * (t - 0.1)); }
double falls(double t) { return t < 0.1 ? 0.0 : 0.002 * (std::exp(6.0 * (t - 0.1)) - 1.0); }

}  // namespace

TEST_CASE("a camera that saw the whole test measures its outcome and peak, a gap bridged by a straight line") {
    const SpecimenMeasurement m = measured([](double t) { return t > 2.0 && t < 2.05 ? kNaN : rocks(t); });
    CHECK(m.source == MeasurementSource::camera);
    CHECK(m.outcome == solver::Outcome::rocking);
    CHECK(m.side == solver::Side::right);
    CHECK(m.blocks.at(0).peak_rotation_rad == Approx(0.0668).epsilon(0.02));
    CHECK(m.blocks.at(0).gaps.gap_count == 1);
}

TEST_CASE("a camera that stopped before the motion did shows no outcome, one that stopped later does") {
    CHECK_FALSE(measured(rocks, 0.8).outcome.has_value());
    CHECK(measured(rocks, 0.8).undecided.find("the motion ended at 1.00 s") != std::string::npos);
    CHECK(measured(rocks, 4.5).outcome == solver::Outcome::rocking);
}

TEST_CASE("a block that is lost while it falls has fallen, at a time that is not known") {
    const auto lost_at = [](double angle_rad) {
        return measured([angle_rad](double t) { return falls(t) > angle_rad ? kNaN : falls(t); });
    };
    const SpecimenMeasurement m = lost_at(0.8);
    CHECK(m.outcome == solver::Outcome::overturning);
    CHECK(m.side == solver::Side::right);
    CHECK_FALSE(m.overturn_time_s.has_value());
    CHECK(m.remarks.back().find("counted as fallen") != std::string::npos);
    CHECK_FALSE(lost_at(0.25).outcome.has_value());  // hardly beyond its slenderness: it may come back
    const SpecimenMeasurement back = measured(
        [](double t) { return t < 0.1 || t > 0.7 ? (t > 0.7 ? kNaN : 0.0) : 0.4 * std::sin(3.5 * (t - 0.1)); });
    CHECK_FALSE(back.outcome.has_value());  // 0.35 rad, but turning back
    const SpecimenMeasurement seen = measured([](double t) { return std::min(falls(t), 1.5708); });
    CHECK(seen.overturn_time_s.has_value());
}

TEST_CASE("the clock's error is part of the error of a reading") {
    FilmedRotation filmed;
    filmed.offset_error_s = 0.00346;  // a bound: 2 ms
    CHECK(reading_errors(filmed).time_s == Approx(std::hypot(0.002, 0.002)).epsilon(0.01));
    CHECK(reading_errors(filmed).history_ratio == Approx(0.02 * std::sqrt(2.0)).epsilon(0.01));
    filmed.is_fitted = true;
    filmed.compared_with = "prediction";
    filmed.residual_s = 0.015;
    CHECK(reading_errors(filmed).time_s == 0.015);
    CHECK(reading_errors(filmed).history_ratio == kBlindErrors.history_ratio);
}

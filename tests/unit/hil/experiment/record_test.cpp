// Records of base acceleration: units, channels, corrections, refusals.
#include <cmath>
#include <numbers>
#include <sstream>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "hil/signal/zero_phase.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

hil::experiment::Experiment read(const std::string& csv, const std::string& keys = "") {
    const tests::TemporaryFolder folder;
    folder.write("record.csv", csv);
    return hil::experiment::read_experiment(
        folder.write("experiment.toml",
                     "name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5\n"
                     "[excitation]\ntype = \"record\"\nfile = \"record.csv\"\n" +
                         keys));
}

std::string message_of(const std::string& csv, const std::string& keys = "") {
    try {
        read(csv, keys);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

/// One period of sine, 1 m/s2 and 1 Hz, plus an offset.
std::string sine_record(double offset, const std::string& header) {
    std::ostringstream text;
    text.precision(17);
    text << header << '\n';
    for (int i = 0; i <= 100; ++i)
        text << 0.01 * i << ',' << std::sin(2 * std::numbers::pi * 0.01 * i) + offset << '\n';
    return text.str();
}

bool tells(const hil::experiment::Experiment& experiment, const std::string& words) {
    for (const std::string& remark : experiment.excitation.remarks)
        if (remark.find(words) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("A record's unit is that of its column, or of the file") {
    const std::string rows = "0,0.1\n0.5,0.2\n1,0.1\n";
    CHECK(read("time_s,acceleration_m_s2\n" + rows).excitation.motion.at(0.5).acceleration_m_s2 == Approx(0.2));
    CHECK(read("time_s,acceleration_g\n" + rows).excitation.motion.at(0.5).acceleration_m_s2 == Approx(0.2 * 9.81));
    CHECK(
        read("time_s,a\n" + rows, "channel = \"a\"\nunits = \"cm/s2\"\n").excitation.motion.at(0.5).acceleration_m_s2 ==
        Approx(0.002));
    CHECK(read(rows, "units = \"m/s2\"\nscale = -2\n").excitation.motion.at(0.25).acceleration_m_s2 == Approx(-0.3));
    CHECK(message_of("time_s,a\n" + rows, "channel = \"a\"\n").find("states no unit") != std::string::npos);
    CHECK(message_of("time_s,acceleration_g\n" + rows, "units = \"m/s2\"\n").find("states g") != std::string::npos);
}

TEST_CASE("A record with several accelerations needs a channel") {
    const std::string csv = "time_s,acceleration_x_m_s2,acceleration_y_m_s2\n0,1,2\n1,1,2\n";
    CHECK(message_of(csv).find("name one by channel") != std::string::npos);
    CHECK(read(csv, "channel = \"acceleration_y_m_s2\"\n").excitation.motion.at(0.5).acceleration_m_s2 == 2.0);
    CHECK(message_of(csv, "channel = \"z\"\n").find("acceleration_x_m_s2") != std::string::npos);
}

TEST_CASE("Time starts at the first sample and must be even unless said otherwise") {
    const hil::experiment::Experiment late = read("time_s,acceleration_m_s2\n5,0\n5.5,1\n6,0\n");
    CHECK(late.excitation.motion.end_s() == Approx(1.0));
    CHECK(late.excitation.motion.at(0.5).acceleration_m_s2 == Approx(1.0));
    const std::string uneven = "time_s,acceleration_m_s2\n0,0\n0.5,1\n2,0\n";
    CHECK(message_of(uneven).find("uneven time at line 3") != std::string::npos);
    std::string hole = "time_s,acceleration_m_s2\n";
    for (int i = 0; i < 40; ++i) hole += std::to_string(0.01 * (i < 30 ? i : i + 5)) + ",0\n";
    CHECK(message_of(hole).find("uneven time at line 32") != std::string::npos);
    CHECK(read(uneven, "uneven_time = true\n").excitation.motion.at(1.25).acceleration_m_s2 == Approx(0.5));
    CHECK(message_of("time_s,acceleration_m_s2\n0,0\n1,1\n0.5,0\n").find("line 4") != std::string::npos);
    CHECK(message_of("time_s,acceleration_m_s2\n0,0\n").find("at least 2") != std::string::npos);
}

TEST_CASE("A record that ends almost at rest is stopped, and that is said") {
    const hil::experiment::Experiment experiment = read(sine_record(1e-3, "time_s,acceleration_m_s2"));
    REQUIRE(experiment.excitation.table_motion);
    const solver::BaseMotion& motion = *experiment.excitation.table_motion;
    CHECK(std::abs(motion.at(motion.end_s()).velocity_m_s) < 1e-12);
    CHECK(motion.end_s() > 1.0);
    CHECK(tells(experiment, "corrected (stop)"));
    CHECK(tells(experiment, "record ends at 0.001 m/s"));
}

TEST_CASE("A record that ends in motion is not offered to a table unless a correction is chosen") {
    const std::string csv = sine_record(0.1, "time_s,acceleration_m_s2");
    const hil::experiment::Experiment plain = read(csv);
    CHECK_FALSE(plain.excitation.table_motion);
    CHECK(plain.excitation.table_motion_missing.find("end_correction") != std::string::npos);
    const hil::experiment::Experiment baseline = read(csv, "end_correction = \"baseline\"\n");
    REQUIRE(baseline.excitation.table_motion);
    CHECK(std::abs(baseline.excitation.table_motion->at(2.0).velocity_m_s) < 1e-9);
    CHECK(baseline.excitation.table_motion->at(0.25).acceleration_m_s2 == Approx(1.0));
    CHECK(tells(baseline, "corrected (baseline): -0.1 m/s2"));
    const hil::experiment::Experiment stop = read(csv, "end_correction = \"stop\"\n");
    REQUIRE(stop.excitation.table_motion);
    CHECK(std::abs(stop.excitation.table_motion->at(9.0).velocity_m_s) < 1e-12);
    CHECK(stop.excitation.table_motion->at(1.3).acceleration_m_s2 >= -0.2);
    CHECK_FALSE(
        read(sine_record(1e-3, "time_s,acceleration_m_s2"), "end_correction = \"none\"\n").excitation.table_motion);
}

TEST_CASE("The raw record of an accelerometer is recognised by its zero and refused until it is said what to do") {
    std::ostringstream raw, pulse;
    raw << "time_s,acceleration_g\n";
    pulse << "time_s,acceleration_m_s2\n";
    for (int i = 0; i <= 8000; ++i) {  // 40 s, shaken for 10 s in between
        const double t = 0.005 * i,
                     strong = t > 15.0 && t < 25.0 ? 0.2 * std::sin(2 * std::numbers::pi * 2.0 * t) : 0.0;
        raw << t << ',' << 0.0157 + strong + 0.002 * std::sin(12345.0 * i) << '\n';
        pulse << t << ',' << (t < 0.3 ? 2.0 : 0.0) << '\n';
    }
    const std::string message = message_of(raw.str());
    for (const char* told : {"raw record", "0.154 m/s2", "6.1", "end_correction", "high_pass_hz"})
        CHECK(message.find(told) != std::string::npos);
    CHECK(read(raw.str(), "end_correction = \"baseline\"\n").excitation.table_motion);
    CHECK(tells(read(raw.str(), "end_correction = \"none\"\n"), "record ends at 6.1"));
    CHECK(tells(read(pulse.str()), "record ends at 0.595 m/s"));  // a base that goes on moving is no bias
}

TEST_CASE("A high-pass takes the drift, keeps the phase and is said") {
    const double step_s = 0.01;
    std::vector<double> samples;
    for (int i = 0; i < 4000; ++i) samples.push_back(0.5 + std::sin(2 * std::numbers::pi * 2.0 * step_s * i));
    const std::vector<double> filtered = hil::signal::zero_phase_high_pass(samples, step_s, 0.2);
    for (int i = 1500; i < 2500; ++i) CHECK(filtered[i] == Approx(samples[i] - 0.5).margin(2e-3));
    const hil::experiment::Experiment experiment =
        read(sine_record(0.0, "time_s,acceleration_m_s2"), "high_pass_hz = 0.1\nend_correction = \"stop\"\n");
    CHECK(tells(experiment, "high-pass"));
    CHECK(message_of(sine_record(0.0, "time_s,acceleration_m_s2"), "high_pass_hz = 60\n").find("< 50") !=
          std::string::npos);
}

TEST_CASE("A high-pass whose corner is below what the record holds removes a constant, and says what it cannot") {
    std::vector<double> samples;
    for (int i = 0; i < 2000; ++i) samples.push_back(0.3 + std::sin(2 * std::numbers::pi * 0.02 * i));
    const std::vector<double> filtered =
        hil::signal::zero_phase_high_pass(samples, 0.01, 0.005);  // 200 s, the record has 20 s
    double sum = 0.0;
    for (const double value : filtered) sum += value;
    CHECK(std::abs(sum / 2000.0) < 0.003);  // 1 % of the offset
    const auto with = [](const std::string& corner) {
        return read(sine_record(0.1, "time_s,acceleration_m_s2"),
                    "high_pass_hz = " + corner + "\nend_correction = \"none\"\n");
    };
    CHECK(tells(with("0.1"), "high_pass_hz = 0.1 is below what a record of 1 s can hold"));
    CHECK_FALSE(tells(with("2"), "can hold"));
    CHECK(with("0.1").excitation.table_motion_missing.find("a high_pass_hz above the current 0.1") !=
          std::string::npos);
}

TEST_CASE("A record that cannot be a table's acceleration is refused") {
    CHECK(message_of("time_s,acceleration_m_s2\n0,0\n1,5000\n").find("line 3: 5000 m/s2") != std::string::npos);
    CHECK(message_of("time_s,displacement_m\n0,0\n1,1\n").find("0 columns of acceleration") != std::string::npos);
    CHECK(message_of("t,acceleration_m_s2\n0,0\n1,1\n").find("no column time_s") != std::string::npos);
    CHECK(message_of("time_s,acceleration_m_s2\n0,0\n1,x\n").find("record.csv, line 3") != std::string::npos);
}

TEST_CASE("Keys of a displacement beside a record are checked against each other and against the file") {
    std::string csv = "time_s,acceleration_m_s2,x_mm,y\n";
    for (int i = 0; i < 400; ++i) {  // a pulse of which displacement and acceleration are known in closed form
        const double t = 0.01 * i - 2.0, k = std::pow(std::numbers::pi * 2.5, 2);
        const double bell = std::exp(-k * t * t), ripple = 0.02 * std::sin(1e3 * i * i);
        csv += std::to_string(0.01 * i) + "," + std::to_string(3.0 * (1.0 - 2.0 * k * t * t) * bell + ripple) + "," +
               std::to_string(-1500.0 / k * bell + ripple) + ",0\n";
    }
    const std::string column = "displacement_channel = \"x_mm\"\n";
    CHECK(read(csv, column).excitation.motion.at(2.0).acceleration_m_s2 == Approx(3.0).margin(0.1));
    CHECK(tells(read(csv, column), "agrees with the displacement"));
    CHECK_FALSE(tells(read(csv, column + "displacement_check = \"off\"\n"), "displacement"));
    const auto says = [&](const std::string& keys, const std::string& words) {
        INFO(keys << "\n" << message_of(csv, keys));
        CHECK(message_of(csv, keys).find(words) != std::string::npos);
    };
    says("displacement_channel = \"z_mm\"\n", "no such column");
    says("displacement_channel = \"y\"\n", "states no unit");
    says("displacement_channel = \"y\"\ndisplacement_unit = \"mm\"\n", "displacement");  // it does not move
    says(column + "displacement_unit = \"m\"\n", "states mm");
    says(column + "displacement_unit = \"km\"\n", "displacement_unit");
    says(column + "displacement_file = \"record.csv\"\n", "not allowed together");
    says(column + "uneven_time = true\n", "not allowed with a displacement");
    says(column + "displacement_check = \"perhaps\"\n", "displacement_check");
    says(column + "displacement_shift_max_s = -1\n", "displacement_shift_max_s");
    says("displacement_file = \"nowhere.csv\"\n", "no such file");
    says("displacement_check = \"on\"\n", "needs a displacement_channel");
    says("channel = \"y\"\nunits = \"any\"\n", "needs a displacement");
}

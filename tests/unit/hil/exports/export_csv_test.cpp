#include "hil/exports/export_csv.hpp"

#include <clocale>
#include <fstream>
#include <limits>
#include <sstream>

#include "hil/experiment/aux_channels.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple;
using namespace topple::hil::exports;
using namespace topple::hil::files;
using namespace topple::hil::run_log;

namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

RunLogOptions options_with_machine() {
    firmware_iface::MachineDescription machine;
    machine.counts_per_m = 1e6;
    machine.encoder_sign = -1;
    machine.accelerometer_scale = 2.0;
    RunLogOptions options = sample_options();
    options.metadata.merge(machine_metadata(machine));
    const hil::experiment::AuxChannel cell{"load cell", "N", 100.0, -5.0};
    options.metadata.merge(hil::experiment::aux_metadata({&cell, 1}));
    return options;
}

}  // namespace

TEST_CASE("exported columns carry units, and counts stand beside metres") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 10, options_with_machine());
    CHECK(export_csv(folder.path()).place == folder.path() / "csv");
    const auto lines = lines_of(folder.path() / "csv" / "feedback.csv");
    REQUIRE(lines.size() == 11);
    CHECK(lines[0] ==
          "device_time_us,time_s,encoder_x_count,position_x_m,setpoint_position_x_m,setpoint_velocity_x_m_s,"
          "setpoint_acceleration_x_m_s2,accelerometer_x_m_s2,acceleration_x_m_s2,accelerometer_y_m_s2,"
          "acceleration_y_m_s2,rotation_0_rad,rotation_1_rad,state,fault_code,queue_level,motion_done,trigger,"
          "aux_load_cell_N,aux_1_v");
    // Tick 0 has no accelerometer in x; tick 2 reports -1.5 m/s2, which are -3 true ones.
    CHECK(lines[1] == "7000000,0.000000,-100,0.0001,0,-0.25,3,,,0.125,0.25,0.1,-0.2,running,18,50,0,1,45,-1.25");
    CHECK(lines[3] ==
          "7004000,0.004000,-98,9.8e-05,0.002,-0.25,3,-1.5,-3,0.125,0.25,0.1,-0.2,running,0,50,0,1,45,-1.25");
}

TEST_CASE("the other topics are exported one file each") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 3);
    const auto out = export_csv(folder.file("run.mcap"), folder.path() / "new" / "place").place;
    CHECK(lines_of(out / "setpoint.csv").at(0) ==
          "device_time_us,time_s,position_x_m,velocity_x_m_s,acceleration_x_m_s2,final");
    CHECK(lines_of(out / "setpoint.csv").at(1).rfind("7100000,0.100000,", 0) == 0);
    const auto predictions = lines_of(out / "prediction.csv");
    CHECK(predictions.at(0) ==
          "device_time_us,time_s,age_us,specimen,outcome,rotation_0_rad,rotation_1_rad,any_overturning_probability,"
          "overturning_left_probability,translation_probability,sliding_probability,rocking_probability,"
          "overturning_probability,partial_overturning_probability,total_overturning_probability,expected_time_s,"
          "members,members_run_ahead,effective_members");
    CHECK(predictions.at(1) == "6996000,-0.004000,4000,0,rocking,0.1,-0.2,,,,,,,,,,,,");  // of an earlier program
    CHECK(predictions.at(2) ==
          "6998000,-0.002000,4000,0,rocking,0.1,-0.2,0.25,0.125,0,0,0.625,0.25,0,0,,1000,200,512.5");
    CHECK(lines_of(out / "timing.csv").at(2) == "7002000,0.002000,1,2000000,12345,-1,0,50");
    CHECK(text_of(out / "events.csv") ==
          "device_time_us,time_s,kind,text\n7000000,0.000000,motion_start,\n"
          "7006000,0.006000,remark,\"déjà vu, \"\"quoted\"\"\nsecond line\"\n");
}

TEST_CASE("what is not finite becomes an empty cell") {
    const TemporaryFolder folder;
    {
        RunLog log(folder.file("run.mcap"), sample_options());
        auto feedback = sample_feedback(1);
        feedback.acceleration_x_m_s2 = std::numeric_limits<double>::quiet_NaN();
        feedback.axes[0].setpoint_velocity_m_s = -std::numeric_limits<double>::infinity();
        log.push(feedback);
    }
    export_csv(folder.path());
    const std::string text = text_of(folder.path() / "csv" / "feedback.csv");
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("inf") == std::string::npos);
    CHECK(text.find("0.001,,3,,,,,0.1") != std::string::npos);
}

TEST_CASE("an export does not depend on the locale") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 10, options_with_machine());
    export_csv(folder.path(), folder.path() / "plain");
    const char* const commas = std::setlocale(LC_ALL, "de_DE.UTF-8");
    export_csv(folder.path(), folder.path() / "german");
    std::setlocale(LC_ALL, "C");
    INFO((commas ? "de_DE.UTF-8" : "de_DE.UTF-8 is not installed here"));
    CHECK(text_of(folder.path() / "plain" / "feedback.csv") == text_of(folder.path() / "german" / "feedback.csv"));
}

TEST_CASE("an export never overwrites and leaves nothing half done") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 3);
    export_csv(folder.path());
    CHECK_THROWS_AS(export_csv(folder.path()), InputError);
    CHECK_THROWS_AS(export_csv(folder.path(), folder.path()), InputError);
    CHECK_THROWS_AS(export_csv(folder.path(), folder.file("run.mcap") / "inside a file"), OutputError);
}

// Whole tests on the simulated table, in lockstep, with and without [table] protect.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "hil/drive/drive_experiment.hpp"
#include "hil/drive/protection.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using hil::run_log::EventKind;

namespace {

std::string experiment_text(double amplitude_m_s2, const std::string& protect) {
    return "name = \"protected\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
           "restitution = { model = \"housner\" }\n[excitation]\ntype = \"sine\"\namplitude_m_s2 = " +
           std::to_string(amplitude_m_s2) + "\nfrequency_hz = 2.5\n[table]\n" + protect +
           "[simulation]\ntable = \"ideal\"\ntruth = \"exact\"\n";
}

struct Driven {
    hil::drive::DrivenExperiment result;
    hil::run_log::RunData log;
    double largest_rad() const {
        double most = 0.0;
        for (const auto& feedback : log.feedback) most = std::max(most, std::abs(feedback.rotation_rad[0]));
        return most;
    }
};

Driven drive(double amplitude_m_s2, const std::string& protect) {
    const tests::TemporaryFolder folder;
    folder.write("test.toml", experiment_text(amplitude_m_s2, protect));
    const auto experiment = hil::experiment::read_experiment(folder.file("test.toml"));
    const std::atomic<bool> stop{false};
    hil::drive::DriveOptions options;
    options.folder = folder.file("run");
    options.device = "sim:";
    Driven driven;
    driven.result = hil::drive::drive_experiment(experiment, options, stop, {});
    driven.log = hil::run_log::read_run_log(options.folder);
    return driven;
}

}  // namespace

TEST_CASE("a specimen that is certain to fall is saved by another end of the motion, and the log says so") {
    const Driven twin = drive(3.5, "");
    CHECK(twin.result.drive.complete);
    CHECK(twin.largest_rad() > 1.0);
    CHECK_FALSE(twin.log.event_time_us(EventKind::protective_ending));

    const Driven saved = drive(3.5, "protect = 0.9\n");
    CHECK(saved.result.drive.complete);
    CHECK(saved.largest_rad() < 0.3);
    const auto from_us = saved.log.event_time_us(EventKind::protective_ending);
    const auto start_us = saved.log.event_time_us(EventKind::motion_start);
    REQUIRE((from_us && start_us));
    CHECK(*from_us - *start_us >= 90'000);
    CHECK(*from_us - *start_us < 400'000);
    const auto& events = saved.log.events;
    const auto event = std::find_if(events.begin(), events.end(),
                                    [](const auto& one) { return one.kind == EventKind::protective_ending; });
    CHECK(event->text.find("P(standing) 0 % -> ") == 0);
    // To the table it was an ordinary motion: one stream of setpoints, times rising, the last one final, no fault.
    std::uint64_t before_us = 0;
    for (const auto& setpoint : saved.log.setpoints) {
        CHECK(setpoint.device_time_us >= before_us);
        before_us = setpoint.device_time_us;
    }
    for (const auto& feedback : saved.log.feedback) CHECK(feedback.fault_code == 0);
    CHECK(saved.log.event_time_us(EventKind::motion_done));
}

TEST_CASE("a specimen that will stand is left alone") {
    const Driven driven = drive(1.0, "protect = 0.9\n");
    CHECK(driven.result.drive.complete);
    CHECK_FALSE(driven.log.event_time_us(EventKind::protective_ending));
}

TEST_CASE("the words of an ending name both probabilities and what the base does") {
    hil::drive::ChosenEnding chosen;
    chosen.standing_before = 0.004;
    chosen.standing_after = 0.872;
    chosen.ending.push_m_s2 = -5.0;
    chosen.ending.push_s = 0.08;
    chosen.ending.deceleration_m_s2 = 2.5;
    CHECK(hil::drive::wording_of(chosen).text() ==
          "P(standing) 0.4 % -> 87.2 %: pushed with -5.00 m/s2 for 80 ms, then braked with 2.50 m/s2");
}

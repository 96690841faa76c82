// The flight recorder: the last ticks before a stop or fault, as a file that agrees with the log.
#include <algorithm>
#include <map>
#include <sstream>

#include "hil/drive/flight_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/driven_run.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::tests;
using controller::StopReason;

namespace {

hil::experiment::Experiment experiment() {
    return hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
}

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& csv) {
    std::vector<Row> rows;
    std::vector<std::string> names;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream in(line + ",");
        for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
        if (names.empty()) {
            names = cells;
            continue;
        }
        REQUIRE(cells.size() == names.size());
        Row row;
        for (std::size_t i = 0; i < cells.size(); ++i) row[names[i]] = cells[i];
        rows.push_back(row);
    }
    return rows;
}

double number(const Row& row, const std::string& column) { return std::stod(row.at(column)); }

// The drive of the simulated table fails when `when` says so of the core.
struct Failed {
    TemporaryFolder folder;
    std::uint64_t fails_from_us = 0;
    std::unique_ptr<DrivenRun> test;
    hil::drive::DriveResult result;
    hil::run_log::RunData log;
    hil::drive::FlightFiles files;

    explicit Failed(double velocity_m_s, double after_s) {
        hil::sim_table::SimulatedTableOptions options;
        options.disturb = [this](std::uint64_t device_us, firmware_iface::Measurement& measurement) {
            if (fails_from_us != 0 && device_us >= fails_from_us) measurement.drive_ok = false;
        };
        test = std::make_unique<DrivenRun>(experiment(), folder.path(), options);
        const std::uint64_t begin_us = test->table().device_time_us();
        test->clock().oversleep = [=, this](std::uint64_t device_us) {
            const double moves_m_s = test->table().core().feedback().axes[0].setpoint_velocity_m_s;
            if (fails_from_us == 0 && moves_m_s >= velocity_m_s &&
                1e-6 * static_cast<double>(device_us - begin_us) >= after_s)
                fails_from_us = device_us + 1000;
            return firmware_iface::Nanoseconds(0);
        };
        result = test->run();
        log = hil::run_log::read_run_log(folder.path() / "run.mcap");
        files =
            hil::drive::write_flight_files(folder.path(), test->flight().incidents(), experiment().table.description);
    }
    std::vector<Row> rows() const { return rows_of(content_of(folder.path() / files.names.at(0))); }
};

}  // namespace

TEST_CASE("a fault in motion leaves the 500 ticks up to it, row by row what the log says") {
    const Failed failed(0.2, 0.0);
    CHECK(failed.result.reason == StopReason::device_fault);
    REQUIRE(failed.files.names.size() == 1);
    CHECK(failed.files.failure.empty());
    const auto fault = std::find_if(failed.log.feedback.begin(), failed.log.feedback.end(),
                                    [](const auto& feedback) { return feedback.fault_code != 0; });
    REQUIRE(fault != failed.log.feedback.end());
    CHECK(failed.files.names[0] == "flight_" + std::to_string(fault->device_time_us) + "_drive_fault.csv");
    const auto rows = failed.rows();
    REQUIRE(rows.size() == 500);
    CHECK(rows.back().at("device_time_us") == std::to_string(fault->device_time_us));
    CHECK(rows.back().at("fault_code") == "10");
    CHECK(rows.back().at("supervisor") == "stopping");
    CHECK(rows.back().at("stop_reason") == "device_fault");
    CHECK(rows[498].at("fault_code") == "0");
    CHECK(rows[498].at("supervisor") == "streaming");

    std::map<std::string, const firmware_iface::Feedback*> logged;
    for (const auto& feedback : failed.log.feedback) logged[std::to_string(feedback.device_time_us)] = &feedback;
    std::map<std::string, const firmware_iface::Setpoint*> sent;
    for (const auto& setpoint : failed.log.setpoints) sent[std::to_string(setpoint.device_time_us)] = &setpoint;
    std::map<std::int64_t, std::uint64_t> woke;
    for (const auto& timing : failed.log.timing) woke[timing.deadline_ns + timing.wake_late_ns] = timing.device_time_us;
    for (const Row& row : rows) {
        const auto found = logged.find(row.at("device_time_us"));
        REQUIRE(found != logged.end());
        const auto& feedback = *found->second;
        REQUIRE(std::stoll(row.at("encoder_x_count")) == feedback.axes[0].encoder_count);
        REQUIRE(number(row, "setpoint_position_x_m") == feedback.axes[0].setpoint_position_m);
        REQUIRE(number(row, "setpoint_velocity_x_m_s") == feedback.axes[0].setpoint_velocity_m_s);
        REQUIRE(number(row, "accelerometer_x_m_s2") == feedback.acceleration_x_m_s2);
        REQUIRE(number(row, "rotation_0_rad") == feedback.rotation_rad[0]);
        REQUIRE(row.at("state") == name(feedback.state));
        REQUIRE(woke.at(std::stoll(row.at("host_time_ns"))) == feedback.device_time_us);
        if (row.at("sent_device_time_us").empty()) continue;
        const auto setpoint = sent.find(row.at("sent_device_time_us"));
        REQUIRE(setpoint != sent.end());
        REQUIRE(number(row, "sent_position_x_m") == setpoint->second->axes[0].position_m);
    }
    CHECK(hil::files::find_flight_files(failed.folder.path()) == failed.files.names);
}

TEST_CASE("a fault soon after the beginning leaves all ticks there were") {
    const Failed failed(-1.0, 0.3);
    CHECK(failed.result.reason == StopReason::device_fault);
    const auto rows = failed.rows();
    CHECK(rows.size() >= 140);
    CHECK(rows.size() <= 155);
    CHECK(std::stoull(rows.front().at("device_time_us")) <= failed.log.feedback.front().device_time_us + 4000);
    CHECK(rows.front().at("sent_device_time_us").empty());
    CHECK(rows.back().at("fault_code") == "10");
}

TEST_CASE("a whole test leaves no flight file") {
    const TemporaryFolder folder;
    DrivenRun test(experiment(), folder.path());
    CHECK(test.run().complete);
    CHECK(test.flight().incidents().empty());
}

TEST_CASE("the recorder keeps the newest ticks of two incidents and no more") {
    hil::drive::FlightRecorder recorder;
    hil::drive::FlightRow row;
    for (std::uint64_t i = 1; i <= 1234; ++i) {
        row.feedback.device_time_us = i;
        recorder.add(row);
        if (i == 7 || i == 1000 || i == 1100) recorder.keep(StopReason::operator_stop);
    }
    REQUIRE(recorder.incidents().size() == 2);
    CHECK(recorder.incidents()[0].rows.size() == 7);
    CHECK(recorder.incidents()[1].rows.size() == 500);
    CHECK(recorder.incidents()[1].rows.front().feedback.device_time_us == 501);
    CHECK(recorder.incidents()[1].device_time_us == 1000);
}

TEST_CASE("a flight file that cannot be written is reported, not thrown") {
    hil::drive::FlightRecorder recorder;
    recorder.keep(StopReason::link_lost);
    const auto files =
        hil::drive::write_flight_files("/no/such/folder", recorder.incidents(), firmware_iface::quanser_st_iii());
    CHECK(files.names.empty());
    CHECK_FALSE(files.failure.empty());
}

TEST_CASE("a jump of the device's clock is an event of the log and stops nothing") {
    const TemporaryFolder folder;
    DrivenRun test(experiment(), folder.path());
    test.clock().oversleep = [&](std::uint64_t) {
        if (test.table().core().feedback().axes[0].setpoint_velocity_m_s > 0.2)
            test.clock().device_step = std::chrono::milliseconds(10);
        return firmware_iface::Nanoseconds(0);
    };
    const auto result = test.run();
    CHECK(result.complete);
    const auto log = hil::run_log::read_run_log(folder.path() / "run.mcap");
    const auto event = std::find_if(log.events.begin(), log.events.end(),
                                    [](const auto& e) { return e.kind == hil::run_log::EventKind::clock_jump; });
    REQUIRE(event != log.events.end());
    CHECK(std::stod(event->text) == Approx(10.0).margin(2.0));  // one reading more or less
}

#include "hil/run_log/run_log_writer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/log_recorder.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple;
using namespace topple::hil::files;
using namespace topple::hil::run_log;
namespace mcap = topple::hil::mcap;

namespace {

void check_same(const firmware_iface::Feedback& a, const firmware_iface::Feedback& b) {
    CHECK(a.device_time_us == b.device_time_us);
    REQUIRE(a.axis_count == b.axis_count);
    CHECK(a.axes[0].encoder_count == b.axes[0].encoder_count);
    CHECK(a.axes[0].setpoint_position_m == b.axes[0].setpoint_position_m);
    CHECK(a.axes[0].setpoint_velocity_m_s == b.axes[0].setpoint_velocity_m_s);
    CHECK(a.axes[0].setpoint_acceleration_m_s2 == b.axes[0].setpoint_acceleration_m_s2);
    CHECK(a.acceleration_x_m_s2 == b.acceleration_x_m_s2);
    CHECK(a.acceleration_y_m_s2 == b.acceleration_y_m_s2);
    CHECK(a.rotation_count == b.rotation_count);
    CHECK(a.rotation_rad == b.rotation_rad);
    CHECK(a.state == b.state);
    CHECK(a.fault_code == b.fault_code);
    CHECK(a.queue_level == b.queue_level);
    CHECK(a.motion_done == b.motion_done);
    CHECK(a.trigger == b.trigger);
    CHECK(a.aux_count == b.aux_count);
    CHECK(a.aux_v == b.aux_v);
}

void check_same(const Forecast& a, const Forecast& b) {
    CHECK(a.probability == b.probability);
    CHECK(a.overturning_left_probability == b.overturning_left_probability);
    CHECK((a.expected_time_s == b.expected_time_s || (std::isnan(a.expected_time_s) && std::isnan(b.expected_time_s))));
    CHECK(a.members == b.members);
    CHECK(a.members_run_ahead == b.members_run_ahead);
    CHECK(a.effective_members == b.effective_members);
}

/// Time spans and sizes of all chunks.
struct ChunkCollector : mcap::Visitor {
    bool on_chunk(const mcap::ChunkView& chunk) override {
        chunks.push_back(chunk);
        return true;
    }
    void on_metadata(const std::string& name, const std::map<std::string, std::string>&) override {
        metadata.push_back(name);
    }
    std::vector<mcap::ChunkView> chunks;
    std::vector<std::string> metadata;
};

}  // namespace

TEST_CASE("a log returns every record that was pushed, absent values included") {
    const bool synchronous = GENERATE(true, false);
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000, sample_options(synchronous));
    const RunData run = read_run_log(folder.path());
    CHECK_FALSE(run.torn);
    CHECK(run.damage.empty());
    CHECK(run.metadata == sample_options().metadata);
    CHECK(run.prediction_sha256 == std::string(64, 'a'));
    REQUIRE(run.feedback.size() == 1000);
    REQUIRE(run.setpoints.size() == 1000);
    REQUIRE(run.predictions.size() == 1000);
    REQUIRE(run.timing.size() == 1000);
    REQUIRE(run.events.size() == 2);
    for (const std::size_t tick : {0, 1, 2, 3, 499, 999}) {
        check_same(run.feedback[tick], sample_feedback(tick));
        const auto setpoint = sample_setpoint(tick);
        CHECK(run.setpoints[tick].device_time_us == setpoint.device_time_us);
        CHECK(run.setpoints[tick].axes[0].position_m == setpoint.axes[0].position_m);
        CHECK(run.setpoints[tick].axes[0].acceleration_m_s2 == setpoint.axes[0].acceleration_m_s2);
        CHECK(run.setpoints[tick].final == setpoint.final);
        CHECK(run.predictions[tick].rotation_rad == sample_prediction(tick).rotation_rad);
        CHECK(run.predictions[tick].age_us == 4000);
        check_same(run.predictions[tick].forecast, sample_prediction(tick).forecast);
        CHECK(run.timing[tick].cycle == tick);
        CHECK(run.timing[tick].busy_ns == -1);
    }
    CHECK(run.events[1].text == "déjà vu, \"quoted\"\nsecond line");
    CHECK(run.event_time_us(EventKind::motion_start) == sample_time_us(0));
    CHECK_FALSE(run.event_time_us(EventKind::fault).has_value());
}

TEST_CASE("every index entry of a log points to what it says") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000);
    CHECK(mcap::verify_index(read_file_bytes(folder.file("run.mcap"))) == "");
}

TEST_CASE("the first record after the header is the digest of the frozen prediction") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1);
    ChunkCollector seen;
    mcap::scan(read_file_bytes(folder.file("run.mcap")), seen);
    CHECK(seen.metadata == std::vector<std::string>{"topple.prediction", "topple.run", "topple.clock"});
}

TEST_CASE("no chunk spans more than a quarter second of data time, although setpoints run ahead") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 2000);
    const auto bytes = read_file_bytes(folder.file("run.mcap"));
    ChunkCollector seen;
    mcap::scan(bytes, seen);
    // 4 s of data in three groups of quarter seconds: not many more chunks than necessary either.
    CHECK(seen.chunks.size() >= 48);
    CHECK(seen.chunks.size() <= 56);
    for (const auto& chunk : seen.chunks) {
        CHECK(chunk.end_ns - chunk.start_ns <= 250'000'000);
        CHECK(chunk.records.size() <= LogRecorder::kChunkBytesMax);
    }
}

TEST_CASE("a burst of records at one device time is cut into chunks by size") {
    const TemporaryFolder folder;
    RunLog log(folder.file("run.mcap"), sample_options());
    for (int i = 0; i < 5000; ++i) log.push(sample_feedback(0));
    log.close();
    const auto bytes = read_file_bytes(folder.file("run.mcap"));
    ChunkCollector seen;
    mcap::scan(bytes, seen);
    CHECK(seen.chunks.size() > 1);
    for (const auto& chunk : seen.chunks) CHECK(chunk.records.size() <= LogRecorder::kChunkBytesMax);
}

TEST_CASE("two lockstep runs differ in nothing but the clock record") {
    const TemporaryFolder folder;
    RunLogOptions later = sample_options();
    later.wall_clock_anchor_ns += 86'400'000'000'123;
    write_sample_run(folder.file("a"), 500);
    write_sample_run(folder.file("b"), 500, later);
    auto a = read_file_bytes(folder.file("a")), b = read_file_bytes(folder.file("b"));
    REQUIRE(a.size() == b.size());
    const std::string key = "wall_clock_anchor_ns";
    const auto place = std::search(a.begin(), a.end(), key.begin(), key.end());
    REQUIRE(place != a.end());
    const auto at = (place - a.begin()) + static_cast<std::ptrdiff_t>(key.size()) + 4;
    CHECK(a != b);
    std::fill_n(a.begin() + at, 20, std::uint8_t{'0'});
    std::fill_n(b.begin() + at, 20, std::uint8_t{'0'});
    CHECK(a == b);
}

TEST_CASE("log time is the wall clock anchor plus device time") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 10, sample_options(false));
    const auto bytes = read_file_bytes(folder.file("run.mcap"));
    ChunkCollector seen;
    mcap::scan(bytes, seen);
    REQUIRE_FALSE(seen.chunks.empty());
    CHECK(seen.chunks.front().start_ns == 1'700'000'000'000'000'000 + 1000 * sample_time_us(0));
}

TEST_CASE("a log never overwrites a file") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1);
    CHECK_THROWS_AS(RunLog(folder.file("run.mcap"), sample_options()), OutputError);
}

TEST_CASE("a closed log refuses records and closing again does nothing") {
    const TemporaryFolder folder;
    RunLog log(folder.file("run.mcap"), sample_options(false));
    CHECK(log.push(sample_feedback(0)));
    log.close();
    log.close();
    CHECK_FALSE(log.push(sample_feedback(1)));
    CHECK_FALSE(log.failed());
    CHECK(read_run_log(folder.file("run.mcap")).feedback.size() == 1);
}

TEST_CASE("a long event text is cut at a character and never inside one") {
    const TemporaryFolder folder;
    RunLog log(folder.file("run.mcap"), sample_options());
    std::string text(239, 'x');
    text += "é and more";
    log.push(EventRecord{1, EventKind::remark, text});
    log.close();
    CHECK(read_run_log(folder.file("run.mcap")).events.at(0).text == std::string(239, 'x'));
}

TEST_CASE("a run that the disk cannot hold is refused before it starts") {
    const TemporaryFolder folder;
    RunLogOptions options = sample_options();
    options.reserve_bytes = std::uint64_t{1} << 60;
    CHECK_THROWS_AS(RunLog(folder.file("run.mcap"), options), OutputError);
}

TEST_CASE("the reserved space is not part of the file and is given back at the end") {
    const TemporaryFolder folder;
    RunLogOptions options = sample_options();
    options.reserve_bytes = log_bytes_for(2.0, 500.0, 2);
    write_sample_run(folder.file("run.mcap"), 1000, options);
    CHECK(std::filesystem::file_size(folder.file("run.mcap")) < options.reserve_bytes);
    CHECK(mcap::verify_index(read_file_bytes(folder.file("run.mcap"))) == "");
}

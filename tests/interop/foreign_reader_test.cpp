#include "tests/interop/foreign_reader.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/recover.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple::tests;
using namespace topple::hil::files;
using namespace topple::hil::run_log;
namespace mcap = topple::hil::mcap;
using nlohmann::json;

namespace {

constexpr std::int64_t kAnchor_ns = 1'700'000'000'000'000'000;

void check_times(const json& message, std::uint64_t device_time_us, std::uint64_t known_time_us) {
    CHECK(message.at("logTime") == std::to_string(kAnchor_ns + 1000 * static_cast<std::int64_t>(device_time_us)));
    CHECK(message.at("publishTime") == std::to_string(kAnchor_ns + 1000 * static_cast<std::int64_t>(known_time_us)));
    CHECK(message.at("value").at("device_time_us") == std::to_string(device_time_us));
}

void check_feedback(const json& messages, const RunData& run) {
    REQUIRE(messages.size() == run.feedback.size());
    for (std::size_t i = 0; i < run.feedback.size(); ++i) {
        const auto& feedback = run.feedback[i];
        const json& value = messages[i].at("value");
        check_times(messages[i], feedback.device_time_us, feedback.device_time_us);
        CHECK(messages[i].at("sequence") == i);
        CHECK(value.at("encoder_count") == json{std::to_string(feedback.axes[0].encoder_count)});
        CHECK(value.at("setpoint_position_m") == json{feedback.axes[0].setpoint_position_m});
        CHECK(value.contains("acceleration_x_m_s2") == feedback.acceleration_x_m_s2.has_value());
        if (feedback.acceleration_x_m_s2) CHECK(value.at("acceleration_x_m_s2") == *feedback.acceleration_x_m_s2);
        CHECK(value.at("position_m") == json{-1e-6 * static_cast<double>(feedback.axes[0].encoder_count)});
        json true_m_s2 = json::array();
        if (feedback.acceleration_x_m_s2) true_m_s2.push_back(2.0 * *feedback.acceleration_x_m_s2);
        if (feedback.acceleration_x_m_s2 && feedback.acceleration_y_m_s2)
            true_m_s2.push_back(2.0 * *feedback.acceleration_y_m_s2);
        CHECK(value.at("acceleration_m_s2") == true_m_s2);
        CHECK(value.at("aux_v") == json{feedback.aux_v[0], feedback.aux_v[1]});
        CHECK(value.contains("trigger") == feedback.trigger.has_value());
        CHECK(value.at("rotation_rad") == json{feedback.rotation_rad[0], feedback.rotation_rad[1]});
        CHECK(value.at("state") == "RUNNING");
        CHECK(value.value("motion_done", false) == feedback.motion_done);
    }
}

void check_others(const json& topics, const RunData& run) {
    REQUIRE(topics.at("/setpoint").at("messages").size() == run.setpoints.size());
    REQUIRE(topics.at("/prediction").at("messages").size() == run.predictions.size());
    REQUIRE(topics.at("/timing").at("messages").size() == run.timing.size());
    REQUIRE(topics.at("/event").at("messages").size() == run.events.size());
    for (std::size_t i = 0; i < run.setpoints.size(); ++i) {
        const json& message = topics.at("/setpoint").at("messages")[i];
        check_times(message, run.setpoints[i].device_time_us, run.setpoints[i].device_time_us);
        CHECK(message.at("value").at("acceleration_m_s2") == json{run.setpoints[i].axes[0].acceleration_m_s2});
    }
    for (std::size_t i = 0; i < run.predictions.size(); ++i) {
        const auto& prediction = run.predictions[i];
        const json& message = topics.at("/prediction").at("messages")[i];
        check_times(message, prediction.device_time_us, prediction.device_time_us + prediction.age_us);
        CHECK(message.at("value").at("outcome") == "ROCKING");
    }
    CHECK(topics.at("/timing").at("messages").back().at("value").at("busy_ns") == "-1");
    CHECK(topics.at("/event").at("messages").front().at("value").at("kind") == "MOTION_START");
    CHECK(topics.at("/event").at("messages").back().at("value").at("text") == run.events.back().text);
}

void check_contents(const json& found, const RunData& run) {
    INFO(found.value("error", ""));
    REQUIRE_FALSE(found.contains("error"));
    const json& topics = found.at("topics");
    REQUIRE(topics.size() == 5);
    for (const auto& [topic, contents] : topics.items()) {
        INFO(topic);
        CHECK(contents.at("schemaEncoding") == "protobuf");
        CHECK(contents.at("messageEncoding") == "protobuf");
    }
    CHECK(topics.at("/feedback").at("schema") == "topple.log.Feedback");
    CHECK(found.at("metadata").at("topple.prediction").at("sha256") == run.prediction_sha256);
    CHECK(found.at("metadata").at("topple.run") == json(run.metadata));
    CHECK(found.at("metadata").at("topple.clock").at("wall_clock_anchor_ns") == "01700000000000000000");
    check_feedback(topics.at("/feedback").at("messages"), run);
    check_others(topics, run);
}

/// Lets paced_log_writer run for so many ticks, kills it, returns the device time of its last reported tick.
std::uint64_t write_and_kill(const std::filesystem::path& log, int ticks) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t writer = ::fork();
    REQUIRE(writer >= 0);
    if (writer == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::execl(TOPPLE_PACED_LOG_WRITER, "paced_log_writer", log.c_str(), nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::FILE* reports = ::fdopen(ends[0], "r");
    unsigned long long device_time_us = 0;
    for (int tick = 0; tick < ticks; ++tick) {
        if (std::fscanf(reports, "%llu", &device_time_us) != 1) break;
    }
    ::kill(writer, SIGKILL);
    while (std::fscanf(reports, "%llu", &device_time_us) == 1) {
    }
    std::fclose(reports);
    int status = 0;
    ::waitpid(writer, &status, 0);
    CHECK(WIFSIGNALED(status));
    return device_time_us;
}

}  // namespace

TEST_CASE("foreign libraries find in a log what was pushed, by index and as a stream") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000, sample_options(false));
    const RunData run = read_run_log(folder.file("run.mcap"));
    const json found = read_with_foreign_libraries(folder.file("run.mcap"));
    REQUIRE(found.is_object());
    check_contents(found.at("indexed"), run);
    check_contents(found.at("streaming"), run);
    CHECK(found.at("streaming").at("done") == true);
    CHECK(found.at("streaming").at("order").at(1) == "topple.prediction");  // first record behind the header
    CHECK(found.at("indexed").at("statistics").at("messages") == 4002);
    CHECK(found.at("indexed").at("statistics").at("channels") == 5);
    CHECK(found.at("indexed").at("statistics").at("metadata") == 3);
    CHECK(found.at("indexed").at("longestChunk_ns") <= 250'000'000);
}

TEST_CASE("the log of a killed writer lacks at most a second for a foreign stream reader, and recover mends it") {
    const TemporaryFolder folder;
    const std::uint64_t last_us = write_and_kill(folder.file("run.mcap"), 1000);
    REQUIRE(last_us >= sample_time_us(999));
    const json torn = read_with_foreign_libraries(folder.file("run.mcap"));
    REQUIRE(torn.is_object());
    CHECK(torn.at("indexed").contains("error"));
    INFO(torn.at("streaming").value("error", ""));
    REQUIRE_FALSE(torn.at("streaming").contains("error"));
    CHECK(torn.at("streaming").at("done") == false);
    for (const char* topic : {"/feedback", "/setpoint", "/prediction", "/timing"}) {
        INFO(topic);
        const json& messages = torn.at("streaming").at("topics").at(topic).at("messages");
        REQUIRE_FALSE(messages.empty());
        CHECK(std::stoull(messages.back().at("value").at("device_time_us").get<std::string>()) + 1'000'000 >= last_us);
    }
    const RunData before = read_run_log(folder.file("run.mcap"));
    CHECK(before.torn);
    const Recovery recovery = recover(folder.path());
    CHECK_FALSE(recovery.was_whole);
    const json mended = read_with_foreign_libraries(folder.file("run.mcap"));
    REQUIRE(mended.is_object());
    for (const char* way : {"indexed", "streaming"}) {
        INFO(mended.at(way).value("error", ""));
        REQUIRE_FALSE(mended.at(way).contains("error"));
        const json& topics = mended.at(way).at("topics");
        CHECK(topics.at("/feedback").at("messages") ==
              torn.at("streaming").at("topics").at("/feedback").at("messages"));
        CHECK(topics.at("/timing").at("messages").size() == before.timing.size());
    }
}

TEST_CASE("a log that a foreign library wrote anew reads as it was, and recover leaves it alone") {
    const std::string style = GENERATE(
        R"({"compression": "zstd"})", R"({"compression": "lz4"})", R"({"compression": "zstd", "startChannelId": 300})",
        R"({"useChunks": false})", R"({"compression": "lz4", "useMessageIndex": false})", R"({"useChunkIndex": false})",
        R"({"repeatChannels": false, "repeatSchemas": false})",
        R"({"useStatistics": false, "useSummaryOffsets": false})",
        R"({"useStatistics": false, "useSummaryOffsets": false, "repeatSchemas": false, "repeatChannels": false,
            "useAttachmentIndex": false, "useMetadataIndex": false, "useChunkIndex": false, "useMessageIndex": false})",
        R"({"compression": "zstd", "chunkSize": 1000})");
    INFO(style);
    const TemporaryFolder folder;
    write_sample_run(folder.file("original.mcap"), 500);
    REQUIRE(rewrite_with_foreign_library(folder.file("original.mcap"), folder.file("run.mcap"), style));
    const RunData original = read_run_log(folder.file("original.mcap")), run = read_run_log(folder.file("run.mcap"));
    CHECK(run.damage == original.damage);
    CHECK(run.data_whole);
    CHECK(run.metadata == original.metadata);
    CHECK(run.feedback.size() == original.feedback.size());
    CHECK(run.setpoints.size() == original.setpoints.size());
    CHECK(run.predictions.size() == original.predictions.size());
    CHECK(run.timing.size() == original.timing.size());
    REQUIRE(run.events.size() == original.events.size());
    CHECK(run.events.back().text == original.events.back().text);
    const auto before = read_file_bytes(folder.file("run.mcap"));
    if (mcap::has_summary(before)) CHECK(mcap::verify_index(before) == "");
    CHECK(recover(folder.file("run.mcap")).was_whole);
    CHECK(read_file_bytes(folder.file("run.mcap")) == before);
}

TEST_CASE("a torn log of a foreign library gets an index that it reads, with its compression and its attachments") {
    const std::string style =
        GENERATE(R"({"compression": "zstd"})", R"({"compression": "lz4"})", R"({"useChunks": false})");
    INFO(style);
    const TemporaryFolder folder;
    write_sample_run(folder.file("original.mcap"), 2000);
    REQUIRE(rewrite_with_foreign_library(folder.file("original.mcap"), folder.file("run.mcap"), style));
    std::filesystem::resize_file(folder.file("run.mcap"), std::filesystem::file_size(folder.file("run.mcap")) - 40'000);
    const RunData torn = read_run_log(folder.file("run.mcap"));
    CHECK_FALSE(torn.data_whole);
    recover(folder.file("run.mcap"));
    CHECK(read_run_log(folder.file("run.mcap")).feedback.size() == torn.feedback.size());
    const json mended = read_with_foreign_libraries(folder.file("run.mcap"));
    REQUIRE(mended.is_object());
    for (const char* way : {"indexed", "streaming"}) {
        INFO(mended.at(way).value("error", ""));
        REQUIRE_FALSE(mended.at(way).contains("error"));
        CHECK(mended.at(way).at("attachments") == json{"photo.jpg"});
        if (style.find("useChunks") == std::string::npos)  // the foreign index leads to chunks only
            CHECK(mended.at(way).at("topics").at("/feedback").at("messages").size() == torn.feedback.size());
    }
}

TEST_CASE("a log compressed in an unknown way is refused by every reader and never touched") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("original.mcap"), 500);
    REQUIRE(rewrite_with_foreign_library(folder.file("original.mcap"), folder.file("run.mcap"),
                                         R"({"compression": "snappy"})"));
    const auto before = read_file_bytes(folder.file("run.mcap"));
    CHECK_THROWS_AS(read_run_log(folder.file("run.mcap")), InputError);
    CHECK_THROWS_AS(recover(folder.file("run.mcap")), InputError);
    CHECK(read_file_bytes(folder.file("run.mcap")) == before);
    CHECK_FALSE(std::filesystem::exists(folder.file("run.mcap.torn")));
}

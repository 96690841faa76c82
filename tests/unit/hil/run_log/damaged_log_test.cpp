#include <fstream>
#include <random>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple::hil::files;
using namespace topple::hil::run_log;
namespace mcap = topple::hil::mcap;

namespace {

void write_bytes(const std::filesystem::path& path, mcap::ByteView bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Counts the messages and where the chunks before a place end.
struct Counter : mcap::Visitor {
    std::string on_message(const mcap::Channel&, const mcap::MessageView& message) override {
        // Touch every byte, so that the sanitizer sees a view beyond the file.
        for (const std::uint8_t byte : message.data) checksum += byte;
        ++messages;
        return {};
    }
    std::size_t messages = 0, checksum = 0;
};

}  // namespace

TEST_CASE("a log cut at any byte gives back every chunk that was whole") {
    const TemporaryFolder folder;
    {
        RunLog log(folder.file("run.mcap"), sample_options());
        for (std::size_t tick = 0; tick < 400; tick += 10) push_tick(log, tick);
    }
    const auto bytes = read_file_bytes(folder.file("run.mcap"));
    std::size_t before = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        Counter seen;
        const auto result = mcap::scan(mcap::ByteView(bytes).first(size), seen);
        if (result.complete || seen.messages < before) FAIL("cut at byte " << size);
        if (result.whole_bytes > size) FAIL("cut at byte " << size);
        if (result.problems.empty()) FAIL("a cut at byte " << size << " goes unnoticed");
        before = seen.messages;
    }
    Counter all;
    CHECK(mcap::scan(bytes, all).complete);
    CHECK(before == all.messages);  // nothing is missing once the data section is whole
}

TEST_CASE("a torn log is read up to its tear and says so") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000);
    const auto bytes = read_file_bytes(folder.file("run.mcap"));
    write_bytes(folder.file("torn"), mcap::ByteView(bytes).first(bytes.size() / 2));
    const RunData run = read_run_log(folder.file("torn"));
    CHECK(run.torn);
    REQUIRE(run.damage.size() == 1);
    CHECK(run.damage.front().find("at byte") == 0);
    CHECK(run.feedback.size() > 300);
    CHECK(run.prediction_sha256 == std::string(64, 'a'));
}

TEST_CASE("zeros behind a torn log are its end") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000);
    auto bytes = read_file_bytes(folder.file("run.mcap"));
    Counter none;
    bytes.resize(mcap::scan(mcap::ByteView(bytes).first(bytes.size() / 2), none).whole_bytes);
    Counter expected;
    mcap::scan(bytes, expected);
    bytes.resize(bytes.size() + 100'000, 0);
    Counter seen;
    const auto result = mcap::scan(bytes, seen);
    CHECK_FALSE(result.complete);
    CHECK(seen.messages == expected.messages);
    CHECK(seen.messages > 0);
}

TEST_CASE("a damaged chunk costs that chunk only and is reported with its place") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000);
    auto bytes = read_file_bytes(folder.file("run.mcap"));
    Counter whole;
    mcap::scan(bytes, whole);
    bytes[bytes.size() / 2] ^= 0xFF;
    write_bytes(folder.file("bad"), bytes);
    const RunData run = read_run_log(folder.file("bad"));
    CHECK_FALSE(run.torn);
    REQUIRE(run.damage.size() == 1);
    CHECK(run.damage.front().find("checksum") != std::string::npos);
    const std::size_t kept =
        run.feedback.size() + run.setpoints.size() + run.predictions.size() + run.timing.size() + run.events.size();
    CHECK(kept < whole.messages);
    CHECK(kept + 3 * 126 >= whole.messages);
}

TEST_CASE("random damage never makes the reader crash or read beyond the end") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 100);
    const auto sound = read_file_bytes(folder.file("run.mcap"));
    const topple::tests::RandomRuns runs(20240607, 2000);
    std::mt19937 random(runs.seed());
    for (int round = 0; round < runs.count(); ++round) {
        auto bytes = sound;
        for (int i = 0; i < 1 + round % 8; ++i) {
            // Half of the damage goes where lengths and counts are: the head, the index, the footer.
            const std::size_t range = round % 2 == 0 ? bytes.size() : std::size_t{1500};
            const std::size_t at = random() % range;
            const std::size_t place = round % 4 == 3 ? bytes.size() - 1 - at : at;
            bytes[place] = static_cast<std::uint8_t>(random());
        }
        bytes.shrink_to_fit();
        Counter seen;
        mcap::scan(bytes, seen);
        (void)mcap::verify_index(bytes);
        if (round % 10 == 0) {
            write_bytes(folder.file("bad"), bytes);
            try {
                read_run_log(folder.file("bad"));
            } catch (const InputError&) {
                // the magic or the header was hit
            }
        }
    }
    SUCCEED();
}

TEST_CASE("an index that contradicts the file is found out") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 500);
    const auto sound = read_file_bytes(folder.file("run.mcap"));
    const topple::tests::RandomRuns runs(5, 200);
    std::mt19937 random(runs.seed());
    for (int round = 0; round < runs.count(); ++round) {
        auto bytes = sound;
        bytes[bytes.size() - 9 - random() % 2000] ^= static_cast<std::uint8_t>(1 + random() % 255);
        if (mcap::verify_index(bytes).empty()) FAIL("round " << round);
    }
    SUCCEED();
}

TEST_CASE("what is no log is refused with its name") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(read_run_log(folder.file("missing")), InputError);
    CHECK_THROWS_AS(read_run_log(folder.path()), InputError);
    write_bytes(folder.file("text"), {});
    try {
        read_run_log(folder.file("text"));
        FAIL("an empty file is no log");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find("not an MCAP file") != std::string::npos);
    }
}

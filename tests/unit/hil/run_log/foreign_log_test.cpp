// Logs that other tools have written anew: read, or refused; never destroyed.
#include "tests/unit/hil/run_log/foreign_log.hpp"

#include <algorithm>
#include <fstream>
#include <random>
#include <set>

#include "hil/exports/export_csv.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/mcap/chunk_codec.hpp"
#include "hil/run_log/recover.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple::hil::exports;
using namespace topple::hil::files;
using namespace topple::hil::run_log;
namespace mcap = topple::hil::mcap;
using Catch::Matchers::ContainsSubstring;
using mcap::ForeignStyle;

namespace {

void write_bytes(const std::filesystem::path& path, mcap::ByteView bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

mcap::Bytes sample_log(const TemporaryFolder& folder, std::size_t ticks) {
    write_sample_run(folder.file("original.mcap"), ticks);
    return read_file_bytes(folder.file("original.mcap"));
}

/// Counts the attachments, byte for byte.
std::size_t photos_in(const mcap::Bytes& log) {
    const std::string photo = "image/jpeg";
    std::size_t count = 0;
    for (auto at = log.begin(); (at = std::search(at, log.end(), photo.begin(), photo.end())) != log.end(); ++at)
        ++count;
    return count;
}

struct Compressions final : mcap::Visitor {
    bool on_chunk(const mcap::ChunkView& chunk) override {
        names.emplace(chunk.compression);
        return true;
    }
    std::set<std::string> names;
};

}  // namespace

TEST_CASE("a log in another tool's style reads as it was, and recover leaves it alone") {
    const ForeignStyle style = GENERATE(
        ForeignStyle{"zstd"}, ForeignStyle{"lz4"}, ForeignStyle{""}, ForeignStyle{.compression = "", .chunks = false},
        ForeignStyle{.compression = "zstd", .summary = false}, ForeignStyle{.compression = "lz4", .channel_shift = 300},
        ForeignStyle{.compression = "zstd", .channels_in_chunks = true},
        ForeignStyle{.compression = "", .chunks = false, .summary = false, .channel_shift = 9},
        ForeignStyle{.compression = "lz4", .chunk_messages = 1});
    INFO(style.compression << " " << style.chunks << style.channels_in_chunks << style.summary << " "
                           << style.channel_shift);
    const TemporaryFolder folder;
    const auto log = mcap::rewritten(sample_log(folder, 300), style);
    write_bytes(folder.file("run.mcap"), log);
    const RunData original = read_run_log(folder.file("original.mcap")), run = read_run_log(folder.file("run.mcap"));
    CHECK(run.damage.empty());
    CHECK(run.data_whole);
    CHECK(run.metadata == original.metadata);
    CHECK(run.feedback.size() == 300);
    CHECK(run.setpoints.size() == 300);
    CHECK(run.predictions.size() == 300);
    CHECK(run.timing.size() == 300);
    REQUIRE(run.events.size() == 2);
    CHECK(run.events[1].text == original.events[1].text);
    CHECK(run.feedback[7].axes[0].encoder_count == original.feedback[7].axes[0].encoder_count);
    CHECK(recover(folder.file("run.mcap")).was_whole);
    CHECK(read_file_bytes(folder.file("run.mcap")) == log);
}

TEST_CASE("a torn log of another tool keeps its compression, attachments and every whole message") {
    const std::string compression = GENERATE("zstd", "lz4", "");
    const TemporaryFolder folder;
    const auto log = mcap::rewritten(sample_log(folder, 1000), {.compression = compression});
    write_bytes(folder.file("run.mcap"), mcap::ByteView(log).first(log.size() * 7 / 10));
    const RunData torn = read_run_log(folder.file("run.mcap"));
    CHECK_FALSE(torn.data_whole);
    REQUIRE(torn.feedback.size() > 300);
    recover(folder.file("run.mcap"));
    const auto mended = read_file_bytes(folder.file("run.mcap"));
    CHECK(mcap::verify_index(mended) == "");
    CHECK(photos_in(mended) == 2);  // the attachment and its index
    Compressions found;
    mcap::scan(mended, found);
    CHECK(found.names == std::set<std::string>{compression});
    const RunData run = read_run_log(folder.file("run.mcap"));
    CHECK(run.feedback.size() == torn.feedback.size());
    CHECK_FALSE(run.data_whole);  // and that is not forgotten
}

TEST_CASE("recover gives a log its lost index back and then nothing is missing") {
    const TemporaryFolder folder;
    const auto log = mcap::rewritten(sample_log(folder, 300), {.compression = "zstd"});
    write_bytes(folder.file("run.mcap"), mcap::ByteView(log).first(log.size() - 20));
    recover(folder.file("run.mcap"));
    const RunData run = read_run_log(folder.file("run.mcap"));
    CHECK(run.feedback.size() == 300);
    CHECK(run.data_whole);
    CHECK(run.damage.empty());
}

TEST_CASE("recover never writes fewer messages than a sound index counts") {
    const TemporaryFolder folder;
    const auto log = mcap::rewritten(sample_log(folder, 1000), {.compression = GENERATE("zstd", "")});
    auto damaged = log;
    damaged[log.size() / 3] ^= 0x10;
    write_bytes(folder.file("run.mcap"), damaged);
    CHECK_THROWS_WITH(recover(folder.file("run.mcap")), ContainsSubstring("lists 4002 messages"));
    CHECK(read_file_bytes(folder.file("run.mcap")) == damaged);
    CHECK_FALSE(std::filesystem::exists(folder.file("run.mcap.torn")));
    const RunData run = read_run_log(folder.file("run.mcap"));
    CHECK_FALSE(run.data_whole);
    CHECK(run.feedback.size() > 500);
}

TEST_CASE("an unknown compression is refused with its name and touches nothing") {
    const TemporaryFolder folder;
    const auto log =
        mcap::rewritten(sample_log(folder, 300), {.compression = "snappy", .summary = GENERATE(true, false)});
    write_bytes(folder.file("run.mcap"), log);
    CHECK_THROWS_WITH(read_run_log(folder.file("run.mcap")), ContainsSubstring("\"snappy\""));
    CHECK_THROWS_AS(export_csv(folder.path(), {}), InputError);
    CHECK_THROWS_AS(recover(folder.file("run.mcap")), InputError);
    CHECK(read_file_bytes(folder.file("run.mcap")) == log);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("decompression ends at the size that a chunk states") {
    const std::string compression = GENERATE("zstd", "lz4");
    const mcap::Bytes zeros(50'000'000, 0);  // some kilobytes of compressed bytes
    const mcap::Bytes stored = mcap::packed(compression, zeros);
    mcap::Bytes out;
    CHECK(mcap::decompress(compression, stored, zeros.size(), out) == "");
    CHECK(out == zeros);
    out = mcap::Bytes();
    CHECK_THAT(mcap::decompress(compression, stored, 1000, out), ContainsSubstring("more than it declares"));
    CHECK(out.capacity() < 10'000);
    CHECK_THAT(mcap::decompress(compression, stored, zeros.size() + 1, out),
               ContainsSubstring("less than it declares"));
    out = mcap::Bytes();
    CHECK_FALSE(
        mcap::decompress(compression, mcap::ByteView(stored).first(stored.size() / 2), zeros.size(), out).empty());
    CHECK_FALSE(mcap::decompress(compression, {}, 10, out).empty());
    // A stated size that is a lie costs no memory.
    out = mcap::Bytes();
    CHECK_FALSE(
        mcap::decompress(compression, mcap::packed(compression, mcap::Bytes(10, 1)), std::uint64_t{1} << 29, out)
            .empty());
    CHECK(out.capacity() < 1'000'000);
    CHECK_FALSE(mcap::decompress(compression, stored, ~std::uint64_t{0}, out).empty());
}

TEST_CASE("damage in a compressed log is found or harmless, and never read beyond its end") {
    const TemporaryFolder folder;
    const auto sound = mcap::rewritten(sample_log(folder, 60), {.compression = GENERATE("zstd", "lz4")});
    const topple::tests::RandomRuns runs(31, 600);
    std::mt19937 random(runs.seed());
    for (int round = 0; round < runs.count(); ++round) {
        auto bytes = sound;
        bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
        bytes.shrink_to_fit();
        mcap::Visitor nothing;
        const mcap::ScanResult result = mcap::scan(bytes, nothing);
        (void)mcap::verify_index(bytes);
        // The checksum of the data and that of the summary leave the header's end, the footer and the magic.
        if (result.mcap && result.problem_count == 0) FAIL("round " << round);
    }
}

TEST_CASE("a damaged name of a channel or scale of the machine is reported, though no chunk is damaged") {
    const TemporaryFolder folder;
    const auto sound = sample_log(folder, 100);
    const std::string what = GENERATE("/feedback", "seed", "topple.log.Feedback");
    auto bytes = sound;
    const auto place = std::search(bytes.begin(), bytes.end(), what.begin(), what.end());
    REQUIRE(place != bytes.end());
    *(place + static_cast<std::ptrdiff_t>(what.size()) - 1) ^= 1;
    write_bytes(folder.file("run.mcap"), bytes);
    const RunData run = read_run_log(folder.file("run.mcap"));
    CHECK_FALSE(run.data_whole);
    REQUIRE_FALSE(run.damage.empty());
    INFO(run.damage.front());
}

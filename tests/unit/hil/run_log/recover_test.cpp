#include "hil/run_log/recover.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple::hil::files;
using namespace topple::hil::run_log;
namespace mcap = topple::hil::mcap;

namespace {

void tear(const std::filesystem::path& log, std::size_t bytes) { std::filesystem::resize_file(log, bytes); }

std::size_t files_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("a torn log gets its index back and keeps every record that could be read") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000);
    const auto whole = read_file_bytes(folder.file("run.mcap"));
    tear(folder.file("run.mcap"), whole.size() * 6 / 10);
    const RunData torn = read_run_log(folder.path());
    const Recovery recovery = recover(folder.path());
    CHECK_FALSE(recovery.was_whole);
    CHECK(recovery.bytes_dropped > 0);
    CHECK(mcap::verify_index(read_file_bytes(folder.file("run.mcap"))) == "");
    const RunData mended = read_run_log(folder.path());
    CHECK_FALSE(mended.torn);
    CHECK(mended.feedback.size() == torn.feedback.size());
    CHECK(mended.setpoints.size() == torn.setpoints.size());
    CHECK(mended.prediction_sha256 == torn.prediction_sha256);
    CHECK(mended.metadata == torn.metadata);
    REQUIRE(mended.damage.size() == 1);  // that it was torn is not forgotten
    CHECK(std::filesystem::file_size(recovery.original) == whole.size() * 6 / 10);
    CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("recovering loses nothing of a log that only lacks its index") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 300);
    const auto whole = read_file_bytes(folder.file("run.mcap"));
    tear(folder.file("run.mcap"), whole.size() - 1);
    recover(folder.path());
    CHECK(read_run_log(folder.path()).feedback.size() == 300);
    CHECK(read_run_log(folder.path()).events.size() == 2);
}

TEST_CASE("a whole log is left alone") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 100);
    const auto before = read_file_bytes(folder.file("run.mcap"));
    CHECK(recover(folder.file("run.mcap")).was_whole);
    CHECK(read_file_bytes(folder.file("run.mcap")) == before);
    CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a log is recovered only once: the kept original is never overwritten") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 100);
    const auto size = std::filesystem::file_size(folder.file("run.mcap"));
    std::filesystem::copy_file(folder.file("run.mcap"), folder.file("run.mcap.torn"));
    tear(folder.file("run.mcap"), size - 10);
    CHECK_THROWS_AS(recover(folder.path()), InputError);
    CHECK(std::filesystem::file_size(folder.file("run.mcap.torn")) == size);
    CHECK(std::filesystem::file_size(folder.file("run.mcap")) == size - 10);
    CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("a log that is being written is not recovered") {
    const TemporaryFolder folder;
    RunLog log(folder.file("run.mcap"), sample_options());
    for (std::size_t tick = 0; tick < 500; ++tick) push_tick(log, tick);
    CHECK_THROWS_AS(recover(folder.path()), InputError);
    log.close();
    CHECK(recover(folder.path()).was_whole);
}

TEST_CASE("damage in the middle of a log without an index costs its chunk and is named") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 1000);
    auto bytes = read_file_bytes(folder.file("run.mcap"));
    bytes[bytes.size() / 2] ^= 0xFF;
    bytes.resize(bytes.size() - 1);
    std::ofstream(folder.file("run.mcap"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    const RunData damaged = read_run_log(folder.path());
    const Recovery recovery = recover(folder.path());
    CHECK_FALSE(recovery.was_whole);
    CHECK(recovery.damage.size() == 2);  // the chunk and the end
    CHECK(mcap::verify_index(read_file_bytes(folder.file("run.mcap"))) == "");
    const RunData mended = read_run_log(folder.path());
    CHECK(mended.feedback.size() == damaged.feedback.size());
    CHECK_FALSE(mended.data_whole);
}

TEST_CASE("recovering leaves a stranger's file alone, whatever it is called") {
    const TemporaryFolder folder;
    write_sample_run(folder.file("run.mcap"), 100);
    tear(folder.file("run.mcap"), std::filesystem::file_size(folder.file("run.mcap")) - 10);
    const std::string mine = "run.mcap.recovering." + std::to_string(::getpid());
    std::ofstream(folder.file(mine)) << "mine";
    recover(folder.path());
    CHECK(std::filesystem::file_size(folder.file(mine)) == 4);
    CHECK(files_in(folder.path()) == 3);
}

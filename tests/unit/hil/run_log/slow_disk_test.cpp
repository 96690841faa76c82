// The log on bad days: a disk that is slow, full or away, seen from the tick that pushes.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/heap_counter.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple;
using namespace topple::hil::files;
using namespace topple::hil::run_log;
namespace mcap = topple::hil::mcap;

namespace {

/// Files of this process can grow up to so many bytes while this lives: a disk that becomes full.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    rlimit before_{};
    void (*handler_)(int);
};

}  // namespace

TEST_CASE("a disk that stands still for the whole run loses nothing and holds up no tick") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);  // takes 64 KiB, then its writer waits for us
    constexpr std::size_t kTicks = 3000;
    RunLogOptions options = sample_options(false);
    options.queue_records = log_records_for(kTicks * 0.002, 500.0);
    RunLog log(std::make_unique<LogFile>(ends[1]), options);
    for (std::size_t tick = 0; tick < kTicks; ++tick) REQUIRE(push_tick(log, tick));
    CHECK_FALSE(log.failed());
    std::vector<std::uint8_t> bytes;
    std::thread disk([&] {
        std::vector<std::uint8_t> buffer(4096);
        for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
            bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + count);
        }
    });
    log.close();
    disk.join();
    ::close(ends[0]);
    CHECK_FALSE(log.failed());
    mcap::Visitor nothing;
    const auto result = mcap::scan(bytes, nothing);
    CHECK(result.complete);
    CHECK(result.message_count == 4 * kTicks);
    CHECK(mcap::verify_index(bytes) == "");
}

TEST_CASE("a full queue refuses, says so, and the log states how much is missing") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    RunLogOptions options = sample_options(false);
    options.queue_records = 100;
    RunLog log(std::make_unique<LogFile>(ends[1]), options);
    std::size_t refused = 0;
    for (std::size_t tick = 0; tick < 3000; ++tick) refused += push_tick(log, tick) ? 0 : 1;
    CHECK(refused > 0);
    CHECK(log.failed());
    CHECK(log.failure().find("queue") != std::string::npos);
    std::thread disk([&] {
        char buffer[4096];
        while (::read(ends[0], buffer, sizeof buffer) > 0) {
        }
    });
    log.close();
    disk.join();
    ::close(ends[0]);
}

TEST_CASE("a full disk latches the failure and leaves a log that reads up to there") {
    const bool synchronous = GENERATE(true, false);
    const TemporaryFolder folder;
    {
        RunLog log(folder.file("run.mcap"), sample_options(synchronous));
        const FileSizeLimit full(300'000);
        for (std::size_t tick = 0; tick < 2000; ++tick) push_tick(log, tick);
        log.close();
        CHECK(log.failed());
        CHECK(log.failure().find("cannot be written: File too large") != std::string::npos);
    }
    CHECK(std::filesystem::file_size(folder.file("run.mcap")) <= 300'000);
    const RunData run = read_run_log(folder.file("run.mcap"));
    CHECK(run.feedback.size() > 300);
    CHECK(run.feedback.size() < 2000);
    for (const std::string& what : run.damage) CHECK(what.find("checksum") == std::string::npos);
}

TEST_CASE("a log that got its disk back is whole again and states how much it lost") {
    const TemporaryFolder folder;
    RunLog log(folder.file("run.mcap"), sample_options());
    {
        const FileSizeLimit full(300'000);
        for (std::size_t tick = 0; tick < 1500; ++tick) push_tick(log, tick);
    }
    for (std::size_t tick = 1500; tick < 2000; ++tick) push_tick(log, tick);
    log.close();
    CHECK(log.failed());
    const RunData run = read_run_log(folder.file("run.mcap"));
    CHECK_FALSE(run.torn);
    REQUIRE(run.damage.size() == 1);
    CHECK(run.damage.front().find("records were lost") != std::string::npos);
    CHECK(run.feedback.back().device_time_us == sample_time_us(1999));
    CHECK(mcap::verify_index(read_file_bytes(folder.file("run.mcap"))) == "");
}

TEST_CASE("a reader that goes away latches the failure") {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    RunLog log(std::make_unique<LogFile>(ends[1]), sample_options());
    ::close(ends[0]);
    for (std::size_t tick = 0; tick < 500; ++tick) push_tick(log, tick);
    CHECK(log.failed());
    CHECK(log.failure().find("Broken pipe") != std::string::npos);
}

TEST_CASE("a push allocates nothing, neither from the tick nor in lockstep") {
    const bool synchronous = GENERATE(true, false);
    const TemporaryFolder folder;
    RunLog log(folder.file("run.mcap"), sample_options(synchronous));
    const EventRecord event{1, EventKind::remark, "made before the tick"};
    const EventNote note{2, EventKind::clock_jump,
                         firmware_iface::Wording().add(1.5, firmware_iface::NumberForm::signed_one_decimal).add(" ms")};
    const PredictionRecord prediction = sample_prediction(0);
    std::size_t allocations = 0;
    for (std::size_t tick = 0; tick < 1000; ++tick) {
        const std::uint64_t before = test::heap_allocations_of_this_thread();
        log.push(sample_feedback(tick));
        log.push(sample_setpoint(tick));
        log.push(prediction);
        log.push(sample_timing(tick));
        log.push(event);
        log.push(note);
        allocations += test::heap_allocations_of_this_thread() - before;
    }
    CHECK(allocations == 0);
}

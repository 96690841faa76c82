#include "hil/drive/tick.hpp"

#include <chrono>
#include <thread>

#include "hil/live/live_client.hpp"
#include "hil/live/live_server.hpp"
#include "hil/live/run_channels.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/ticking_table.hpp"

using namespace topple;
using namespace topple::tests;

namespace {

hil::live::LiveServerOptions any_port() {
    hil::live::LiveServerOptions options;
    options.address = "127.0.0.1:0";
    options.channels = hil::live::run_channels();
    return options;
}

}  // namespace

TEST_CASE("no tick of a running test takes memory from the heap") {
    const TemporaryFolder folder;
    const auto experiment =
        hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
    TickingTable test(experiment, folder.path() / "run.mcap");
    test.begin();
    for (int i = 0; i < 5; ++i) test.tick();

    const std::size_t by_the_table = test.clock().table_allocations;
    const std::uint64_t before = test::heap_allocations_of_this_thread();
    int ticks = 0;
    for (; ticks < 1000; ++ticks) test.tick();
    const std::uint64_t allocations = test::heap_allocations_of_this_thread() - before;
    CHECK(allocations - (test.clock().table_allocations - by_the_table) == 0);
    CHECK(test.supervisor().state() == controller::SupervisorState::done);
    CHECK_FALSE(test.log().failed());
    // The forecast's thread has no clock to keep up with: it is given the time it needs.
    for (int i = 0; i < 3000 && test.predictor().latest().forecast_time_us == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    test.tick();
    test.log().close();
    const auto run = hil::run_log::read_run_log(folder.path());
    REQUIRE_FALSE(run.predictions.empty());
    CHECK(run.predictions.back().forecast.members >= hil::drive::EnsembleForecast::kMembersMin);
}

TEST_CASE("no tick takes memory from the heap while somebody watches") {
    const TemporaryFolder folder;
    const auto experiment =
        hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
    hil::live::LiveServer server(any_port());
    server.publish(3, {1, {}});  // a mark, which is kept: who has it has subscribed
    hil::live::LiveClient client("127.0.0.1:" + std::to_string(server.port()));
    while (client.receive(std::chrono::seconds(20)).kind != hil::live::Received::Kind::message) {
    }
    TickingTable test(experiment, folder.path() / "run.mcap", [&](const hil::run_log::LoggedRecord& record) {
        server.publish(record.channel - 1u, {record.log_time_ns, record.data});
    });
    test.begin();
    for (int i = 0; i < 5; ++i) test.tick();
    const std::size_t by_the_table = test.clock().table_allocations;
    const std::uint64_t before = test::heap_allocations_of_this_thread();
    for (int i = 0; i < 1000; ++i) test.tick();
    const std::uint64_t allocations = test::heap_allocations_of_this_thread() - before;
    CHECK(allocations - (test.clock().table_allocations - by_the_table) == 0);
    CHECK_FALSE(test.log().failed());
    test.log().close();
    server.finish(std::chrono::seconds(20));
    std::size_t feedback = 0;
    for (auto received = client.receive(std::chrono::seconds(20)); received.kind != hil::live::Received::Kind::ended;
         received = client.receive(std::chrono::seconds(20)))
        feedback += received.topic == "/feedback" ? 1 : 0;
    CHECK(feedback >= 1000);
}

// What watching costs: ticks in paired intervals with and without four clients, allocations on the tick path, age of
// the data at a client, and a client that never reads. usage: live_server_bench [PAIRS [SECONDS]]
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <new>
#include <thread>
#include <vector>

#include "hil/live/live_client.hpp"
#include "hil/live/live_server.hpp"
#include "hil/live/run_channels.hpp"
#include "tests/support/ticking_table.hpp"

using namespace topple;
namespace fs = std::filesystem;

namespace {

constexpr int kClients = 4;

hil::live::LiveServerOptions any_port() {
    hil::live::LiveServerOptions options;
    options.address = "127.0.0.1:0";
    options.channels = hil::live::run_channels();
    return options;
}

std::int64_t wall_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// Shared with the process of the clients.
struct Shared {
    std::atomic<int> port{0};
    std::atomic<bool> watch{false}, end{false};
    std::atomic<int> watching{0};
    std::atomic<std::int64_t> offset_ns{0};  // wall clock minus device time
    std::atomic<std::uint64_t> messages{0};
    double age_ms[3] = {0.0, 0.0, 0.0};  // median, 90 %, 99 % of all feedback at one client
};

void watch_once(Shared& shared, std::vector<double>& ages_ms) {
    hil::live::LiveClient client("127.0.0.1:" + std::to_string(shared.port.load()));
    ++shared.watching;
    while (shared.watch.load()) {
        const auto received = client.receive(std::chrono::milliseconds(50));
        if (received.kind == hil::live::Received::Kind::ended) break;
        if (received.kind != hil::live::Received::Kind::message) continue;
        ++shared.messages;
        if (received.topic == "/feedback")
            ages_ms.push_back(1e-6 * static_cast<double>(wall_ns() - shared.offset_ns.load() -
                                                         static_cast<std::int64_t>(received.log_time_ns)));
    }
    --shared.watching;
}

[[noreturn]] void be_clients(Shared& shared) {
    std::vector<std::vector<double>> ages_ms(kClients);
    std::vector<std::thread> threads;
    for (int i = 0; i < kClients; ++i)
        threads.emplace_back([&shared, &ages = ages_ms[static_cast<std::size_t>(i)]] {
            while (!shared.end.load()) {
                if (shared.watch.load()) watch_once(shared, ages);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        });
    for (std::thread& thread : threads) thread.join();
    std::vector<double>& ages = ages_ms.front();
    std::sort(ages.begin(), ages.end());
    if (!ages.empty())
        for (const auto& [place, share] : {std::pair{0, 0.5}, {1, 0.9}, {2, 0.99}})
            shared.age_ms[place] = ages[static_cast<std::size_t>(share * static_cast<double>(ages.size() - 1))];
    ::_exit(0);
}

/// Ticks at 500 Hz for a while; their times without the simulated table, in microseconds.
class PacedTicks {
  public:
    /// `device_behind_ns`: the device's time is so much less than that of the clock.
    PacedTicks(tests::TickingTable& test, Shared& shared, std::int64_t device_behind_ns)
        : test_(test), shared_(shared), device_behind_ns_(device_behind_ns) {}

    std::vector<double> run(double seconds, std::uint64_t& allocations) {
        std::vector<double> host_us;
        const auto ticks = static_cast<std::size_t>(500.0 * seconds);
        host_us.reserve(ticks);
        const std::size_t by_the_table = test_.clock().table_allocations;
        const std::uint64_t before = test::heap_allocations_of_this_thread();
        auto next = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < ticks; ++i) {
            next += std::chrono::milliseconds(2);
            std::this_thread::sleep_until(next);
            shared_.offset_ns = wall_ns() - (test_.clock().now().count() - device_behind_ns_);
            test_.clock().table_busy = std::chrono::nanoseconds(0);
            const auto start = std::chrono::steady_clock::now();
            test_.tick();
            host_us.push_back(
                1e-3 * static_cast<double>((std::chrono::steady_clock::now() - start - test_.clock().table_busy) /
                                           std::chrono::nanoseconds(1)));
        }
        allocations +=
            test::heap_allocations_of_this_thread() - before - (test_.clock().table_allocations - by_the_table);
        return host_us;
    }

  private:
    tests::TickingTable& test_;
    Shared& shared_;
    std::int64_t device_behind_ns_;
};

double quantile(std::vector<double>& values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double resident_mb() {
    std::ifstream statm("/proc/self/statm");
    long size = 0, resident = 0;
    statm >> size >> resident;
    return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1048576.0;
}

// A client that subscribes to everything and never reads, while 500 Hz of all topics are published.
void bench_never_reads() {
    hil::live::LiveServer server(any_port());
    boost::asio::io_context context;
    boost::beast::websocket::stream<boost::asio::ip::tcp::socket> lazy(context);
    lazy.set_option(boost::beast::websocket::stream_base::decorator([](boost::beast::websocket::request_type& request) {
        request.set(boost::beast::http::field::sec_websocket_protocol, "foxglove.sdk.v1");
    }));
    lazy.next_layer().connect({boost::asio::ip::make_address("127.0.0.1"), server.port()});
    lazy.handshake("127.0.0.1", "/");
    lazy.write(boost::asio::buffer(std::string(
        R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1},{"id":2,"channelId":2},{"id":3,"channelId":3},{"id":5,"channelId":5}]})")));
    const std::vector<std::uint8_t> data(200);
    const double before_mb = resident_mb();
    double most_mb = before_mb;
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    for (std::uint64_t i = 0; seconds() < 30.0 && (i < 50 || server.statistics().clients_now > 0); ++i) {
        for (const std::size_t channel : {0u, 1u, 2u, 4u}) server.publish(channel, {2'000'000 * i, data});
        most_mb = std::max(most_mb, resident_mb());
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::printf(
        "client that never reads: gone after %.1f s, %.1f MiB more resident memory (and at most 0.25 MiB of socket); "
        "%s\n",
        seconds(), most_mb - before_mb, server.statistics().last_drop.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 3;
    const double seconds = argc > 2 ? std::atof(argv[2]) : 10.0;
    auto* shared =
        new (::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Shared;
    const pid_t clients = ::fork();
    if (clients == 0) be_clients(*shared);
    const auto experiment = hil::experiment::read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml");
    const fs::path folder = fs::temp_directory_path() / ("topple_live_server_bench_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    {
        hil::live::LiveServer server(any_port());
        shared->port = server.port();
        std::atomic<std::int64_t> newest_ns{0};  // of the feedback, log time
        tests::TickingTable test(experiment, folder / "ticks.mcap", [&](const hil::run_log::LoggedRecord& record) {
            if (record.channel == 2) newest_ns = static_cast<std::int64_t>(record.log_time_ns);
            server.publish(record.channel - 1u, {record.log_time_ns, record.data});
        });
        test.begin();
        for (int i = 0; i < 500; ++i) test.tick();                    // the motion itself is over
        std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until it is in the log
        PacedTicks ticks(test, *shared, test.clock().now().count() - newest_ns);
        std::vector<double> all[2];
        std::uint64_t allocations = 0;
        for (int pair = 0; pair < pairs; ++pair) {
            double p99_us[2] = {0.0, 0.0};
            for (const int with : {0, 1}) {
                shared->watch = with == 1;
                while (shared->watching != with * kClients) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                auto host_us = ticks.run(seconds, allocations);
                all[with].insert(all[with].end(), host_us.begin(), host_us.end());
                p99_us[with] = quantile(host_us, 0.99);
            }
            std::printf("pair %d: tick p99 %.1f us without, %.1f us with %d clients: %+.1f us\n", pair + 1, p99_us[0],
                        p99_us[1], kClients, p99_us[1] - p99_us[0]);
        }
        shared->watch = false;
        for (std::vector<double>& host_us : all) std::sort(host_us.begin(), host_us.end());
        std::printf(
            "all: p50 %.1f / %.1f us, p99 %.1f / %.1f us (%+.1f us), max %.1f / %.1f us; allocations on the tick path "
            "%llu\n",
            quantile(all[0], 0.5), quantile(all[1], 0.5), quantile(all[0], 0.99), quantile(all[1], 0.99),
            quantile(all[1], 0.99) - quantile(all[0], 0.99), all[0].back(), all[1].back(),
            static_cast<unsigned long long>(allocations));
        while (shared->watching != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        shared->end = true;
        ::waitpid(clients, nullptr, 0);
        std::printf(
            "messages to the clients: %llu in %.0f s; dropped %llu; age at a client: median %.1f ms, 90 %% %.1f ms, 99 "
            "%% %.1f ms\n",
            static_cast<unsigned long long>(shared->messages.load()), pairs * seconds,
            static_cast<unsigned long long>(server.statistics().clients_dropped), shared->age_ms[0], shared->age_ms[1],
            shared->age_ms[2]);
    }
    bench_never_reads();
    fs::remove_all(folder);
}

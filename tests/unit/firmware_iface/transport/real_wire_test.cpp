// The same session over pseudo-terminals and TCP, and what happens when either side goes away.
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "firmware_iface/table_link.hpp"
#include "firmware_iface/transport/listener.hpp"
#include "firmware_iface/transport/tcp.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"
#include "tests/support/serving_clock.hpp"

using namespace topple::test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A scripted device behind a listener, served while the host sleeps.
struct Table {
    std::unique_ptr<Listener> listener;
    ServingClock clock;
    std::unique_ptr<ScriptedDevice> device;

    explicit Table(std::unique_ptr<Listener> l) : listener(std::move(l)) {
        clock.serve = [this] { serve(); };
    }
    void serve() {
        if (auto stream = listener->accept()) device = std::make_unique<ScriptedDevice>(std::move(stream));
        listener->further();  // dropped
        if (device) device->serve();
    }
};

void run_session(Table& table, ByteStream* raw, std::unique_ptr<ByteStream> stream) {
    TableLink link(std::move(stream), table.clock, 5);
    CHECK(link.connect().device == "scripted");
    CHECK(link.arm(1).accepted);
    std::vector<Setpoint> batch(TableLink::kBatchMax);
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i].device_time_us = 1000 + i;
    for (int i = 0; i < 10; ++i) REQUIRE(link.send_setpoints(batch));
    REQUIRE(table.clock.wait_for([&] {
        link.flush();
        CHECK(raw->unsent_bytes() <= 369);
        return table.device->setpoints.size() == 160;
    }));
    CHECK(table.device->decoder.counters().bytes_damaged == 0);
    std::size_t count = 0;
    for (std::uint64_t t = 0; t < 200; ++t) table.device->send_feedback(t);
    CHECK(table.clock.wait_for([&] {
        link.poll([](void* n, const Feedback&) { ++*static_cast<std::size_t*>(n); }, &count);
        return count == 200;
    }));
    link.stop();
    CHECK(table.clock.wait_for([&] { return table.device->commands.back().kind == CommandKind::stop; }));
}

}  // namespace

TEST_CASE("a whole session runs over a pseudo-terminal") {
    Table table(listen_pty());
    auto stream = open_stream(table.listener->uri());
    CHECK_THAT(stream->description(), ContainsSubstring("/dev/pts/") && ContainsSubstring("without modem lines"));
    CHECK(stream->bytes_per_second() == 92160.0);
    auto* raw = stream.get();
    run_session(table, raw, std::move(stream));
}

TEST_CASE("a whole session runs over TCP") {
    Table table(listen_tcp("0"));
    CHECK_THAT(table.listener->uri(), ContainsSubstring("tcp:127.0.0.1:"));
    auto stream = open_stream(table.listener->uri());
    auto* raw = stream.get();
    run_session(table, raw, std::move(stream));
}

TEST_CASE("libserialport's own path runs over a pseudo-terminal", "[.preload]") {
    Table table(listen_pty());
    auto stream = open_stream(table.listener->uri());
    CHECK("serial:" + table.listener->uri().substr(7) == stream->description());
    auto* raw = stream.get();
    run_session(table, raw, std::move(stream));
    CHECK(table.clock.wait_for([&] { return table.device->stream->status() == StreamStatus::closed; }));
}

TEST_CASE("the device notices that the host has gone, and serves the next one") {
    const bool tcp = GENERATE(false, true);
    Table table(tcp ? listen_tcp("0") : listen_pty());
    for (int round = 0; round < 3; ++round) {
        TableLink link(open_stream(table.listener->uri()), table.clock, 10 + round);
        link.connect();
        CHECK(table.device->session == 10U + round);
        link.close();
        CHECK(table.clock.wait_for([&] { return table.device->stream->status() == StreamStatus::closed; }));
        table.device.reset();
    }
}

TEST_CASE("the host notices that the device has gone") {
    const bool tcp = GENERATE(false, true);
    Table table(tcp ? listen_tcp("0") : listen_pty());
    TableLink link(open_stream(table.listener->uri()), table.clock, 5);
    link.connect();
    table.clock.serve = [] {};
    table.device.reset();
    table.listener.reset();  // the terminal disappears as an unplugged port does
    int looks = 0;
    CHECK(table.clock.wait_for([&] {
        link.poll([](void*, const Feedback&) {}, nullptr);
        ++looks;
        return link.status() == StreamStatus::closed;
    }));
    CHECK(looks <= 50);  // of a host that looks every 2 ms: 100 ms
    CHECK_THAT(error_of([&] { link.arm(1); }), ContainsSubstring("lost") && ContainsSubstring("check power and cable"));
    link.stop();  // nothing to send it on: no signal, no exception
    link.flush();
    link.close();
}

TEST_CASE("writing to a TCP peer that has gone raises no signal") {
    auto listener = listen_tcp("0");
    auto host = open_stream(listener->uri());
    ServingClock clock;
    std::unique_ptr<ByteStream> device;
    REQUIRE(clock.wait_for([&] { return (device = listener->accept()) != nullptr; }));
    device.reset();
    const std::array<std::byte, 100> bytes{};
    CHECK(clock.wait_for([&] {
        host->write_some(bytes);
        return host->status() == StreamStatus::closed;
    }));
}

TEST_CASE("a second TCP client is refused and the first one notices nothing") {
    Table table(listen_tcp("0"));
    TableLink first(open_stream(table.listener->uri()), table.clock, 5);
    first.connect();
    TableLink second(open_stream(table.listener->uri()), table.clock, 6);
    CHECK_THAT(error_of([&] { second.connect(); }),
               ContainsSubstring("lost") && ContainsSubstring("no other program controls the table"));
    CHECK(table.device->session == 5);
    CHECK(first.arm(1).accepted);
    CHECK(first.statistics().bytes_damaged == 0);
}

TEST_CASE("a port whose other side reads nothing is never waited for, not even at its closing") {
    auto listener = listen_pty();
    auto host = open_stream(listener->uri());
    const std::array<std::byte, 4096> bytes{};
    std::size_t sent = 0;
    for (std::size_t now = 1; now > 0; sent += now) now = host->write_some(bytes);
    CHECK(sent > 0);
    CHECK(host->status() == StreamStatus::open);
    host->close();
    host->close();
    CHECK(host->status() == StreamStatus::closed);
    CHECK(host->write_some(bytes) == 0);
}

TEST_CASE("what an earlier host left in a port is gone for the next one") {
    auto listener = listen_pty();
    ServingClock clock;
    std::unique_ptr<ByteStream> device;
    std::array<std::byte, 64> bytes{};
    {
        const auto first = open_stream(listener->uri());
        REQUIRE(clock.wait_for([&] { return (device = listener->accept()) != nullptr; }));
        device->write_some(bytes);  // for a host that goes away without reading
    }
    device.reset();
    const auto second = open_stream(listener->uri());
    REQUIRE(clock.wait_for([&] { return (device = listener->accept()) != nullptr; }));
    CHECK(second->read_some(bytes) == 0);
}

TEST_CASE("a host that is killed hangs up") {
    auto listener = listen_pty();
    const pid_t child = fork();
    if (child == 0) {
        const auto stream = open_stream(listener->uri());
        const std::array<std::byte, 3> bytes{std::byte{1}, std::byte{2}, std::byte{3}};
        stream->write_some(bytes);
        for (;;) pause();
    }
    ServingClock clock;
    std::unique_ptr<ByteStream> device;
    std::array<std::byte, 16> buffer;
    CHECK(clock.wait_for([&] { return device || (device = listener->accept()) != nullptr; }));
    CHECK(clock.wait_for([&] { return device->read_some(buffer) > 0; }));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    CHECK(clock.wait_for([&] { return device->read_some(buffer) == 0 && device->status() == StreamStatus::closed; }));
}

TEST_CASE("a port name that cannot be opened says why and what to do") {
    CHECK_THAT(error_of([] { open_stream("serial:/dev/ttyNONE9"); }),
               ContainsSubstring("no such port") && ContainsSubstring("topple devices"));
    CHECK_THAT(error_of([] { open_stream("serial:/dev/null"); }), ContainsSubstring("not a serial port"));
    CHECK_THAT(error_of([] { open_stream("serial:usb:0000:ffff:NONE"); }),
               ContainsSubstring("no port is usb:0000:ffff:NONE"));
    CHECK_THAT(error_of([] { open_stream("serial:usb:what"); }), ContainsSubstring("VID:PID"));
    CHECK_THAT(error_of([] { open_stream("serial:/dev/null?baud=12"); }), ContainsSubstring("not a baud rate"));
    CHECK_THAT(error_of([] { open_stream("usb:1"); }), ContainsSubstring("tcp:HOST:PORT"));
    CHECK_THAT(error_of([] { open_stream("tcp:localhost:99999"); }), ContainsSubstring("port from 0 to 65535"));
    CHECK_THAT(error_of([] { open_stream("tcp:127.0.0.1:1"); }),
               ContainsSubstring("cannot connect") && ContainsSubstring("refused"));
}

TEST_CASE("TCP addresses are taken apart") {
    CHECK(parse_tcp_address("4500", "127.0.0.1").host == "127.0.0.1");
    CHECK(parse_tcp_address("table.lab:4500", "").host == "table.lab");
    CHECK(parse_tcp_address("[::1]:4500", "").host == "::1");
    CHECK_THROWS_AS(parse_tcp_address("host:", ""), AddressError);
    CHECK_THROWS_AS(parse_tcp_address("host", ""), AddressError);
}

TEST_CASE("only the loopback addresses in figures, and localhost, are this computer's alone") {
    for (const char* host : {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) CHECK(is_loopback({host, "1"}));
    for (const char* host : {"127.example.net", "127.0.0.1.example.net", "127.", "localhost.example.net", "0.0.0.0",
                             "::", "192.168.1.127", "table.lab"})
        CHECK_FALSE(is_loopback({host, "1"}));
}

TEST_CASE("a text that names no device is distinguished from a device that is not there") {
    for (const char* uri : {"foo:", "foo", "", "serial:", "tcp:", "tcp:host", "sim:2", "serial:usb:zz",
                            "serial:usb:2341", "serial:/dev/ttyACM0?baud=5", "serial:/dev/ttyACM0?baud=x"}) {
        INFO(uri);
        CHECK_THROWS_AS(open_stream(uri), AddressError);
    }
    const auto is_missing = [](const char* uri) {
        try {
            open_stream(uri);
        } catch (const AddressError&) {
            return false;
        } catch (const DeviceError&) {
            return true;
        }
        return false;
    };
    CHECK(is_missing("serial:/dev/ttyNONE9"));
    CHECK(is_missing("serial:usb:0000:ffff:NONE"));
    CHECK(is_missing("tcp:127.0.0.1:1"));
}

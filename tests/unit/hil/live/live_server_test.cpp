// The live server on a real port, with clients that behave well.
#include "hil/live/live_server.hpp"

#include <memory>
#include <thread>
#include <vector>

#include "hil/files/errors.hpp"
#include "hil/live/live_client.hpp"
#include "hil/live/run_channels.hpp"
#include "hil/run_log/log_codec.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/live/web_socket.hpp"

using namespace topple;
using namespace topple::tests;
using hil::live::LiveServer;
using hil::live::LiveServerOptions;
using nlohmann::json;

namespace {

LiveServerOptions usual_options() {
    LiveServerOptions options;
    options.address = "127.0.0.1:0";
    options.channels = hil::live::run_channels();
    options.documents = {{"/", "text/html", "<p>page</p>"}};
    return options;
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

void publish(LiveServer& server, std::size_t channel, std::uint64_t log_time_ns, const std::string& text) {
    const auto bytes = bytes_of(text);
    server.publish(channel, {log_time_ns, bytes});
}

constexpr std::size_t kFeedback = 1, kEvent = 3;  // places of the channels

/// What has been subscribed to has reached the server once it has answered what came after.
void wait_for_answer(WebSocket& client) {
    client.say("?");
    REQUIRE(client.hear_op("status").is_object());
}

}  // namespace

TEST_CASE("a client is told name, channels and schemas, and that it can command nothing") {
    auto options = usual_options();
    options.name = "B6L";
    LiveServer server(std::move(options));
    WebSocket client(server.port());
    const json info = client.hear_op("serverInfo");
    CHECK(info["name"] == "B6L");
    CHECK(info["capabilities"].empty());
    const json channels = client.hear_op("advertise")["channels"];
    REQUIRE(channels.size() == hil::run_log::kTopicCount);
    CHECK(channels[1]["id"] == 2);
    CHECK(channels[1]["topic"] == "/feedback");
    CHECK(channels[1]["schemaName"] == "topple.log.Feedback");
    CHECK(channels[1]["encoding"] == "protobuf");
    CHECK(channels[1]["schemaEncoding"] == "protobuf");
}

TEST_CASE("both subprotocols are spoken, and the first of the client's list that is known") {
    LiveServer server(usual_options());
    CHECK(WebSocket(server.port(), {.subprotocol = "foxglove.sdk.v1"}).subprotocol() == "foxglove.sdk.v1");
    CHECK(WebSocket(server.port(), {.subprotocol = "mine, foxglove.sdk.v1, foxglove.websocket.v1"}).subprotocol() ==
          "foxglove.sdk.v1");
}

TEST_CASE("what is published arrives with subscription, log time and the very bytes") {
    LiveServer server(usual_options());
    WebSocket client(server.port());
    client.subscribe(77, kFeedback + 1);
    wait_for_answer(client);
    publish(server, 0, 5, "of another channel");
    publish(server, kFeedback, 0x0102030405060708, "abc");
    CHECK(client.hear_data() == std::string("\x01\x4d\0\0\0\x08\x07\x06\x05\x04\x03\x02\x01"
                                            "abc",
                                            16));
}

TEST_CASE("a client that has unsubscribed gets nothing more") {
    LiveServer server(usual_options());
    WebSocket client(server.port());
    client.subscribe(1, kFeedback + 1);
    client.say(R"({"op": "unsubscribe", "subscriptionIds": [1]})");
    client.subscribe(2, 1);
    wait_for_answer(client);
    publish(server, kFeedback, 1, "no");
    publish(server, 0, 2, "yes");
    CHECK(client.hear_data().substr(13) == "yes");
}

TEST_CASE("who comes later gets the marks of this run, and none of the run before") {
    LiveServer server(usual_options());
    publish(server, kEvent, 1, "old");
    server.begin_run();
    publish(server, kEvent, 2, "start");
    publish(server, kFeedback, 3, "missed");
    WebSocket client(server.port());
    client.subscribe(1, kEvent + 1);
    CHECK(client.hear_data().substr(13) == "start");
}

TEST_CASE("a finished run is sent whole, in the order of its times, as the client takes it") {
    constexpr std::uint64_t kCount = 20'000;
    auto options = usual_options();
    options.limits.waiting_bytes_max = 64 << 10;  // far less than the run
    for (std::size_t place : {0u, 1u})
        options.channels[place].stored = [place]() -> hil::live::MessageSource {
            return [next = place, data = std::vector<std::uint8_t>(100)](hil::live::Message& message) mutable {
                message = {next, data};
                next += 2;
                return next <= kCount + 1;
            };
        };
    LiveServer server(std::move(options));
    WebSocket client(server.port());
    client.say(R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 1}, {"id": 1, "channelId": 2}]})");
    for (std::uint64_t expected = 0; expected < kCount; ++expected) {
        const std::string message = client.hear_data();
        REQUIRE(message.size() == 113);
        std::uint64_t time = 0;
        for (int i = 12; i >= 5; --i) time = time << 8 | static_cast<unsigned char>(message[static_cast<size_t>(i)]);
        REQUIRE(time == expected);
    }
}

TEST_CASE("documents are served, replaced, and what is none is said to be none") {
    LiveServer server(usual_options());
    CHECK(TcpClient(server.port()).get("/").ends_with("\r\n\r\n<p>page</p>"));
    CHECK(TcpClient(server.port()).get("/?x=1").starts_with("HTTP/1.1 200"));
    CHECK(TcpClient(server.port()).get("/test.json").starts_with("HTTP/1.1 404"));
    server.set_document({"/test.json", "application/json", "{}"});
    const std::string answer = TcpClient(server.port()).get("/test.json");
    CHECK(answer.find("Content-Type: application/json") != std::string::npos);
    CHECK(answer.ends_with("\r\n\r\n{}"));
}

TEST_CASE("at the end all that waits is sent, then a proper goodbye") {
    LiveServer server(usual_options());
    WebSocket client(server.port());
    client.subscribe(1, kFeedback + 1);
    wait_for_answer(client);
    for (int i = 0; i < 1000; ++i) publish(server, kFeedback, static_cast<std::uint64_t>(i), "x");
    server.announce("consistent");
    std::thread ending([&] { server.finish(std::chrono::seconds(20)); });
    int messages = 0;
    std::string words;
    while (const auto heard = client.hear()) {
        if (client.heard_text())
            words = json::parse(*heard).value("message", "");
        else
            ++messages;
    }
    ending.join();
    CHECK(messages == 1000);
    CHECK(words == "consistent");
    CHECK(server.statistics().clients_dropped == 0);
}

TEST_CASE("topple's own client sees topics, words and the end") {
    auto server = std::make_unique<LiveServer>(usual_options());
    publish(*server, kEvent, 9, "mark");
    hil::live::LiveClient client("127.0.0.1:" + std::to_string(server->port()));
    CHECK(client.server_name() == "Topple");
    using Kind = hil::live::Received::Kind;
    const auto next = [&] {
        auto received = client.receive(std::chrono::seconds(20));
        while (received.kind == Kind::nothing) received = client.receive(std::chrono::seconds(20));
        return received;
    };
    const auto mark = next();
    CHECK(mark.kind == Kind::message);
    CHECK(mark.topic == "/event");
    CHECK(mark.log_time_ns == 9);
    CHECK(mark.data == bytes_of("mark"));
    server->announce("hello");
    CHECK(next().words == "hello");
    std::thread ending([&] { server->finish(std::chrono::seconds(20)); });
    CHECK(next().kind == Kind::ended);
    ending.join();
}

TEST_CASE("a port in use and an address that is none are refused before anything begins") {
    LiveServer server(usual_options());
    auto options = usual_options();
    options.address = "127.0.0.1:" + std::to_string(server.port());
    CHECK_THROWS_AS(LiveServer(options), hil::files::InputError);
    options.address = "nowhere";
    CHECK_THROWS_AS(LiveServer(options), hil::files::InputError);
}

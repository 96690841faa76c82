// The live server on a real port, with clients that behave badly: each is gone soon, and a good one beside it notices
// nothing.
#include <thread>

#include "hil/live/live_server.hpp"
#include "hil/live/run_channels.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/live/web_socket.hpp"

using namespace topple;
using namespace topple::tests;
using hil::live::LiveServer;
using hil::live::LiveServerOptions;
using std::chrono::milliseconds;

namespace {

LiveServerOptions strict_options() {
    LiveServerOptions options;
    options.address = "127.0.0.1:0";
    options.channels = hil::live::run_channels();
    options.limits.handshake_max = milliseconds(300);
    options.limits.stalled_max = milliseconds(300);
    return options;
}

/// A client that behaves, to see that the server still serves.
void check_serves(LiveServer& server) {
    WebSocket good(server.port());
    REQUIRE(good.is_open());
    CHECK(good.hear_op("advertise").is_object());
}

bool all_gone(const LiveServer& server) {
    return eventually([&] { return server.statistics().clients_now == 0; });
}

constexpr std::uint32_t kFeedback = 2;  // id of the channel

}  // namespace

TEST_CASE("a client that never reads is dropped, and a good one beside it gets everything") {
    LiveServer server(strict_options());
    WebSocket lazy(server.port()), good(server.port());
    lazy.subscribe(1, kFeedback);
    good.subscribe(1, kFeedback);
    good.say("?");
    REQUIRE(good.hear_op("status").is_object());
    const std::vector<std::uint8_t> data(1000);
    constexpr std::uint64_t kMessages = 5000;
    std::thread publishing([&] {
        for (std::uint64_t i = 0; i < kMessages; ++i) {
            server.publish(kFeedback - 1, {i, data});
            if (i % 10 == 0) std::this_thread::sleep_for(milliseconds(1));
        }
    });
    for (std::uint64_t i = 0; i < kMessages; ++i) REQUIRE(good.hear_data().size() == 1013);
    publishing.join();
    CHECK(eventually([&] { return server.statistics().clients_dropped == 1; }));
    CHECK(eventually([&] { return server.statistics().clients_now == 1; }));
}

TEST_CASE("a client for whom too much waits is told that it is too slow") {
    auto options = strict_options();
    options.limits.stalled_max = std::chrono::hours(1);
    options.limits.waiting_bytes_max = 1 << 20;
    LiveServer server(std::move(options));
    WebSocket slow(server.port());
    slow.subscribe(1, kFeedback);
    slow.say("?");
    REQUIRE(slow.hear_op("status").is_object());
    const std::vector<std::uint8_t> data(1000);
    for (std::uint64_t i = 0; i < 3000; ++i) server.publish(kFeedback - 1, {i, data});
    const auto goodbye = slow.hear_goodbye();
    CHECK(goodbye.code == beast::websocket::close_code::policy_error);
    CHECK(std::string(goodbye.reason.c_str()).find("too slow") != std::string::npos);
    CHECK(all_gone(server));
}

TEST_CASE("a client that floods with messages or pings is dropped") {
    LiveServer server(strict_options());
    WebSocket chatty(server.port());
    for (int i = 0; i < 100'000 && chatty.say("{}"); ++i) {
    }
    CHECK(all_gone(server));
    CHECK(server.statistics().clients_dropped == 1);
    check_serves(server);
}

TEST_CASE("a message that never ends, of frames without a byte, ends the connection") {
    for (const bool is_first_empty : {false, true}) {
        LiveServer server(strict_options());
        WebSocket endless(server.port());
        const std::string mask(4, '\0');
        std::string first = std::string(is_first_empty ? "\x01\x80" : "\x01\x81", 2) + mask;  // text, not its end
        if (!is_first_empty) first += ' ';
        std::string frames;
        for (int i = 0; i < 10'000; ++i) frames += std::string("\x00\x80", 2) + mask;  // goes on, not its end
        beast::error_code error;
        boost::asio::write(endless.tcp(), boost::asio::buffer(first), error);
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!error && std::chrono::steady_clock::now() < until)
            boost::asio::write(endless.tcp(), boost::asio::buffer(frames), error);
        CHECK(error);
        CHECK(all_gone(server));
        CHECK(server.statistics().clients_dropped == 1);
        CHECK(server.statistics().last_drop.find("too many messages") != std::string::npos);
        check_serves(server);
    }
}

TEST_CASE("a hundred thousand subscriptions to absent channels are refused and end the connection") {
    LiveServer server(strict_options());
    WebSocket greedy(server.port());
    std::uint32_t sent = 0;
    while (sent < 100'000 && greedy.subscribe(sent, 1000 + sent)) ++sent;
    CHECK(all_gone(server));
    CHECK(server.statistics().clients_dropped == 1);
    check_serves(server);
}

TEST_CASE("a connection that says nothing, or its request byte by byte, is closed") {
    LiveServer server(strict_options());
    TcpClient silent(server.port());
    CHECK(silent.hear_all().empty());
    TcpClient slow(server.port());
    slow.send("GET / HT");
    CHECK(slow.hear_all().empty());
    check_serves(server);
}

TEST_CASE("connections that say nothing do not keep others out for longer than their time") {
    auto options = strict_options();
    options.limits.connections_max = 4;
    LiveServer server(std::move(options));
    std::vector<std::unique_ptr<TcpClient>> silent;
    for (int i = 0; i < 8; ++i) silent.push_back(std::make_unique<TcpClient>(server.port()));
    CHECK(eventually([&] { return TcpClient(server.port()).get("/").starts_with("HTTP/1.1 404"); }));
}

TEST_CASE("more clients than are allowed are refused with a reason") {
    auto options = strict_options();
    options.limits.clients_max = 1;
    LiveServer server(std::move(options));
    WebSocket first(server.port());
    REQUIRE(first.hear_op("advertise").is_object());
    CHECK(answer_to_upgrade(server.port(), {}) == 503);
}

TEST_CASE("many that ask to watch at the same moment are not more than are allowed") {
    auto options = strict_options();
    options.limits.handshake_max = milliseconds(5000);
    options.limits.clients_max = 3;
    options.limits.connections_max = 100;
    LiveServer server(std::move(options));
    std::vector<std::unique_ptr<TcpClient>> clients;
    for (int i = 0; i < 30; ++i) clients.push_back(std::make_unique<TcpClient>(server.port()));
    for (const auto& client : clients) client->send(upgrade_request({}));
    int accepted = 0, refused = 0;
    for (const auto& client : clients) {
        const int status = status_of(client->hear_some());
        accepted += status == 101;
        refused += status == 503;
    }
    CHECK(accepted == 3);
    CHECK(refused == 27);
    clients.clear();
    CHECK(all_gone(server));
    CHECK(eventually([&] { return answer_to_upgrade(server.port(), {}) == 101; }));
}

TEST_CASE("a huge frame ends the connection") {
    LiveServer server(strict_options());
    WebSocket large(server.port());
    large.say(std::string(1 << 20, ' '));
    large.hear_goodbye();  // its words can be lost on the way while the rest of the frame is still sent
    CHECK(all_gone(server));
    CHECK(server.statistics().clients_dropped == 1);
    check_serves(server);
}

TEST_CASE("a huge request is refused") {
    LiveServer server(strict_options());
    CHECK(TcpClient(server.port()).get("/" + std::string(100'000, 'x')).find("200 OK") == std::string::npos);
    check_serves(server);
}

TEST_CASE("another subprotocol, or none, is refused") {
    LiveServer server(strict_options());
    CHECK(answer_to_upgrade(server.port(), {.subprotocol = "chat"}) == 400);
    CHECK(answer_to_upgrade(server.port(), {.subprotocol = ""}) == 400);
}

TEST_CASE("a page of another site may not watch, the page of this server and desktop programs may") {
    LiveServer server(strict_options());
    const std::string own = "127.0.0.1:" + std::to_string(server.port());
    const auto answer = [&](const std::string& origin) {
        return answer_to_upgrade(server.port(), {.host = own, .origin = origin});
    };
    for (const char* foreign : {"http://evil.example", "https://app.foxglove.dev.evil.example", "null",
                                "http://localhost.evil.example", "http://127.0.0.1.evil.example:80"})
        CHECK(answer(foreign) == 403);
    for (const std::string& known : {"http://" + own, std::string("http://localhost:8080"), std::string("file://"),
                                     std::string("https://app.foxglove.dev")})
        CHECK(answer(known) == 101);
}

TEST_CASE("a name that leads here but is not this server's is refused, documents too") {
    LiveServer server(strict_options());
    CHECK(TcpClient(server.port()).get("/", "evil.example").starts_with("HTTP/1.1 421"));
    CHECK(answer_to_upgrade(server.port(), {.host = "evil.example", .origin = "http://evil.example"}) == 421);
}

TEST_CASE("nothing but reading is allowed") {
    LiveServer server(strict_options());
    TcpClient writer(server.port());
    writer.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    CHECK(writer.hear_all().starts_with("HTTP/1.1 405"));
    WebSocket client(server.port());
    for (const char* text : {R"({"op": "advertise", "channels": []})", R"({"op": "setParameters"})",
                             R"({"op": "fetchAsset", "uri": "file:///etc/passwd"})"}) {
        client.say(text);
        CHECK(client.hear_op("status")["message"].get<std::string>().find("read only") != std::string::npos);
    }
    client.say_binary(std::string("\x01\x01\0\0\0move", 9));
    CHECK(client.hear_op("status")["level"] == 2);
}

TEST_CASE("what is no message is answered with a reason, and the connection stays") {
    LiveServer server(strict_options());
    WebSocket client(server.port());
    for (const std::string& text :
         {std::string(""), std::string("{"), std::string("[]"), std::string("{\"op\": 1}"), std::string(8000, '['),
          std::string(R"({"op": "subscribe"})"), std::string(R"({"op": "subscribe", "subscriptions": [1]})"),
          std::string(R"({"op": "subscribe", "subscriptions": [{"id": -1, "channelId": 1}]})"),
          std::string(R"({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 4294967296}]})"),
          std::string(R"({"op": "subscribe", "subscriptions": [{"id": 1.5, "channelId": 1}]})"),
          std::string(R"({"op": "unsubscribe", "subscriptionIds": [7]})")}) {
        INFO(text.substr(0, 80));
        client.say(text);
        CHECK(client.hear_op("status")["level"] == 2);
    }
    client.subscribe(1, kFeedback);
    client.subscribe(2, kFeedback);  // a second time
    CHECK(client.hear_op("status")["level"] == 2);
}

TEST_CASE("clients that vanish in every state leave nothing behind") {
    LiveServer server(strict_options());
    for (int i = 0; i < 50; ++i) {
        TcpClient(server.port()).send("GET / HTTP/1.1\r\n");
        WebSocket client(server.port());
        if (i % 2 == 0) client.subscribe(1, kFeedback);
        if (i % 3 == 0) client.tcp().close();
    }
    CHECK(all_gone(server));
    check_serves(server);
}

#include "hil/live/live_client.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/tcp.hpp"
#include "hil/live/server_message.hpp"

namespace topple::hil::live {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using beast::error_code;
using nlohmann::json;

constexpr auto kConnectMax = std::chrono::seconds(5);
constexpr std::size_t kMessageBytesMax = 4 << 20;

std::uint64_t little_endian(const std::uint8_t* at, std::size_t bytes) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

std::string text_at(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

struct LiveClient::Impl {
    explicit Impl(const std::string& where) : address(where) {
        connect();
        shake_hands();
        begin_read();
        const auto until = std::chrono::steady_clock::now() + kConnectMax;
        while (topics.empty() && !is_closed && std::chrono::steady_clock::now() < until) keep(receive(kConnectMax));
        if (topics.empty()) fail("it is no live server of topple");
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw firmware_iface::DeviceError(
            fmt::format("{}: {}; a test is shown by `topple run FILE --live`", address, why));
    }

    void connect() {
        const auto target = firmware_iface::parse_tcp_address(address, "127.0.0.1");
        error_code error;
        tcp::resolver resolver(context);
        const auto found = resolver.resolve(target.host, target.port, error);
        if (error) fail("no such address: " + error.message());
        std::optional<error_code> done;
        beast::get_lowest_layer(socket).expires_after(kConnectMax);
        beast::get_lowest_layer(socket).async_connect(found,
                                                      [&](error_code result, const tcp::endpoint&) { done = result; });
        run_until([&] { return done.has_value(); });
        if (*done) fail(done->message());
    }

    void shake_hands() {
        beast::get_lowest_layer(socket).expires_never();
        socket.set_option(websocket::stream_base::timeout{kConnectMax, websocket::stream_base::none(), false});
        socket.set_option(websocket::stream_base::decorator([](websocket::request_type& request) {
            request.set(beast::http::field::sec_websocket_protocol, "foxglove.websocket.v1");
        }));
        socket.read_message_max(kMessageBytesMax);
        std::optional<error_code> done;
        socket.async_handshake(address, "/", [&](error_code result) { done = result; });
        run_until([&] { return done.has_value(); });
        if (!*done) return;
        fail(*done == websocket::error::upgrade_declined
                 ? std::string(
                       "it refuses: too many watch already, this is not the name by which the server knows itself (try "
                       "its IP address), or it is no live server")
                 : "it does not answer as a live server does: " + done->message());
    }

    template <class Condition>
    void run_until(Condition condition) {
        while (!condition()) {
            context.restart();
            if (context.run_one() == 0) return;
        }
    }

    void begin_read() {
        socket.async_read(buffer, [this](error_code error, std::size_t) { came = error; });
    }

    Received receive(std::chrono::milliseconds at_most) {
        if (!unread.empty()) {
            Received first = std::move(unread.front());
            unread.erase(unread.begin());
            return first;
        }
        if (is_closed) return ended;
        const auto until = std::chrono::steady_clock::now() + at_most;
        while (!came && std::chrono::steady_clock::now() < until) {
            context.restart();
            context.run_one_until(until);
        }
        if (!came) return {};
        const error_code error = *came;
        came.reset();
        if (error) return end(error);
        Received received = read_message();
        buffer.consume(buffer.size());
        begin_read();
        return received;
    }

    Received end(error_code error) {
        is_closed = true;
        ended.kind = Received::Kind::ended;
        ended.words = error == websocket::error::closed ? std::string(socket.reason().reason.c_str()) : error.message();
        return ended;
    }

    Received read_message() {
        const auto* bytes = static_cast<const std::uint8_t*>(buffer.data().data());
        if (socket.got_text()) return read_text({reinterpret_cast<const char*>(bytes), buffer.size()});
        constexpr std::size_t kHead = std::tuple_size_v<MessageHead>;
        if (buffer.size() < kHead || bytes[0] != 1) return {};
        const auto topic = topics.find(static_cast<std::uint32_t>(little_endian(bytes + 1, 4)));
        if (topic == topics.end()) return {};
        return {Received::Kind::message,
                topic->second,
                little_endian(bytes + 5, 8),
                {bytes + kHead, bytes + buffer.size()},
                {}};
    }

    Received read_text(std::string_view text) {
        const json message = json::parse(text, nullptr, false);
        if (!message.is_object()) return {};
        const std::string op = text_at(message, "op");
        if (op == "serverInfo") name = text_at(message, "name");
        if (op == "advertise") subscribe(message);
        if (op == "status") return {Received::Kind::words, {}, 0, {}, text_at(message, "message")};
        return {};
    }

    // The id of a subscription is that of its channel.
    void subscribe(const json& advertisement) {
        const auto channels = advertisement.find("channels");
        if (channels == advertisement.end() || !channels->is_array()) return;
        json list = json::array();
        for (const json& channel : *channels) {
            if (!channel.is_object() || !channel.contains("id") || !channel["id"].is_number_unsigned()) continue;
            const auto id = channel["id"].get<std::uint32_t>();
            topics[id] = text_at(channel, "topic");
            list.push_back(json{{"id", id}, {"channelId", id}});
        }
        socket.text(true);
        error_code error;
        socket.write(asio::buffer(json{{"op", "subscribe"}, {"subscriptions", list}}.dump()), error);
    }

    void keep(Received received) {
        if (received.kind == Received::Kind::message || received.kind == Received::Kind::words)
            unread.push_back(std::move(received));
    }

    std::string address, name;
    asio::io_context context{1};
    websocket::stream<beast::tcp_stream> socket{context};
    beast::flat_buffer buffer;
    std::optional<error_code> came;
    std::map<std::uint32_t, std::string> topics;  // by subscription
    std::vector<Received> unread;
    Received ended;
    bool is_closed = false;
};

LiveClient::LiveClient(const std::string& address) : impl_(std::make_unique<Impl>(address)) {}
LiveClient::~LiveClient() = default;
Received LiveClient::receive(std::chrono::milliseconds at_most) { return impl_->receive(at_most); }
const std::string& LiveClient::server_name() const noexcept { return impl_->name; }

}  // namespace topple::hil::live

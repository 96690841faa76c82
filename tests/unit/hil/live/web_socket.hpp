// A browser's or robot's end of a web socket, blocking, for tests that behave well or badly.
#pragma once

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace topple::tests {

namespace beast = boost::beast;

class WebSocket {
  public:
    struct Greeting {
        std::string subprotocol = "foxglove.websocket.v1", host = "127.0.0.1", origin{};
    };
    WebSocket(std::uint16_t port, const Greeting& greeting) : socket_(context_) {
        socket_.next_layer().open(boost::asio::ip::tcp::v4());
        // A client that takes nothing shall not hide behind a large buffer.
        socket_.next_layer().set_option(boost::asio::socket_base::receive_buffer_size(16 << 10));
        socket_.next_layer().connect({boost::asio::ip::make_address("127.0.0.1"), port});
        socket_.set_option(beast::websocket::stream_base::decorator([=](beast::websocket::request_type& request) {
            if (!greeting.subprotocol.empty())
                request.set(beast::http::field::sec_websocket_protocol, greeting.subprotocol);
            if (!greeting.origin.empty()) request.set(beast::http::field::origin, greeting.origin);
        }));
        socket_.handshake(response_, greeting.host, "/", error_);
    }
    explicit WebSocket(std::uint16_t port) : WebSocket(port, Greeting{}) {}

    bool is_open() const { return !error_ && socket_.is_open(); }
    std::string subprotocol() const { return std::string(response_[beast::http::field::sec_websocket_protocol]); }
    bool say(const std::string& text) {
        socket_.text(true);
        socket_.write(boost::asio::buffer(text), error_);
        return !error_;
    }
    bool say_binary(const std::string& bytes) {
        socket_.binary(true);
        socket_.write(boost::asio::buffer(bytes), error_);
        return !error_;
    }
    bool subscribe(std::uint32_t id, std::uint32_t channel) {
        return say(
            nlohmann::json{{"op", "subscribe"}, {"subscriptions", {{{"id", id}, {"channelId", channel}}}}}.dump());
    }
    /// Of the next message; empty at the end.
    std::optional<std::string> hear() {
        beast::flat_buffer buffer;
        socket_.read(buffer, error_);
        if (error_) return std::nullopt;
        return beast::buffers_to_string(buffer.data());
    }
    bool heard_text() const { return socket_.got_text(); }
    /// The next text message whose "op" is this.
    nlohmann::json hear_op(const std::string& op) {
        while (const auto text = hear()) {
            if (!heard_text()) continue;
            const auto message = nlohmann::json::parse(*text, nullptr, false);
            if (message.is_object() && message.value("op", "") == op) return message;
        }
        return nullptr;
    }
    /// The next binary message.
    std::string hear_data() {
        while (const auto bytes = hear())
            if (!heard_text()) return *bytes;
        return {};
    }
    /// Reads until the server closes: its code and reason.
    beast::websocket::close_reason hear_goodbye() {
        while (hear()) {
        }
        return socket_.reason();
    }
    boost::asio::ip::tcp::socket& tcp() { return socket_.next_layer(); }

  private:
    boost::asio::io_context context_;
    beast::websocket::stream<boost::asio::ip::tcp::socket> socket_;
    beast::websocket::response_type response_;
    beast::error_code error_;
};

/// A bare connection.
class TcpClient {
  public:
    explicit TcpClient(std::uint16_t port) : socket_(context_) {
        socket_.connect({boost::asio::ip::make_address("127.0.0.1"), port});
    }
    void send(const std::string& bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes), error_); }
    /// Everything until the other side closes.
    std::string hear_all() {
        std::string all;
        std::array<char, 4096> piece;
        while (const std::size_t count = socket_.read_some(boost::asio::buffer(piece), error_))
            all.append(piece.data(), count);
        return all;
    }
    std::string hear_some() {
        std::array<char, 4096> piece;
        return {piece.data(), socket_.read_some(boost::asio::buffer(piece), error_)};
    }
    std::string get(const std::string& path, const std::string& host = "127.0.0.1") {
        send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
        return hear_all();
    }

  private:
    boost::asio::io_context context_;
    boost::asio::ip::tcp::socket socket_;
    beast::error_code error_;
};

/// The request to open a web socket.
inline std::string upgrade_request(const WebSocket::Greeting& greeting) {
    std::string request = "GET / HTTP/1.1\r\nHost: " + greeting.host +
                          "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    if (!greeting.subprotocol.empty()) request += "Sec-WebSocket-Protocol: " + greeting.subprotocol + "\r\n";
    if (!greeting.origin.empty()) request += "Origin: " + greeting.origin + "\r\n";
    return request + "\r\n";
}

/// HTTP status of an answer; 0: there is none.
inline int status_of(const std::string& answer) {
    return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

/// HTTP status with which the request to open a web socket is answered.
inline int answer_to_upgrade(std::uint16_t port, const WebSocket::Greeting& greeting) {
    TcpClient client(port);
    client.send(upgrade_request(greeting));
    return status_of(client.hear_some());
}

}  // namespace topple::tests

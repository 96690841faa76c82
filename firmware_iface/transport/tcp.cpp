#include "firmware_iface/transport/tcp.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/listener.hpp"

namespace topple::firmware_iface {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kConnectTimeout = std::chrono::seconds(3);
constexpr unsigned kPeerTimeoutMs = 5000;  ///< a peer that acknowledges nothing for this long is gone

/// A connected socket; the context must live as long.
class TcpStream final : public ByteStream {
  public:
    TcpStream(std::shared_ptr<asio::io_context> context, tcp::socket socket, std::string description,
              std::shared_ptr<void> token)
        : context_(std::move(context)),
          socket_(std::move(socket)),
          description_(std::move(description)),
          token_(std::move(token)) {
        socket_.non_blocking(true);
        socket_.set_option(tcp::no_delay(true));
        ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &kPeerTimeoutMs, sizeof kPeerTimeoutMs);
    }
    ~TcpStream() override { TcpStream::close(); }

    std::size_t read_some(std::span<std::byte> into) noexcept override {
        if (status_ != StreamStatus::open || into.empty()) return 0;
        error_code error;
        const std::size_t count = socket_.read_some(asio::buffer(into.data(), into.size()), error);
        if (error) fail(error);
        return count;
    }
    std::size_t write_some(std::span<const std::byte> from) noexcept override {
        if (status_ != StreamStatus::open || from.empty()) return 0;
        error_code error;
        const std::size_t count = socket_.write_some(asio::buffer(from.data(), from.size()), error);
        if (error) fail(error);
        return count;
    }
    /// Not yet on the net. Bytes that wait for their acknowledgement have left: the peer may delay that by 40
    /// ms.
    std::size_t unsent_bytes() const noexcept override {
        int count = 0;
        if (status_ != StreamStatus::open || ::ioctl(handle(), SIOCOUTQNSD, &count) != 0) return 0;
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    void discard_output() noexcept override {}  // TCP cannot take bytes back
    StreamStatus status() const noexcept override { return status_; }
    std::string error_text() const override { return error_ ? error_.message() : std::string(); }
    std::string description() const override { return description_; }
    void close() noexcept override {
        error_code ignored;
        socket_.shutdown(tcp::socket::shutdown_both, ignored);
        socket_.close(ignored);
        token_.reset();
        if (status_ == StreamStatus::open) status_ = StreamStatus::closed;
    }

  private:
    void fail(const error_code& error) noexcept {
        if (error == asio::error::would_block || error == asio::error::try_again) return;
        const bool gone = error == asio::error::eof || error == asio::error::connection_reset ||
                          error == asio::error::broken_pipe || error == asio::error::timed_out;
        status_ = gone ? StreamStatus::closed : StreamStatus::failed;
        if (error != asio::error::eof) error_ = error;
    }
    int handle() const noexcept { return const_cast<tcp::socket&>(socket_).native_handle(); }

    std::shared_ptr<asio::io_context> context_;
    tcp::socket socket_;
    std::string description_;
    std::shared_ptr<void> token_;  ///< of the listener: shows it that this session still exists
    StreamStatus status_ = StreamStatus::open;
    error_code error_;
};

std::string text(const tcp::endpoint& endpoint) {
    const auto address = endpoint.address();
    const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
    return "tcp:" + host + ":" + std::to_string(endpoint.port());
}

class TcpListener final : public Listener {
  public:
    explicit TcpListener(const TcpAddress& address) {
        tcp::resolver resolver(*context_);
        const tcp::endpoint endpoint = resolver.resolve(address.host, address.port).begin()->endpoint();
        acceptor_.open(endpoint.protocol());
        acceptor_.set_option(tcp::acceptor::reuse_address(true));
        acceptor_.bind(endpoint);
        acceptor_.listen();
        acceptor_.non_blocking(true);
    }
    std::unique_ptr<ByteStream> accept() override { return active_.expired() ? next_host(true) : nullptr; }
    std::unique_ptr<ByteStream> further() override { return active_.expired() ? nullptr : next_host(false); }
    std::string uri() const override { return text(acceptor_.local_endpoint()); }

  private:
    std::unique_ptr<ByteStream> next_host(bool gets_the_table) {
        tcp::socket socket(*context_);
        error_code error;
        acceptor_.accept(socket, error);
        if (error) return nullptr;
        const tcp::endpoint peer = socket.remote_endpoint(error);
        if (error) return nullptr;
        const auto token = gets_the_table ? std::make_shared<int>(0) : nullptr;
        if (token) active_ = token;
        return std::make_unique<TcpStream>(context_, std::move(socket), text(peer), token);
    }

    std::shared_ptr<asio::io_context> context_ = std::make_shared<asio::io_context>(1);
    tcp::acceptor acceptor_{*context_};
    std::weak_ptr<int> active_;
};

}  // namespace

TcpAddress parse_tcp_address(const std::string& text, const std::string& default_host) {
    const auto colon = text.rfind(':');
    TcpAddress address{colon == std::string::npos ? default_host : text.substr(0, colon),
                       colon == std::string::npos ? text : text.substr(colon + 1)};
    if (address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']')
        address.host = address.host.substr(1, address.host.size() - 2);
    const bool digits =
        !address.port.empty() && address.port.size() <= 5 &&
        std::all_of(address.port.begin(), address.port.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || std::stoi(address.port) > 65535 || address.host.empty())
        throw AddressError("\"" + text + "\" is not HOST:PORT with a port from 0 to 65535");
    return address;
}

bool is_loopback(const TcpAddress& address) {
    if (address.host == "localhost") return true;
    error_code not_literal;
    const auto literal = asio::ip::make_address(address.host, not_literal);
    return !not_literal && literal.is_loopback();
}

std::unique_ptr<ByteStream> connect_tcp(const std::string& address) {
    const TcpAddress target = parse_tcp_address(address, "");
    auto context = std::make_shared<asio::io_context>(1);
    tcp::socket socket(*context);
    error_code error;
    const auto endpoints = tcp::resolver(*context).resolve(target.host, target.port, error);
    if (!error) {
        error = asio::error::timed_out;
        asio::async_connect(socket, endpoints,
                            [&error](const error_code& result, const tcp::endpoint&) { error = result; });
        context->run_for(kConnectTimeout);
        if (!context->stopped()) {  // still trying: the handler must not outlive `error`
            error_code ignored;
            socket.close(ignored);
            context->run();
            error = asio::error::timed_out;
        }
    }
    if (error)
        throw DeviceError("cannot connect to tcp:" + address + ": " + error.message() +
                          "; is the table (or `topple emulate --listen`) running, and is this its address?");
    return std::make_unique<TcpStream>(std::move(context), std::move(socket), "tcp:" + address, nullptr);
}

std::unique_ptr<Listener> listen_tcp(const std::string& address) {
    const TcpAddress target = parse_tcp_address(address, "127.0.0.1");
    try {
        return std::make_unique<TcpListener>(target);
    } catch (const boost::system::system_error& error) {
        throw DeviceError("cannot listen on tcp:" + target.host + ":" + target.port + ": " + error.code().message());
    }
}

}  // namespace topple::firmware_iface

#include "hil/live/live_server.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <mutex>
#include <thread>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/tcp.hpp"
#include "hil/files/errors.hpp"
#include "hil/host/thread_without_signals.hpp"
#include "hil/live/client_session.hpp"
#include "hil/live/server_state.hpp"
#include "hil/live/web_connection.hpp"

namespace topple::hil::live {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kStagedBytesMax = 8 << 20;  // that the server's thread has not looked at: seconds of data
constexpr auto kLookPeriod = std::chrono::milliseconds(250);
constexpr auto kAcceptPause = std::chrono::milliseconds(100);  // after an error, e.g. no descriptor left

enum class StagedKind : std::uint8_t { message, run_begins, words };

struct StagedHead {
    StagedKind kind = StagedKind::message;
    std::uint32_t channel = 0;
    std::size_t size = 0;
    std::uint64_t log_time_ns = 0;
};

/// What has been published and not been handed to the clients yet.
struct Staged {
    std::vector<StagedHead> heads;
    std::vector<std::uint8_t> bytes;
    bool overflowed = false;
    void clear() noexcept {
        heads.clear();
        bytes.clear();
        overflowed = false;
    }
};

[[noreturn]] void refuse_address(const std::string& address, const std::string& why) {
    throw files::InputError(fmt::format("--live {}: {}", address, why));
}

}  // namespace

struct LiveServer::Impl {
    explicit Impl(LiveServerOptions options)
        : address(options.address),
          state(std::move(options)),
          acceptor(state.context),
          timer(state.context),
          pause(state.context) {
        listen();
        accept();
        look();
        thread = host::thread_without_signals([this] { state.context.run(); });
    }
    ~Impl() {
        state.context.stop();
        thread.join();
    }

    void listen() {
        firmware_iface::TcpAddress where;
        try {
            where = firmware_iface::parse_tcp_address(address, "127.0.0.1");
        } catch (const firmware_iface::AddressError& error) {
            refuse_address(address, error.what());
        }
        state.own_host = where.host;
        error_code error;
        tcp::resolver resolver(state.context);
        const auto found = resolver.resolve(where.host, where.port, tcp::resolver::passive, error);
        if (error || found.empty()) refuse_address(address, "no such address: " + error.message());
        const tcp::endpoint endpoint = found.begin()->endpoint();
        acceptor.open(endpoint.protocol(), error);
        if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
        if (!error) acceptor.bind(endpoint, error);
        if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
        if (error == asio::error::address_in_use)
            refuse_address(address, "the port is in use: another program, or another topple, listens there");
        if (error) refuse_address(address, "cannot listen there: " + error.message());
        port = acceptor.local_endpoint().port();
        host = endpoint.address().is_v6() ? fmt::format("[{}]", endpoint.address().to_string())
                                          : endpoint.address().to_string();
    }

    void accept() {
        acceptor.async_accept([this](error_code error, tcp::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (error) {
                pause.expires_after(kAcceptPause);
                pause.async_wait([this](error_code stopped) {
                    if (!stopped) accept();
                });
                return;
            }
            if (auto token = state.connection_token())
                std::make_shared<WebConnection>(state, std::move(socket), std::move(token))->begin();
            else
                state.count_refusal("too many connections at once");
            accept();
        });
    }

    void look() {
        timer.expires_after(kLookPeriod);
        timer.async_wait([this](error_code error) {
            if (error) return;
            for (const auto& client : state.clients()) client->look_at(ClientSession::Clock::now());
            look();
        });
    }

    void stage(const StagedHead& head, std::span<const std::uint8_t> data) noexcept {
        bool must_wake = false;
        try {
            const std::lock_guard lock(mutex);
            must_wake = !is_waking;
            is_waking = true;
            if (staged.overflowed || staged.bytes.size() + data.size() > kStagedBytesMax) {
                staged.overflowed = true;
            } else {
                staged.heads.push_back(head);
                staged.bytes.insert(staged.bytes.end(), data.begin(), data.end());
            }
        } catch (...) {  // no memory: as if it had overflowed
            const std::lock_guard lock(mutex);
            staged.overflowed = true;
        }
        if (!must_wake) return;
        try {
            asio::post(state.context, [this] { hand_out(); });
        } catch (...) {  // the next one tries again
            const std::lock_guard lock(mutex);
            is_waking = false;
        }
    }

    // In the server's thread.
    void hand_out() {
        {
            const std::lock_guard lock(mutex);
            std::swap(staged, taken);
            is_waking = false;
        }
        const std::uint8_t* at = taken.bytes.data();
        for (const StagedHead& head : taken.heads) {
            hand_out(head, {at, head.size});
            at += head.size;
        }
        if (taken.overflowed)
            for (const auto& client : state.clients())
                client->drop(ClientSession::CloseCode::try_again_later, "the server could not keep up");
        taken.clear();
    }

    void hand_out(const StagedHead& head, std::span<const std::uint8_t> data) {
        if (head.kind == StagedKind::run_begins) return state.forget_kept();
        if (head.kind == StagedKind::words) {
            const std::string text =
                status_message(StatusLevel::information, {reinterpret_cast<const char*>(data.data()), data.size()});
            for (const auto& client : state.clients()) client->tell(text);
            return;
        }
        const bool is_kept = state.channels()[head.channel].is_kept;
        if (!is_kept && !state.is_watched()) return;
        const auto payload = std::make_shared<const std::vector<std::uint8_t>>(data.begin(), data.end());
        if (is_kept) state.keep(head.channel, {head.log_time_ns, payload});
        for (const auto& client : state.clients()) client->deliver(head.channel, head.log_time_ns, payload);
    }

    std::string address;
    ServerState state;
    tcp::acceptor acceptor;
    asio::steady_timer timer, pause;
    std::uint16_t port = 0;
    std::string host;
    std::mutex mutex;  // of staged and is_waking
    Staged staged;
    bool is_waking = false;
    Staged taken;  // of the server's thread
    std::thread thread;
};

LiveServer::LiveServer(LiveServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
LiveServer::~LiveServer() = default;

std::uint16_t LiveServer::port() const noexcept { return impl_->port; }
std::string LiveServer::url() const { return fmt::format("http://{}:{}/", impl_->host, impl_->port); }

void LiveServer::publish(std::size_t channel, const Message& message) noexcept {
    if (channel >= impl_->state.channels().size()) return;
    if (!impl_->state.is_watched() && !impl_->state.channels()[channel].is_kept) return;
    impl_->stage({StagedKind::message, static_cast<std::uint32_t>(channel), message.data.size(), message.log_time_ns},
                 message.data);
}

void LiveServer::begin_run() { impl_->stage({StagedKind::run_begins, 0, 0, 0}, {}); }

void LiveServer::set_document(Document document) { impl_->state.set_document(std::move(document)); }

void LiveServer::announce(const std::string& words) {
    impl_->stage({StagedKind::words, 0, words.size(), 0},
                 {reinterpret_cast<const std::uint8_t*>(words.data()), words.size()});
}

void LiveServer::finish(std::chrono::milliseconds at_most) {
    const auto nobody_left = std::make_shared<std::promise<void>>();
    auto done = nobody_left->get_future();
    asio::post(impl_->state.context, [impl = impl_.get(), nobody_left] {
        error_code ignored;
        impl->acceptor.close(ignored);
        impl->hand_out();
        for (const auto& client : impl->state.clients()) client->finish();
        impl->state.when_nobody_is_left([nobody_left] { nobody_left->set_value(); });
    });
    done.wait_for(at_most);
}

LiveStatistics LiveServer::statistics() const { return impl_->state.statistics(); }

}  // namespace topple::hil::live

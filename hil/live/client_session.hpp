// One client that watches: its subscriptions, what waits for it, and when it has to go.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hil/live/client_message.hpp"
#include "hil/live/counted_stream.hpp"
#include "hil/live/server_message.hpp"
#include "hil/live/server_state.hpp"

namespace topple::hil::live {

/// Tokens that come back with time: so many messages at once, so many on average.
class MessageBudget {
  public:
    using Clock = std::chrono::steady_clock;
    MessageBudget(double burst, double per_s) noexcept : burst_(burst), per_s_(per_s), left_(burst) {}
    /// `cost`: in messages. False: too many; then there is nothing left.
    bool spend(Clock::time_point now, double cost = 1.0) noexcept;

  private:
    double burst_, per_s_, left_;
    Clock::time_point last_{};
};

/// Lives as long as something is under way on its connection.
class ClientSession : public std::enable_shared_from_this<ClientSession> {
  public:
    using Request = boost::beast::http::request<boost::beast::http::empty_body>;
    using CloseCode = boost::beast::websocket::close_code;
    using Clock = std::chrono::steady_clock;

    /// `token`: of ServerState::client_token().
    ClientSession(ServerState& state, CountedStream&& stream, std::shared_ptr<void> token);
    /// Answers the request with which it came.
    void begin(Request request, const std::string& subprotocol);
    /// If it has subscribed to the channel.
    void deliver(std::size_t channel, std::uint64_t log_time_ns, const Payload& data);
    void tell(const std::string& text);
    /// Says goodbye once everything that waits is sent.
    void finish();
    /// Says why, and goes.
    void drop(CloseCode code, const std::string& why);
    /// Called now and then: drops a client that takes nothing, or sends what never becomes a message.
    void look_at(Clock::time_point now);

  private:
    struct Outgoing {
        MessageHead head{};
        bool is_text = false;
        Payload data;
    };
    struct StoredStream {  // of a finished run, with the message that comes next
        std::uint32_t subscription = 0;
        MessageSource next_of;
        Message next;
    };
    void on_accept(boost::beast::error_code error);
    void read();
    void on_read(boost::beast::error_code error, std::size_t bytes);
    void on_message();
    void subscribe(const Subscription& subscription);
    void unsubscribe(std::uint32_t id);
    void complain(const std::string& words);
    bool may_speak();
    bool spend(double messages);
    void send(Outgoing message);
    void pump();
    void refill();
    void on_write(boost::beast::error_code error, std::size_t bytes);
    void close(CloseCode code, const std::string& why);
    void gone();
    std::string name() const;

    ServerState& state_;
    std::shared_ptr<void> token_;
    boost::beast::websocket::stream<CountedStream> socket_;
    boost::asio::steady_timer farewell_;
    boost::beast::flat_buffer received_;
    Request request_;
    MessageBudget budget_;
    std::map<std::size_t, std::uint32_t> subscription_of_;  // by channel
    std::map<std::uint32_t, std::size_t> channel_of_;       // by id of the subscription
    std::vector<StoredStream> stored_;
    std::deque<Outgoing> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool writing_ = false, finishing_ = false, leaving_ = false;
    Clock::time_point progress_{};  // when a write last began or ended
};

}  // namespace topple::hil::live

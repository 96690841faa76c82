#include "hil/live/client_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/bind_handler.hpp>

namespace topple::hil::live {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using beast::error_code;

constexpr std::size_t kOverheadBytes = 96;             // of a waiting message beside its data
constexpr std::size_t kRefillBelow_bytes = 256 << 10;  // of a finished run no more waits than this
constexpr int kSendBuffer_bytes = 128 << 10;           // of the operating system
constexpr auto kIdleMax = std::chrono::seconds(30);    // then a client that answers no ping is gone
constexpr double kBytesOfMessage = 4096.0;             // that many more cost as much as one more message
constexpr auto kFarewellMax = std::chrono::seconds(1);

Payload payload_of(const std::string& text) {
    return std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end());
}

}  // namespace

bool MessageBudget::spend(Clock::time_point now, double cost) noexcept {
    if (last_ != Clock::time_point{})
        left_ = std::min(burst_, left_ + per_s_ * std::chrono::duration<double>(now - last_).count());
    last_ = now;
    left_ -= cost;
    if (left_ >= 0.0) return true;
    left_ = 0.0;
    return false;
}

ClientSession::ClientSession(ServerState& state, CountedStream&& stream, std::shared_ptr<void> token)
    : state_(state),
      token_(std::move(token)),
      socket_(std::move(stream)),
      farewell_(state.context),
      budget_(state.limits().messages_burst_max, state.limits().messages_per_s_max) {}

void ClientSession::begin(Request request, const std::string& subprotocol) {
    request_ = std::move(request);
    auto& lowest = beast::get_lowest_layer(socket_);
    lowest.expires_never();  // the web socket has its own
    error_code ignored;
    lowest.socket().set_option(asio::socket_base::send_buffer_size(kSendBuffer_bytes), ignored);
    lowest.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    socket_.set_option(websocket::stream_base::timeout{state_.limits().handshake_max, kIdleMax, true});
    socket_.set_option(websocket::stream_base::decorator([subprotocol](websocket::response_type& response) {
        response.set(beast::http::field::sec_websocket_protocol, subprotocol);
    }));
    socket_.read_message_max(state_.limits().message_bytes_max);
    socket_.auto_fragment(false);
    socket_.control_callback([this](websocket::frame_type, beast::string_view) { may_speak(); });
    socket_.async_accept(request_, beast::bind_front_handler(&ClientSession::on_accept, shared_from_this()));
}

void ClientSession::on_accept(error_code error) {
    if (error) return;
    state_.add(shared_from_this());
    tell(state_.greeting());
    tell(state_.advertisement());
    read();
}

void ClientSession::read() {
    socket_.async_read(received_, beast::bind_front_handler(&ClientSession::on_read, shared_from_this()));
}

void ClientSession::on_read(error_code error, std::size_t) {
    if (error == websocket::error::message_too_big && !leaving_) {
        leaving_ = true;  // the library has said goodbye already
        state_.count_drop(
            fmt::format("{}: sent a message of more than {} bytes", name(), state_.limits().message_bytes_max));
    }
    if (error) return gone();
    if (!leaving_ && may_speak()) on_message();
    received_.consume(received_.size());
    read();
}

void ClientSession::on_message() {
    const auto* bytes = static_cast<const std::uint8_t*>(received_.data().data());
    const ClientRequest request = socket_.got_text()
                                      ? read_text_message({reinterpret_cast<const char*>(bytes), received_.size()})
                                      : read_binary_message({bytes, received_.size()});
    if (!request.refusal.empty()) complain(request.refusal);
    for (const std::uint32_t id : request.unsubscribe) unsubscribe(id);
    std::size_t absent = 0;
    for (const Subscription& subscription : request.subscribe) {
        if (subscription.channel == 0 || subscription.channel > state_.channels().size())
            ++absent;
        else
            subscribe(subscription);
    }
    if (absent > 0) complain(fmt::format("{} subscriptions to channels that do not exist", absent));
    pump();
}

void ClientSession::subscribe(const Subscription& subscription) {
    const std::size_t channel = subscription.channel - 1;
    if (subscription_of_.contains(channel) || channel_of_.contains(subscription.id))
        return complain("a channel can be subscribed to once, and the id of a subscription used once");
    const Channel& described = state_.channels()[channel];
    StoredStream stream{subscription.id, described.stored ? described.stored() : MessageSource{}, {}};
    if (described.stored && !stream.next_of) return complain("the log of this run can no longer be read");
    subscription_of_[channel] = subscription.id;
    channel_of_[subscription.id] = channel;
    if (described.stored) {
        if (stream.next_of(stream.next)) stored_.push_back(std::move(stream));
        return;
    }
    for (const KeptMessage& kept : state_.kept(channel)) deliver(channel, kept.log_time_ns, kept.data);
}

void ClientSession::unsubscribe(std::uint32_t id) {
    const auto found = channel_of_.find(id);
    if (found == channel_of_.end()) return complain("no such subscription to end");
    subscription_of_.erase(found->second);
    channel_of_.erase(found);
    std::erase_if(stored_, [id](const StoredStream& stream) { return stream.subscription == id; });
}

void ClientSession::complain(const std::string& words) { tell(status_message(StatusLevel::error, words)); }

// Also called for pings. False: too many.
bool ClientSession::may_speak() {
    const std::size_t bytes = beast::get_lowest_layer(socket_).rate_policy().take_read_bytes();
    return spend(1.0 + static_cast<double>(bytes) / kBytesOfMessage);
}

bool ClientSession::spend(double messages) {
    if (leaving_) return false;
    if (budget_.spend(Clock::now(), messages)) return true;
    drop(CloseCode::policy_error, "too many messages");
    return false;
}

void ClientSession::deliver(std::size_t channel, std::uint64_t log_time_ns, const Payload& data) {
    const auto found = subscription_of_.find(channel);
    if (found == subscription_of_.end()) return;
    send({message_head(found->second, log_time_ns), false, data});
}

void ClientSession::tell(const std::string& text) { send({{}, true, payload_of(text)}); }

void ClientSession::send(Outgoing message) {
    if (leaving_) return;
    waiting_bytes_ += message.data->size() + kOverheadBytes;
    waiting_.push_back(std::move(message));
    if (waiting_bytes_ > state_.limits().waiting_bytes_max)
        return drop(CloseCode::policy_error, "too slow: too much waits to be taken");
    pump();
}

void ClientSession::pump() {
    if (writing_ || leaving_) return;
    refill();
    if (waiting_.empty()) {
        if (finishing_) close(CloseCode::going_away, "the server has ended");
        return;
    }
    writing_ = true;
    progress_ = Clock::now();
    const Outgoing& next = waiting_.front();
    socket_.text(next.is_text);
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(next.head.data(), next.is_text ? 0 : next.head.size()),
                                                    asio::buffer(*next.data)};
    socket_.async_write(buffers, beast::bind_front_handler(&ClientSession::on_write, shared_from_this()));
}

// From finished runs, in the order of their times, as the client takes it.
void ClientSession::refill() {
    while (!stored_.empty() && waiting_bytes_ < std::min(kRefillBelow_bytes, state_.limits().waiting_bytes_max / 2)) {
        const auto first = std::min_element(stored_.begin(), stored_.end(), [](const auto& a, const auto& b) {
            return a.next.log_time_ns < b.next.log_time_ns;
        });
        const auto& data = first->next.data;
        waiting_.push_back({message_head(first->subscription, first->next.log_time_ns), false,
                            std::make_shared<const std::vector<std::uint8_t>>(data.begin(), data.end())});
        waiting_bytes_ += data.size() + kOverheadBytes;
        if (!first->next_of(first->next)) stored_.erase(first);
    }
}

void ClientSession::on_write(error_code error, std::size_t) {
    writing_ = false;
    progress_ = Clock::now();
    if (error || leaving_) return;  // reading ends as well, and there it is noticed
    waiting_bytes_ -= waiting_.front().data->size() + kOverheadBytes;
    waiting_.pop_front();
    pump();
}

void ClientSession::finish() {
    finishing_ = true;
    stored_.clear();
    pump();
}

void ClientSession::drop(CloseCode code, const std::string& why) {
    if (leaving_) return;
    state_.count_drop(name() + ": " + why);
    close(code, why);
}

// A client that does not even take this is cut off.
void ClientSession::close(CloseCode code, const std::string& why) {
    if (leaving_) return;
    leaving_ = true;
    stored_.clear();
    if (waiting_.size() > 1) waiting_.erase(waiting_.begin() + 1, waiting_.end());  // the first may be under way
    socket_.async_close({code, why}, [self = shared_from_this()](error_code) {});
    farewell_.expires_after(kFarewellMax);
    farewell_.async_wait([self = shared_from_this()](error_code error) {
        if (!error) beast::get_lowest_layer(self->socket_).close();
    });
}

void ClientSession::look_at(Clock::time_point now) {
    const std::size_t bytes = beast::get_lowest_layer(socket_).rate_policy().take_read_bytes();
    if (bytes > 0) spend(static_cast<double>(bytes) / kBytesOfMessage);
    if (!writing_ || leaving_ || now - progress_ < state_.limits().stalled_max) return;
    drop(CloseCode::policy_error,
         fmt::format("has taken nothing for {} s", std::chrono::duration<double>(state_.limits().stalled_max).count()));
}

void ClientSession::gone() {
    leaving_ = true;
    farewell_.cancel();
    beast::get_lowest_layer(socket_).close();
    state_.remove(shared_from_this());
}

std::string ClientSession::name() const {
    error_code error;
    const auto peer = beast::get_lowest_layer(socket_).socket().remote_endpoint(error);
    return error ? "a client" : fmt::format("{}:{}", peer.address().to_string(), peer.port());
}

}  // namespace topple::hil::live

// What the live server's thread knows: channels, documents, clients, counters. Used by that thread alone, except where
// it is said.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hil/live/live_server.hpp"

namespace topple::hil::live {

class ClientSession;

/// Bytes that several clients are sent.
using Payload = std::shared_ptr<const std::vector<std::uint8_t>>;

struct KeptMessage {
    std::uint64_t log_time_ns = 0;
    Payload data;
};

class ServerState {
  public:
    explicit ServerState(LiveServerOptions options);

    const std::vector<Channel>& channels() const noexcept { return channels_; }
    const ClientLimits& limits() const noexcept { return limits_; }
    const std::string& greeting() const noexcept { return greeting_; }            ///< server info
    const std::string& advertisement() const noexcept { return advertisement_; }  ///< of all channels
    const std::deque<KeptMessage>& kept(std::size_t channel) const { return kept_.at(channel); }
    void keep(std::size_t channel, const KeptMessage& message);
    void forget_kept() noexcept;

    std::shared_ptr<const Document> document(const std::string& path) const;  ///< any thread; null: there is none
    void set_document(Document document);                                     ///< any thread

    /// Held by a connection as long as it lives; null: there are too many.
    std::shared_ptr<void> connection_token();
    /// Held, with its connection's token, by a client from the request to watch on; null: there are too many.
    std::shared_ptr<void> client_token(std::shared_ptr<void> connection);
    void add(std::shared_ptr<ClientSession> client);
    void remove(const std::shared_ptr<ClientSession>& client);
    /// A copy: what is done with a client may remove it.
    std::vector<std::shared_ptr<ClientSession>> clients() const { return {clients_.begin(), clients_.end()}; }
    void when_nobody_is_left(std::function<void()> call);  ///< called once, at once if nobody is there

    void count_drop(const std::string& why);
    void count_refusal(const std::string& why);
    LiveStatistics statistics() const;                                                             ///< any thread
    bool is_watched() const noexcept { return clients_now_.load(std::memory_order_relaxed) > 0; }  ///< any thread

    std::string own_host;  ///< as it was told where to listen

  private:
    std::vector<Channel> channels_;
    ClientLimits limits_;
    std::string greeting_, advertisement_;
    std::vector<std::deque<KeptMessage>> kept_;
    mutable std::mutex mutex_;  // of documents_ and last_drop_
    std::map<std::string, std::shared_ptr<const Document>> documents_;
    std::string last_drop_;
    std::size_t watching_ = 0;  // with those that are still being answered
    std::atomic<std::size_t> connections_{0}, clients_now_{0};
    std::atomic<std::uint64_t> served_{0}, dropped_{0}, refused_{0};
    std::function<void()> nobody_left_;

  public:
    boost::asio::io_context context{1};

  private:
    std::set<std::shared_ptr<ClientSession>> clients_;  // before the context goes
};

}  // namespace topple::hil::live

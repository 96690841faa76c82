// Shows a test to whoever watches: the Foxglove WebSocket protocol and a few documents by HTTP on one port. Read only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace topple::hil::live {

/// What a GET of `path` is answered with.
struct Document {
    std::string path;          ///< from "/", without a query; "/" is the page itself
    std::string content_type;  ///< e.g. "text/html; charset=utf-8"
    std::string bytes;
};

/// One message as run.mcap has it.
struct Message {
    std::uint64_t log_time_ns = 0;
    std::span<const std::uint8_t> data;
};

/// Gives the next message of a channel, in the order of log times; false at the end. What `next` refers to is valid
/// until the next call. Called in the server's thread, as often as the client takes more.
using MessageSource = std::function<bool(Message& next)>;

/// A topic. Its id at the clients is its place in LiveServerOptions::channels plus 1.
struct Channel {
    std::string topic;        ///< "/feedback"; where several runs are shown "/1/feedback"
    std::string schema_name;  ///< "topple.log.Feedback"
    std::string schema;       ///< FileDescriptorSet, serialised
    /// Of a finished run: a new source for every subscription, which is sent whole. Empty: a live channel, for
    /// publish().
    std::function<MessageSource()> stored{};
    /// A live channel of few messages: who subscribes later gets those of the run so far first (kKeptMessagesMax).
    bool is_kept = false;
};
inline constexpr std::size_t kKeptMessagesMax = 1000;

/// What one client may cost. Tests make them smaller.
struct ClientLimits {
    std::size_t clients_max = 8;                    ///< that watch at once
    std::size_t connections_max = 32;               ///< with those that only fetch or have not said yet what they want
    std::size_t waiting_bytes_max = 4 << 20;        ///< accepted for a client and not yet taken by it
    std::size_t message_bytes_max = 16 << 10;       ///< of one message from a client
    std::size_t request_bytes_max = 8 << 10;        ///< of an HTTP request
    double messages_per_s_max = 50.0;               ///< from one client, on average
    double messages_burst_max = 200.0;              ///< from one client at once
    std::chrono::milliseconds handshake_max{5000};  ///< from the connection to the whole request
    std::chrono::milliseconds stalled_max{5000};    ///< while a client takes nothing of what waits for it
};

struct LiveServerOptions {
    std::string address = "127.0.0.1:8765";  ///< HOST:PORT; port 0: any free one
    std::string name = "Topple";             ///< told to the clients
    std::vector<Channel> channels;
    std::vector<Document> documents;
    ClientLimits limits;
};

/// So far.
struct LiveStatistics {
    std::uint64_t clients_served = 0;   ///< that have watched
    std::uint64_t clients_dropped = 0;  ///< by the server, for what they did or did not do
    std::uint64_t refused = 0;  ///< connections that never became clients: foreign page, wrong protocol, too many
    std::size_t clients_now = 0;
    std::string last_drop;  ///< why the last one was dropped or refused; empty: none was
};

/// One thread of its own does all the work; the functions may be called from any thread and never wait for a client.
class LiveServer {
  public:
    /// Listens. Throws InputError if the address is none, cannot be resolved or is in use.
    explicit LiveServer(LiveServerOptions options);
    ~LiveServer();  ///< closes at once
    LiveServer(const LiveServer&) = delete;
    LiveServer& operator=(const LiveServer&) = delete;

    std::uint16_t port() const noexcept;
    std::string url() const;  ///< "http://127.0.0.1:8765/"

    /// To every client that has subscribed to the channel. `channel`: its place in the options. Copies the data; a
    /// few microseconds. If the server cannot keep up its clients are dropped, never the caller delayed.
    void publish(std::size_t channel, const Message& message) noexcept;
    /// Another run begins on the same channels: what was kept of the one before is forgotten.
    void begin_run();
    /// Adds or replaces.
    void set_document(Document document);
    /// Words for the person at the client (an information of the protocol).
    void announce(const std::string& words);
    /// Nothing more will come: what waits is sent, then every client gets a proper goodbye. Returns when all have it,
    /// or after `at_most`.
    void finish(std::chrono::milliseconds at_most);

    LiveStatistics statistics() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace topple::hil::live

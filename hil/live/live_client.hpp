// Watches a test that another topple shows: a small client of the live server.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace topple::hil::live {

/// What came last.
struct Received {
    enum class Kind {
        nothing,  ///< nothing has come in time
        message,  ///< topic, log time, data
        words,    ///< of the server for a person
        ended,    ///< the connection is closed; `words` says why
    };
    Kind kind = Kind::nothing;
    std::string topic;
    std::uint64_t log_time_ns = 0;
    std::vector<std::uint8_t> data;
    std::string words;
};

class LiveClient {
  public:
    /// Connects to "HOST:PORT" and subscribes to every channel. Throws DeviceError if nobody answers there within 5 s,
    /// or something else than a live server does; AddressError if it is no address.
    explicit LiveClient(const std::string& address);
    ~LiveClient();
    LiveClient(const LiveClient&) = delete;
    LiveClient& operator=(const LiveClient&) = delete;

    /// Waits for what comes next. After `ended` it only says so again.
    Received receive(std::chrono::milliseconds at_most);
    const std::string& server_name() const noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace topple::hil::live

// A connection that counts the bytes it has read: what a web socket drops unseen, e.g. empty frames, costs work too.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/rate_policy.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <cstddef>
#include <limits>
#include <utility>

namespace topple::hil::live {

/// A rate policy that limits nothing.
class CountedBytes {
  public:
    /// Read since the last call.
    std::size_t take_read_bytes() noexcept { return std::exchange(read_bytes_, 0); }

  private:
    friend class boost::beast::rate_policy_access;
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    std::size_t available_read_bytes() const noexcept { return kAll; }
    std::size_t available_write_bytes() const noexcept { return kAll; }
    void transfer_read_bytes(std::size_t bytes) noexcept { read_bytes_ += bytes; }
    void transfer_write_bytes(std::size_t) const noexcept {}
    void on_timer() const noexcept {}

    std::size_t read_bytes_ = 0;
};

using CountedStream =
    boost::beast::basic_stream<boost::asio::ip::tcp, boost::beast::tcp_stream::executor_type, CountedBytes>;

}  // namespace topple::hil::live

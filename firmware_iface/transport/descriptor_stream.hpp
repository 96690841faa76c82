// Bytes over an open terminal (serial port, either end of a pseudo-terminal): read by a thread of its own, written by
// Asio without blocking.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>
#include <string>

#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/transport/terminal_reader.hpp"

namespace topple::firmware_iface {

class DescriptorStream final : public ByteStream {
  public:
    struct Settings {
        std::string description;
        double bytes_per_second = 0.0;
        /// A real port waits for its last bytes when closed, for ever if the other side holds them up: they
        /// get 50 ms, then they are thrown away. Never so on pseudo-terminals, where close() does not wait. There
        /// nothing can be thrown away before either: that waits for a worker of the kernel, which may take long.
        bool real_port = false;
    };
    /// Works on a duplicate of `descriptor`; `owner` is released after that has been closed. Throws
    /// DeviceError.
    DescriptorStream(int descriptor, std::shared_ptr<void> owner, Settings settings);
    ~DescriptorStream() override { DescriptorStream::close(); }

    std::size_t read_some(std::span<std::byte> into) noexcept override;
    std::size_t write_some(std::span<const std::byte> from) noexcept override;
    std::size_t unsent_bytes() const noexcept override;
    void discard_output() noexcept override;
    double bytes_per_second() const noexcept override { return settings_.bytes_per_second; }
    StreamStatus status() const noexcept override { return status_; }
    std::string error_text() const override { return error_ ? error_.message() : std::string(); }
    std::string description() const override { return settings_.description; }
    void close() noexcept override;

  private:
    void fail(const boost::system::error_code& error) noexcept;
    int handle() const noexcept;

    boost::asio::io_context context_{1};
    mutable boost::asio::posix::stream_descriptor descriptor_{context_};
    std::unique_ptr<TerminalReader> reader_;
    std::shared_ptr<void> owner_;
    Settings settings_;
    StreamStatus status_ = StreamStatus::open;
    boost::system::error_code error_;
};

}  // namespace topple::firmware_iface

// Bytes to and from a device, never blocking: in-memory pipe, serial port, TCP.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "firmware_iface/clock.hpp"

namespace topple::firmware_iface {

enum class StreamStatus {
    open,
    closed,  ///< end of file, hang-up, unplugged: nothing will come any more
    failed,  ///< an error of the operating system; error_text() says which
};

class ByteStream {
  public:
    virtual ~ByteStream() = default;
    /// Bytes that are there now, possibly 0. Never blocks, allocates or throws.
    virtual std::size_t read_some(std::span<std::byte> into) noexcept = 0;
    /// Takes as many bytes as can be taken now, possibly 0. Never blocks, allocates or throws.
    virtual std::size_t write_some(std::span<const std::byte> from) noexcept = 0;
    /// Bytes accepted by write_some that have not left the operating system yet (0 where it cannot be known).
    virtual std::size_t unsent_bytes() const noexcept = 0;
    /// Throws away what has been accepted and not sent yet, as far as the operating system can.
    virtual void discard_output() noexcept = 0;
    /// What the medium carries per second, e.g. baud rate / 10; 0 where it is not known.
    virtual double bytes_per_second() const noexcept { return 0.0; }
    virtual StreamStatus status() const noexcept = 0;
    virtual std::string error_text() const = 0;
    virtual std::string description() const = 0;  ///< e.g. "tcp:127.0.0.1:4500", for messages and the log
    virtual void close() noexcept = 0;            ///< never hangs
};

/// Two ends of an in-memory pipe (single thread; the virtual clock's lockstep).
std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> make_pipe();

/// Opens "serial:/dev/..", "serial:usb:VID:PID[:SERIAL]" or "tcp:HOST:PORT". Throws AddressError if the text is none of
/// these, DeviceError if there is no such device (fault.hpp).
std::unique_ptr<ByteStream> open_stream(const std::string& uri);
/// Throws AddressError where open_stream() would for the name alone; nothing is opened.
void require_device_name(const std::string& uri);

}  // namespace topple::firmware_iface

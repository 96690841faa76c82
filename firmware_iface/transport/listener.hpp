// The device's side of a real wire: waits for a host on a TCP port or behind a pseudo-terminal.
#pragma once

#include <memory>
#include <string>

#include "firmware_iface/transport/byte_stream.hpp"

namespace topple::firmware_iface {

/// One host at a time controls the table: until the stream of the last accept() is closed or destroyed, it takes nobody
/// else. A second opener of a terminal is locked out by the first.
class Listener {
  public:
    virtual ~Listener() = default;
    /// The newly arrived host, or null. Never blocks; call it every cycle, also while a host is connected.
    virtual std::unique_ptr<ByteStream> accept() = 0;
    /// A host that connected while another one is there, or null: to be informed (device/turn_away.hpp), or dropped,
    /// which disconnects it. Never blocks; call it every cycle.
    virtual std::unique_ptr<ByteStream> further() = 0;
    /// What a host gives as its device, e.g. "tcp:127.0.0.1:4500", "serial:/dev/pts/3".
    virtual std::string uri() const = 0;
};

/// Listens on "HOST:PORT", or on "PORT" of 127.0.0.1 (there is no authentication: think before opening it
/// wider). Port 0: the system chooses, uri() gives it. Throws AddressError, DeviceError.
std::unique_ptr<Listener> listen_tcp(const std::string& address);

/// Makes a pseudo-terminal in raw mode; the host opens its slave. Throws DeviceError.
std::unique_ptr<Listener> listen_pty();

}  // namespace topple::firmware_iface

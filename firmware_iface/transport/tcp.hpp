// TCP to a table: what open_stream uses for "tcp:HOST:PORT".
#pragma once

#include <memory>
#include <string>

#include "firmware_iface/transport/byte_stream.hpp"

namespace topple::firmware_iface {

/// "HOST:PORT" taken apart; brackets of an IPv6 address are removed, `default_host` serves where only a port
/// stands.
struct TcpAddress {
    std::string host;
    std::string port;
};
/// Throws AddressError if there is no port from 0 to 65535.
TcpAddress parse_tcp_address(const std::string& text, const std::string& default_host);
/// Only this computer reaches it: 127.0.0.0/8 or ::1 in figures, or "localhost". Other names may lead anywhere.
bool is_loopback(const TcpAddress& address);

/// Connects within 3 s or throws DeviceError (AddressError if it is no address).
std::unique_ptr<ByteStream> connect_tcp(const std::string& address);

}  // namespace topple::firmware_iface

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
/// Throws DeviceError if there is no port from 0 to 65535.
TcpAddress parse_tcp_address(const std::string& text, const std::string& default_host);

/// Connects within 3 s or throws DeviceError.
std::unique_ptr<ByteStream> connect_tcp(const std::string& address);

}  // namespace topple::firmware_iface

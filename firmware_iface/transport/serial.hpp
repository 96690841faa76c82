// A serial port as a stream of bytes: what open_stream uses for "serial:...".
#pragma once

#include <memory>
#include <string>

#include "firmware_iface/transport/byte_stream.hpp"

namespace topple::firmware_iface {

inline constexpr int kDefaultBaud = 921600;  ///< 92 kB/s: feedback of one axis at 500 Hz takes half of it

/// Opens a path or "usb:VID:PID[:SERIAL]" for this program alone: 8N1, raw, no flow control. A port with
/// modem lines goes through libserialport, any other terminal through Asio, as description() says. Throws
/// DeviceError.
std::unique_ptr<ByteStream> open_serial(const std::string& target, int baud = kDefaultBaud);

}  // namespace topple::firmware_iface

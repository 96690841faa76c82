// Device names of the form "medium:where".
#include <charconv>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/transport/serial.hpp"
#include "firmware_iface/transport/tcp.hpp"

namespace topple::firmware_iface {
namespace {

constexpr std::string_view kBaudKey = "?baud=";

std::unique_ptr<ByteStream> open_serial_uri(const std::string& where) {
    const auto query = where.find(kBaudKey);
    if (query == std::string::npos) return open_serial(where);
    const std::string digits = where.substr(query + kBaudKey.size());
    int baud = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), baud);
    if (error != std::errc{} || end != digits.data() + digits.size() || baud < 9600)
        throw AddressError("\"" + digits + "\" is not a baud rate of at least 9600");
    return open_serial(where.substr(0, query), baud);
}

}  // namespace

std::unique_ptr<ByteStream> open_stream(const std::string& uri) {
    const auto colon = uri.find(':');
    const std::string medium = uri.substr(0, colon);
    const std::string where = colon == std::string::npos ? "" : uri.substr(colon + 1);
    if (medium == "serial" && !where.empty()) return open_serial_uri(where);
    if (medium == "tcp" && !where.empty()) return connect_tcp(where);
    throw AddressError("\"" + uri +
                       "\" is not a device: sim:, serial:/dev/ttyACM0, serial:usb:VID:PID[:SERIAL] "
                       "(either with ?baud=N), tcp:HOST:PORT");
}

}  // namespace topple::firmware_iface

// Device names of the form "medium:where".
#include <charconv>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/transport/serial.hpp"
#include "firmware_iface/transport/tcp.hpp"

namespace topple::firmware_iface {
namespace {

constexpr std::string_view kBaudKey = "?baud=";

struct DeviceName {
    std::string medium, where;
    int baud = 0;  ///< of a serial port; 0: the default
};

DeviceName parse(const std::string& uri) {
    const auto colon = uri.find(':');
    DeviceName name{uri.substr(0, colon), colon == std::string::npos ? "" : uri.substr(colon + 1)};
    if ((name.medium != "serial" && name.medium != "tcp") || name.where.empty())
        throw AddressError("\"" + uri +
                           "\" is not a device: sim:, serial:/dev/ttyACM0, serial:usb:VID:PID[:SERIAL] "
                           "(either with ?baud=N), tcp:HOST:PORT");
    const auto query = name.where.find(kBaudKey);
    if (name.medium != "serial" || query == std::string::npos) return name;
    const std::string digits = name.where.substr(query + kBaudKey.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), name.baud);
    if (error != std::errc{} || end != digits.data() + digits.size() || name.baud < 9600)
        throw AddressError("\"" + digits + "\" is not a baud rate of at least 9600");
    name.where.resize(query);
    return name;
}

}  // namespace

void require_device_name(const std::string& uri) { parse(uri); }

std::unique_ptr<ByteStream> open_stream(const std::string& uri) {
    const DeviceName name = parse(uri);
    if (name.medium == "tcp") return connect_tcp(name.where);
    return name.baud == 0 ? open_serial(name.where) : open_serial(name.where, name.baud);
}

}  // namespace topple::firmware_iface

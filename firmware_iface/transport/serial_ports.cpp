#include "firmware_iface/transport/serial_ports.hpp"

#include <libserialport.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>

#include "firmware_iface/fault.hpp"

namespace topple::firmware_iface {
namespace {

std::string text(const char* from) { return from ? from : ""; }

std::string hex4(int number) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "%04x", static_cast<unsigned>(number) & 0xFFFFU);
    return digits;
}

SerialPort describe(const sp_port* port) {
    SerialPort result;
    result.path = text(sp_get_port_name(port));
    result.description = text(sp_get_port_description(port));
    result.usb = sp_get_port_transport(port) == SP_TRANSPORT_USB &&
                 sp_get_port_usb_vid_pid(port, &result.vendor_id, &result.product_id) == SP_OK;
    if (!result.usb) return result;
    result.manufacturer = text(sp_get_port_usb_manufacturer(port));
    result.product = text(sp_get_port_usb_product(port));
    result.serial_number = text(sp_get_port_usb_serial(port));
    return result;
}

struct UsbIdentity {
    int vendor_id = 0, product_id = 0;
    std::string serial_number;  ///< empty: any
};

bool parse_hex(const std::string& digits, int& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return error == std::errc{} && end == digits.data() + digits.size() && number >= 0 && number <= 0xFFFF;
}

UsbIdentity parse_identity(const std::string& identity) {
    UsbIdentity result;
    const auto first = identity.find(':');
    const auto second = first == std::string::npos ? first : identity.find(':', first + 1);
    const bool two = first != std::string::npos;
    if (!two || !parse_hex(identity.substr(0, first), result.vendor_id) ||
        !parse_hex(identity.substr(first + 1, second == std::string::npos ? second : second - first - 1),
                   result.product_id))
        throw AddressError("\"usb:" + identity +
                           "\" is not usb:VID:PID or usb:VID:PID:SERIAL with hexadecimal VID, PID");
    if (second != std::string::npos) result.serial_number = identity.substr(second + 1);
    return result;
}

std::string listed(const std::vector<SerialPort>& ports) {
    std::string result;
    for (const auto& port : ports) result += (result.empty() ? "" : ", ") + port.uri() + " (" + port.path + ")";
    return result.empty() ? "no serial ports" : result;
}

}  // namespace

std::string SerialPort::uri() const {
    if (!usb) return "serial:" + path;
    return "serial:usb:" + hex4(vendor_id) + ":" + hex4(product_id) +
           (serial_number.empty() ? "" : ":" + serial_number);
}

std::vector<SerialPort> serial_ports() {
    sp_port** list = nullptr;
    if (sp_list_ports(&list) != SP_OK) throw DeviceError("the serial ports of this computer cannot be listed");
    const std::unique_ptr<sp_port*, void (*)(sp_port**)> guard(list, sp_free_port_list);
    std::vector<SerialPort> result;
    for (sp_port** port = list; *port; ++port) result.push_back(describe(*port));
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return result;
}

const SerialPort& find_usb_port(const std::vector<SerialPort>& ports, const std::string& identity) {
    const UsbIdentity wanted = parse_identity(identity);
    std::vector<const SerialPort*> found;
    for (const auto& port : ports)
        if (port.usb && port.vendor_id == wanted.vendor_id && port.product_id == wanted.product_id &&
            (wanted.serial_number.empty() || port.serial_number == wanted.serial_number))
            found.push_back(&port);
    if (found.size() == 1) return *found.front();
    throw DeviceError((found.empty() ? "no port is usb:" : "several ports are usb:") + identity +
                      "; there are: " + listed(ports) + (found.empty() ? "" : ". Add the serial number"));
}

}  // namespace topple::firmware_iface

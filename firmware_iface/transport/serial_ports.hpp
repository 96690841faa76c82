// The serial ports of this computer, as libserialport finds and identifies them.
#pragma once

#include <string>
#include <vector>

namespace topple::firmware_iface {

struct SerialPort {
    std::string path;         ///< e.g. "/dev/ttyACM0"
    std::string description;  ///< from the operating system, may be empty
    bool usb = false;         ///< the following are known
    int vendor_id = 0, product_id = 0;
    std::string manufacturer, product, serial_number;

    /// How an experiment names this port so that it is found again behind any socket:
    /// "serial:usb:2341:0043:SERIAL", "serial:/dev/ttyS0".
    std::string uri() const;
};

/// In the order of their paths; empty if there are none. Throws DeviceError if they cannot be listed.
std::vector<SerialPort> serial_ports();

/// The one port that is "VID:PID" or "VID:PID:SERIAL" (hexadecimal). Throws DeviceError, naming what is
/// there, if none or several are.
const SerialPort& find_usb_port(const std::vector<SerialPort>& ports, const std::string& identity);

}  // namespace topple::firmware_iface

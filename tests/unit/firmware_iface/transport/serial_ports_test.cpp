#include "firmware_iface/transport/serial_ports.hpp"

#include "firmware_iface/fault.hpp"
#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;

namespace {

SerialPort usb_port(const std::string& path, const std::string& serial_number) {
    SerialPort port;
    port.path = path;
    port.usb = true;
    port.vendor_id = 0x2341;
    port.product_id = 0x43;
    port.serial_number = serial_number;
    return port;
}

}  // namespace

TEST_CASE("a USB port is named by what stays the same in every socket") {
    CHECK(usb_port("/dev/ttyACM0", "7A").uri() == "serial:usb:2341:0043:7A");
    SerialPort plain;
    plain.path = "/dev/ttyS0";
    CHECK(plain.uri() == "serial:/dev/ttyS0");
}

TEST_CASE("a USB port is found by its identity, and only if it is the only one") {
    const std::vector<SerialPort> ports{usb_port("/dev/ttyACM0", "7A"), usb_port("/dev/ttyACM1", "7B"), SerialPort{}};
    CHECK(find_usb_port(ports, "2341:0043:7B").path == "/dev/ttyACM1");
    CHECK_THROWS_WITH(find_usb_port(ports, "2341:43"), Catch::Matchers::ContainsSubstring("several") &&
                                                           Catch::Matchers::ContainsSubstring("2341:0043:7A"));
    CHECK_THROWS_AS(find_usb_port(ports, "2341:0044"), DeviceError);
    CHECK_THROWS_AS(find_usb_port(ports, "2341"), AddressError);
    CHECK_THROWS_AS(find_usb_port(ports, "23x1:0043"), AddressError);
}

TEST_CASE("listing the ports of this computer does not fail") { CHECK_NOTHROW(serial_ports()); }

#include "firmware_iface/transport/latency.hpp"

#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a round trip within two feedback periods is nothing to warn of") {
    CHECK(latency_warning("serial:/dev/ttyUSB0", 4ms, 2ms).empty());
    CHECK_FALSE(latency_warning("serial:/dev/ttyUSB0", 4001us, 2ms).empty());
}

TEST_CASE("a slow port is named with what sets it right for its kind") {
    const std::string ftdi = latency_warning("serial:/dev/ttyUSB3", 16ms, 2ms);
    CHECK_THAT(ftdi, ContainsSubstring("16.0 ms") && ContainsSubstring("2.0 ms"));
    CHECK_THAT(ftdi, ContainsSubstring("/sys/bus/usb-serial/devices/ttyUSB3/latency_timer"));
    CHECK_THAT(ftdi, ContainsSubstring("setserial /dev/ttyUSB3 low_latency"));
    const std::string acm = latency_warning("serial:/dev/ttyACM0", 5ms, 2ms);
    CHECK_THAT(acm, ContainsSubstring("no latency timer") && !ContainsSubstring("setserial"));
    CHECK_THAT(latency_warning("tcp:table.lab:4500", 5ms, 2ms), ContainsSubstring("wired network"));
    CHECK_THAT(latency_warning("serial:/dev/pts/4 (a terminal without modem lines, opened by Asio)", 5ms, 2ms),
               ContainsSubstring("busy computer") && !ContainsSubstring("latency_timer"));
}

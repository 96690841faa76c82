#include "firmware_iface/transport/latency.hpp"

#include <cstdio>

namespace topple::firmware_iface {
namespace {

std::string in_ms(Nanoseconds duration) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f ms", 1e-6 * static_cast<double>(duration.count()));
    for (char& c : text)
        if (c == ',') c = '.';  // of a locale
    return text;
}

/// "ttyUSB0" of "serial:/dev/ttyUSB0 (...)".
std::string port_name(const std::string& description) {
    const auto slash = description.find("/dev/");
    if (slash == std::string::npos) return {};
    const auto end = description.find(' ', slash);
    return description.substr(slash + 5, end == std::string::npos ? end : end - slash - 5);
}

std::string advice(const std::string& description) {
    if (description.starts_with("tcp:")) return "use a wired network without other traffic";
    const std::string name = port_name(description);
    if (name.starts_with("ttyUSB"))
        return "FTDI adapters hold bytes back for 16 ms: write 1 to /sys/bus/usb-serial/devices/" + name +
               "/latency_timer (as root), or run `setserial /dev/" + name + " low_latency`";
    if (name.starts_with("ttyACM"))
        return "devices of this kind (ACM) have no latency timer to set: connect it without a hub, and let its "
               "firmware send every frame immediately";
    return "look for the cause of the delay: an adapter, a hub, a slow baud rate, a busy computer";
}

}  // namespace

std::string latency_warning(const std::string& description, Nanoseconds round_trip, Nanoseconds feedback_period) {
    if (round_trip <= kRoundTripMax_periods * feedback_period) return {};
    return description + ": the round trip takes " + in_ms(round_trip) + ", longer than two feedback periods of " +
           in_ms(feedback_period) + "; a stop and the forecast are late by that time: " + advice(description);
}

}  // namespace topple::firmware_iface

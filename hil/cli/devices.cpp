// topple devices: where a table may be plugged in.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firmware_iface/transport/serial_ports.hpp"
#include "hil/cli/commands.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using firmware_iface::SerialPort;

std::string devices_json(const std::vector<SerialPort>& ports) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    list.push_back({{"uri", "sim:"}, {"description", "simulated table in this process"}});
    for (const SerialPort& port : ports) {
        nlohmann::ordered_json entry{{"uri", port.uri()}, {"path", port.path}, {"description", port.description}};
        if (port.usb) {
            entry["vendor_id"] = fmt::format("{:04x}", port.vendor_id);
            entry["product_id"] = fmt::format("{:04x}", port.product_id);
            entry["manufacturer"] = port.manufacturer;
            entry["product"] = port.product;
            entry["serial_number"] = port.serial_number;
        }
        list.push_back(std::move(entry));
    }
    const nlohmann::ordered_json document{{"schema", "topple.devices/1"}, {"devices", std::move(list)}};
    return document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string devices_text(const std::vector<SerialPort>& ports) {
    std::string text = fmt::format("{:<36} simulated table in this process\n", "sim:");
    for (const SerialPort& port : ports)
        text += fmt::format("{:<36} {} {}\n", port.uri(), port.path, port.usb ? port.product : port.description);
    if (ports.empty()) text += "no serial ports found\n";
    return text;
}

}  // namespace

void add_devices(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("devices", "List the possible devices: serial ports and the simulated table");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print topple.devices/1 instead of text");
    command->footer("The first column is the name for [table] device and --device.\nExample:\n  topple devices");
    command->callback([json] {
        const std::vector<SerialPort> ports = firmware_iface::serial_ports();
        text::print_out("{}", *json ? devices_json(ports) : devices_text(ports));
    });
}

}  // namespace topple::hil::cli

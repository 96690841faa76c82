#include <fmt/format.h>

#include "hil/experiment/sections.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::experiment {
namespace {

void check_device(const TomlTable& table, const std::string& device) {
    const auto is = [&](std::string_view prefix) {
        return device.starts_with(prefix) && device.size() > prefix.size();
    };
    if (device == "sim:" || is("serial:") || is("tcp:")) return;
    table.fail("device", "must be \"sim:\", \"serial:/dev/...\", \"serial:usb:VID:PID[:SERIAL]\" or \"tcp:HOST:PORT\"");
}

IteratePayload read_iterate_payload(TomlTable& table) {
    const std::string word = table.one_of_or("iterate_payload", {"bare", "dummy", "specimen"}, "dummy");
    return word == "bare" ? IteratePayload::bare : word == "dummy" ? IteratePayload::dummy : IteratePayload::specimen;
}

}  // namespace

TableSection read_table_section(TomlTable& file, const std::filesystem::path& directory) {
    if (!file.has("table")) return read_machine(TableSection{}.machine, directory);
    TomlTable table = file.table("table");
    const std::string machine = table.text_or("machine", TableSection{}.machine);
    TableSection section;
    try {
        section = read_machine(machine, directory);
    } catch (const files::InputError& error) {
        // The machine file's own errors name their place; only a missing file is the fault of this key.
        std::error_code ignored;
        if (std::filesystem::exists(directory / machine, ignored)) throw;
        table.fail("machine", error.what());
    }
    section.device = table.text_or("device", section.device);
    check_device(table, section.device);
    section.axis = table.one_of_or("axis", {"x", "y"}, "x") == "y" ? 1 : 0;
    if (section.axis == 1 && !section.description.y)
        table.fail("axis",
                   fmt::format("allowed: \"x\", because the machine {} has axis x only: its file has no table [y]",
                               section.description.name));
    section.centre = table.boolean_or("centre", section.centre);
    section.prompt = table.boolean_or("prompt", section.prompt);
    if (table.has("protect")) section.protect = table.number("protect", between(0.5, 0.9999));
    section.iterate = static_cast<int>(table.integer_or("iterate", 0, kIterateMax, section.iterate));
    section.iterate_payload = read_iterate_payload(table);
    section.trigger = table.boolean_or("trigger", section.trigger);
    table.finish();
    return section;
}

}  // namespace topple::hil::experiment

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

Truth read_truth(TomlTable& section) {
    Truth truth;
    if (!section.has("truth")) return truth;
    if (section.is_text("truth")) {
        section.one_of("truth", {"exact"});
        truth.exact = true;
        return truth;
    }
    TomlTable table = section.table("truth");
    truth.restitution_factor = table.optional_number("restitution_factor", between(0.0, 2.0));
    truth.tilt_rad = table.optional_number("tilt_rad", between(-0.5, 0.5));
    truth.width_factor = table.optional_number("width_factor", between(0.5, 2.0));
    table.finish();
    return truth;
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
    table.one_of_or("axis", {"x"}, "x");
    section.centre = table.boolean_or("centre", section.centre);
    section.prompt = table.boolean_or("prompt", section.prompt);
    table.finish();
    return section;
}

SimulationSection read_simulation(TomlTable& file) {
    SimulationSection simulation;
    if (!file.has("simulation")) return simulation;
    TomlTable section = file.table("simulation");
    constexpr std::int64_t kSeedMax = std::int64_t{1} << 53;
    simulation.seed = static_cast<std::uint64_t>(section.integer_or("seed", 0, kSeedMax, 1));
    simulation.truth = read_truth(section);
    section.finish();
    return simulation;
}

}  // namespace topple::hil::experiment

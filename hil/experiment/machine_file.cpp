#include <fmt/format.h>

#include <array>

#include "hil/experiment/sections.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"

namespace topple::hil::experiment {
namespace {

using firmware_iface::MachineDescription;

constexpr std::string_view kBuiltIn = "quanser-st-iii";
constexpr std::size_t kFileBytesMax = 64 * 1024;

/// One number of a machine file: key, member, allowed range and what it means.
struct MachineKey {
    std::string_view key;
    double MachineDescription::*member;
    NumberRange range;
    std::string_view meaning;
};

const std::array kKeys{
    MachineKey{"stroke_m", &MachineDescription::stroke_m, above(0.0, 10.0),
               "half stroke: the platen may be at -stroke_m .. +stroke_m"},
    MachineKey{"velocity_max_m_s", &MachineDescription::velocity_max_m_s, above(0.0, 100.0), "refused above"},
    MachineKey{"acceleration_max_m_s2", &MachineDescription::acceleration_max_m_s2, above(0.0, kAccelerationMax_m_s2),
               "refused above"},
    MachineKey{"acceleration_clean_m_s2", &MachineDescription::acceleration_clean_m_s2,
               above(0.0, kAccelerationMax_m_s2), "warned above: the wave becomes a double constant"},
    MachineKey{"stop_deceleration_m_s2", &MachineDescription::stop_deceleration_m_s2, above(0.0, kAccelerationMax_m_s2),
               "controlled stop; at most 0.8 acceleration_max_m_s2"},
    MachineKey{"brake_deceleration_m_s2", &MachineDescription::brake_deceleration_m_s2,
               above(0.0, kAccelerationMax_m_s2), "drive off and brake"},
    MachineKey{"buffer_travel_m", &MachineDescription::buffer_travel_m, between(0.0, 10.0),
               "beyond the stroke, before the frame"},
    MachineKey{"following_error_max_m", &MachineDescription::following_error_max_m, between(1e-4, 1.0),
               "measured position too far from the setpoint: stop"},
    MachineKey{"moving_mass_kg", &MachineDescription::moving_mass_kg, above(0.0, kMassMax_kg),
               "platen and carriage, without the specimen"},
    MachineKey{"payload_max_kg", &MachineDescription::payload_max_kg, above(0.0, kMassMax_kg), "heaviest specimen"},
    MachineKey{"counts_per_m", &MachineDescription::counts_per_m, between(1e3, 1e12), "encoder"},
    MachineKey{"accelerometer_scale", &MachineDescription::accelerometer_scale, above(0.0, 1000.0),
               "true acceleration per reported"},
    MachineKey{"accelerometer_offset_max_m_s2", &MachineDescription::accelerometer_offset_max_m_s2, between(0.0, 10.0),
               "a rest reading above this is refused"},
    MachineKey{"feedback_rate_hz", &MachineDescription::feedback_rate_hz, between(100.0, 2000.0),
               "feedback and setpoints"},
    MachineKey{"settling_time_s", &MachineDescription::settling_time_s, between(0.0, 60.0),
               "of the position loop after a stop"},
};

int read_sign(TomlTable& table, std::string_view key) {
    const std::int64_t sign = table.integer_or(key, -1, 1, 1);
    if (sign == 0) table.fail(key, "must be 1 or -1");
    return static_cast<int>(sign);
}

MachineDescription read_description(TomlTable& table) {
    MachineDescription machine;
    machine.name = table.text("name");
    for (const MachineKey& entry : kKeys) machine.*entry.member = table.number(entry.key, entry.range);
    machine.encoder_sign = read_sign(table, "encoder_sign");
    machine.accelerometer_sign = read_sign(table, "accelerometer_sign");
    table.finish();
    constexpr double kStopShare = 0.8;  // the rest is left to the position loop
    if (machine.stop_deceleration_m_s2 > kStopShare * machine.acceleration_max_m_s2 * (1 + 1e-12))
        table.fail("stop_deceleration_m_s2", fmt::format("must be at most 0.8 acceleration_max_m_s2 = {}",
                                                         kStopShare * machine.acceleration_max_m_s2));
    return machine;
}

}  // namespace

TableSection read_machine(const std::string& name_or_path, const std::filesystem::path& beside) {
    TableSection section;
    section.machine = name_or_path;
    if (name_or_path == kBuiltIn) {
        section.description = firmware_iface::quanser_st_iii();
        section.machine_text = machine_toml(section.description);
        return section;
    }
    const std::filesystem::path file = beside / name_or_path;
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        throw files::InputError(fmt::format("machine \"{}\": neither a built-in machine (\"{}\") nor a file ({})",
                                            name_or_path, kBuiltIn, file.string()));
    section.machine_text = files::read_text_file(file, kFileBytesMax);
    TomlTable table = TomlTable::parse(section.machine_text, file.string());
    section.aux = read_aux_channels(table);
    section.description = read_description(table);
    return section;
}

std::string machine_toml(const MachineDescription& machine) {
    std::string text = "# Machine description: one axis of a shaking table. SI units, as the keys say.\n";
    std::string name;
    for (const char letter : machine.name) {
        if (letter == '"' || letter == '\\') name += '\\';
        if (static_cast<unsigned char>(letter) >= ' ') name += letter;
    }
    text += fmt::format("name = \"{}\"\n", name);
    const auto line = [&](std::string_view key, auto value, std::string_view meaning) {
        text += fmt::format("{:<48}# {}\n", fmt::format("{} = {}", key, value), meaning);
    };
    for (const MachineKey& entry : kKeys) line(entry.key, machine.*entry.member, entry.meaning);
    line("encoder_sign", machine.encoder_sign, "1: counts grow along +x; -1: they fall");
    line("accelerometer_sign", machine.accelerometer_sign, "1: positive along +x; -1: reversed");
    return text;
}

}  // namespace topple::hil::experiment

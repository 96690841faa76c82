#include <fmt/format.h>

#include <array>
#include <functional>

#include "hil/experiment/sections.hpp"
#include "hil/experiment/toml_text.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"

namespace topple::hil::experiment {
namespace {

using firmware_iface::MachineDescription;

constexpr std::string_view kBuiltIn = "quanser-st-iii";
constexpr std::size_t kFileBytesMax = 64 * 1024;
constexpr double kForceMax_n = 1e9;
constexpr std::string_view kForceKey = "force_max_n";

/// One number of a machine file: key, member, allowed range and what it means. Most are of an axis; those that are of
/// the whole table cannot stand in [y].
struct MachineKey {
    std::string_view key;
    double MachineDescription::*member;
    NumberRange range;
    std::string_view meaning;
    bool of_table = false;
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
    MachineKey{"payload_max_kg", &MachineDescription::payload_max_kg, above(0.0, kMassMax_kg), "heaviest specimen",
               true},
    MachineKey{"counts_per_m", &MachineDescription::counts_per_m, between(1e3, 1e12), "encoder"},
    MachineKey{"accelerometer_scale", &MachineDescription::accelerometer_scale, above(0.0, 1000.0),
               "true acceleration per reported"},
    MachineKey{"accelerometer_offset_max_m_s2", &MachineDescription::accelerometer_offset_max_m_s2, between(0.0, 10.0),
               "a rest reading above this is refused"},
    MachineKey{"feedback_rate_hz", &MachineDescription::feedback_rate_hz, between(100.0, 2000.0),
               "feedback and setpoints", true},
    MachineKey{"settling_time_s", &MachineDescription::settling_time_s, between(0.0, 60.0),
               "of the position loop after a stop", true},
};

/// One number of the optional table [servo].
struct ServoKey {
    std::string_view key;
    double firmware_iface::ServoGains::*member;
    NumberRange range;
    std::string_view meaning;
};

using firmware_iface::ServoGains;
const std::array kServoKeys{
    ServoKey{"motor_loop_rad_s", &ServoGains::motor_loop_rad_s, above(0.0, 1e4),
             "crossover of the velocity feedback on the motor's own mass"},
    ServoKey{"damping_ratio", &ServoGains::damping_ratio, between(0.1, 10.0), "of the position loop"},
    ServoKey{"integral_ratio", &ServoGains::integral_ratio, between(0.0, 10.0),
             "bandwidth of the disturbance observer over that of the position loop"},
    ServoKey{"observer_rad_s", &ServoGains::observer_rad_s, above(0.0, 1e4), "observer of position and velocity"},
    ServoKey{"notch_hz", &ServoGains::notch_hz, between(0.0, 2000.0), "of the feedback; 0: none"},
    ServoKey{"notch_width_ratio", &ServoGains::notch_width_ratio, above(0.0, 10.0), "damping ratio of its poles"},
    ServoKey{"notch_depth_ratio", &ServoGains::notch_depth_ratio, between(0.0, 1.0), "what passes at its frequency"},
    ServoKey{"coulomb_n", &ServoGains::coulomb_n, between(0.0, kForceMax_n), "friction fed forward"},
    ServoKey{"viscous_n_s_m", &ServoGains::viscous_n_s_m, between(0.0, kForceMax_n), "friction fed forward"},
    ServoKey{"friction_speed_m_s", &ServoGains::friction_speed_m_s, above(0.0, 1.0),
             "below it the Coulomb friction fades out"},
    ServoKey{"drive_lag_s", &ServoGains::drive_lag_s, between(0.0, 0.1), "from the commanded force to the force"},
    ServoKey{"screw_stiffness_n_m", &ServoGains::screw_stiffness_n_m, between(0.0, 1e12),
             "between motor and platen; 0: rigid"},
    ServoKey{"motor_mass_ratio", &ServoGains::motor_mass_ratio, above(0.0, 1.0),
             "of the moving mass, on the encoder's side of the screw"},
    ServoKey{"compliance_filter_rad_s", &ServoGains::compliance_filter_rad_s, above(0.0, 3000.0),
             "of the setpoint's acceleration, for its derivatives"},
};

ServoGains read_servo(TomlTable& file, ServoGains gains) {
    if (!file.has("servo")) return gains;
    TomlTable table = file.table("servo");
    for (const ServoKey& entry : kServoKeys)
        gains.*entry.member = table.number_or(entry.key, entry.range, gains.*entry.member);
    table.finish();
    return gains;
}

int read_sign(TomlTable& table, std::string_view key, int otherwise) {
    const std::int64_t sign = table.integer_or(key, -1, 1, otherwise);
    if (sign == 0) table.fail(key, "must be 1 or -1");
    return static_cast<int>(sign);
}

void read_signs(TomlTable& table, MachineDescription& machine) {
    machine.encoder_sign = read_sign(table, "encoder_sign", machine.encoder_sign);
    machine.accelerometer_sign = read_sign(table, "accelerometer_sign", machine.accelerometer_sign);
}

void check_stop(const TomlTable& table, const MachineDescription& machine) {
    constexpr double kStopShare = 0.8;  // the rest is left to the position loop
    if (machine.stop_deceleration_m_s2 > kStopShare * machine.acceleration_max_m_s2 * (1 + 1e-12))
        table.fail("stop_deceleration_m_s2", fmt::format("must be at most 0.8 acceleration_max_m_s2 = {}",
                                                         kStopShare * machine.acceleration_max_m_s2));
}

/// What [y] leaves out is as of axis x; friction and stiffness that its servo counts with go with the moving mass.
firmware_iface::AxisDescription read_y(TomlTable table, const MachineDescription& x) {
    MachineDescription y = x;
    for (const MachineKey& entry : kKeys) {
        if (!entry.of_table)
            y.*entry.member = table.number_or(entry.key, entry.range, x.*entry.member);
        else
            table.forbid(entry.key, "is of the whole table: not allowed in [y]");
    }
    y.force_max_n = table.number_or(kForceKey, above(0.0, kForceMax_n), x.force_max_n);
    const double scale = y.moving_mass_kg / x.moving_mass_kg;
    for (double ServoGains::*number :
         {&ServoGains::coulomb_n, &ServoGains::viscous_n_s_m, &ServoGains::screw_stiffness_n_m})
        y.servo.*number *= scale;
    y.servo = read_servo(table, y.servo);
    read_signs(table, y);
    table.finish();
    if (table.has("stop_deceleration_m_s2") || table.has("acceleration_max_m_s2")) check_stop(table, y);
    return y;
}

MachineDescription read_description(TomlTable& table) {
    MachineDescription machine;
    machine.name = table.text("name");
    for (const MachineKey& entry : kKeys) machine.*entry.member = table.number(entry.key, entry.range);
    machine.force_max_n = table.number_or(kForceKey, above(0.0, kForceMax_n), 0.0);
    machine.force_max_n = drive_force_max_n(machine);
    machine.servo = read_servo(table, firmware_iface::usual_servo_gains(machine.moving_mass_kg));
    read_signs(table, machine);
    if (table.has("y")) machine.y = read_y(table.table("y"), machine);
    table.finish();
    check_stop(table, machine);
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
    section.calibration = read_calibration(table);
    section.description = read_description(table);
    return section;
}

namespace {

using Line = std::function<void(std::string_view key, const std::string& value, std::string_view meaning)>;

void signs_and_force(const MachineDescription& machine, const Line& line, std::string_view axis) {
    line("encoder_sign", fmt::format("{}", machine.encoder_sign),
         fmt::format("1: counts grow along +{}; -1: they fall", axis));
    line("accelerometer_sign", fmt::format("{}", machine.accelerometer_sign),
         fmt::format("1: positive along +{}; -1: reversed", axis));
    line(kForceKey, fmt::format("{}", drive_force_max_n(machine)), "of the drive, both ways");
}

}  // namespace

std::string machine_toml(const MachineDescription& machine) {
    std::string text = fmt::format("# Machine description: {} of a shaking table. SI units, as the keys say.\n",
                                   machine.y ? "both axes" : "one axis");
    std::string name;
    for (const char letter : machine.name) {
        if (letter == '"' || letter == '\\') name += '\\';
        if (static_cast<unsigned char>(letter) >= ' ') name += letter;
    }
    text += fmt::format("name = \"{}\"\n", name);
    const Line line = [&](std::string_view key, const std::string& value, std::string_view meaning) {
        text += fmt::format("{:<48}# {}\n", fmt::format("{} = {}", key, value), meaning);
    };
    const auto servo = [&](const MachineDescription& axis) {
        for (const ServoKey& entry : kServoKeys)
            line(entry.key, fmt::format("{}", axis.servo.*entry.member), entry.meaning);
    };
    for (const MachineKey& entry : kKeys) line(entry.key, fmt::format("{}", machine.*entry.member), entry.meaning);
    signs_and_force(machine, line, "x");
    text += "[servo]                                         # gains of the position servo in the device\n";
    servo(machine);
    if (!machine.y) return text;
    text += "[y]                                             # axis y; the above is of axis x\n";
    const MachineDescription y = axis_of(machine, 1);
    for (const MachineKey& entry : kKeys)
        if (!entry.of_table) line(entry.key, fmt::format("{}", y.*entry.member), entry.meaning);
    signs_and_force(y, line, "y");
    text += "[y.servo]\n";
    servo(y);
    return text;
}

std::string machine_file_toml(const MachineDescription& machine, const std::vector<AuxChannel>& aux,
                              const std::optional<Calibration>& calibration) {
    std::string text = machine_toml(machine);
    if (calibration) text += calibration_toml(*calibration);
    for (const AuxChannel& channel : aux)
        text += fmt::format("[[aux]]\nname = {}\nunit = {}\nscale = {}\noffset = {}\n", toml_string(channel.name),
                            toml_string(channel.unit), channel.scale, channel.offset);
    return text;
}

}  // namespace topple::hil::experiment

// What shall go wrong with a simulated table and its wire, and when: a small TOML file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::sim_table {

/// docs/fault_scripts.md has a line for each.
enum class FaultKind : std::uint8_t {
    // the wire, frame by frame
    wire_drop,
    wire_corrupt,    ///< one bit of the frame is wrong
    wire_duplicate,  ///< comes twice
    wire_reorder,    ///< comes after the next one
    wire_delay,      ///< value: s
    wire_split,      ///< in two pieces, cut anywhere, the second one cycle later
    wire_stall,      ///< held up while it lasts, then all at once
    wire_unplug,     ///< this host's connection ends
    // the electronics
    device_stall,   ///< the control loop does not run
    device_reboot,  ///< starts anew, unhomed, its clock near 0
    clock_jump,     ///< value: s
    // encoder and drive
    encoder_slip,  ///< value: m; at once, or spread over for_s
    encoder_wrap,  ///< value: bits of a counter that wraps
    encoder_stuck,
    drive_saturation,  ///< value: share of the force that is left
    drive_fault,
    // accelerometer, both channels
    accelerometer_stuck,
    accelerometer_saturated,  ///< value: m/s2, as reported
    accelerometer_nan,
    accelerometer_reversed,
    // switches
    reference_stuck,  ///< always pressed
    reference_dead,   ///< never pressed
    limit_switch,     ///< pressed
    emergency_stop,   ///< pressed
};
std::string_view name(FaultKind kind) noexcept;
bool is_wire_fault(FaultKind kind) noexcept;
const std::vector<FaultKind>& all_fault_kinds();

/// Since when the delay counts: power-on, the first (or n-th) time that a state is entered, or a test's motion.
enum class FaultMoment : std::uint8_t { power_on, idle, homing, ready, armed, running, stopping, faulted, motion };
std::string_view name(FaultMoment moment) noexcept;

enum class WireDirection : std::uint8_t { to_device, to_host, both };

struct ScriptedFault {
    FaultKind kind{};
    FaultMoment at = FaultMoment::power_on;
    std::uint32_t occurrence = 1;  ///< which time the state is entered, from 1
    double after_s = 0.0;          ///< device time; also if the state has been left by then
    std::optional<double> for_s;   ///< how long; absent: to the end, or at once where that is the nature of it
    double value = 0.0;            ///< see FaultKind; 0 where it has none
    std::size_t axis = 0;          ///< of encoder, drive fault, reference and limit switch: 0 x, 1 y
    WireDirection direction = WireDirection::both;
    double share = 1.0;                  ///< of the frames that are hit, drawn from the seed, 0..1
    std::optional<std::uint64_t> count;  ///< frames that are hit at most
};

struct FaultScript {
    std::uint64_t seed = 1;  ///< for shares, cuts and wrong bits
    std::vector<ScriptedFault> faults;
    std::string text;  ///< the whole file
};

/// Throws InputError with file, line, key, value and what is allowed. `file` is used in messages only.
FaultScript parse_fault_script(const std::string& text, const std::string& file);
/// Throws InputError for a fault of axis y on a table that has axis x only.
void require_axes(const FaultScript& script, std::size_t axis_count);
/// Reads at most 64 KiB.
FaultScript read_fault_script(const std::filesystem::path& file);
/// E.g. "encoder_stuck, 0.1 s after running".
std::string describe(const ScriptedFault& fault);

}  // namespace topple::hil::sim_table

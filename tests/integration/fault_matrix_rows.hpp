// The fault matrix: every fault, and what it must lead to in every state of the table.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/support/fault_bench.hpp"

namespace topple::test {

/// `expected`, one per state (idle, homing, armed, running at peak velocity, stopping):
///   the name of the fault that must be latched at the end, or names with a | between them (underrun and silence are
///   milliseconds apart); "unaffected": none, and homing or motion end as without the fault; "reboot": the device is
///   back in idle, unhomed, its drive off, nothing latched; the host took nothing for done;
///   "!reason": a cell that cannot exist.
struct FaultRow {
    std::string label;
    std::string script;  ///< body of a [[fault]] table
    std::array<std::string, 5> expected;
    double tolerance_m = 0.0;  ///< of the commanded motion where it is unaffected; 0: bit by bit
    HostFault host = HostFault::none;
};

inline std::array<std::string, 5> everywhere(const std::string& code) { return {code, code, code, code, code}; }

// A frame that is lost is bridged by the quintic between its neighbours: less than a nanometre here.
inline constexpr double kBridged_m = 1e-9;

/// Faults of the wire and of the host: also over pty and TCP. A host that hears nothing sends nothing beyond the
/// look-ahead: the motion runs dry at about the time at which the host misses its feedback and sends a stop. A frame
/// that comes late is dropped: with every pair exchanged the setpoints, which answer every second feedback, are those.
inline std::vector<FaultRow> wire_rows() {
    const std::string u = "unaffected", stop = "operator_stop", lost = "host_lost", dry = "queue_underrun|host_lost";
    const std::string dry_or_stop = dry + "|" + stop;
    const std::string down = "direction = \"to_device\"\n", up = "direction = \"to_host\"\n";
    const std::array<std::string, 5> tolerated{u, u, u, u, stop};
    const std::string unsupervised = "!nothing is supervised: the run ends before a motion";
    return {
        {"drop, to device", "kind = \"wire_drop\"\n" + down, {u, lost, lost, dry, stop}},
        {"drop, to host", "kind = \"wire_drop\"\n" + up, {u, stop, lost, dry_or_stop, stop}},
        {"drop one, to device", "kind = \"wire_drop\"\ncount = 1\n" + down, tolerated, kBridged_m},
        {"drop one, to host", "kind = \"wire_drop\"\ncount = 1\n" + up, tolerated},
        {"corrupt, to device", "kind = \"wire_corrupt\"\n" + down, {u, lost, lost, dry, stop}},
        {"corrupt, to host", "kind = \"wire_corrupt\"\n" + up, {u, stop, lost, dry_or_stop, stop}},
        {"corrupt a fifth for 60 ms", "kind = \"wire_corrupt\"\nshare = 0.2\nfor_s = 0.06\n", tolerated, kBridged_m},
        {"duplicate", "kind = \"wire_duplicate\"\n", tolerated},
        {"reorder one", "kind = \"wire_reorder\"\ncount = 1\n", tolerated, kBridged_m},
        {"reorder for 50 ms", "kind = \"wire_reorder\"\nfor_s = 0.05\n", {u, u, u, dry, stop}},
        {"delay 20 ms, to device", "kind = \"wire_delay\"\ndelay_s = 0.02\n" + down, tolerated},
        {"delay 20 ms, to host", "kind = \"wire_delay\"\ndelay_s = 0.02\n" + up, tolerated},
        {"delay 150 ms, to device", "kind = \"wire_delay\"\ndelay_s = 0.15\n" + down, {u, u, u, dry, stop}},
        {"delay 150 ms, to host", "kind = \"wire_delay\"\ndelay_s = 0.15\n" + up, {u, u, lost, dry_or_stop, stop}},
        {"split", "kind = \"wire_split\"\n", tolerated},
        {"stall 30 ms, to device", "kind = \"wire_stall\"\nfor_s = 0.03\n" + down, tolerated},
        {"stall 200 ms, to device", "kind = \"wire_stall\"\nfor_s = 0.2\n" + down, {u, u, u, dry, stop}},
        {"stall 30 ms, to host", "kind = \"wire_stall\"\nfor_s = 0.03\n" + up, tolerated},
        {"stall 200 ms, to host", "kind = \"wire_stall\"\nfor_s = 0.2\n" + up, {u, u, lost, dry_or_stop, stop}},
        {"unplug", "kind = \"wire_unplug\"\n", {u, lost, lost, lost, stop}},
        {"host stopped (SIGINT, SIGTERM)", "", {u, stop, stop, stop, stop}, 0.0, HostFault::stop},
        {"log failure (disk full)",
         "",
         {unsupervised, unsupervised, unsupervised, stop, stop},
         0.0,
         HostFault::log_failure},
        {"host gone (SIGKILL)", "", {u, lost, lost, lost, stop}, 0.0, HostFault::gone},
        {"host stalls 30 ms", "", tolerated, 0.0, HostFault::stall_30_ms},
        {"host stalls 1 s", "", {u, lost, lost, dry, stop}, 0.0, HostFault::stall_1_s},
    };
}

/// Faults of the device: the same on every wire.
inline std::vector<FaultRow> device_rows() {
    const std::string u = "unaffected", stop = "operator_stop", implausible = "encoder_implausible";
    const std::array<std::string, 5> tolerated{u, u, u, u, stop};
    return {
        {"device stalls 4 ms", "kind = \"device_stall\"\nfor_s = 0.004\n", tolerated},
        {"device stalls 20 ms", "kind = \"device_stall\"\nfor_s = 0.02\n", everywhere("watchdog")},
        {"device reboots", "kind = \"device_reboot\"\nfor_s = 0.2\n", everywhere("reboot")},
        {"clock jumps 1 s on", "kind = \"clock_jump\"\njump_s = 1.0\n", everywhere("watchdog")},
        {"clock jumps 1 s back", "kind = \"clock_jump\"\njump_s = -1.0\n", everywhere("watchdog")},
        {"encoder slips 2 mm", "kind = \"encoder_slip\"\nslip_m = 0.002\n", everywhere(implausible)},
        {"encoder wraps at 12 bits",
         "kind = \"encoder_wrap\"\nbits = 12\n",
         {u, implausible, implausible, implausible, implausible}},
        {"encoder stuck", "kind = \"encoder_stuck\"\n", {u, implausible, u, implausible, implausible}},
        {"drive with 10 % force",
         "kind = \"drive_saturation\"\nforce_ratio = 0.1\n",
         {u, u, u, "stop_overdue", "stop_overdue"}},
        {"drive fault", "kind = \"drive_fault\"\n", everywhere("drive_fault")},
        {"limit switch",
         "kind = \"limit_switch\"\n",
         {"limit_switch", "homing_failed", "limit_switch", "limit_switch", "limit_switch"}},
        {"emergency stop", "kind = \"emergency_stop\"\n", everywhere("emergency_stop")},
        {"accelerometer NaN", "kind = \"accelerometer_nan\"\n", everywhere("not_finite")},
        {"accelerometer stuck", "kind = \"accelerometer_stuck\"\n", tolerated},
        {"accelerometer saturates", "kind = \"accelerometer_saturated\"\nlimit_m_s2 = 2.0\n", tolerated},
        {"accelerometer reversed", "kind = \"accelerometer_reversed\"\n", tolerated},
        {"reference switch stuck", "kind = \"reference_stuck\"\n", {u, "homing_failed", u, u, stop}},
        {"reference switch dead", "kind = \"reference_dead\"\n", {u, "homing_failed", u, u, stop}},
    };
}

}  // namespace topple::test

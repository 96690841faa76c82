#include "hil/sim_table/scripted_faults.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hil/sim_table/faulty_stream.hpp"

namespace topple::hil::sim_table {

using firmware_iface::DeviceState;
using firmware_iface::Measurement;

namespace {

constexpr std::uint64_t kFaultStream = 3;  // of the seed

firmware_iface::AxisMeasurement& of_axis(Measurement& m, std::size_t axis) noexcept { return axis == 0 ? m : m.y; }

std::uint64_t microseconds(double duration_s) noexcept {
    return static_cast<std::uint64_t>(std::llround(duration_s * 1e6));
}

std::optional<FaultMoment> moment_of(DeviceState state) noexcept {
    switch (state) {
        case DeviceState::idle: return FaultMoment::idle;
        case DeviceState::homing: return FaultMoment::homing;
        case DeviceState::ready: return FaultMoment::ready;
        case DeviceState::armed: return FaultMoment::armed;
        case DeviceState::running: return FaultMoment::running;
        case DeviceState::stopping: return FaultMoment::stopping;
        case DeviceState::faulted: return FaultMoment::faulted;
        case DeviceState::estop: return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

ScriptedFaults::ScriptedFaults(const FaultScript& script) : noise_(script.seed, kFaultStream) {
    for (const ScriptedFault& fault : script.faults) entries_.emplace_back().fault = fault;
}

void ScriptedFaults::note(std::uint64_t time_us, DeviceState state, bool motion) noexcept {
    time_us_ = time_us;
    std::array<bool, 9> now{};  // moments that come in this cycle
    if (!state_) now[static_cast<std::size_t>(FaultMoment::power_on)] = true;
    if (state_ != state)
        if (const auto moment = moment_of(state)) now[static_cast<std::size_t>(*moment)] = true;
    if (motion && !motion_) now[static_cast<std::size_t>(FaultMoment::motion)] = true;
    state_ = state;
    motion_ = motion;
    for (std::size_t i = 0; i < now.size(); ++i) entered_[i] += now[i] ? 1 : 0;
    for (Entry& entry : entries_) {
        const auto moment = static_cast<std::size_t>(entry.fault.at);
        if (now[moment] && entered_[moment] == entry.fault.occurrence) {
            entry.due_us = time_us + microseconds(entry.fault.after_s);
            if (entry.fault.for_s) entry.end_us = *entry.due_us + microseconds(*entry.fault.for_s);
        }
    }
}

bool ScriptedFaults::is_on(const Entry& entry) const noexcept {
    if (!entry.due_us || time_us_ < *entry.due_us) return false;
    if (entry.fault.kind == FaultKind::encoder_slip) return true;  // what has slipped stays so
    return !entry.end_us || time_us_ < *entry.end_us;
}

bool ScriptedFaults::lasts(FaultKind kind) const noexcept {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.fault.kind == kind && is_on(entry); });
}

double ScriptedFaults::force_ratio() const noexcept {
    double ratio = 1.0;
    for (const Entry& entry : entries_)
        if (entry.fault.kind == FaultKind::drive_saturation && is_on(entry)) ratio = std::min(ratio, entry.fault.value);
    return ratio;
}

std::int64_t ScriptedFaults::clock_jump_us() const noexcept {
    std::int64_t jump_us = 0;
    for (const Entry& entry : entries_)
        if (entry.fault.kind == FaultKind::clock_jump && is_on(entry)) jump_us += std::llround(entry.fault.value * 1e6);
    return jump_us;
}

// ---- measurements ----

void ScriptedFaults::falsify(Measurement& measurement, const std::array<double, 2>& counts_per_m) noexcept {
    for (Entry& entry : entries_) {
        if (!is_on(entry)) continue;
        if (!entry.begun) {
            entry.begun = true;
            entry.stuck_count = of_axis(measurement, entry.fault.axis).encoder_count;
            entry.stuck_x_m_s2 = measurement.acceleration_x_m_s2;
            entry.stuck_y_m_s2 = measurement.acceleration_y_m_s2;
        }
        const std::size_t axis = entry.fault.axis;
        falsify_encoder(entry, of_axis(measurement, axis).encoder_count, counts_per_m[axis]);
        falsify_accelerometer(entry, measurement);
        falsify_switches(entry, measurement);
    }
}

void ScriptedFaults::falsify_encoder(const Entry& entry, std::int64_t& count, double counts_per_m) const noexcept {
    if (entry.fault.kind == FaultKind::encoder_stuck) count = entry.stuck_count;
    if (entry.fault.kind == FaultKind::encoder_slip) {
        const double since_s = static_cast<double>(time_us_ - *entry.due_us) * 1e-6;
        const double share = entry.fault.for_s ? std::min(1.0, since_s / *entry.fault.for_s) : 1.0;
        count += std::llround(share * entry.fault.value * counts_per_m);
    }
    if (entry.fault.kind == FaultKind::encoder_wrap) {
        const std::int64_t range = std::int64_t{1} << static_cast<int>(entry.fault.value);
        count = (count % range + range + range / 2) % range - range / 2;
    }
}

void ScriptedFaults::falsify_accelerometer(const Entry& entry, Measurement& m) noexcept {
    const double limit = entry.fault.value;
    if (entry.fault.kind == FaultKind::accelerometer_stuck) {
        m.acceleration_x_m_s2 = entry.stuck_x_m_s2;
        m.acceleration_y_m_s2 = entry.stuck_y_m_s2;
    } else if (entry.fault.kind == FaultKind::accelerometer_saturated) {
        m.acceleration_x_m_s2 = std::clamp(m.acceleration_x_m_s2, -limit, limit);
        m.acceleration_y_m_s2 = std::clamp(m.acceleration_y_m_s2, -limit, limit);
    } else if (entry.fault.kind == FaultKind::accelerometer_nan) {
        m.acceleration_x_m_s2 = m.acceleration_y_m_s2 = std::numeric_limits<double>::quiet_NaN();
    } else if (entry.fault.kind == FaultKind::accelerometer_reversed) {
        m.acceleration_x_m_s2 = -m.acceleration_x_m_s2;
        m.acceleration_y_m_s2 = -m.acceleration_y_m_s2;
    }
}

void ScriptedFaults::falsify_switches(const Entry& entry, Measurement& m) noexcept {
    firmware_iface::AxisMeasurement& axis = of_axis(m, entry.fault.axis);
    if (entry.fault.kind == FaultKind::reference_stuck) axis.reference_pressed = true;
    if (entry.fault.kind == FaultKind::reference_dead) axis.reference_pressed = false;
    if (entry.fault.kind == FaultKind::limit_switch) axis.limit_pressed = true;
    if (entry.fault.kind == FaultKind::drive_fault) axis.drive_ok = false;
    if (entry.fault.kind == FaultKind::emergency_stop) m.estop_pressed = true;
}

// ---- the wire ----

std::unique_ptr<firmware_iface::ByteStream> ScriptedFaults::on_wire(std::unique_ptr<firmware_iface::ByteStream> wire) {
    if (!wire) return wire;
    return std::make_unique<FaultyStream>(std::move(wire), *this);
}

std::optional<double> ScriptedFaults::strikes(FaultKind kind, WireDirection way) noexcept {
    for (Entry& entry : entries_) {
        const ScriptedFault& fault = entry.fault;
        if (fault.kind != kind || (fault.direction != way && fault.direction != WireDirection::both)) continue;
        if (!is_on(entry) || (fault.count && entry.frames >= *fault.count)) continue;
        if (fault.share < 1.0 && noise_.uniform() >= fault.share) continue;
        ++entry.frames;
        return fault.value;
    }
    return std::nullopt;
}

bool ScriptedFaults::stalls(WireDirection way) const noexcept {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.fault.kind == FaultKind::wire_stall && is_on(entry) &&
               (entry.fault.direction == way || entry.fault.direction == WireDirection::both);
    });
}

std::vector<std::string> ScriptedFaults::news() {
    std::vector<std::string> lines;
    for (Entry& entry : entries_) {
        if (entry.reported || !entry.due_us || time_us_ < *entry.due_us) continue;
        entry.reported = true;
        lines.push_back(describe(entry.fault));
    }
    return lines;
}

}  // namespace topple::hil::sim_table

#include "hil/sim_table/simulated_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace topple::hil {

using firmware_iface::DeviceCore;
using firmware_iface::DeviceInfo;
using firmware_iface::DeviceParameters;
using firmware_iface::MachineDescription;
using firmware_iface::Nanoseconds;

namespace {

constexpr std::uint32_t kStep_us = 100;
constexpr std::uint64_t kDeviceEpoch_us = 1'234'568'000;  // device time when the host first looks

std::vector<CarriedSpecimen> carried(const std::vector<solver::Specimen>& specimens, double gravity_m_s2) {
    std::vector<CarriedSpecimen> all;
    all.reserve(specimens.size());
    for (const auto& specimen : specimens)
        if (!specimen.blocks.empty()) all.emplace_back(specimen, gravity_m_s2);
    return all;
}

double payload_kg(const std::vector<solver::Specimen>& specimens) {
    double mass = 0.0;
    for (const auto& specimen : specimens)
        for (const auto& block : specimen.blocks) mass += block.mass_kg;
    return mass;
}

DeviceParameters device_parameters(const MachineDescription& machine) {
    DeviceParameters p;
    p.limits = limits_of(machine);
    p.configuration_hash = configuration_hash(machine);
    const double period_us = machine.feedback_rate_hz > 0.0 ? 1e6 / machine.feedback_rate_hz : 2000.0;
    p.timing.feedback_period_us = std::max(1u, static_cast<std::uint32_t>(period_us / kStep_us + 0.5)) * kStep_us;
    p.timing.silence_running_us = 40000 + 3 * p.timing.feedback_period_us;
    return p;
}

DeviceInfo simulated_description(const MachineDescription& machine,
                                 const std::vector<solver::Specimen>& specimens, bool reports_simulated) {
    DeviceInfo info = describe(machine, device_parameters(machine).timing);
    std::size_t blocks = 0;
    for (const auto& specimen : specimens) blocks += specimen.blocks.size();
    info.rotation_sensor_count =
        static_cast<std::uint32_t>(std::min(blocks, firmware_iface::kRotationSensorsMax));
    info.simulated = reports_simulated;
    info.serial_number = "simulated";
    info.firmware_version = "topple";
    return info;
}

}  // namespace

SimulatedTable::SimulatedTable(const MachineDescription& machine, const std::vector<solver::Specimen>& true_specimens,
                               const SimulatedTableOptions& options, std::unique_ptr<firmware_iface::ByteStream> wire)
    : options_(options),
      plant_(plant_of(machine, payload_kg(true_specimens)), carried(true_specimens, options.gravity_m_s2),
             options.start_position_m),
      sensors_(machine, options.sensors, options.seed, options.start_homed ? 0.0 : options.start_position_m),
      core_(device_parameters(machine)),
      session_(core_, simulated_description(machine, true_specimens, options.reports_simulated)),
      period_us_(device_parameters(machine).timing.feedback_period_us),
      now_us_(kDeviceEpoch_us - kDeviceEpoch_us % period_us_) {
    if (options_.start_homed) core_.assume_homed(0);
    if (wire) session_.attach(std::move(wire));
}

void SimulatedTable::advance_to(Nanoseconds host_time) {
    if (!started_) {
        started_ = true;
        origin_ = host_time;
        step();  // the first sample, at the epoch
    }
    const double elapsed_us = static_cast<double>((host_time - origin_).count()) * 1e-3;
    const double device_elapsed_us = elapsed_us * (1.0 + options_.clock_skew_ppm * 1e-6);
    const auto target_us = (kDeviceEpoch_us - kDeviceEpoch_us % period_us_) +
                           static_cast<std::uint64_t>(std::max(0.0, std::floor(device_elapsed_us)));
    session_.receive(core_.now_us());
    while (now_us_ <= target_us) step();
    session_.flush();
}

void SimulatedTable::step() {
    const bool sampling = now_us_ % period_us_ == 0;
    if (sampling) sensors_.sample(plant_);
    auto measurement = sensors_.read(plant_);
    if (options_.disturb) options_.disturb(now_us_, measurement);
    const auto command = core_.tick(now_us_, measurement);
    if (sampling) {
        session_.send_feedback(core_.feedback());
        session_.flush();
    }
    plant_.step(now_us_, kStep_us, command, sensors_.encoder_zero_m());
    sensors_.follow(plant_, kStep_us * 1e-6);
    now_us_ += kStep_us;
}

}  // namespace topple::hil

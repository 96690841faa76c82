#include "hil/sim_table/simulated_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace topple::hil::sim_table {

using firmware_iface::DeviceCore;
using firmware_iface::DeviceInfo;
using firmware_iface::DeviceParameters;
using firmware_iface::MachineDescription;
using firmware_iface::Measurement;
using firmware_iface::Nanoseconds;

namespace {

constexpr std::uint32_t kStep_us = 100;
constexpr std::uint64_t kDeviceEpoch_us = 1'234'568'000;  // device time when the host first looks

std::vector<CarriedSpecimen> carried(const std::vector<solver::Specimen>& specimens,
                                     const SimulatedTableOptions& options) {
    std::vector<CarriedSpecimen> all;
    all.reserve(specimens.size());
    for (std::size_t i = 0; i < specimens.size(); ++i) {
        const double plane_rad = i < options.plane_angle_rad.size() ? options.plane_angle_rad[i] : 0.0;
        if (!specimens[i].blocks.empty()) all.emplace_back(specimens[i], options.gravity_m_s2, plane_rad);
    }
    return all;
}

double payload_kg(const std::vector<solver::Specimen>& specimens) {
    double mass = 0.0;
    for (const auto& specimen : specimens)
        for (const auto& block : specimen.blocks) mass += block.mass_kg;
    return mass;
}

Plant::Carriage carriage(const MachineDescription& axis, double payload_kg, double position_m,
                         const SimulatedTableOptions& options) {
    if (options.mechanics) return StageCarriage(axis, *options.mechanics, payload_kg, position_m);
    return IdealCarriage(plant_of(axis, payload_kg), position_m);
}

Plant loaded_plant(const MachineDescription& machine, const std::vector<solver::Specimen>& specimens,
                   const SimulatedTableOptions& options) {
    const double payload = payload_kg(specimens);
    std::optional<Plant::Carriage> y;
    if (machine.y) y = carriage(axis_of(machine, 1), payload, options.start_position_y_m, options);
    return {carriage(machine, payload, options.start_position_m, options), carried(specimens, options), y};
}

std::array<double, 2> encoder_zeros_m(const SimulatedTableOptions& options) {
    if (options.start_homed) return {0.0, 0.0};
    return {options.start_position_m, options.start_position_y_m};
}

firmware_iface::AxisParameters axis_parameters(const MachineDescription& axis, double payload_kg,
                                               const SimulatedTableOptions& options) {
    firmware_iface::AxisParameters p;
    if (options.mechanics) p.servo = servo_of(axis, payload_kg);  // the ideal table has a position loop of its own
    p.servo.sample_s = 1e-6 * kStep_us;
    p.limits = limits_of(axis);
    return p;
}

SensorParameters sensors(const SimulatedTableOptions& options) {
    if (options.sensors) return *options.sensors;
    return options.mechanics ? SensorParameters::of(*options.mechanics) : SensorParameters{};
}

DeviceParameters device_parameters(const MachineDescription& machine, double payload_kg,
                                   const SimulatedTableOptions& options) {
    DeviceParameters p;
    static_cast<firmware_iface::AxisParameters&>(p) = axis_parameters(machine, payload_kg, options);
    if (machine.y) p.y = axis_parameters(axis_of(machine, 1), payload_kg, options);
    p.configuration_hash = configuration_hash(machine);
    p.has_trigger = true;
    const double period_us = machine.feedback_rate_hz > 0.0 ? 1e6 / machine.feedback_rate_hz : 2000.0;
    p.timing.feedback_period_us = std::max(1u, static_cast<std::uint32_t>(period_us / kStep_us + 0.5)) * kStep_us;
    p.timing.silence_running_us = 40000 + 3 * p.timing.feedback_period_us;
    p.timing.stall_us = 3 * p.timing.feedback_period_us;
    return p;
}

DeviceInfo simulated_description(const MachineDescription& machine, const std::vector<solver::Specimen>& specimens,
                                 const SimulatedTableOptions& options) {
    DeviceInfo info = describe(machine, device_parameters(machine, 0.0, options).timing);
    std::size_t blocks = 0;
    for (const auto& specimen : specimens) blocks += specimen.blocks.size();
    info.rotation_sensor_count = static_cast<std::uint32_t>(std::min(blocks, firmware_iface::kRotationSensorsMax));
    info.simulated = options.reports_simulated;
    info.has_trigger = true;
    info.aux_channel_count =
        static_cast<std::uint32_t>(std::min(options.aux_channel_count, firmware_iface::kAuxChannelsMax));
    info.serial_number = "simulated";
    info.firmware_version = "topple";
    return info;
}

}  // namespace

SimulatedTable::SimulatedTable(const MachineDescription& machine, const std::vector<solver::Specimen>& true_specimens,
                               const SimulatedTableOptions& options, std::unique_ptr<firmware_iface::ByteStream> wire)
    : options_(options),
      plant_(loaded_plant(machine, true_specimens, options)),
      sensors_(machine, sensors(options), options.seed, encoder_zeros_m(options)),
      aux_(options.aux_channel_count, options.seed),
      core_(device_parameters(machine, payload_kg(true_specimens), options)),
      session_(core_, simulated_description(machine, true_specimens, options)),
      parameters_(device_parameters(machine, payload_kg(true_specimens), options)),
      faults_(options.faults ? std::make_unique<ScriptedFaults>(*options.faults) : nullptr),
      period_us_(parameters_.timing.feedback_period_us),
      now_us_(kDeviceEpoch_us - kDeviceEpoch_us % period_us_) {
    if (options_.start_homed) core_.assume_homed(0, 0);
    if (wire) connect(std::move(wire));
}

void SimulatedTable::connect(std::unique_ptr<firmware_iface::ByteStream> wire) {
    session_.attach(faults_ ? faults_->on_wire(std::move(wire)) : std::move(wire));
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
    const bool loop_runs = !faults_ || !(booting_ || faults_->lasts(FaultKind::device_stall));
    if (loop_runs) session_.receive(core_.now_us());
    while (now_us_ <= target_us) step();
    session_.flush();
}

std::uint64_t SimulatedTable::core_time_us() const noexcept {
    const std::int64_t jump_us = faults_ ? faults_->clock_jump_us() : 0;
    return now_us_ + static_cast<std::uint64_t>(clock_offset_us_ + jump_us);
}

void SimulatedTable::step() {
    if (faults_) faults_->note(now_us_, core_.state(), command_.release_specimen);
    const bool sampling = core_time_us() % period_us_ == 0;
    if (sampling) {
        sensors_.sample(plant_);
        aux_.sample(plant_.drive_force_n());
    }
    read_ = read_sensors();
    if (faults_ && booting_ != faults_->lasts(FaultKind::device_reboot)) boot();
    control(sampling);
    if (faults_) plant_.set_force_ratio(faults_->force_ratio());
    plant_.step(core_time_us(), kStep_us, command_, sensors_.encoder_zero_m() - encoder_error_m_[0],
                sensors_.encoder_zero_m(1) - encoder_error_m_[1]);
    sensors_.follow(plant_, kStep_us * 1e-6);
    now_us_ += kStep_us;
}

Measurement SimulatedTable::read_sensors() {
    Measurement measurement = sensors_.read(plant_);
    aux_.read(measurement);
    if (options_.disturb) options_.disturb(core_time_us(), measurement);
    if (!faults_) return measurement;
    const std::array count{measurement.encoder_count, measurement.y.encoder_count};
    const auto& x = parameters_.limits;
    const auto& y = parameters_.y ? parameters_.y->limits : x;
    faults_->falsify(measurement, {x.counts_per_m, y.counts_per_m});
    const auto error_m = [](const firmware_iface::AxisLimits& limits, std::int64_t counts) {
        return limits.encoder_sign * static_cast<double>(counts) / limits.counts_per_m;
    };
    encoder_error_m_ = {error_m(x, measurement.encoder_count - count[0]),
                        error_m(y, measurement.y.encoder_count - count[1])};
    return measurement;
}

void SimulatedTable::control(bool sampling) {
    if (booting_) return drive({});
    if (faults_ && faults_->lasts(FaultKind::device_stall)) {
        // The drive continues with its last command until the hardware's watchdog cuts its power.
        if (now_us_ - ticked_us_ > parameters_.timing.stall_us) drive({});
        return;
    }
    control_cycle(*this, core_);
    if (!sampling) return;
    session_.send_feedback(core_.feedback());
    session_.flush();
}

// Begins or ends a reboot: the device forgets everything, its clock starts near 0.
void SimulatedTable::boot() {
    booting_ = !booting_;
    if (booting_) return;
    session_.restart();
    core_.restart(parameters_);
    clock_offset_us_ -= static_cast<std::int64_t>(core_time_us() / period_us_ * period_us_) - period_us_;
}

}  // namespace topple::hil::sim_table

#include "hil/emulated_board/emulated_machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <numbers>

namespace topple::hil::emulated_board {

using firmware_iface::DriveCommand;
using firmware_iface::MachineDescription;
using firmware_iface::Measurement;

namespace {
constexpr double kStep_s = 1e-6 * kStep_us;
// As sim_table/sensors.hpp.
constexpr double kNoise_m_s2 = 0.03, kBias_m_s2 = 0.05, kRotationNoise_rad = 0.2e-3;
constexpr std::uint64_t kSensorStream = 2;
constexpr double kLimitSwitch_ratio = 0.7;  // of the travel beyond the stroke
}  // namespace

// Never destroyed: its name, which stays empty, would ask for a heap.
const MachineDescription& machine_of(const ParameterPage& page) noexcept {
    alignas(MachineDescription) static std::array<std::byte, sizeof(MachineDescription)> memory;
    auto& m = *new (memory.data()) MachineDescription;
    const PageMachine& p = page.machine;
    m.stroke_m = p.stroke_m;
    m.velocity_max_m_s = p.velocity_max_m_s;
    m.acceleration_max_m_s2 = p.acceleration_max_m_s2;
    m.acceleration_clean_m_s2 = p.acceleration_clean_m_s2;
    m.stop_deceleration_m_s2 = p.stop_deceleration_m_s2;
    m.brake_deceleration_m_s2 = p.brake_deceleration_m_s2;
    m.buffer_travel_m = p.buffer_travel_m;
    m.following_error_max_m = p.following_error_max_m;
    m.moving_mass_kg = p.moving_mass_kg;
    m.counts_per_m = p.counts_per_m;
    m.encoder_sign = p.encoder_sign < 0.0 ? -1 : 1;
    m.accelerometer_scale = p.accelerometer_scale;
    m.accelerometer_sign = p.accelerometer_sign < 0.0 ? -1 : 1;
    m.accelerometer_offset_max_m_s2 = p.accelerometer_offset_max_m_s2;
    m.force_max_n = p.force_max_n;
    m.payload_max_kg = p.payload_max_kg;
    m.feedback_rate_hz = p.feedback_rate_hz;
    m.settling_time_s = p.settling_time_s;
    m.servo = p.servo;
    return m;
}

EmulatedAccelerometer::EmulatedAccelerometer(const sim_table::TablePreset& stage, const PageMachine& machine,
                                             std::uint64_t seed) noexcept
    : share_(-std::expm1(-2.0 * std::numbers::pi * stage.accelerometer_hz * kStep_s)),
      factor_((machine.accelerometer_sign < 0.0 ? -1.0 : 1.0) / machine.accelerometer_scale),
      cross_ratio_(stage.accelerometer_cross_ratio),
      delay_steps_(std::min(kDelaySteps, static_cast<std::size_t>(std::lround(stage.accelerometer_delay_s / kStep_s)))),
      noise_(seed, kSensorStream),
      bias_x_m_s2_(kBias_m_s2 * noise_.normal()),
      bias_y_m_s2_(kBias_m_s2 * noise_.normal()) {
    sample();
}

void EmulatedAccelerometer::follow(double acceleration_m_s2) noexcept {
    half_m_s2_ += (acceleration_m_s2 - half_m_s2_) * share_;
    filtered_m_s2_ += (half_m_s2_ - filtered_m_s2_) * share_;
    newest_ = (newest_ + 1) % delayed_m_s2_.size();
    delayed_m_s2_[newest_] = filtered_m_s2_;
}

void EmulatedAccelerometer::sample() noexcept {
    const std::size_t size = delayed_m_s2_.size();
    const double felt_m_s2 = delayed_m_s2_[(newest_ + size - delay_steps_) % size];
    x_m_s2_ = factor_ * (felt_m_s2 + bias_x_m_s2_ + kNoise_m_s2 * noise_.normal());
    y_m_s2_ = factor_ * (cross_ratio_ * felt_m_s2 + bias_y_m_s2_ + kNoise_m_s2 * noise_.normal());
}

EmulatedMachine::EmulatedMachine(const ParameterPage& page, double position_m, double velocity_m_s) noexcept
    : page_(page),
      carriage_(machine_of(page), page.stage, page.block.mass_kg, position_m),
      block_(page.block),
      accelerometer_(page.stage, page.machine, page.seed),
      encoder_zero_m_(position_m) {
    carriage_.push(velocity_m_s);
    sample();
}

void EmulatedMachine::sample() noexcept {
    accelerometer_.sample();
    sampled_rotation_rad_ = block_.rotation_rad() + kRotationNoise_rad * accelerometer_.noise().normal();
}

Measurement EmulatedMachine::measure() const noexcept {
    Measurement m;
    const PageMachine& machine = page_.machine;
    const double exact = machine.encoder_sign * (carriage_.motor().position_m - encoder_zero_m_) * machine.counts_per_m;
    const double phase = 2.0 * std::numbers::pi * exact / page_.stage.encoder_period_counts;
    m.encoder_count = std::llround(exact + page_.stage.encoder_ripple_counts * std::sin(phase));
    m.reference_pressed = position_m() < 0.0;
    m.limit_pressed = std::abs(position_m()) > machine.stroke_m + kLimitSwitch_ratio * machine.buffer_travel_m;
    m.has_acceleration = true;
    m.acceleration_x_m_s2 = accelerometer_.x_m_s2();
    m.acceleration_y_m_s2 = accelerometer_.y_m_s2();
    m.rotation_count = block_.exists() ? 1 : 0;
    m.rotation_rad[0] = sampled_rotation_rad_;
    return m;
}

// As sim_table/plant.cpp, for one axis and one block in its plane.
void EmulatedMachine::step(const DriveCommand& command) noexcept {
    const double before_m_s = carriage_.seat().velocity_m_s;
    const sim_table::SeatStep seat = carriage_.step(command, 0.0, block_.load(), kStep_s);
    if (command.release_specimen && !release_seen_) block_.release();
    release_seen_ = command.release_specimen;
    const auto exchange = block_.advance(seat.acceleration_m_s2 + unfelt_m_s_ / kStep_s, kStep_s);
    const double after_m_s = before_m_s + (seat.impulse_n_s + exchange.impulse_n_s) / (seat.mass_kg + exchange.mass_kg);
    unfelt_m_s_ = after_m_s - before_m_s - seat.acceleration_m_s2 * kStep_s;
    carriage_.settle(after_m_s, kStep_s);
    accelerometer_.follow(carriage_.platen().acceleration_m_s2);
}

}  // namespace topple::hil::emulated_board

// The machine behind the emulated board: the simulated stage with a block on it, and its sensors. No heap, no OS.
#pragma once

#include <array>
#include <cstdint>

#include "firmware_iface/device/device_core.hpp"
#include "hil/emulated_board/parameter_page.hpp"
#include "hil/emulated_board/rocking_block.hpp"
#include "hil/sim_table/noise.hpp"
#include "hil/sim_table/stage_carriage.hpp"

namespace topple::hil::emulated_board {

inline constexpr std::uint32_t kStep_us = 100;  ///< control period of the emulated board, and step of its world

/// The accelerometer of the stage: two poles, a delay, bias, noise.
class EmulatedAccelerometer {
  public:
    EmulatedAccelerometer(const sim_table::TablePreset& stage, const PageMachine& machine, std::uint64_t seed) noexcept;
    void follow(double acceleration_m_s2) noexcept;  ///< every step
    void sample() noexcept;                          ///< every feedback period
    double x_m_s2() const noexcept { return x_m_s2_; }
    double y_m_s2() const noexcept { return y_m_s2_; }
    sim_table::Noise& noise() noexcept { return noise_; }

  private:
    static constexpr std::size_t kDelaySteps = 15;
    double share_, factor_, cross_ratio_;
    std::size_t delay_steps_;
    sim_table::Noise noise_;
    double bias_x_m_s2_, bias_y_m_s2_;
    double half_m_s2_ = 0.0, filtered_m_s2_ = 0.0, x_m_s2_ = 0.0, y_m_s2_ = 0.0;
    std::array<double, kDelaySteps + 1> delayed_m_s2_{};  // a ring
    std::size_t newest_ = 0;
};

class EmulatedMachine {
  public:
    /// At `position_m`, where the encoder begins to count, and already moving.
    EmulatedMachine(const ParameterPage& page, double position_m, double velocity_m_s) noexcept;

    void sample() noexcept;  ///< accelerometer and rotation, once per feedback period
    firmware_iface::Measurement measure() const noexcept;
    /// kStep_us on, with this command.
    void step(const firmware_iface::DriveCommand& command) noexcept;
    void stand_block_up() noexcept { block_.stand_up(); }
    double position_m() const noexcept { return carriage_.platen().position_m; }
    double velocity_m_s() const noexcept { return carriage_.platen().velocity_m_s; }
    double rotation_rad() const noexcept { return block_.rotation_rad(); }

  private:
    const ParameterPage& page_;
    sim_table::StageCarriage carriage_;
    RockingBlock block_;
    EmulatedAccelerometer accelerometer_;
    double encoder_zero_m_;
    double sampled_rotation_rad_ = 0.0;
    double acceleration_m_s2_ = 0.0, unfelt_m_s_ = 0.0;
    bool release_seen_ = false;
};

/// The page's machine; the same object in every call.
const firmware_iface::MachineDescription& machine_of(const ParameterPage& page) noexcept;

}  // namespace topple::hil::emulated_board

// Voltages at the auxiliary inputs of the simulated table: the force of its drive, and inputs to which nothing is
// connected.
#pragma once

#include <algorithm>
#include <cstdint>

#include "firmware_iface/device/device_core.hpp"
#include "hil/sim_table/noise.hpp"

namespace topple::hil::sim_table {

/// Sampled once per feedback period and kept.
class AuxVoltages {
  public:
    static constexpr double kForce_n_per_v = 100.0;  ///< of input 0
    static constexpr double kRange_v = 10.0;         ///< of the converter, both ways
    static constexpr double kRest_v = 2.5;           ///< of every other input
    static constexpr double kNoise_v = 2e-3;         ///< of all, one standard deviation

    /// At most kAuxChannelsMax.
    AuxVoltages(std::size_t count, std::uint64_t seed) noexcept
        : count_(std::min(count, firmware_iface::kAuxChannelsMax)), noise_(seed, kStream) {}

    std::size_t count() const noexcept { return count_; }
    void sample(double drive_force_n) noexcept {
        for (std::size_t i = 0; i < count_; ++i) {
            const double volts = i == 0 ? drive_force_n / kForce_n_per_v : kRest_v;
            volts_[i] = std::clamp(volts + kNoise_v * noise_.normal(), -kRange_v, kRange_v);
        }
    }
    void read(firmware_iface::Measurement& measurement) const noexcept {
        measurement.aux_count = count_;
        measurement.aux_v = volts_;
    }

  private:
    static constexpr std::uint64_t kStream = 4;  // of the seed
    std::size_t count_;
    Noise noise_;
    std::array<double, firmware_iface::kAuxChannelsMax> volts_{};
};

}  // namespace topple::hil::sim_table
